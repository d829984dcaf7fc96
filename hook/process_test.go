//go:build unix

package hook

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What a process printed before its end counts, also when nobody had the time to read
// it and somebody else still holds the pipe.
func TestH11_WhatIsInThePipeIsRead(t *testing.T) {
	noLeaks(t)
	for _, size := range []int{0, 10, 60_000} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Repeat("x", size)
		if _, err := w.WriteString(want); err != nil {
			t.Fatal(err)
		}
		s := &stream{limited: newLimited(MaxOutput), file: r, done: make(chan struct{})}
		close(s.done) // the reader was told to end before it read anything
		s.stop()
		if got := string(s.bytes()); got != want {
			t.Errorf("read %d bytes of %d", len(got), size)
		}
		shut(w)
	}
}

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
		p.exited = make(chan struct{})
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
		close(p.exited)
		<-reply.Background
	})
}
