package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/assent-dev/assent/internal/strictjson"
)

// document is one JSON text with comments, parsed, with the place of every value.
type document struct {
	file string
	// text has comments and trailing commas blanked out: the same length, the same
	// lines.
	text string
	root strictjson.Node
	// lines are the offsets at which lines start, for looking places up.
	lines []int
	near  int // the line that was looked up last: places are asked for mostly in order
}

const (
	mendHint  = "mend it or move it away; // comments and trailing commas are allowed"
	emptyHint = "write {} if it should say nothing"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// parse reads a settings text. What another reader could understand differently
// (a key that occurs twice, invalid UTF-8) is broken.
func parse(file string, text []byte) (*document, *BrokenError) {
	text = bytes.TrimPrefix(text, byteOrderMark)
	d := &document{file: file, lines: lineStarts(text)}
	var err error
	if d.root, err = strictjson.Tree(text); err != nil {
		d.text = string(text)
		if len(bytes.TrimSpace(text)) == 0 {
			return nil, d.broken(0, "the file is empty", emptyHint)
		}
		// A // comment must end in a line break.
		standard, broken := d.blanked(append(bytes.Clone(text), '\n'))
		if broken != nil {
			return nil, broken
		}
		d.text = string(standard)
		if d.root, err = strictjson.Tree(standard); err != nil {
			return nil, d.strict(err)
		}
	}
	d.text = d.root.Source()
	if d.root.Kind != '{' {
		return nil, d.broken(d.root.Start(), "settings must be an object", emptyHint)
	}
	return d, nil
}

// blanked takes comments and trailing commas out of a text that may have some.
func (d *document) blanked(text []byte) ([]byte, *BrokenError) {
	if at := tooDeep(text); at >= 0 {
		return nil, d.broken(at, fmt.Sprintf("nested more than %d levels deep", strictjson.MaxDepth), mendHint)
	}
	standard, err := hujson.Standardize(text)
	if err != nil {
		return nil, d.syntax(err)
	}
	return standard, nil
}

// broken makes the error for a byte offset.
func (d *document) broken(offset int, problem, hint string) *BrokenError {
	line, column := d.place(offset)
	return &BrokenError{File: d.file, Line: line, Column: column, Problem: problem, Hint: hint}
}

// place turns an offset into a line and a column in characters, both from 1.
func (d *document) place(offset int) (line, column int) {
	offset = min(max(offset, 0), len(d.text))
	line = sort.SearchInts(d.lines, offset+1)
	return line, 1 + utf8.RuneCountInString(d.text[d.lines[line-1]:offset])
}

func lineStarts(text []byte) []int {
	starts := make([]int, 1, 2+bytes.Count(text, []byte{'\n'}))
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func (d *document) line(n strictjson.Node) int {
	starts := func(line int) bool { return line >= len(d.lines) || d.lines[line] > n.Start() }
	for range 3 { // lines ahead
		if d.lines[d.near] <= n.Start() && starts(d.near+1) {
			return d.near + 1
		}
		d.near = min(d.near+1, len(d.lines)-1)
	}
	d.near = sort.SearchInts(d.lines, n.Start()+1) - 1
	return d.near + 1
}

// syntax explains an error of the parser, which names its place in its text only.
func (d *document) syntax(err error) *BrokenError {
	var line, column int
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scanErr != nil {
		line, column = 1, 1
	}
	problem := "not valid JSON: "
	if errors.Is(err, io.ErrUnexpectedEOF) {
		end := len(strings.TrimRight(d.text, " \t\r\n"))
		return d.broken(end, problem+"the text ends before the value does", mendHint)
	} else if cause := errors.Unwrap(err); cause != nil {
		problem += cause.Error()
	} else {
		problem += err.Error()
	}
	return &BrokenError{File: d.file, Line: line, Column: column, Problem: visible(problem), Hint: mendHint}
}

func (d *document) strict(err error) *BrokenError {
	fault, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		return d.broken(0, "not valid JSON: "+visible(err.Error()), mendHint)
	}
	return d.broken(int(fault.Offset), visible(fault.Message), mendHint)
}

// tooDeep finds the first bracket beyond the depth that the strict reader takes,
// or -1. It runs before the parser, which would recurse once for every bracket.
func tooDeep(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			i = skipString(text, i)
		case '/':
			i = skipComment(text, i)
		case '{', '[':
			if depth++; depth > strictjson.MaxDepth {
				return i
			}
		case '}', ']':
			depth--
		}
	}
	return -1
}

// skipString returns the index of the quote that ends the string at i.
func skipString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// skipComment returns the index of the last byte of the comment at i, or i.
func skipComment(text []byte, i int) int {
	var end string
	switch {
	case bytes.HasPrefix(text[i:], []byte("//")):
		end = "\n"
	case bytes.HasPrefix(text[i:], []byte("/*")):
		end = "*/"
	default:
		return i
	}
	n := bytes.Index(text[i+2:], []byte(end))
	if n < 0 {
		return len(text)
	}
	return i + 2 + n + len(end) - 1
}
