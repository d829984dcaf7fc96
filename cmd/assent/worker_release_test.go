//go:build unix

package main

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
)

// A worker that is ended between the claim of an approved call and its start gives the call back, and
// another worker runs it once. Nobody has to say anything, unless the worker dies over it before the
// ticket knows.
func TestD8_AWorkerGivesBackWhatHasNotBegun(t *testing.T) {
	for _, point := range []string{"release: recorded", "release: nobody dies"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			c := newWorkerCrash(t, 1)
			r := c.park()
			first := c.workAs(0, "end.yaml", []string{"--drain", "0s"}, crashVariable+"="+point)
			if _, err := c.store.Approve(t.Context(), r.ticket, mustFind(t, c.store, r.ticket).Digest, "ann", "", nil); err != nil {
				t.Fatal(err)
			}
			select {
			case <-first.ended:
			case <-time.After(2 * patienceOfTests):
				first.kill()
				t.Fatalf("it never came to that moment\n%s", first.stderr)
			}
			known := point == "release: nobody dies"
			if want := map[bool]approval.State{true: approval.Approved, false: approval.Running}[known]; c.state(t.Context(), r) != want || c.times(r) > 0 {
				t.Errorf("the ticket is %s, the call ran %d times\n%s", c.state(t.Context(), r), c.times(r), first.stderr)
			}
			ctx, stop := context.WithCancel(t.Context())
			var person sync.WaitGroup
			person.Go(func() { c.answerAll(ctx) })
			c.settle(ctx)
			stop()
			person.Wait()
			if c.judge(); c.done != 1 || known == (c.unknown.Load() > 0) {
				t.Errorf("the ticket is %s, the call ran %d times, and %d times nobody knew", c.state(t.Context(), r), c.times(r), c.unknown.Load())
			}
		})
	}
}
