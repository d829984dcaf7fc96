package policy

import (
	"strings"

	"github.com/assent-dev/assent/rule"
)

// regex finds contents that were written as regular expressions. No rule is one:
// only a star is special.
func (l *linter) regex(r *rule.Rule) {
	if r.Bare || r.Tool != "Bash" && !aboutPaths(r.Tool) {
		return
	}
	if sign := regexSign(r.Content, aboutPaths(r.Tool)); sign != "" {
		severity := Warning
		if name, _, _ := strings.Cut(r.Content, " "); sign[0] == '.' && !strings.Contains(name, sign) {
			severity = Info // `cat config.*` may well be about file names
		}
		l.add(severity, "regex", r, "looks like a regular expression ("+Visible(sign)+"), and no rule is one",
			regexFix(r))
	}
}

func regexFix(r *rule.Rule) string {
	if r.Tool != "Bash" {
		return "write a pattern as in .gitignore: * within a directory, ** across directories"
	}
	words := strings.TrimRight(strings.TrimLeft(r.Content, "^"), "$")
	if head, ok := strings.CutSuffix(words, ".*"); ok && regexSign(head, false) == "" {
		return "write Bash(" + strings.TrimSpace(head) + ":*)"
	}
	return "write * for any text, name:* for a command with any arguments, and one rule for each alternative"
}

// regexSign is what gives a regular expression away.
func regexSign(content string, path bool) string {
	switch {
	case strings.HasPrefix(content, "^"):
		return "^"
	case strings.HasSuffix(content, "$") && len(content) > 1:
		return "$"
	}
	for _, sign := range []string{`\s`, `\d`, `\w`, `\b`, `\S`, `\.`} {
		if strings.Contains(content, sign) {
			return sign
		}
	}
	if sign := alternation(content); sign != "" {
		return sign
	}
	if path {
		return "" // classes and dots are at home in file name patterns
	}
	if sign := repeatedClass(content); sign != "" {
		return sign
	}
	return anyCharacter(content)
}

// alternation finds "(a|b)".
func alternation(content string) string {
	open := strings.IndexByte(content, '(')
	if open < 0 || open > 0 && content[open-1] == '$' {
		return ""
	}
	inner, _, closed := strings.Cut(content[open:], ")")
	if closed && strings.Contains(inner, "|") && !strings.Contains(inner, " | ") {
		return inner + ")"
	}
	return ""
}

// repeatedClass finds "[a-z]+" and "[0-9]*".
func repeatedClass(content string) string {
	open := strings.IndexByte(content, '[')
	if open < 0 {
		return ""
	}
	end := strings.IndexByte(content[open:], ']')
	if end < 0 || open+end+1 >= len(content) || strings.IndexByte("+*{?", content[open+end+1]) < 0 {
		return ""
	}
	return content[open : open+end+2]
}

// anyCharacter finds ".*" and ".+" behind a letter: a dot that starts a name is one
// of a hidden file.
func anyCharacter(content string) string {
	for _, sign := range []string{".*", ".+"} {
		at := strings.Index(content, sign)
		if at > 0 && strings.IndexByte(" /.*", content[at-1]) < 0 {
			return sign
		}
		if at == 0 && len(content) == len(sign) {
			return sign
		}
	}
	return ""
}
