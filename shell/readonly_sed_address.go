package shell

import "strings"

// addresses reads "1,5!", "/re/,$", "0~4", "/a/,+3".
func (p *sedParser) addresses() bool {
	if !p.address() {
		return false
	}
	p.skip(" \t")
	if p.peek() == ',' {
		p.at++
		p.skip(" \t")
		p.skip("+~")
		if !p.address() {
			return false
		}
	}
	p.skip(" \t!")
	return true
}

func (p *sedParser) address() bool {
	switch c := p.peek(); {
	case c >= '0' && c <= '9':
		p.skip(digits)
		if p.peek() == '~' {
			p.at++
			p.skip(digits)
		}
	case c == '$':
		p.at++
	case c == '/', c == '\\':
		if c == '\\' {
			p.at++
		}
		delimiter := p.peek()
		p.at++
		if _, ok := p.regex(delimiter); !ok {
			return false
		}
		p.skip("IM")
	}
	return true
}

// regex moves behind the delimiter that ends a regular expression. Newer seds
// read a delimiter inside brackets as an ordinary character, older ones do not;
// inBrackets tells that there is one.
func (p *sedParser) regex(delimiter byte) (inBrackets, ok bool) {
	if delimiter <= ' ' || delimiter >= 0x7f || delimiter == '\\' || delimiter == '[' || delimiter == ']' {
		return false, false
	}
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case delimiter:
			p.at++
			return inBrackets, true
		case '\n':
			return false, false
		case '\\':
			p.at += 2
		case '[':
			end := bracketExpressionEnd(p.text[p.at:])
			if end == 0 {
				return false, false
			}
			inBrackets = inBrackets || strings.IndexByte(p.text[p.at:p.at+end], delimiter) >= 0
			p.at += end
		default:
			p.at++
		}
	}
	return false, false
}

// bracketExpressionEnd is the length of the bracket expression that text starts
// with, 0 if it does not end on the line or ends in "\]", which seds read
// differently.
func bracketExpressionEnd(text string) int {
	i := 1
	if i < len(text) && text[i] == '^' {
		i++
	}
	for first := i; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] == ']' && text[i-1] == '\\':
			return 0
		case text[i] == ']' && i > first:
			return i + 1
		case text[i] == '[' && i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0:
			length := characterClass(text[i:])
			if length == 0 {
				return 0
			}
			i += length - 1
		}
	}
	return 0
}

// characterClass is the length of "[:alpha:]" (or "[=a=]", "[.a.]") at the start
// of text, 0 when there is none.
func characterClass(text string) int {
	i := 2
	for i < len(text) && isNameByte(text[i]) {
		i++
	}
	if i+1 < len(text) && i > 2 && text[i] == text[1] && text[i+1] == ']' {
		return i + 2
	}
	return 0
}
