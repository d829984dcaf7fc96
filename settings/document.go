package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
	// counted is the place that was asked for last, and breaks how many line breaks are
	// before it: places are asked for mostly in order.
	counted, breaks int
}

const (
	mendHint  = "mend it or move it away; // comments and trailing commas are allowed"
	emptyHint = "write {} if it should say nothing"
)

const byteOrderMark = "\xef\xbb\xbf"

// parse reads a settings text. What another reader could understand differently
// (a key that occurs twice, invalid UTF-8) is broken.
func parse(file, text string) (*document, *BrokenError) {
	text = strings.TrimPrefix(text, byteOrderMark)
	d := &document{file: file}
	var err error
	if d.root, err = strictjson.Tree(text); err != nil {
		d.text = text
		if strings.TrimSpace(text) == "" {
			return nil, d.broken(0, "the file is empty", emptyHint)
		}
		// A // comment must end in a line break.
		standard, broken := d.blanked([]byte(text + "\n"))
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
	before := d.text[:min(max(offset, 0), len(d.text))]
	start := strings.LastIndexByte(before, '\n') + 1
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[start:])
}

// line is where a value starts, from 1.
func (d *document) line(n strictjson.Node) int {
	if n.Start() < d.counted {
		d.counted, d.breaks = 0, 0
	}
	d.breaks += strings.Count(d.text[d.counted:n.Start()], "\n")
	d.counted = n.Start()
	return 1 + d.breaks
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
