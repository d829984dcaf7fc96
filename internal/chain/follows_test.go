package chain

import (
	"bytes"
	"testing"
)

// A line that is recognised without being read is one that reading finds nothing wrong
// with, and the other way round: whichever byte is changed, left out or added.
func TestFollowsAgreesWithReading(t *testing.T) {
	sums := newSummer()
	before := sums.next(Link{Number: 8}, []byte(`{"a":1}`)) // the next number has one digit more
	record := []byte(`{"text":"b}"}`)
	line := bytes.TrimSuffix(appendLine(nil, sums.next(before, record), record), []byte("\n"))
	check := func(line []byte, after Link) {
		t.Helper()
		gotLink, got, ok := sums.follows(after, line)
		wantLink, want, read := parseLine(line)
		r := Reader{at: Position{Link: after}, sums: newSummer()}
		if fine := read && r.judge(wantLink, want) == 0; ok != fine || ok && (gotLink != wantLink || !bytes.Equal(got, want)) {
			t.Errorf("%q: %v %q, reading says %v %q", line, ok, got, fine, want)
		}
	}
	check(line, before)
	if _, _, ok := sums.follows(before, line); !ok {
		t.Error("the line itself is not recognised")
	}
	check(line, Link{Number: before.Number - 1, Sum: before.Sum})
	check(line, Link{Number: before.Number + 1, Sum: before.Sum})
	check(line, Link{Number: before.Number})
	for i := range len(line) {
		for c := range 256 {
			changed := bytes.Clone(line)
			changed[i] = byte(c)
			check(changed, before)
			check(append(append(bytes.Clone(line[:i]), byte(c)), line[i:]...), before)
		}
		check(line[:i], before)
		check(append(bytes.Clone(line[:i]), line[i+1:]...), before)
	}
	empty := appendLine(nil, sums.next(before, nil), nil)
	check(bytes.TrimSuffix(empty, []byte("\n")), before)
}
