package inbox

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assent-dev/assent/session"
)

// masked stands where a secret stood.
const masked = "[secret]"

// mask takes out of a text what looks like a key, a token or a password. It is for lists,
// events and logs, which are seen by more people than the call itself, and for longer. It
// masks rather too much than too little: whoever decides is shown the exact input.
func mask(text string) string {
	if len(text) < 8 { // nothing in it can be one
		return text
	}
	text = maskWords(text)
	all := maskPatterns(text)
	if all == text {
		return text
	}
	var out strings.Builder
	done := 0
	for _, s := range spared(text) {
		if s.from >= done {
			out.WriteString(maskPatterns(text[done:s.from]) + text[s.from:s.to])
			done = s.to
		}
	}
	if done == 0 {
		return all
	}
	return out.String() + maskPatterns(text[done:])
}

// maskPatterns takes out what looks like a secret wherever it stands.
func maskPatterns(text string) string {
	small := strings.ToLower(text)
	for _, p := range secretPatterns() {
		if slices.ContainsFunc(p.signs, func(sign string) bool { return strings.Contains(small, sign) }) {
			text = p.expression.ReplaceAllString(text, p.by)
		}
	}
	return maskRandom(text)
}

// HidesPart: the sentence of a call does not show all of what the call would do, because a
// part of it looks like a secret. Whoever answers has to look at the call itself.
func HidesPart(sentence string) bool { return strings.Contains(sentence, masked) }

// Masked is a text for a log, without what looks like a secret.
func Masked(text string) string { return mask(text) }

// secretPattern is what a secret looks like.
type secretPattern struct {
	// signs are texts, in small letters, of which one occurs wherever the expression matches.
	// Most texts have none of them, and looking for these costs little.
	signs      []string
	expression *regexp.Regexp
	by         string
}

// secretPatterns are what secrets look like, by what stands before them or by how they
// begin.
var secretPatterns = sync.OnceValue(func() []secretPattern {
	// A value is what the shell takes for one word: it may begin in quotation marks, which may
	// not end here, and further ones may follow, as long as no blank is in them.
	const value = `(?:"(?:[^"\\]|\\.)*(?:"|$)|\$?'[^']*(?:'|$)|\\+"[^"]*"?|[^\s"'&;,|)}])(?:"[^"\s]*"|'[^'\s]*'|\\.|[^\s"'&;,|)}])*`
	// What is unlike a word of a sentence has a digit, a sign, or a capital letter in its midst.
	const unlike = `(?:[A-Za-z0-9._~+/=-]*(?:[0-9_~+/=]|[a-z][A-Z])[A-Za-z0-9._~+/=-]{5,}|[A-Za-z0-9._~+/=-]{6,}(?:[0-9_~+/=]|[a-z][A-Z])[A-Za-z0-9._~+/=-]*)`
	const name = `(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|pwd)`
	var all []secretPattern
	for _, p := range [][3]string{
		{"key-----", `(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|$)`, masked},
		{"bearer basic", `\b((?i:bearer|basic)\s+)` + unlike, "$1" + masked},
		{"authorization api-key private-token x-", `(?i)\b(authorization|api-key|private-token|x-(?:[a-z0-9]+-)*(?:token|key|secret|auth|password))(["']?\s*:\s*["']?)(?:(?:bearer|basic|token)\s+)?[^\s"']{4,}`, "$1$2" + masked},
		{"cookie", `(?i)\b((?:set-)?cookie["']?\s*:\s*["']?)[^"'\n]{4,}`, "$1" + masked},
		{"passw passphrase secret token key credential pwd", `(?i)([a-z0-9_.-]*` + name + `[a-z0-9_-]*(?:\\*["']?\s*=\s*|\\*["']\s*:\s*|:))` + value, "$1" + masked},
		{"pass auth pw", `(?i)\b((?:[a-z0-9]+[_.-])*(?:pass|auth|pw)(?:\\*["']?\s*=\s*|\\*["']\s*:\s*|:))` + value, "$1" + masked},
		{"passw passphrase secret token key credential pwd pass auth pw", `(?im)((?:^|[{,])[ \t]*(?:- )?(?:(?:[a-z0-9_.][a-z0-9_.-]*)?` + name + `[a-z0-9_-]*|(?:[a-z0-9]+[_.-])*(?:pass|auth|pw))[ \t]*:[ \t]+)` + value, "$1" + masked},
		{"passw passphrase secret token key credential pwd pass auth pw", `((?i:` + name + `[a-z0-9_-]*|\b(?:pass|auth|pw))\s*:\s+)(?:"[^"]*"|'[^']*'|` + unlike + `)`, "$1" + masked},
		{"pass pw secret token key credential auth bearer cookie", `(?i)(\B--?(?:[a-z0-9]+[-_])*(?:` + name + `(?:[-_](?:string|value|data|text))?|auth|pass|pw|bearer|cookie)[\s=]+)` + value, "$1" + masked},
		{"password identified", `(?i)(\b(?:alter|create|grant)\s[^;\n]{0,200}?\b(?:password|identified\s+by)\s+)(?:'\\''[^']*'\\''|\\?'[^']*')`, "$1" + masked},
		{"sig", `(?i)([?&][a-z0-9_-]*sig(?:nature)?=)` + value, "$1" + masked},
		{"://", `([a-z][a-z0-9+.-]*://[^\s/:@"']*:)[^\s/@"']+(@)`, "$1" + masked + "$2"},
		{"://", `([a-z][a-z0-9+.-]*://)[^\s/:@"']{8,}(@)`, "$1" + masked + "$2"},
		{"http:// https://", `(?i)(\bhttps?://)[^\s/:@"'?#[\]]+(@)`, "$1" + masked + "$2"}, // a name alone is for ssh
		{"sk- sk_ pk- pk_ rk- rk_", `\b(sk|pk|rk)[-_](live|test|ant|proj|or|svcacct)?[-_A-Za-z0-9]{16,}`, masked},
		{"ghp gho ghu ghs ghr github_pat glpat glptt npm pypi dop_v1 xox hf shpat sg. age-secret-key", `\b(ghp|gho|ghu|ghs|ghr|github_pat|glpat|glptt|npm|pypi|dop_v1|xox[abposr]|hf|shpat|SG|AGE-SECRET-KEY)[-_.][-_.A-Za-z0-9]{10,}`, masked},
		{"akia asia aroa aida", `\b(AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b`, masked},
		{"aiza", `\bAIza[-_A-Za-z0-9]{30,}`, masked},
		{"eyj", `\beyJ[-_A-Za-z0-9]{8,}\.[-_A-Za-z0-9]{8,}\.?[-_A-Za-z0-9]*`, masked},
		{"hooks.slack.com", `https://hooks\.slack\.com/services/\S+`, masked},
	} {
		all = append(all, secretPattern{strings.Fields(p[0]), regexp.MustCompile(p[1]), p[2]})
	}
	return all
})

// maskRandom takes out long words that nobody would write by hand. A commit, a sum of a file
// and the name of a session are none: people decide by them.
func maskRandom(text string) string {
	const long = 24
	var out strings.Builder
	rest := 0 // what is not written out yet
	for from := 0; from < len(text); {
		to := from
		for to < len(text) && (class(text[to]) != '-' || strings.IndexByte("+_=-", text[to]) >= 0) {
			to++
		}
		if to-from >= long && random(text[from:to]) {
			out.WriteString(text[rest:from] + masked)
			rest = to
		}
		from = to + 1
	}
	if rest == 0 {
		return text
	}
	return out.String() + text[rest:]
}

// random: letters and digits are mixed as chance does it. In what people write, digits
// stand together and letters make words.
func random(word string) bool {
	if strings.Trim(word, "0123456789abcdef") == "" && (len(word) == 40 || len(word) == 64) {
		return false
	}
	if len(word) == 36 && session.CheckID(word) == nil {
		return false
	}
	turns, digits := 0, 0
	for i := range len(word) {
		if class(word[i]) == 'd' {
			digits++
		}
		if i > 0 && class(word[i]) != class(word[i-1]) {
			turns++
		}
	}
	return digits >= 2 && turns*3 >= len(word)
}

// class tells digits, capital and small letters, and the rest apart.
func class(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return 'd'
	case c >= 'A' && c <= 'Z':
		return 'A'
	case c >= 'a' && c <= 'z':
		return 'a'
	}
	return '-'
}
