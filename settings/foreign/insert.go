package foreign

import (
	"bytes"
	"slices"
	"strings"
)

// This file puts new values where a person would have put them.

// splice replaces the bytes from at to end.
type splice struct {
	at, end int
	text    string
}

// spliced is the file with the splices done. They must not overlap.
func (d *document) spliced(all ...splice) []byte {
	slices.SortStableFunc(all, func(a, b splice) int { return a.at - b.at })
	out, done := bytes.Clone(d.mark), 0
	for _, s := range all {
		out = append(append(out, d.text[done:s.at]...), s.text...)
		done = s.end
	}
	return append(out, d.text[done:]...)
}

// level is how the items of one object or list are laid out.
type level struct {
	indent string
	lines  bool // each item stands on its own line
}

func (d *document) rootLevel() level { return d.inside(level{lines: true}, d.root, "") }

// inside is the level of the items of n, which is laid out as outer and stands on a
// line that is indented by base.
func (d *document) inside(outer level, n node, base string) level {
	for _, i := range n.items {
		if indent, ok := d.startsLine(i.start); ok {
			return level{indent: indent, lines: true}
		}
	}
	return level{indent: base + d.unit, lines: outer.lines && len(n.items) == 0}
}

// add appends an item to an object or list that is laid out as l, inside a line that
// is indented by outer. The item comes with two blanks for each level.
func (d *document) add(n node, l level, outer, item string) []byte {
	if len(n.items) == 0 {
		return d.addFirst(n, l, outer, item)
	}
	last := n.items[len(n.items)-1].value.end
	var all []splice
	from, trailing := d.comma(last, n.end-1)
	if trailing == none {
		all = append(all, splice{at: last, end: last, text: ","})
		from = last
	}
	tail := d.text[from : n.end-1]
	kept := len(bytes.TrimRight(tail, " \t\r\n")) // comments
	l.lines = l.lines || kept > 0
	text := " " + oneLine(item)
	if l.lines {
		text = d.eol + l.indent + d.indented(item, l.indent)
	}
	if trailing == some {
		text += ","
	}
	if l.lines && !bytes.Contains(tail[kept:], []byte("\n")) {
		text += d.eol + outer
	}
	all = append(all, splice{at: from + kept, end: from + kept, text: text})
	return d.spliced(all...)
}

// addFirst puts the only item into an empty object or list.
func (d *document) addFirst(n node, l level, outer, item string) []byte {
	from, to := n.start+1, n.end-1
	inner := d.text[from:to]
	kept := len(bytes.TrimRight(inner, " \t\r\n"))
	if !l.lines && kept == 0 {
		return d.spliced(splice{at: from, end: to, text: oneLine(item)})
	}
	closing := d.eol + outer
	if i := bytes.LastIndexByte(inner[kept:], '\n'); i >= 0 {
		closing = d.eol + string(inner[kept+i+1:])
	}
	text := d.eol + l.indent + d.indented(item, l.indent) + closing
	return d.spliced(splice{at: from + kept, end: to, text: text})
}

// presence of something that may be left out.
type presence bool

const (
	none presence = false
	some presence = true
)

// comma looks for one between the end of an item and limit, outside of comments. It
// returns the offset behind it.
func (d *document) comma(from, limit int) (after int, found presence) {
	for i := from; i < limit; i++ {
		switch {
		case d.text[i] == ',':
			return i + 1, some
		case bytes.HasPrefix(d.text[i:limit], []byte("//")):
			i = skip(d.text, i, limit, "\n")
		case bytes.HasPrefix(d.text[i:limit], []byte("/*")):
			i = skip(d.text, i+2, limit, "*/")
		}
	}
	return from, none
}

// skip returns the offset of the last byte of the next end.
func skip(text []byte, from, limit int, end string) int {
	if i := bytes.Index(text[from:limit], []byte(end)); i >= 0 {
		return from + i + len(end) - 1
	}
	return limit
}

// indented lays an item out as the file is: its first line follows indent, the
// others get it.
func (d *document) indented(item, indent string) string {
	lines := strings.Split(item, "\n")
	for i, line := range lines {
		content := strings.TrimLeft(line, " ")
		depth := (len(line) - len(content)) / 2
		if lines[i] = strings.Repeat(d.unit, depth) + content; i > 0 {
			lines[i] = indent + lines[i]
		}
	}
	return strings.Join(lines, d.eol)
}

// oneLine is an item for a file that does not use lines.
func oneLine(item string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(item, "\n") {
		line = strings.TrimLeft(line, " ")
		b.WriteString(line)
		if strings.HasSuffix(line, ",") {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
