package strictjson

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// The commonest values are read and written without reflection, which in a process
// that is started for one call costs more than the call. Whatever is not plain takes
// the codec's way, and so do errors, which it explains.

// readPlain reads into a string, into any, or into the members of an object; done is
// false when the codec has to do it.
func readPlain(data []byte, v any) (done bool) {
	switch v.(type) {
	case *string, *any, *map[string]Raw:
	default:
		return false
	}
	n, err := Tree(data)
	if err != nil {
		return false
	}
	switch target := v.(type) {
	case *string:
		if n.Kind != '"' {
			return false
		}
		*target = n.Text()
	case *any:
		value, ok := n.value()
		if !ok {
			return false
		}
		*target = value
	case *map[string]Raw:
		if n.Kind != '{' || *target != nil {
			return false
		}
		*target = map[string]Raw{}
		for _, m := range n.Members() {
			(*target)[m.Name.Text()] = Raw(m.Value.Raw())
		}
	}
	return true
}

// value is what the codec makes of a value when it is not told what to make of it;
// ok is false for a number that it would refuse.
func (n Node) value() (value any, ok bool) {
	switch n.Kind {
	case '"':
		return n.Text(), true
	case 't', 'f':
		return n.Kind == 't', true
	case 'n':
		return nil, true
	case '[':
		list := []any{}
		for e := range n.Elements() {
			inner, ok := e.value()
			if !ok {
				return nil, false
			}
			list = append(list, inner)
		}
		return list, true
	case '{':
		object := map[string]any{}
		text := n.in.text
		for at := skipBlanks(text, n.from+1); text[at] != '}'; {
			m := n.in.memberAt(at)
			if object[m.Name.Text()], ok = m.Value.value(); !ok {
				return nil, false
			}
			at = nextItem(text, m.Value.to)
		}
		return object, true
	}
	number, err := strconv.ParseFloat(n.Raw(), 64)
	return number, err == nil
}

// appendPlain writes objects, lists, texts and truth values; ok is false for
// anything else.
func appendPlain(out []byte, v any) (_ []byte, ok bool) {
	switch v := v.(type) {
	case nil:
		return append(out, "null"...), true
	case bool:
		return strconv.AppendBool(out, v), true
	case string:
		if !utf8.ValidString(v) {
			return out, false
		}
		out, err := jsontext.AppendQuote(out, v)
		return out, err == nil
	case []any:
		out = append(out, '[')
		for i, e := range v {
			if i > 0 {
				out = append(out, ',')
			}
			if out, ok = appendPlain(out, e); !ok {
				return out, false
			}
		}
		return append(out, ']'), true
	case map[string]any:
		return appendObject(out, v)
	case map[string]string:
		return appendObject(out, v)
	}
	return out, false
}

func appendObject[V any](out []byte, members map[string]V) (_ []byte, ok bool) {
	out = append(out, '{')
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			out = append(out, ',')
		}
		if out, ok = appendPlain(out, name); !ok {
			return out, false
		}
		if out, ok = appendPlain(append(out, ':'), members[name]); !ok {
			return out, false
		}
	}
	return append(out, '}'), true
}
