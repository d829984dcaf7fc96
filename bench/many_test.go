package main

import (
	"strings"
	"testing"
)

func TestManySessionsAreCounted(t *testing.T) {
	found, err := countMany(5)
	if err != nil {
		t.Fatal(err)
	}
	if found.sessions != 5 || found.first < 1<<20 || found.all <= found.first || found.goroutines < 5 {
		t.Errorf("%+v", found)
	}
	if _, err := countMany(1); err == nil {
		t.Error("one session is not many")
	}
}

func TestManyBars(t *testing.T) {
	r := asPromised()
	r.many = manyFigures{sessions: 1001, first: 1 << 20, all: 1<<20 + 1000*300<<10, goroutines: 3003}
	if bars := r.manyBars(); len(bars) != 1 || !bars[0].met {
		t.Errorf("%+v", bars)
	}
	r.many.all += 1 << 20
	if bars := r.manyBars(); len(bars) != 1 || bars[0].met {
		t.Errorf("%+v", bars)
	}
	var b strings.Builder
	r.writeMany(&b)
	if !strings.Contains(b.String(), "301 KB for each beyond the first, and 3,003 goroutines") {
		t.Error(b.String())
	}
	r.many.sessions = 20
	if bars := r.manyBars(); len(bars) != 0 {
		t.Errorf("20 sessions prove nothing: %+v", bars)
	}
}
