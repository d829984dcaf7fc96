package audit

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestFollow(t *testing.T) {
	l := newLog(t)
	l.size = 600
	fill(t, l, 3)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// Each record that comes makes the next one be written.
	want := 2
	for e, err := range Follow(ctx, l.Dir(), Query{Tool: "Bash"}, 2, nil) {
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

// Who has read enough leaves nothing behind: the watch ends with the reading.
func TestFollowEndsWithTheReader(t *testing.T) {
	l := newLog(t)
	fill(t, l, 1)
	before := runtime.NumGoroutine()
	for range 20 {
		want := 0
		for e, err := range Follow(t.Context(), l.Dir(), Query{}, 1, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if want++; want == 2 { // by now it watches
				break
			}
			add(t, l, decision(e.Number+1))
		}
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
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
	for e, err := range Follow(t.Context(), l.Dir(), Query{}, 0, nil) {
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

// TestT3_FollowNoticesThatTheLogIsGone: somebody who watches must not wait for ever.
func TestT3_FollowNoticesThatTheLogIsGone(t *testing.T) {
	for name, tt := range map[string]struct {
		meddle func(w *world)
		want   string
	}{
		"removed": {func(w *world) { must(w.t, os.RemoveAll(w.dir)) }, "the decision log is gone: 000000000001.jsonl was removed after record 2"},
		"made anew": {func(w *world) {
			must(w.t, os.RemoveAll(w.dir))
			l := Open(w.dir)
			for n := range 5 {
				add(w.t, l, decision(n+7))
			}
			must(w.t, l.Close())
		}, "the decision log was replaced: record 2 is not where it was read"},
		"cut": {func(w *world) { must(w.t, os.Truncate(w.path(segmentName(1)), 10)) }, "the decision log was replaced"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLog(t)
			fill(t, l, 2)
			must(t, l.Close())
			var failed error
			for e, err := range Follow(t.Context(), l.Dir(), Query{}, 2, nil) {
				switch {
				case err != nil:
					failed = err
				case e.Number == 2:
					tt.meddle(&world{t: t, dir: l.Dir()})
				}
			}
			if failed == nil || !strings.HasPrefix(failed.Error(), tt.want) {
				t.Errorf("%v", failed)
			}
		})
	}
}
