package socket

import (
	"context"
	"testing"

	"github.com/assent-dev/assent/inbox/socket/line"
)

// It is known of a guard whether it waits, has given up, or was never here.
func TestA1_WhetherAGuardWaits(t *testing.T) {
	w := newWorld(t)
	moved := make(chan string, 10)
	w.keeper.Telling(func(session string) { moved <- session })
	if got := w.keeper.Patience("none"); got != NotKnown {
		t.Error(got)
	}
	wait := func() (id string, stop func() line.Reply) {
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan line.Reply, 1)
		go func() { got <- w.keeper.Keep(ctx, deploy()) }()
		id = w.held(1)[0].ID
		for w.keeper.Patience(id) != Waiting {
			select {
			case <-t.Context().Done():
				t.Fatal("it never waits")
			case reply := <-got:
				t.Fatalf("it does not wait: %+v", reply)
			default:
			}
		}
		return id, func() line.Reply { cancel(); return <-got }
	}
	id, stop := wait()
	if reply := stop(); reply.State != line.Pending || w.keeper.Patience(id) != GivenUp || <-moved != "s1" {
		t.Errorf("%+v %v", reply, w.keeper.Patience(id))
	}
	_, stop = wait()
	if <-moved != "s1" { // it waits again
		t.Error("nobody was told")
	}
	stop()
}

// They do not become more and more.
func TestA1_GuardsThatAreGoneAreForgotten(t *testing.T) {
	k := NewKeeper(nil)
	for i := range 30_000 {
		_, leave := k.join(string(rune(i + 1)))
		leave()
	}
	if n := len(k.left); n == 0 || n > 10_000 {
		t.Error(n)
	}
}
