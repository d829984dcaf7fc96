package people

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// T16: however many sign in from one address, and whatever they invent behind it, somebody else is in
// after a few of them.
func TestT16_ManyWhoSignInDelayNobodyElse(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		const bens = "the password of ben"
		w.must(w.SetPassword(t.Context(), operator, "ben", bens))
		goOn := make(chan struct{})
		var looked, before atomic.Int64
		derive := w.hasher.derive
		w.hasher.derive = func(password, salt []byte, c cost) []byte {
			<-goOn
			if n := looked.Add(1); string(password) == bens {
				before.Store(n)
			}
			return derive(password, salt, c)
		}
		const many, waiting = 200, 128
		var all sync.WaitGroup
		gaveUp := make(chan struct{}, many)
		in := func(name, password, from string) error {
			_, _, err := w.SignIn(t.Context(), name, password, from)
			if _, is := errors.AsType[*Throttled](err); is {
				gaveUp <- struct{}{}
			}
			return err
		}
		for i := range many {
			all.Go(func() {
				_ = in(fmt.Sprintf("name%d", i), "a wrong password", Behind("192.0.2.9:1", fmt.Sprintf("10.0.%d.1", i)))
			})
		}
		for range many - 3 - waiting { // three are looked at
			<-gaveUp
		}
		all.Go(func() {
			if err := in("ben", bens, "203.0.113.5"); err != nil {
				t.Error(err)
			}
		})
		<-gaveUp // he waits, for which one of the others gave up
		close(goOn)
		all.Wait()
		// His turn is among the next (internal/room tests that), but what he asks the database then
		// takes its time, while others go on.
		if n := before.Load(); n > waiting/2 {
			t.Errorf("%d were looked at before", n)
		}
	})
}

// T12: whoever invents places behind their address is known at a few of them only, so the limit of the
// address holds at the others.
func TestT12_FewInventedPlacesAreKnown(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Viewer, "vic")
		const places = 20
		place := func(i int) string { return Behind("192.0.2.9:1", fmt.Sprintf("10.0.%d.1", i)) }
		for i := range places {
			_, _, err := w.SignIn(t.Context(), "vic", passwordFor("vic"), place(i))
			w.must(err)
			w.pass(time.Microsecond)
		}
		for i := range int(anywhere.free) {
			w.try(fmt.Sprintf("name%d", i), "192.0.2.9")
		}
		in := 0
		for i := range places {
			if _, _, err := w.SignIn(t.Context(), "vic", passwordFor("vic"), place(i)); err == nil {
				in++
			}
		}
		if in != mostFamiliar {
			t.Errorf("signed in at %d places", in)
		}
	})
}
