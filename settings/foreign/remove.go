package foreign

import "bytes"

// remove takes item i out of an object or list: with its comma, and with its line if
// it has one of its own. Comments stay.
func (d *document) remove(n node, i int) []byte {
	start, end := n.items[i].start, n.items[i].value.end
	limit := n.end - 1
	if i+1 < len(n.items) {
		limit = n.items[i+1].start
	}
	var all []splice
	after, following := d.comma(end, limit)
	switch {
	case following == some && len(bytes.TrimSpace(d.text[end:after-1])) == 0:
		end = after
	case following == some: // there is a comment before it
		all = append(all, splice{at: after - 1, end: after})
	case i > 0: // the last item: the comma before it has nothing to separate any more
		before, _ := d.comma(n.items[i-1].value.end, start)
		all = append(all, splice{at: before - 1, end: before})
	}
	start, end = d.withBlanks(n, start, end)
	return d.spliced(append(all, splice{at: start, end: end})...)
}

// withBlanks widens what is removed by the blanks around it that would be left over.
// A line break goes only if another one follows, because it may end a comment.
func (d *document) withBlanks(n node, start, end int) (from, to int) {
	first, last := n.start+1, n.end-1
	alone := len(bytes.TrimSpace(d.text[first:start])) == 0 && len(bytes.TrimSpace(d.text[end:last])) == 0
	if alone {
		return first, last
	}
	to = end
	for to < last && (d.text[to] == ' ' || d.text[to] == '\t') {
		to++
	}
	lineEnds := bytes.HasPrefix(d.text[to:last], []byte("\n")) || bytes.HasPrefix(d.text[to:last], []byte("\r\n"))
	if indent, own := d.startsLine(start); own && lineEnds {
		from = start - len(indent) - len("\n")
		if from > first && d.text[from-1] == '\r' {
			from--
		}
		return from, to
	}
	return start, to
}

// holdsComment: something in n would be lost with it that is no value.
func (d *document) holdsComment(n node) bool {
	return !bytes.Equal(d.text[n.start:n.end], d.standard[n.start:n.end])
}
