package session

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/strictjson"
)

// A record stands in the chain as
//
//	{"time":"2026-11-16T09:30:00.123456789Z","kind":"message","body":…}
//
// always in this spelling, so that a long transcript can be gone through without
// parsing every body.
const (
	beforeTime = `{"time":"`
	beforeKind = `","kind":"`
	beforeBody = `","body":`
	afterBody  = `}`
)

func wrap(at time.Time, kind Kind, body []byte) []byte {
	out := make([]byte, 0, len(body)+96)
	out = append(out, beforeTime...)
	out = at.UTC().AppendFormat(out, time.RFC3339Nano)
	out = append(out, beforeKind...)
	out = append(out, kind...)
	out = append(out, beforeBody...)
	out = append(out, body...)
	return append(out, afterBody...)
}

// unwrap reads an entry. The body shares its memory.
func unwrap(e chain.Entry) (Record, error) {
	r, at, err := open(e.Number, e.Record)
	if err != nil {
		return r, err
	}
	if r.Time, err = time.Parse(time.RFC3339Nano, string(at)); err != nil {
		return r, noRecord(e.Number)
	}
	return r, nil
}

// skim is unwrap for a transcript that is gone through from its beginning: it checks the
// time of a record, and reads it only where something depends on it: when the session began, and
// when a call was parked. A time that is not in the usual spelling is left to unwrap.
func skim(e chain.Entry) (Record, error) {
	r, at, err := open(e.Number, e.Record)
	if err != nil || plainTime(at) && r.Kind != Started && r.Kind != Parked {
		return r, err
	}
	return unwrap(e)
}

// open takes a record apart. at is the text of its time, which nobody has looked at.
func open(number int, text []byte) (r Record, at []byte, err error) {
	r.Number = number
	rest, ok := bytes.CutPrefix(text, []byte(beforeTime))
	if !ok {
		return r, nil, noRecord(number)
	}
	if at, rest, ok = cutQuoted(rest, beforeKind); !ok {
		return r, nil, noRecord(number)
	}
	kind, rest, ok := cutQuoted(rest, beforeBody)
	if !ok {
		return r, nil, noRecord(number)
	}
	if r.Kind, ok = parseKind(kind); !ok {
		return r, nil, fmt.Errorf("record %d is of a kind that this version does not know: %q (use the version that wrote it)", number, kind)
	}
	if r.Body, ok = bytes.CutSuffix(rest, []byte(afterBody)); !ok || len(r.Body) == 0 {
		return r, nil, noRecord(number)
	}
	return r, at, nil
}

func noRecord(number int) error { return fmt.Errorf("record %d is none of a session", number) }

// cutQuoted cuts a text at its first quotation mark, with which what follows begins.
// Every record of a long transcript comes by here, so nothing is searched for.
func cutQuoted(text []byte, follows string) (before, after []byte, ok bool) {
	end := bytes.IndexByte(text, '"')
	if end < 0 {
		return nil, nil, false
	}
	after, ok = bytes.CutPrefix(text[end:], []byte(follows))
	return text[:end], after, ok
}

// plainTime: the text is a time like 2026-11-16T09:30:00.123456789Z, with or without what
// is less than a second, and on a day that every month has.
func plainTime(text []byte) bool {
	const form = "0000-00-00T00:00:00"
	last := len(text) - 1
	if last < len(form) || text[last] != 'Z' {
		return false
	}
	for i, c := range []byte(form) {
		if c == '0' && !isDigit(text[i]) || c != '0' && c != text[i] {
			return false
		}
	}
	two := func(at int) int { return 10*int(text[at]-'0') + int(text[at+1]-'0') }
	if month, day := two(5), two(8); month < 1 || month > 12 || day < 1 || day > 28 {
		return false
	}
	if two(11) > 23 || two(14) > 59 || two(17) > 59 {
		return false
	}
	fraction := text[len(form):last]
	if len(fraction) == 0 {
		return true
	}
	for _, c := range fraction[1:] {
		if !isDigit(c) {
			return false
		}
	}
	return fraction[0] == '.' && len(fraction) > 1
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// encode makes the record of a body, which is anything that can be written as JSON.
func encode(at time.Time, kind Kind, body any) ([]byte, error) {
	if _, ok := parseKind([]byte(kind)); !ok {
		return nil, fmt.Errorf("there is no kind of record %q", kind)
	}
	data, err := strictjson.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("a record of kind %s cannot be written as JSON: %w", kind, err)
	}
	if len(data) == 0 {
		return nil, errors.New("a record without a body")
	}
	return wrap(at, kind, data), nil
}

// wellFormed makes a text of what may be any bytes, as the names of files are.
func wellFormed(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
