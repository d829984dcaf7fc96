package builtin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding is how the text of a file is written. A file keeps its encoding when it is
// changed.
type encoding uint8

const (
	asUTF8    encoding = iota
	asUTF8BOM          // with a byte order mark
	asUTF16LE          // with a byte order mark, as all of this width
	asUTF16BE
)

const (
	markUTF8    = "\xef\xbb\xbf"
	markUTF16LE = "\xff\xfe"
	markUTF16BE = "\xfe\xff"
)

// errNoText is a file that is not text in an encoding that can be read and written back
// without loss.
var errNoText = errors.New("it is not text: neither UTF-8 nor UTF-16 with a byte order mark. " +
	"If it is text in another encoding, convert it first (iconv); look at other files with a program for their kind (file, xxd)")

// encodingOf looks at the first bytes of a file.
func encodingOf(start []byte) encoding {
	switch {
	case bytes.HasPrefix(start, []byte(markUTF8)):
		return asUTF8BOM
	case bytes.HasPrefix(start, []byte(markUTF16LE)):
		return asUTF16LE
	case bytes.HasPrefix(start, []byte(markUTF16BE)):
		return asUTF16BE
	}
	return asUTF8
}

// decode reads the whole content of a file.
func decode(content []byte) (text string, e encoding, err error) {
	e = encodingOf(content)
	switch e {
	case asUTF8:
		text = string(content)
	case asUTF8BOM:
		text = string(content[len(markUTF8):])
	case asUTF16LE, asUTF16BE:
		if text, err = decodeWide(content[2:], e.order()); err != nil {
			return "", e, err
		}
	}
	// A NUL is allowed in text, but nobody writes one; what holds some is a program, an
	// archive, or text in an encoding that has no mark.
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return "", e, errNoText
	}
	return text, e, nil
}

func (e encoding) order() binary.ByteOrder {
	if e == asUTF16BE {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func decodeWide(content []byte, order binary.ByteOrder) (string, error) {
	if len(content)%2 != 0 {
		return "", errNoText
	}
	var text strings.Builder
	for at := 0; at < len(content); at += 2 {
		r := rune(order.Uint16(content[at:]))
		if utf16.IsSurrogate(r) {
			if at+4 > len(content) {
				return "", errNoText
			}
			// Half of a pair cannot be written back as it was.
			if r = utf16.DecodeRune(r, rune(order.Uint16(content[at+2:]))); r == utf8.RuneError {
				return "", errNoText
			}
			at += 2
		}
		text.WriteRune(r)
	}
	return text.String(), nil
}

// encode is the content of a file with this text; the mark is no part of the text.
func (e encoding) encode(text string) []byte {
	switch e {
	case asUTF8BOM:
		return append([]byte(markUTF8), text...)
	case asUTF16LE, asUTF16BE:
		order := e.order()
		out := make([]byte, 2, 2+2*len(text))
		order.PutUint16(out, 0xfeff)
		for _, r := range text {
			var unit [2]byte
			for _, u := range utf16.AppendRune(nil, r) {
				order.PutUint16(unit[:], u)
				out = append(out, unit[:]...)
			}
		}
		return out
	case asUTF8:
	}
	return []byte(text)
}
