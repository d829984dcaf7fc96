package permission_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// contenders is how many want one ticket, rounds how many tickets there are.
func contest() (contenders, rounds int) {
	if os.Getenv("ASSENT_SOAK") != "" {
		return 1000, 10_000
	}
	return 1000, 100
}

// Everybody runs for the ticket at the same moment: one gets it, and everybody else is
// called off.
func TestP6_ResolveOnceIsClaimedOnce(t *testing.T) {
	contenders, rounds := contest()
	before := runtime.NumGoroutine()
	for round := range rounds {
		var once permission.ResolveOnce
		var wins, calledOff atomic.Int32
		var all sync.WaitGroup
		start := make(chan struct{})
		race, over := context.WithCancel(t.Context())
		for range contenders {
			all.Go(func() {
				<-start
				if once.Claim() {
					wins.Add(1)
					over()
					return
				}
				<-race.Done()
				calledOff.Add(1)
			})
		}
		close(start)
		all.Wait()
		over()
		if wins.Load() != 1 || int(calledOff.Load()) != contenders-1 || !once.Claimed() {
			t.Fatalf("round %d: %d won, %d of %d were called off", round, wins.Load(), calledOff.Load(), contenders)
		}
	}
	if left := goroutinesLeft(before); left > 0 {
		t.Errorf("%d goroutines are left", left)
	}
}

// The same for whole races. Every tenth candidate has an answer at once, the others wait
// for one that never comes: they end when somebody else has answered.
func TestP6_RaceOfManyHasOneWinner(t *testing.T) {
	contenders, rounds := contest()
	before := runtime.NumGoroutine()
	for round := range rounds {
		var calledOff atomic.Int32
		var all sync.WaitGroup
		all.Add(contenders)
		racers := make([]permission.Candidate, contenders)
		for i := range racers {
			racers[i] = permission.Candidate{
				Name: fmt.Sprint(i), Trust: permission.TrustHook,
				Ask: func(ctx context.Context, _ permission.Question) (permission.Answer, error) {
					defer all.Done()
					if i%10 == 0 {
						return permission.Answer{Behavior: allow, Message: fmt.Sprint(i)}, nil
					}
					<-ctx.Done()
					calledOff.Add(1)
					return permission.Answer{}, ctx.Err()
				},
			}
		}
		got := permission.Resolver{Candidates: racers}.Resolve(t.Context(), plain)
		all.Wait() // or the test hangs: a loser was not cancelled
		switch {
		case got.Answer.Behavior != allow || got.Winner == "" || got.Winner != got.Answer.Message:
			t.Fatalf("round %d: %q won with the answer of %q", round, got.Winner, got.Answer.Message)
		case len(got.Losers) != contenders-1:
			t.Fatalf("round %d: %d losers on record", round, len(got.Losers))
		case int(calledOff.Load()) != contenders-contenders/10:
			t.Fatalf("round %d: %d were called off", round, calledOff.Load())
		}
	}
	if left := goroutinesLeft(before); left > 0 {
		t.Errorf("%d goroutines are left", left)
	}
}

// goroutinesLeft is how many goroutines there are more than before, once those that are
// about to end have done so.
func goroutinesLeft(before int) int {
	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	return max(runtime.NumGoroutine()-before, 0)
}
