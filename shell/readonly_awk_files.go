package shell

import "strings"

// greater compares, except in a print statement outside parentheses.
func (r *awkReader) greater() string {
	switch {
	case r.accept('>'):
		return "print appends to a file"
	case r.accept('=') || !r.printing || r.depth > r.from:
		return ""
	}
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\t') {
		r.at++
	}
	if r.at < len(r.text) && r.text[r.at] == '"' {
		name, ok := r.quoted()
		if ok && (name == "/dev/stderr" || name == "/dev/stdout") && r.atStatementEnd() {
			return ""
		}
	}
	return "print writes a file"
}

func (r *awkReader) atStatementEnd() bool {
	rest := strings.TrimLeft(r.text[r.at:], " \t")
	return rest == "" || strings.IndexByte(";}\n", rest[0]) >= 0
}

// less compares, except after getline, where it names a file to read. In an index it may be
// either, so there it does not end the search for that name.
func (r *awkReader) less() string {
	if r.accept('=') || !r.getline {
		return ""
	}
	r.getline = r.indexes != 0
	rest := strings.TrimLeft(r.text[r.at:], " \t")
	grouped := strings.HasPrefix(rest, "(")
	if grouped {
		rest = strings.TrimLeft(rest[1:], " \t")
	}
	name, known := "", false
	if strings.HasPrefix(rest, `"`) {
		ahead := awkReader{text: rest}
		name, known = ahead.quoted()
		rest = strings.TrimLeft(rest[ahead.at:], " \t")
		known = known && strings.IndexByte(name, '\\') < 0 && (!grouped || strings.HasPrefix(rest, ")"))
		rest = strings.TrimPrefix(rest, ")")
	}
	switch {
	case !known:
		name = unknownMark
	case awkGoesOn(rest):
		name += unknownMark
	}
	r.reads = append(r.reads, name)
	if strings.HasPrefix(name, "/inet") || strings.Contains(name, unknownMark) {
		return "getline reads a file that is only known when it runs"
	}
	return ""
}

// awkReads are the files that a program reads by itself. Where it is not understood it may read
// any, if it has a word for that.
func awkReads(program string) []string {
	r := awkReader{text: program}
	for r.at < len(r.text) {
		if r.token() != notUnderstoodAwk {
			continue
		}
		for _, word := range [...]string{"getline", "ARGV", "SYMTAB", "system", "| ", "@"} {
			if strings.Contains(program, word) {
				return append(r.reads, unknownMark)
			}
		}
		break
	}
	return r.reads
}
