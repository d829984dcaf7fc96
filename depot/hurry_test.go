package depot

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A process that is about to end does not wait for a database that does not answer: neither for what
// it has asked before, nor for what it asks then.
func TestD8_WhoIsInAHurryDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &Depot{}
		d.time, d.timeIsUp = context.WithCancel(t.Context())
		waits := func() time.Duration {
			began := time.Now()
			ctx, stop := d.asking()
			defer stop()
			<-ctx.Done()
			return time.Since(began)
		}
		if took := waits(); took != patience {
			t.Errorf("usually %v", took)
		}
		d.Hurry(time.Second)
		if took := waits(); took != time.Second {
			t.Errorf("in a hurry %v", took)
		}
		if took := waits(); took != hardly {
			t.Errorf("after that %v", took)
		}
	})
}
