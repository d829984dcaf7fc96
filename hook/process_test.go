//go:build unix

package hook

import (
	"context"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"
)

// A process that was killed and does not end must not hold up the agent. Here only the
// news of its end is missing.
func TestH11_AProcessThatDoesNotEndIsLeftBehind(t *testing.T) {
	noLeaks(t)
	p, err := start(exec.Command("true"), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	<-p.exited
	synctest.Test(t, func(t *testing.T) {
		news := make(chan struct{})
		p.exited = news
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		began := time.Now()
		reply := p.answer(ctx)
		wantFailure(t, reply, Cancelled, "")
		if took := time.Since(began); took != killTime {
			t.Errorf("the answer took %v", took)
		}
		if reply.Background == nil || reply.Abandon == nil || isClosed(reply.Background) || len(reply.Notes) != 1 {
			t.Fatalf("nobody can wait for its end: %s", show(reply))
		}
		reply.Abandon()
		close(news)
		<-reply.Background
	})
}
