package builtin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// charset is how the text of a page is written as bytes.
type charset uint8

const (
	unknownCharset charset = iota
	utf8Charset
	// windows1252 is what the web means by ISO 8859-1.
	windows1252
	utf16Little
	utf16Big
)

func charsetNamed(name string) charset {
	switch strings.ToLower(strings.Trim(name, " \t'\"")) {
	case "utf-8", "utf8", "unicode-1-1-utf-8":
		return utf8Charset
	case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "us-ascii", "ascii", "windows-1252", "cp1252", "x-cp1252":
		return windows1252
	case "utf-16", "utf-16le":
		return utf16Little
	case "utf-16be":
		return utf16Big
	}
	return unknownCharset
}

// decodeText makes UTF-8 of a page: by its first bytes, by what the server says, by
// what the page says, and if nobody says anything by what it seems to be.
func decodeText(body []byte, declared string, isHTML bool) (string, error) {
	set := utf8Charset
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		body = body[3:]
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		set, body = utf16Little, body[2:]
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		set, body = utf16Big, body[2:]
	default:
		if declared == "" && isHTML {
			declared = metaCharset(body)
		}
		switch {
		case declared != "":
			set = charsetNamed(declared)
		case !utf8.Valid(body):
			set = windows1252
		}
	}
	if set != utf16Little && set != utf16Big && bytes.IndexByte(body[:min(len(body), binaryHead)], 0) >= 0 {
		return "", fmt.Errorf("it says that it is text, and is binary (%d bytes)", len(body))
	}
	switch set {
	case utf8Charset:
		return strings.ToValidUTF8(string(body), "\ufffd"), nil
	case windows1252:
		return fromWindows1252(body), nil
	case utf16Little:
		return fromUTF16(body, binary.LittleEndian), nil
	case utf16Big:
		return fromUTF16(body, binary.BigEndian), nil
	case unknownCharset:
	}
	return "", fmt.Errorf("its text is written in %q; only UTF-8, UTF-16, ISO-8859-1 and Windows-1252 can be read", foreign(declared, mostTerm))
}

// metaCharset is what the first part of an HTML page says about itself; what says
// UTF-16 there cannot be right, because it could not be read.
func metaCharset(body []byte) string {
	head := strings.ToLower(string(body[:min(len(body), 1024)]))
	for {
		_, tag, ok := strings.Cut(head, "<meta")
		if !ok {
			return ""
		}
		tag, head, _ = strings.Cut(tag, ">")
		_, value, ok := strings.Cut(tag, "charset")
		value, equals := strings.CutPrefix(strings.TrimLeft(value, " \t\r\n"), "=")
		if !ok || !equals {
			continue
		}
		value = strings.TrimLeft(value, " \t\r\n\"'")
		if end := strings.IndexAny(value, " \t\r\n\"';/"); end >= 0 {
			value = value[:end]
		}
		if strings.HasPrefix(value, "utf-16") {
			return "utf-8"
		}
		return value
	}
}

func fromWindows1252(body []byte) string {
	// The characters from 0x80 to 0x9f; the rest are those of Unicode.
	const high = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"
	table := []rune(high)
	var b strings.Builder
	b.Grow(len(body) + len(body)/8)
	for _, c := range body {
		if 0x80 <= c && c <= 0x9f {
			b.WriteRune(table[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

func fromUTF16(body []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(body)/2)
	for i := range units {
		units[i] = order.Uint16(body[2*i:])
	}
	return string(utf16.Decode(units))
}
