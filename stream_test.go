package assent

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/wire"
)

func words(s string) Message { return &wire.CompactBoundary{Trigger: s} }

func text(m Message) string {
	switch m := m.(type) {
	case *wire.CompactBoundary:
		return m.Trigger
	case *wire.Status:
		return m.PermissionMode
	}
	return fmt.Sprintf("%T", m)
}

// Whoever tells something waits until the body of the loop is done with it; a change of the
// mode, which the body itself may have caused, does not wait.
func TestStream_WhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s stream
		r := s.open()
		told := 0
		go func() {
			s.tell(words("one"))
			told++
			s.tell(words("two"))
			told++
			r.finish()
		}()
		var all []string
		for m := range r.all() {
			all = append(all, text(m))
			synctest.Wait()
			if _, ok := m.(*wire.Status); !ok && told != len(all)-1-told {
				t.Errorf("%d were told while the body was busy with %q", told, all)
			}
			if text(m) == "one" {
				s.tell(&wire.Status{PermissionMode: "from inside"}) // this very goroutine
			}
		}
		r.close()
		if fmt.Sprint(all) != "[one from inside two]" {
			t.Errorf("%q", all)
		}
	})
}

// Many tell at once, each in its own order, and nobody is forgotten or waits for ever,
// however the loop ends.
func TestStream_ManyAtOnce(t *testing.T) {
	const speakers, each = 8, 20
	for leaveAt := range 4 {
		synctest.Test(t, func(t *testing.T) {
			var s stream
			r := s.open()
			var all sync.WaitGroup
			for who := range speakers {
				all.Go(func() {
					for i := range each {
						s.tell(&wire.ToolProgress{ToolUseID: fmt.Sprint(who), Done: float64(i)})
					}
				})
			}
			go func() {
				all.Wait()
				r.finish()
			}()
			next := map[string]float64{}
			count := 0
			for m := range r.all() {
				p := m.(*wire.ToolProgress)
				if p.Done != next[p.ToolUseID] {
					t.Errorf("%s tells %v after %v", p.ToolUseID, p.Done, next[p.ToolUseID])
				}
				next[p.ToolUseID]++
				if count++; leaveAt > 0 && count == leaveAt {
					break
				}
			}
			if leaveAt == 0 && count != speakers*each {
				t.Errorf("%d messages", count)
			}
			r.release()
			all.Wait() // synctest finds whoever waits for ever
			r.close()
			if rest := s.rest(); len(rest) > 0 {
				t.Errorf("%d messages of a loop that was left are kept", len(rest))
			}
		})
	}
}

// What is told while nobody reads waits for the next loop and holds up nobody.
func TestStream_NobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s stream
		s.tell(words("one"))
		r := s.open()
		r.finish()
		var all []string
		for m := range r.all() {
			all = append(all, text(m))
		}
		s.tell(words("two")) // the work has ended, and the loop too
		r.close()
		s.tell(words("three"))
		r = s.open()
		r.finish()
		for m := range r.all() {
			all = append(all, text(m))
		}
		r.close()
		if fmt.Sprint(all) != "[one two three]" {
			t.Errorf("%q", all)
		}
	})
}
