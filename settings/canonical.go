package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// canonical writes a value so that two texts with the same meaning look the same:
// no blanks, no comments, keys sorted, numbers as written. Characters that could
// deceive a reader are escaped, because people decide by this text.
func (s *section) canonical(n strictjson.Node) string {
	var b strings.Builder
	s.writeCanonical(&b, n)
	return b.String()
}

func (s *section) writeCanonical(b *strings.Builder, n strictjson.Node) {
	switch n.Kind {
	case '"':
		b.WriteString(strconv.Quote(n.Text(s.text)))
	case '[':
		b.WriteByte('[')
		for i, e := range n.Elements() {
			if i > 0 {
				b.WriteByte(',')
			}
			s.writeCanonical(b, e)
		}
		b.WriteByte(']')
	case '{':
		s.writeCanonicalObject(b, n)
	default:
		b.WriteString(s.text[n.Start():n.End()])
	}
}

func (s *section) writeCanonicalObject(b *strings.Builder, n strictjson.Node) {
	members := n.Members()
	slices.SortFunc(members, func(x, y strictjson.Member) int {
		return strings.Compare(x.Name.Text(s.text), y.Name.Text(s.text))
	})
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(m.Name.Text(s.text)) + ":")
		s.writeCanonical(b, m.Value)
	}
	b.WriteByte('}')
}
