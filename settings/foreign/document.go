package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/settings"
)

// maxFileSize is far more than people write.
const maxFileSize = 4 << 20

// maxBrackets bounds the recursion of the parser. The strict reader knows the exact
// limit; this one only keeps the stack small.
const maxBrackets = 10_000

var byteOrderMark = []byte("\xef\xbb\xbf")

const mendHint = "mend it or move it away; nothing was changed"

// document is a JSON text with comments and the place of every value in it.
type document struct {
	file string
	mark []byte // the byte order mark, if there is one
	text []byte // what follows it
	// standard is text with comments and trailing commas blanked out: the same
	// length, the same lines.
	standard []byte
	root     node

	eol, unit string // how the file ends lines and indents one level
}

// blank: there is nothing in the file that could be lost.
func blank(text []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(text, byteOrderMark))) == 0
}

// parse reads a text. What two readers could understand differently, such as a key
// that occurs twice, is broken.
func parse(file string, text []byte) (*document, error) {
	body := bytes.TrimPrefix(text, byteOrderMark)
	d := &document{file: file, mark: text[:len(text)-len(body)], text: bytes.Clone(body), eol: "\n", unit: "  "}
	if len(text) > maxFileSize {
		return nil, d.broken(-1, fmt.Sprintf("it is larger than %d MiB", maxFileSize>>20))
	}
	if at := tooManyBrackets(body); at >= 0 {
		return nil, d.broken(at, "nested too deeply")
	}
	// A // comment must end in a line break, and the last one may not.
	standard, err := hujson.Standardize(append(bytes.Clone(body), '\n'))
	if err != nil {
		return nil, d.syntax(err)
	}
	d.standard = standard[:len(body)]
	root, err := strictjson.Tree(d.standard)
	if err != nil {
		fault, ok := errors.AsType[*strictjson.Error](err)
		if !ok {
			return nil, d.broken(0, err.Error())
		}
		return nil, d.broken(int(fault.Offset), fault.Message)
	}
	d.root = newNode(root)
	if d.root.kind != '{' {
		return nil, d.broken(d.root.start, "the file must hold an object")
	}
	d.measure()
	return d, nil
}

func tooManyBrackets(text []byte) int {
	open := 0
	for i, c := range text {
		switch c {
		case '{', '[':
			if open++; open > maxBrackets {
				return i
			}
		case '}', ']':
			open--
		}
	}
	return -1
}

// measure finds out how the file is laid out.
func (d *document) measure() {
	if ends := bytes.Count(d.text, []byte("\r\n")); ends > 0 && ends == bytes.Count(d.text, []byte("\n")) {
		d.eol = "\r\n"
	}
	for _, m := range d.root.items {
		if indent, ok := d.startsLine(m.start); ok && indent != "" {
			d.unit = indent
			return
		}
	}
}

// broken makes the error for an offset; a negative one is the file as a whole.
func (d *document) broken(offset int, problem string) error {
	e := &settings.BrokenError{File: d.file, Problem: problem, Hint: mendHint}
	if offset >= 0 {
		before := d.text[:min(offset, len(d.text))]
		line := bytes.LastIndexByte(before, '\n') + 1
		e.Line, e.Column = 1+bytes.Count(before, []byte{'\n'}), 1+utf8.RuneCount(before[line:])
	}
	return e
}

// syntax explains an error of the parser, which names its place in its text only.
func (d *document) syntax(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return d.broken(len(bytes.TrimRight(d.text, " \t\r\n")), "not valid JSON: the text ends before the value does")
	}
	problem := err.Error()
	if cause := errors.Unwrap(err); cause != nil {
		problem = cause.Error()
	}
	e := &settings.BrokenError{File: d.file, Line: 1, Column: 1, Problem: "not valid JSON: " + problem, Hint: mendHint}
	var line, column int
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scanErr == nil {
		e.Line, e.Column = line, column
	}
	return e
}

// commented: the text has something that is not in standard JSON, and a strict reader
// would refuse.
func (d *document) commented() bool { return !bytes.Equal(d.text, d.standard) || len(d.mark) > 0 }

// raw is the standard JSON of a node.
func (d *document) raw(n node) []byte { return d.standard[n.start:n.end] }

// str is the text of a string, and empty for other values.
func (d *document) str(n node) string {
	var s string
	if n.kind != '"' || strictjson.Unmarshal(d.raw(n), &s) != nil {
		return ""
	}
	return s
}

// startsLine: only blanks stand before offset on its line; they are its indentation.
func (d *document) startsLine(offset int) (indent string, ok bool) {
	line := bytes.LastIndexByte(d.text[:offset], '\n')
	before := d.text[line+1 : offset]
	if line < 0 || len(bytes.Trim(before, " \t")) > 0 {
		return "", false
	}
	return string(before), true
}
