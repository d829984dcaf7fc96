package policy

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// bash finds Bash rules that can never match, match more than they say, or miss
// what they mean to stop.
func (l *linter) bash(r *rule.Rule) {
	if r.Tool != "Bash" {
		return
	}
	if r.Bare {
		if r.Behavior == rule.Allow {
			l.add(Warning, "broad-allow", r, "allows every command", "allow the commands you mean, one rule each")
		}
		return
	}
	pattern := readCommandPattern(r.Content)
	if l.neverMatches(r, pattern) {
		return
	}
	switch r.Behavior {
	case rule.Allow:
		l.broad(r, pattern)
	case rule.Ask, rule.Deny:
		l.evaded(r, pattern)
	}
	l.openWord(r)
}

// commandPattern is the content of a Bash rule as a command somebody might type.
type commandPattern struct {
	// words are the literal words before the first star.
	words []string
	// open: any arguments may follow.
	open bool
	// sample is the content with every star replaced by a plain word.
	sample string
}

const sampleWord = "x"

func readCommandPattern(content string) commandPattern {
	prefix, open := openEnd(content)
	p := commandPattern{open: open}
	literal := strings.ReplaceAll(prefix, `\*`, "\x00")
	p.sample = unescape(strings.ReplaceAll(literal, "*", sampleWord))
	head, _, starred := strings.Cut(literal, "*")
	if starred {
		head = head[:strings.LastIndexByte(head, ' ')+1]
	}
	p.words = strings.Fields(unescape(head))
	return p
}

func unescape(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\x00", "*"), `\\`, `\`)
}

// neverMatches compares the content with what a simple command looks like to a
// rule: its words after quote removal, joined with one blank.
func (l *linter) neverMatches(r *rule.Rule, p commandPattern) bool {
	script := shell.Parse(p.sample)
	switch {
	case script.Problem != nil || len(script.Commands) == 0:
		return false // it may still be the words of a quoted argument
	case compound(script):
		l.add(Warning, "compound", r, "holds an operator, and rules are compared with one simple command at a time: it never matches",
			"write one rule for each command")
	case len(script.Commands[0].Redirects) > 0:
		l.add(Warning, "redirect", r, "holds a redirection, and rules are compared with the words alone: it never matches",
			"write the command without it; an Edit rule on the file covers the redirection")
	case len(script.Commands[0].Assigns) > 0:
		l.add(Warning, "assignment", r, "starts with an assignment, and rules are compared without them: it never matches",
			"write the command alone")
	case strings.ContainsAny(p.sample, `"'`) && !strings.ContainsAny(script.Commands[0].Text(), `"'`):
		l.add(Warning, "quotes", r, "holds quotes, and rules are compared after quote removal: it never matches as written",
			"write Bash("+rule.Escape(PartText(script.Commands[0].Text()))+")")
	case strings.Join(strings.Fields(p.sample), " ") != p.sample:
		l.add(Warning, "blanks", r, "holds blanks that no command has: words are joined with one", "write one blank between words")
	default:
		return false
	}
	return true
}

// compound: bash itself would run more than one command.
func compound(script *shell.Script) bool {
	direct := 0
	for i := range script.Commands {
		if script.Commands[i].Link == shell.Direct {
			direct++
		}
	}
	return direct > 1
}

// openWord: a star right behind a word also takes other words: `ls*` is lsof too.
func (l *linter) openWord(r *rule.Rule) {
	word, star := strings.CutSuffix(r.Content, "*")
	if !star || r.Behavior != rule.Allow || word == "" || strings.ContainsAny(word, `*\`) {
		return
	}
	last := word[len(word)-1]
	letter := last|0x20 >= 'a' && last|0x20 <= 'z' || last >= '0' && last <= '9'
	if letter && !strings.Contains(word, " ") {
		l.add(Warning, "open-word", r, fmt.Sprintf("also allows other programs whose names start with %s", Visible(word)),
			fmt.Sprintf("write Bash(%s:*)", word))
	}
}

// evaded finds deny and ask rules on options, which can be spelt and placed in
// more ways than one.
func (l *linter) evaded(r *rule.Rule, p commandPattern) {
	for i, word := range p.words {
		if i == 0 || !strings.HasPrefix(word, "-") || word == "-" || word == "--" {
			continue
		}
		program := strings.Join(p.words[:i], " ")
		if cluster(word) {
			l.add(Info, "option-spelling", r, fmt.Sprintf("misses other spellings of %s: letters in another order, apart, or as long options", Visible(word)),
				fmt.Sprintf("restrict Bash(%s:*) as a whole", program))
		} else {
			l.add(Info, "option-order", r, fmt.Sprintf("misses %s behind other arguments", Visible(word)),
				fmt.Sprintf("add Bash(%s * %s) and Bash(%s * %s *), or restrict Bash(%s:*) as a whole", program, word, program, word, program))
		}
		return
	}
}

// cluster: several options behind one dash.
func cluster(word string) bool {
	return len(word) > 2 && word[1] != '-' && !strings.Contains(word, "=")
}
