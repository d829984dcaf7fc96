package shell

import (
	"cmp"
	"slices"
	"strings"
)

// sedParser reads a sed script far enough to know every command in it. Where the
// sed programs in use read a script differently, it is not understood.
type sedParser struct {
	text string
	at   int

	does  string    // what it does besides editing the stream, "" for nothing
	lost  bool      // from some place on it is not understood
	files []sedFile // those that its commands name
	runs  []string  // what e runs: its text, or what a substitution puts in

	some   bool // a block has begun that is not for all lines
	drops  bool // nothing is left of any line
	prints bool // it may print without being asked by the end of the script, or leave it before
}

// sedFile is a file that a command of a script reads or writes.
type sedFile struct {
	mode AccessMode
	path string
}

const notUnderstood = "the script is not understood"

// sedScript says what a script does besides editing the stream, "" for nothing.
func sedScript(text string) string {
	p := readSed(text)
	if p.does == "" && p.lost {
		return notUnderstood
	}
	return p.does
}

// readSed goes through a script, to its end or to the place where it is not understood.
func readSed(text string) sedParser {
	// What is only known when it runs may end the command in which it stands, and begin another.
	p := sedParser{text: text, lost: strings.Contains(text, unknownMark)}
	for !p.lost {
		p.skip(" \t\n;")
		if p.at >= len(p.text) {
			break
		}
		if p.peek() == '#' {
			comment, _, _ := strings.Cut(p.text[p.at:], "\n")
			p.lost = strings.IndexByte(comment, '\r') >= 0 // where a comment ends for busybox
			p.line()
			continue
		}
		start := p.at
		if !p.addresses() {
			p.lost = true
			break
		}
		command := p.at
		why := p.command()
		p.effect(strings.TrimSpace(p.text[start:command]), p.text[command:min(p.at, len(p.text))])
		switch why {
		case "":
		case notUnderstood:
			p.lost = true
		default:
			p.does = cmp.Or(p.does, why)
		}
	}
	return p
}

// effect notes what a command leaves of the lines.
func (p *sedParser) effect(address, command string) {
	if command == "" {
		return
	}
	all := !p.some && !p.prints && slices.Contains(everyLine, address)
	switch command[0] {
	case '{':
		p.some = p.some || !slices.Contains(everyLine, address)
	case 'd', 'D', 'Q', 'z', 'c':
		p.drops = p.drops || all
	case 's':
		if len(command) < 2 {
			return
		}
		end := max(1, strings.LastIndexByte(command, command[1]))
		p.prints = p.prints || strings.ContainsAny(command[end:], "pwe")
		regex, text, _ := strings.Cut(command[min(2, end):end], command[1:2])
		p.drops = p.drops || all && strings.Trim(regex, "^$") == ".*" && !strings.ContainsAny(text, `&\`)
	}
	p.prints = p.prints || strings.IndexByte("pPiacrRwWel=nNbtTqgGx", command[0]) >= 0
}

// everyLine are addresses that no line is left out by; the first is none.
var everyLine = []string{"", "1,$", "0~1", "1~1", "//", "/./", "/.*/", "/^/", "/$/", "/^.*/", "/^.*$/"}

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

// command reads one command and says what is wrong with it.
func (p *sedParser) command() string {
	c := p.peek()
	p.at++
	switch c {
	case 'w', 'W':
		p.file(Writes)
		return "the command " + string(c) + " of the script writes a file"
	case 'e':
		start := p.at
		p.line()
		p.runs = append(p.runs, p.text[start:p.at])
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
		p.file(Reads)
		return ""
	case 's':
		return p.substitute()
	case 'y':
		return p.transliterate()
	}
	return notUnderstood
}

// file reads the name of a file, which needs no blank before it. It is the rest of the line; for
// some seds it ends earlier, and another command follows, so both are taken for possible. That
// command may take the next line for its text, which is a command for the others.
func (p *sedParser) file(mode AccessMode) {
	name, next, _ := strings.Cut(p.text[p.at:], "\n")
	p.files = append(p.files, sedFile{mode, strings.TrimSpace(name)})
	if end := strings.IndexAny(name, ";}"); end >= 0 {
		p.files = append(p.files, sedFile{mode, strings.TrimSpace(name[:end])})
		p.lost = p.lost || strings.TrimSpace(next) != ""
		p.at += end
		return
	}
	p.line()
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

// addedText reads the text of a, i and c. Behind "a\" and a line break it goes to the end of the
// line, and further where a backslash stands at the end. Where it begins on the line of its
// command it must be no more than that line: seds differ on what a backslash means in it.
func (p *sedParser) addedText() string {
	p.skip(" \t")
	lines := strings.HasPrefix(p.text[p.at:], "\\\n")
	switch {
	case lines:
		p.at += len("\\\n")
	case p.peek() == '\\':
		p.at++
		p.skip(" \t")
	}
	if p.at >= len(p.text) || strings.IndexByte("\\\n", p.text[p.at]) >= 0 {
		return notUnderstood // an empty text, or one that begins with a backslash: seds differ on where it ends
	}
	for p.at < len(p.text) && p.text[p.at] != '\n' {
		if p.text[p.at] == '\\' && p.at+1 < len(p.text) {
			if p.at++; p.text[p.at] == '\n' && !lines {
				return notUnderstood
			}
		}
		p.at++
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
	if defines && p.at == start || strings.ContainsAny(p.text[start:p.at], "\\\r\v") { // busybox ends a label there, or goes on
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

// sedFlags are those of a substitution that do nothing but edit; blanks may stand between them.
const sedFlags = "gpiImM \t" + digits

// substitute reads s/regex/replacement/flags.
func (p *sedParser) substitute() string {
	start, delimiter := p.at, p.peek()
	p.at++
	inBrackets, ok := p.regex(delimiter)
	replaced := p.at
	if !ok || !p.replacement(delimiter) {
		return notUnderstood
	}
	code := p.text[replaced : p.at-1]
	if inBrackets && olderReadingWrites(p.text[start:p.at], delimiter) {
		return notUnderstood
	}
	why := ""
	for {
		p.skip(sedFlags)
		switch p.peek() {
		case 'w':
			p.at++
			p.file(Writes)
			return cmp.Or(why, "the flag w of a substitution writes a file")
		case 'e':
			p.at++
			p.runs = append(p.runs, code)
			why = "the flag e of a substitution runs a program"
		default:
			return cmp.Or(p.end(), why)
		}
	}
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
		flags := strings.TrimLeft(command, sedFlags)
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
