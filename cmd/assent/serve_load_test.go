//go:build unix

package main

import (
	"context"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
)

// While calls are parked all the time, several people answer them at once, and others
// follow. Each call has one answer, each that was approved runs once, none that was denied
// does, and whoever follows is told every change once, in its order.
func TestA3_UnderLoadNothingIsLost(t *testing.T) {
	t.Parallel()
	lasts, people, followers := 2*time.Second, 3, 5
	if os.Getenv("ASSENT_SOAK") != "" {
		lasts, people, followers = time.Minute, 4, 50
	}
	c := newServeCrash(t, 1)
	s := c.serve()
	web := c.client()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	answering, enough := context.WithCancel(ctx)
	defer enough()
	var all, following sync.WaitGroup
	var answers, refused atomic.Int64
	for n := range people {
		all.Go(func() { c.rush(answering, c.client(), n, &answers, &refused) })
	}
	heard, latest := make([][]int64, followers), make([]atomic.Int64, followers)
	for n := range followers {
		following.Go(func() { heard[n] = listen(ctx, t, c.client(), &latest[n]) })
	}
	const waiting = 60
	const fewest = 24
	for began := time.Now(); time.Since(began) < lasts || len(c.rounds) < fewest; {
		if list, err := web.List(ctx, client.Query{States: []string{"pending"}, Limit: 1}); err != nil {
			t.Fatal(err)
		} else if list.Counts["pending"] < waiting {
			c.park("load")
		}
	}
	c.allOver(s)
	enough() // what they still try comes second
	all.Wait()
	last, err := c.store.Latest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patienceOfTests); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		behind := 0
		for n := range latest {
			if latest[n].Load() < last {
				behind++
			}
		}
		if behind == 0 {
			break
		}
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // which sends everybody away
	<-s.ended
	following.Wait()
	stop()
	approved, denied := c.tally()
	t.Logf("%d calls: %d ran, %d were denied; %d answers counted, %d came second; %d changes for each of %d who followed", len(c.rounds), approved, denied, answers.Load(), refused.Load(), last, followers)
	if int(answers.Load()) != len(c.rounds) || approved == 0 || denied == 0 {
		t.Error("answers were lost, or counted twice")
	}
	for n, serials := range heard {
		if len(serials) != int(last) {
			t.Errorf("follower %d was told %d of %d changes", n, len(serials), last)
		}
		for i, serial := range serials {
			if serial != int64(i+1) {
				t.Errorf("follower %d was told change %d as number %d", n, serial, i+1)
				break
			}
		}
	}
}

func (c *serveCrash) client() *client.Client {
	c.t.Helper()
	web, err := client.New(*c.address.Load(), serveToken)
	if err != nil {
		c.t.Fatal(err)
	}
	return web
}

// rush answers what waits, as fast as it can: several do that at once, so somebody else may
// be faster.
func (c *serveCrash) rush(ctx context.Context, web *client.Client, n int, answers, refused *atomic.Int64) {
	for ctx.Err() == nil {
		list, err := web.List(ctx, client.Query{States: []string{"pending"}, Limit: 50})
		if err != nil {
			return // the server ends, or the test does
		}
		for i := range list.Tickets {
			item := list.Tickets[(i+n*7)%len(list.Tickets)]
			if item.ID[0]%4 == 0 {
				_, err = web.Deny(ctx, item.ID, client.No{Digest: item.Digest, Reason: "not today"})
			} else {
				_, err = web.Approve(ctx, item.ID, client.Yes{Digest: item.Digest})
			}
			if no, said := err.(*client.Error); said && no.Status == 409 {
				refused.Add(1)
			} else if err == nil {
				answers.Add(1)
			} else if ctx.Err() == nil {
				c.t.Errorf("%s: %v", item.ID, err)
				return
			}
		}
	}
}

// listen follows all changes until the server ends.
func listen(ctx context.Context, t *testing.T, web *client.Client, latest *atomic.Int64) (serials []int64) {
	after := int64(0)
	for ctx.Err() == nil {
		for e, err := range web.Events(ctx, after) {
			switch {
			case err != nil && strings.Contains(err.Error(), "connection refused"):
				return serials
			case err != nil && len(serials) == 0 && ctx.Err() == nil:
				t.Log(err) // it is tried again
			case err == nil && e.Serial > 0:
				serials, after = append(serials, e.Serial), e.Serial
				latest.Store(after)
			}
		}
	}
	return serials
}

// allOver waits until nothing is left to do.
func (c *serveCrash) allOver(s *serverProcess) {
	c.t.Helper()
	deadline := time.After(2 * patienceOfTests)
	for _, r := range c.rounds {
		for !r.state().Over() || !r.finished() {
			select {
			case <-deadline:
				c.t.Fatalf("the ticket of %s is %s\n%s", r.id, r.state(), s.stderr)
			case <-s.ended:
				c.t.Fatalf("the server has ended\n%s", s.stderr)
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
}

func (c *serveCrash) tally() (approved, denied int) {
	for _, r := range c.rounds {
		switch ticket, times := r.ticket(), r.times(); {
		case ticket.State == approval.Done && times == 1:
			approved++
		case ticket.State == approval.Refused && times == 0:
			denied++
		default:
			c.t.Errorf("the ticket %s is %s, and its call ran %d times", ticket.ID, ticket.State, times)
		}
	}
	return approved, denied
}
