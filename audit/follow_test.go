package audit

import (
	"context"
	"testing"
)

func TestFollow(t *testing.T) {
	l := newLog(t)
	l.size = 600
	fill(t, l, 3)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// Each record that comes makes the next one be written.
	want := 2
	for e, err := range Follow(ctx, l.Dir(), Query{Tool: "Bash"}, 2) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Number != want {
			t.Fatalf("record %d, want %d", e.Number, want)
		}
		switch want++; e.Number {
		case 2:
		case 12:
			cancel()
		default:
			add(t, l, decision(e.Number+1))
		}
	}
	if want != 13 {
		t.Errorf("it ended before record %d", want)
	}
}

// A log that does not exist yet is waited for, and one that is damaged ends it.
func TestFollowFromTheBeginningToDamage(t *testing.T) {
	l := newLog(t)
	started := make(chan struct{})
	go func() {
		<-started
		_ = l.Append(decision(1))
	}()
	close(started)
	var failed error
	for e, err := range Follow(t.Context(), l.Dir(), Query{}, 0) {
		if err != nil {
			failed = err
			continue
		}
		w := &world{t: t, dir: l.Dir()}
		if e.Number == 1 {
			w.append(segmentName(1), "rubbish\n")
		}
	}
	if failed == nil {
		t.Error("it ended without an error")
	}
}
