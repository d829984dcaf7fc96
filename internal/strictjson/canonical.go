package strictjson

import (
	"slices"
	"strings"
)

// Canonical is the one spelling of a JSON value: keys sorted at every level, no
// blanks, strings and keys escaped in one way. Numbers keep their spelling, because a
// number that was read and written again may be another one.
func Canonical(text Raw) (Raw, error) {
	if err := Valid(text); err != nil {
		return nil, err
	}
	w := respelling{text: string(text), out: make([]byte, 0, len(text))}
	if err := w.value(); err != nil {
		return nil, err
	}
	return w.out, nil
}

// Quote is the one spelling of a string.
func Quote(text string) (Raw, error) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || strings.IndexByte("\"\\<>&", c) >= 0 {
			quoted, err := Marshal(text)
			if err != nil {
				return nil, err
			}
			return Canonical(quoted)
		}
	}
	return Raw(`"` + text + `"`), nil
}

// respelling goes through a valid text once, from front to back: the text comes from
// a model or a server, and its depth must not make it costly.
type respelling struct {
	text string
	at   int
	out  []byte
}

// next skips blanks and is the character after them.
func (w *respelling) next() byte {
	for strings.IndexByte(" \t\r\n", w.text[w.at]) >= 0 {
		w.at++
	}
	return w.text[w.at]
}

func (w *respelling) value() error {
	switch w.next() {
	case '{':
		return w.object()
	case '[':
		return w.array()
	case '"':
		_, err := w.string()
		return err
	}
	// A number or a word; it ends with the text or at a character of the structure.
	rest := w.text[w.at:]
	if end := strings.IndexAny(rest, ",]} \t\r\n"); end >= 0 {
		rest = rest[:end]
	}
	w.out = append(w.out, rest...)
	w.at += len(rest)
	return nil
}

func (w *respelling) string() (string, error) {
	end := w.at + 1
	for w.text[end] != '"' {
		if w.text[end] == '\\' {
			end++
		}
		end++
	}
	raw := w.text[w.at : end+1]
	w.at = end + 1
	plain := raw[1 : len(raw)-1]
	if strings.IndexByte(plain, '\\') >= 0 {
		if err := Unmarshal([]byte(raw), &plain); err != nil {
			return "", err
		}
	}
	spelt, err := Marshal(plain)
	w.out = append(w.out, spelt...)
	return plain, err
}

func (w *respelling) array() error {
	w.copyByte() // the bracket
	for first := true; w.next() != ']'; first = false {
		if !first {
			w.copyByte() // the comma
		}
		if err := w.value(); err != nil {
			return err
		}
	}
	w.copyByte()
	return nil
}

// keyed is a member of an object in the output.
type keyed struct {
	key      string
	from, to int
}

func (w *respelling) object() error {
	w.copyByte() // the bracket
	start := len(w.out)
	var members []keyed
	for first := true; w.next() != '}'; first = false {
		if !first {
			w.copyByte() // the comma
		}
		w.next()
		from := len(w.out)
		key, err := w.string()
		if err != nil {
			return err
		}
		w.next()
		w.copyByte() // the colon
		if err := w.value(); err != nil {
			return err
		}
		members = append(members, keyed{key, from, len(w.out)})
	}
	w.sort(start, members)
	w.copyByte()
	return nil
}

// sort puts the members that were written since start into the order of their keys.
func (w *respelling) sort(start int, members []keyed) {
	byKey := func(a, b keyed) int { return strings.Compare(a.key, b.key) }
	if slices.IsSortedFunc(members, byKey) {
		return
	}
	written := slices.Clone(w.out[start:])
	slices.SortFunc(members, byKey)
	w.out = w.out[:start]
	for i, m := range members {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, written[m.from-start:m.to-start]...)
	}
}

// copyByte takes over one character of the structure.
func (w *respelling) copyByte() {
	w.out = append(w.out, w.text[w.at])
	w.at++
}
