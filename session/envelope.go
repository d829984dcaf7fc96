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
	r := Record{Number: e.Number}
	fail := func() (Record, error) {
		return r, fmt.Errorf("record %d is none of a session", e.Number)
	}
	rest, ok := bytes.CutPrefix(e.Record, []byte(beforeTime))
	if !ok {
		return fail()
	}
	at, rest, ok := cutQuoted(rest, beforeKind)
	if !ok {
		return fail()
	}
	var err error
	if r.Time, err = time.Parse(time.RFC3339Nano, string(at)); err != nil {
		return fail()
	}
	kind, rest, ok := cutQuoted(rest, beforeBody)
	if !ok {
		return fail()
	}
	if r.Kind, ok = parseKind(kind); !ok {
		return r, fmt.Errorf("record %d is of a kind that this version does not know: %q (use the version that wrote it)", e.Number, kind)
	}
	body, ok := bytes.CutSuffix(rest, []byte(afterBody))
	if !ok || len(body) == 0 {
		return fail()
	}
	r.Body = body
	return r, nil
}

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
