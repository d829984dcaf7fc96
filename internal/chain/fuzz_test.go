package chain

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// Whatever a file holds: what is read was written by a log, so a log that gets it
// again writes the same bytes; and reading past faults comes to an end.
func FuzzReader(f *testing.F) {
	whole := written(f, `{"a":1}`, `"b"`, `[]`)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(append([]byte("{}\n"), whole...))
	f.Add([]byte(`{"n":1,"sha256":"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var again []byte
		at, sums := Link{}, newSummer()
		for e, err := range NewReader(bytes.NewReader(data), Position{}).All() {
			if err != nil {
				break
			}
			at = sums.next(at, e.Record)
			again = appendLine(again, at, e.Record)
			if int(e.Offset) != len(again) || e.Link != at {
				t.Fatalf("record %d ends at %d, want %d", e.Number, e.Offset, len(again))
			}
		}
		if !bytes.HasPrefix(data, again) {
			t.Fatalf("read %q from %q", again, data)
		}
		r := NewReader(bytes.NewReader(data), Position{})
		for range bytes.Count(data, []byte("\n")) + 2 {
			if _, err := r.Next(); errors.Is(err, io.EOF) {
				return
			}
		}
		if _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Fatalf("there is no end: %v", err)
		}
	})
}
