package chain

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"strconv"
	"strings"
)

// MaxRecord is how long a record may be: twice what a provider takes as a whole
// request.
const MaxRecord = 64 << 20

// maxLine is the longest line, without its line feed.
const maxLine = MaxRecord + 256

// Link is a place in a chain: the last record before it and its sum. The zero value
// is the place before the first record.
type Link struct {
	Number int
	Sum    [sha256.Size]byte
}

// String is how people and other files note a link: 12:5f3a…
func (l Link) String() string { return string(l.Append(nil)) }

// Append writes a link as String does.
func (l Link) Append(out []byte) []byte {
	out = append(strconv.AppendInt(out, int64(l.Number), 10), ':')
	return hex.AppendEncode(out, l.Sum[:])
}

// ParseLink reads a link. There is one way to write it.
func ParseLink(text string) (l Link, ok bool) {
	number, sum, _ := strings.Cut(text, ":")
	var err error
	if l.Number, err = strconv.Atoi(number); err != nil || len(sum) != sumDigits {
		return Link{}, false
	}
	if _, err := hex.Decode(l.Sum[:], []byte(sum)); err != nil {
		return Link{}, false
	}
	before := l == Link{} // the first record
	if l.String() != text || l.Number < 0 || l.Number == 0 && !before {
		return Link{}, false
	}
	return l, true
}

// Position is a place in a file: the byte behind the record of its link.
type Position struct {
	Link
	Offset int64
}

// Entry is one record of a file.
type Entry struct {
	// Position is that of the place behind the record.
	Position
	// Line is its line, from 1 where the reading began.
	Line int
	// Record is as it was written. It is valid until the next one is read.
	Record []byte
}

const (
	beforeNumber = `{"n":`
	beforeSum    = `,"sha256":"`
	beforeRecord = `","record":`
	afterRecord  = `}`
	sumDigits    = 2 * sha256.Size
)

// summer makes sums. It keeps its memory, so that the next one costs none.
type summer struct {
	hash   hash.Hash
	start  [sha256.Size + 8]byte
	sum    [sha256.Size]byte
	digits [sumDigits]byte
	head   []byte // what a line begins with
}

func newSummer() *summer { return &summer{hash: sha256.New()} }

func (s *summer) next(after Link, record []byte) Link {
	copy(s.start[:], after.Sum[:])
	binary.BigEndian.PutUint64(s.start[sha256.Size:], uint64(after.Number+1))
	s.hash.Reset()
	s.hash.Write(s.start[:])
	s.hash.Write(record)
	s.hash.Sum(s.sum[:0])
	return Link{Number: after.Number + 1, Sum: s.sum}
}

// follows takes a line apart that is the one which is written for its record behind a
// link. There is one way to write a line, so every byte of it is compared with what it
// has to be: a long file is gone through without reading a number or a sum. What is
// wrong with another line [parseLine] has to find out.
func (s *summer) follows(after Link, line []byte) (l Link, record []byte, ok bool) {
	s.head = appendHead(s.head[:0], after.Number+1)
	sum, ok := bytes.CutPrefix(line, s.head)
	if !ok || len(sum) < sumDigits {
		return l, nil, false
	}
	record, ok = bytes.CutPrefix(sum[sumDigits:], []byte(beforeRecord))
	if !ok {
		return l, nil, false
	}
	if record, ok = bytes.CutSuffix(record, []byte(afterRecord)); !ok || len(record) == 0 {
		return l, nil, false
	}
	l = s.next(after, record)
	hex.Encode(s.digits[:], l.Sum[:])
	return l, record, bytes.Equal(s.digits[:], sum[:sumDigits])
}

// appendHead writes the line of a record up to its sum.
func appendHead(out []byte, number int) []byte {
	out = append(out, beforeNumber...)
	out = strconv.AppendInt(out, int64(number), 10)
	return append(out, beforeSum...)
}

// appendLine writes the line of a record, with its line feed.
func appendLine(out []byte, l Link, record []byte) []byte {
	out = appendHead(out, l.Number)
	out = hex.AppendEncode(out, l.Sum[:])
	out = append(out, beforeRecord...)
	out = append(out, record...)
	return append(out, afterRecord+"\n"...)
}

// parseLine takes a line apart. There is one way to write a line, so that no byte of
// it can be changed without being noticed.
func parseLine(line []byte) (l Link, record []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(beforeNumber))
	if !ok {
		return l, nil, false
	}
	digits := bytes.IndexByte(rest, ',')
	if digits < 0 {
		return l, nil, false
	}
	if l.Number, ok = parseNumber(rest[:digits]); !ok {
		return l, nil, false
	}
	if rest, ok = bytes.CutPrefix(rest[digits:], []byte(beforeSum)); !ok || len(rest) < sumDigits {
		return l, nil, false
	}
	if _, err := hex.Decode(l.Sum[:], rest[:sumDigits]); err != nil || hasCapitals(rest[:sumDigits]) {
		return l, nil, false
	}
	if rest, ok = bytes.CutPrefix(rest[sumDigits:], []byte(beforeRecord)); !ok {
		return l, nil, false
	}
	record, ok = bytes.CutSuffix(rest, []byte(afterRecord))
	return l, record, ok && len(record) > 0
}

func parseNumber(digits []byte) (int, bool) {
	if len(digits) == 0 || len(digits) > 18 || digits[0] == '0' {
		return 0, false
	}
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = 10*n + int(d-'0')
	}
	return n, true
}

// hasCapitals tells A to F among hexadecimal digits by their bits, without a decision
// for each: every line is looked at.
func hasCapitals(digits []byte) bool {
	var found byte
	for _, d := range digits {
		found |= d >> 1 & 0x20 &^ d
	}
	return found != 0
}

func lowerHex(text []byte) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// beginsLine: the text could be the beginning of the line of a record.
func beginsLine(text []byte, number int) bool {
	for _, part := range []string{beforeNumber + strconv.Itoa(number) + beforeSum, "", beforeRecord} {
		if part == "" {
			n := min(len(text), sumDigits)
			if !lowerHex(text[:n]) {
				return false
			}
			text = text[n:]
			continue
		}
		n := min(len(text), len(part))
		if string(text[:n]) != part[:n] {
			return false
		}
		text = text[n:]
	}
	return bytes.IndexByte(text, 0) < 0
}
