package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// canonical writes a value so that two texts with the same meaning look the same:
// no blanks, no comments, keys sorted, numbers as written. Characters that could
// deceive a reader are escaped, because people decide by this text.
func canonical(v hujson.Value) string {
	var b strings.Builder
	writeCanonical(&b, v)
	return b.String()
}

func writeCanonical(b *strings.Builder, v hujson.Value) {
	switch x := v.Value.(type) {
	case hujson.Literal:
		if x.Kind() == '"' {
			b.WriteString(strconv.Quote(x.String()))
		} else {
			b.Write(x)
		}
	case *hujson.Array:
		b.WriteByte('[')
		for i, e := range x.Elements {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCanonical(b, e)
		}
		b.WriteByte(']')
	case *hujson.Object:
		writeCanonicalObject(b, x)
	}
}

func writeCanonicalObject(b *strings.Builder, o *hujson.Object) {
	members := slices.Clone(o.Members)
	slices.SortFunc(members, func(x, y hujson.ObjectMember) int {
		return strings.Compare(literal(x.Name), literal(y.Name))
	})
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(literal(m.Name)) + ":")
		writeCanonical(b, m.Value)
	}
	b.WriteByte('}')
}
