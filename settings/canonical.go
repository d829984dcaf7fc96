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
func canonical(n strictjson.Node) string {
	var b strings.Builder
	writeCanonical(&b, n)
	return b.String()
}

func writeCanonical(b *strings.Builder, n strictjson.Node) {
	switch n.Kind {
	case '"':
		b.WriteString(strconv.Quote(n.Text()))
	case '[':
		b.WriteByte('[')
		first := true
		for e := range n.Elements() {
			if !first {
				b.WriteByte(',')
			}
			first = false
			writeCanonical(b, e)
		}
		b.WriteByte(']')
	case '{':
		writeCanonicalObject(b, n)
	default:
		b.WriteString(n.Raw())
	}
}

func writeCanonicalObject(b *strings.Builder, n strictjson.Node) {
	members := n.Members()
	slices.SortFunc(members, func(x, y strictjson.Member) int {
		return strings.Compare(x.Name.Text(), y.Name.Text())
	})
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(m.Name.Text()) + ":")
		writeCanonical(b, m.Value)
	}
	b.WriteByte('}')
}
