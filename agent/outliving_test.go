package agent

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// registry is a context that does not end, and knows how many wait for that.
type registry struct {
	context.Context
	waiting int
}

func (*registry) Done() <-chan struct{} { return make(chan struct{}) }

func (r *registry) AfterFunc(func()) (stop func() bool) {
	r.waiting++
	return func() bool {
		r.waiting--
		return true
	}
}

// A prompt may make thousands of calls: none leaves anything behind with its context.
func TestOutlivingLeavesNothingBehind(t *testing.T) {
	r := &registry{Context: context.Background()}
	for range 100 {
		longer, over := outliving(r)
		if r.waiting != 1 || longer.Err() != nil {
			t.Fatalf("%d wait, %v", r.waiting, longer.Err())
		}
		over()
		if longer.Err() == nil {
			t.Fatal("it goes on")
		}
	}
	if r.waiting != 0 {
		t.Errorf("%d wait", r.waiting)
	}
}

func TestOutlivingEndsALittleLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		longer, over := outliving(ctx)
		defer over()
		ended := time.Now()
		cancel()
		<-longer.Done()
		if took := time.Since(ended); took != grace {
			t.Errorf("it ended after %v", took)
		}
	})
}
