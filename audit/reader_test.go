package audit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func numbers(t *testing.T, r *Reader) (all []int) {
	t.Helper()
	for e, err := range r.More(Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Number)
	}
	return all
}

func TestAReaderGoesOnWhereItStood(t *testing.T) {
	l := newLog(t)
	r := NewReader(l.Dir())
	if got := numbers(t, r); got != nil {
		t.Error("there is no log yet:", got)
	}
	fill(t, l, 3)
	if got := numbers(t, r); len(got) != 3 || got[2] != 3 {
		t.Error(got)
	}
	if got := numbers(t, r); got != nil {
		t.Error("again:", got)
	}
	fill(t, l, 2)
	for e := range r.More(Query{}) { // who stops gets the rest the next time
		if e.Number != 4 {
			t.Error(e.Number)
		}
		break
	}
	if got := numbers(t, r); len(got) != 1 || got[0] != 5 {
		t.Error(got)
	}
	report, err := Verify(l.Dir())
	if err != nil || r.Head().String() != report.Head {
		t.Errorf("%s, %s, %v", r.Head(), report.Head, err)
	}
}

func TestAReaderNoticesALogThatWasReplaced(t *testing.T) {
	l := newLog(t)
	fill(t, l, 3)
	r := NewReader(l.Dir())
	numbers(t, r)
	path := filepath.Join(l.Dir(), segmentName(1))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(path, []byte(strings.Join(lines[:2], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range r.More(Query{}) {
		if err != nil && strings.Contains(err.Error(), "was replaced") {
			return
		}
		t.Fatal(err)
	}
	t.Error("nothing was noticed")
}

func BenchmarkReader(b *testing.B) {
	l := newLog(b)
	fill(b, l, 10000)
	for b.Loop() {
		for _, err := range NewReader(l.Dir()).More(Query{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
