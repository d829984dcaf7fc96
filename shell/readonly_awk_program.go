package shell

import "strings"

// awkToken is the kind of the token before the current place: it decides whether
// "/" divides or starts a regular expression and whether a newline ends a statement.
type awkToken uint8

const (
	awkOperator awkToken = iota // also the start, keywords and opening brackets
	awkOperand                  // a name, a number, a string, ")" or "]"
	awkStep                     // ++ or --
	awkControl                  // the ")" of if, while, for, switch
	awkUnclear                  // getline or length, after which "/" is ambiguous
)

// awkReader goes through a program token by token. Where the awk programs in use
// read a program differently, it is not understood.
type awkReader struct {
	text string
	at   int
	prev awkToken

	depth   int    // open parentheses
	control uint64 // a bit for each open parenthesis that belongs to a keyword
	keyword bool   // the last token was if, while, for or switch

	printing bool // in a print statement, where ">" outside parentheses writes
	from     int  // the depth at which it started
	getline  bool // in a statement with getline, where "<" opens a file
	indexes  int  // open brackets of indexes

	reads []string // the files that it names, unknownMark for one that is only known when it runs
}

const notUnderstoodAwk = "the program is not understood"

// awkProgram says what a program does besides printing, "" for nothing.
func awkProgram(text string) string {
	r := awkReader{text: text}
	for r.at < len(r.text) {
		if why := r.token(); why != "" {
			return why
		}
	}
	return ""
}

func (r *awkReader) token() string {
	c := r.text[r.at]
	switch {
	case c == ' ' || c == '\t' || c == '\r':
		r.at++
		return ""
	case c == '\\' && strings.HasPrefix(r.text[r.at:], "\\\n"):
		r.at += 2
		return ""
	case c == '#':
		for r.at < len(r.text) && r.text[r.at] != '\n' {
			r.at++
		}
		return ""
	case c == '"':
		_, ok := r.quoted()
		return r.unless(ok)
	case c == '_' || lowerByte(c) >= 'a' && lowerByte(c) <= 'z':
		return r.name()
	case c >= '0' && c <= '9' || c == '.':
		return r.unless(r.number())
	}
	r.at++
	return r.punctuation(c)
}

func (r *awkReader) unless(ok bool) string {
	if ok {
		return ""
	}
	return notUnderstoodAwk
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || lowerByte(c) >= 'a' && lowerByte(c) <= 'z'
}

// number reads 12.5, 1e9 or 0x1f. Other letters next to a number are refused: in
// 1system("x") a call starts right behind the number.
func (r *awkReader) number() bool {
	for ; r.at < len(r.text); r.at++ {
		c := lowerByte(r.text[r.at])
		if c != '.' && !isNameByte(c) {
			break
		}
		if c == '_' || c > 'f' && c != 'x' {
			return false
		}
	}
	r.prev = awkOperand
	return true
}

// quoted reads a string and returns its inside as written.
func (r *awkReader) quoted() (inside string, ok bool) {
	start := r.at + 1
	for r.at++; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case '\n':
			return "", false
		case '"':
			inside = r.text[start:r.at]
			r.at++
			r.prev = awkOperand
			return inside, true
		}
	}
	return "", false
}

func (r *awkReader) name() string {
	start := r.at
	for r.at < len(r.text) && isNameByte(r.text[r.at]) {
		r.at++
	}
	r.keyword = false
	r.prev = awkOperand
	switch r.text[start:r.at] {
	case "system":
		return "system() runs a program"
	case "ARGV", "SYMTAB":
		r.reads = append(r.reads, unknownMark)
		return "the program chooses its input files" // gawk reads /inet/… from the network
	case "print", "printf":
		r.printing, r.from = true, r.depth
		r.prev = awkOperator
	case "getline":
		r.getline = true
		r.prev = awkUnclear
	case "length":
		r.prev = awkUnclear
	case "if", "while", "for", "switch":
		r.keyword = true
		r.prev = awkOperator
	case "else", "do", "return", "in", "case", "delete", "exit":
		r.prev = awkOperator
	}
	return ""
}

// punctuation reads an operator or a bracket that starts with c.
func (r *awkReader) punctuation(c byte) string {
	keyword := r.keyword
	r.keyword = false
	before := r.prev
	r.prev = awkOperator
	switch c {
	case '(':
		return r.open(keyword)
	case ')':
		return r.close()
	case '[':
		r.indexes++
	case ']':
		r.indexes--
		r.prev = awkOperand
	case '\n':
		if before != awkOperator {
			r.endStatement()
		}
	case ';', '{', '}':
		r.endStatement()
	case '/':
		return r.slash(before)
	case '>':
		return r.greater()
	case '<':
		return r.less()
	case '|':
		if !r.accept('|') {
			return "a pipe runs a program"
		}
	case '&':
		return r.unless(r.accept('&'))
	case '+', '-':
		if r.accept(c) {
			r.prev = awkStep
		}
	case '*', '%', '^', '!', '~', '=', '?', ':', ',', '$':
	default:
		return notUnderstoodAwk
	}
	return ""
}

func (r *awkReader) accept(c byte) bool {
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *awkReader) endStatement() {
	r.printing = r.printing && r.depth > r.from
	r.getline = r.getline && r.depth > 0
}

func (r *awkReader) open(keyword bool) string {
	if r.depth >= 64 {
		return notUnderstoodAwk
	}
	r.control &^= 1 << r.depth
	if keyword {
		r.control |= 1 << r.depth
	}
	r.depth++
	return ""
}

func (r *awkReader) close() string {
	if r.depth == 0 || r.printing && r.depth == r.from {
		return notUnderstoodAwk
	}
	r.depth--
	r.prev = awkOperand
	if r.control&(1<<r.depth) != 0 {
		r.prev = awkControl
	}
	return ""
}

// slash is a division after an operand, otherwise the start of a regular
// expression. Where that is not certain, a second "/" on the line is refused.
func (r *awkReader) slash(before awkToken) string {
	switch before {
	case awkOperand:
		return ""
	case awkOperator:
		return r.unless(r.regex())
	case awkControl, awkStep, awkUnclear:
	}
	line, _, _ := strings.Cut(r.text[r.at:], "\n")
	return r.unless(strings.IndexByte(line, '/') < 0)
}

// regex moves behind a regular expression. Not every awk lets "/" stand in
// brackets, so there it is refused.
func (r *awkReader) regex() bool {
	brackets := false
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '\n', c == '/' && brackets:
			return false
		case c == '\\':
			r.at++
		case c == '/':
			r.at++
			r.prev = awkOperand
			return true
		case c == ']':
			brackets = false
		case c == '[' && !brackets:
			rest := strings.TrimPrefix(r.text[r.at+1:], "^")
			if strings.HasPrefix(rest, "]") {
				return false
			}
			brackets = true
		case c == '[' && strings.HasPrefix(r.text[r.at+1:], ":"):
			length := characterClass(r.text[r.at:])
			if length == 0 {
				return false
			}
			r.at += length - 1
		}
	}
	return false
}
