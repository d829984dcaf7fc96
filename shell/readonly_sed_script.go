package shell

import "strings"

// sedParser reads a sed script far enough to know every command in it. Where the
// sed programs in use read a script differently, it is not understood.
type sedParser struct {
	text string
	at   int
}

const notUnderstood = "the script is not understood"

// sedScript says what a script does besides editing the stream, "" for nothing.
func sedScript(text string) string {
	p := sedParser{text: text}
	for {
		p.skip(" \t\n;")
		if p.at >= len(p.text) {
			return ""
		}
		if p.peek() == '#' {
			p.line()
			continue
		}
		if !p.addresses() {
			return notUnderstood
		}
		if why := p.command(); why != "" {
			return why
		}
	}
}

// peek is the next character, 0 at the end.
func (p *sedParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *sedParser) skip(set string) {
	for p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
	}
}

const digits = "0123456789"

// line moves behind the rest of the line.
func (p *sedParser) line() {
	if i := strings.IndexByte(p.text[p.at:], '\n'); i >= 0 {
		p.at += i + 1
	} else {
		p.at = len(p.text)
	}
}

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

// command reads one command and says what is wrong with it.
func (p *sedParser) command() string {
	c := p.peek()
	p.at++
	switch c {
	case 'w', 'W':
		return "the command " + string(c) + " of the script writes a file"
	case 'e':
		return "the command e of the script runs a program"
	case '{':
		return ""
	case '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
		return p.end()
	case 'l', 'q', 'Q':
		p.skip(" \t")
		p.skip(digits)
		return p.end()
	case 'a', 'i', 'c':
		return p.addedText()
	case 'b', 't', 'T', ':':
		return p.label(c == ':')
	case 'r', 'R':
		p.line()
		return ""
	case 's':
		return p.substitute()
	case 'y':
		return p.transliterate()
	}
	return notUnderstood
}

// end checks that a command stops here.
func (p *sedParser) end() string {
	p.skip(" \t")
	switch p.peek() {
	case ';', '\n':
		p.at++
	case 0, '}', '#':
		if p.at < len(p.text) && p.text[p.at] == 0 {
			return notUnderstood
		}
	default:
		return notUnderstood
	}
	return ""
}

// addedText reads the text of a, i and c: to the end of the line, and further
// where a backslash stands at the end.
func (p *sedParser) addedText() string {
	p.skip(" \t")
	if p.peek() == '\\' {
		p.at++
		p.skip(" \t")
		if p.peek() == '\n' {
			p.at++
		}
	}
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != '\n' {
		if p.text[p.at] == '\\' && p.at+1 < len(p.text) {
			p.at++
		}
		p.at++
	}
	if p.at == start {
		return notUnderstood // seds differ on where an empty text ends
	}
	return ""
}

// label reads the name behind ":", b, t and T.
func (p *sedParser) label(defines bool) string {
	p.skip(" \t")
	start := p.at
	for p.at < len(p.text) && strings.IndexByte(" \t\n;}", p.text[p.at]) < 0 {
		p.at++
	}
	if defines && p.at == start {
		return notUnderstood
	}
	p.skip(" \t")
	if (p.peek() == ';' || p.peek() == '}') && strings.Contains(p.text, "\\\n") {
		// Other seds take ";" for a part of the label and start a command on the
		// next line, which may here be the inside of a text.
		return notUnderstood
	}
	return p.end()
}

// substitute reads s/regex/replacement/flags.
func (p *sedParser) substitute() string {
	start, delimiter := p.at, p.peek()
	p.at++
	inBrackets, ok := p.regex(delimiter)
	if !ok || !p.replacement(delimiter) {
		return notUnderstood
	}
	if inBrackets && olderReadingWrites(p.text[start:p.at], delimiter) {
		return notUnderstood
	}
	p.skip("gpiImM" + digits)
	switch p.peek() {
	case 'w':
		return "the flag w of a substitution writes a file"
	case 'e':
		return "the flag e of a substitution runs a program"
	}
	return p.end()
}

// olderReadingWrites: an old sed ends the regular expression inside the brackets;
// what follows a later delimiter may then be its flags.
func olderReadingWrites(command string, delimiter byte) bool {
	for {
		i := strings.IndexByte(command, delimiter)
		if i < 0 {
			return false
		}
		command = command[i+1:]
		flags := strings.TrimLeft(command, "gpiImM"+digits)
		if flags != "" && (flags[0] == 'w' || flags[0] == 'e') {
			return true
		}
	}
}

// replacement moves behind the delimiter that ends a replacement.
func (p *sedParser) replacement(delimiter byte) bool {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case delimiter:
			p.at++
			return true
		case '\n':
			return false
		case '\\':
			p.at++
		}
		p.at++
	}
	return false
}

// transliterate reads y/abc/xyz/.
func (p *sedParser) transliterate() string {
	delimiter := p.peek()
	p.at++
	if delimiter <= ' ' || delimiter >= 0x7f || delimiter == '\\' || !p.replacement(delimiter) || !p.replacement(delimiter) {
		return notUnderstood
	}
	return p.end()
}
