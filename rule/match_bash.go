package rule

import "strings"

// commandPattern is the content of a Bash rule.
type commandPattern struct {
	wildcard
	// open: the content ended in `:*` or ` *`, so a blank and anything may follow.
	open bool
	// longer is the pattern with that blank and star, where stars before them make
	// it more than a prefix; nil otherwise.
	longer *wildcard
}

func parseCommand(content string) commandPattern {
	prefix, open := cutOpenEnd(content)
	if open && prefix == "" {
		return commandPattern{wildcard: wildcard{rest: []string{""}}}
	}
	p := commandPattern{wildcard: parseWildcard(prefix), open: open}
	if open && !p.literal() {
		last := len(p.rest) - 1
		rest := append(p.rest[:last:last], p.rest[last]+" ", "")
		p.longer = &wildcard{head: p.head, rest: rest}
	}
	return p
}

// cutOpenEnd removes `:*` or ` *` from the end. The star must not be escaped, and
// several of them count as one.
func cutOpenEnd(content string) (prefix string, open bool) {
	end := len(strings.TrimRight(content, "*"))
	if escapedAt(content, end) {
		end++
	}
	if end >= len(content) {
		return content, false
	}
	head := content[:end]
	if strings.HasSuffix(head, ":") {
		return strings.TrimRight(head[:end-1], blanks), true
	}
	prefix = strings.TrimRight(head, blanks)
	if len(prefix) < len(head) {
		return prefix, true
	}
	return content, false
}

func (p *commandPattern) match(text string) bool {
	if p.wildcard.match(text) {
		return true
	}
	if p.longer != nil {
		return p.longer.match(text)
	}
	return p.open && len(text) > len(p.head) && text[len(p.head)] == ' ' && strings.HasPrefix(text, p.head)
}

// words are the literal words that every matching text starts with, whole words
// only; empty when a star stands in the first one.
func (p *commandPattern) words() string {
	if p.literal() {
		return p.head
	}
	return p.head[:max(strings.LastIndexByte(p.head, ' '), 0)]
}

// may reports whether some value of the marks makes the text match.
func (p *commandPattern) may(text string, a *counted) bool {
	if a.work++; !headsAgree(p.head, text) {
		return false
	}
	if a.work > mostReading {
		return true
	}
	a.load(p)
	meets := a.meetsCommand(text)
	a.work += a.readings * (4 + len(text)/4)
	return meets
}

// counted is an automaton with the work that it has done.
type counted struct {
	automaton
	work int
}

// mostReading bounds the work on texts with marks: beyond it any rule may match.
const mostReading = 1 << 22

// headsAgree compares the literal beginnings of pattern and text: the cheap
// reason for most rules to be out of the question.
func headsAgree(head, text string) bool {
	for i := range min(len(head), len(text)) {
		if marked(text[i]) {
			return true
		}
		if head[i] != text[i] {
			return false
		}
	}
	return true
}

// load makes the automaton of a pattern.
func (a *automaton) load(p *commandPattern) {
	size := len(p.head) + 1
	for _, piece := range p.rest {
		size += len(piece)
	}
	a.reset(size)
	a.text(p.head)
	for _, piece := range p.rest {
		a.star()
		a.text(piece)
	}
	a.accept()
	if p.open {
		a.text(" ")
		a.star()
		a.accept()
	}
}
