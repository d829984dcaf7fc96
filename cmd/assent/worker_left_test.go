//go:build unix

package main

import (
	"bytes"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
)

// takeover is how long it takes at most until another worker has a session whose worker has died.
const takeover = 15 * time.Second

// until waits for something that workers do, and says how long it took.
func (c *workerCrash) until(what string, within time.Duration, done func() bool, by ...*workerProcess) time.Duration {
	c.t.Helper()
	began := time.Now()
	for !done() {
		if time.Since(began) > within {
			c.explain(by)
			c.t.Fatalf("%s: not within %s", what, within)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return time.Since(began)
}

// explain says what the tickets, the database and the workers were at when something did not happen in
// time. The workers are gone then.
func (c *workerCrash) explain(by []*workerProcess) {
	for _, r := range c.rounds {
		c.t.Logf("session %s, ticket %s: %s", r.id, r.ticket, c.state(c.t.Context(), r))
	}
	c.t.Log(c.server.Activity(c.t))
	for _, w := range by {
		_ = w.cmd.Process.Signal(syscall.SIGQUIT) // which writes what each of its goroutines waits for
		select {
		case <-w.ended:
		case <-time.After(patienceOfTests): // it is stopped, or does not hear
		}
		c.t.Log(w.stderr)
	}
}

// has: the transcript of a session says something, as the database has it.
func (c *workerCrash) has(r *workerRound, text string) bool {
	var copied paper
	err := c.depot.Bring(c.t.Context(), r.id, &copied, 0)
	return err == nil && bytes.Contains(copied, []byte(text))
}

func (c *workerCrash) approve(r *workerRound) {
	c.t.Helper()
	if _, err := c.store.Approve(c.t.Context(), r.ticket, mustFind(c.t, c.store, r.ticket).Digest, "ann", "", nil); err != nil {
		c.t.Fatal(err)
	}
}

// A worker dies while its model thinks, after the call that a person has approved or some turns
// later. Whoever is up, or comes up later on another machine, goes on with the session, and no
// call runs again.
func TestD8_ADeadWorkersSessionIsAlwaysGoneOnWith(t *testing.T) {
	for name, test := range map[string]struct {
		script string // of the one that dies
		dies   string // when its transcript says so
		up     bool   // the other one is up before that
	}{
		"after the call, and nobody is up": {"turns:\n  - {delay: 1h, say: Late.}\n", "toolu_1", false},
		"turns later, and nobody is up":    {"turns:\n  - call: {Read: {file_path: notes.txt}}\n  - {delay: 1h, say: Late.}\n", "remember the milk", false},
		"turns later, and another is up":   {"turns:\n  - call: {Read: {file_path: notes.txt}}\n  - {delay: 1h, say: Late.}\n", "remember the milk", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newWorkerCrash(t, 1)
			c.write("thinks.yaml", test.script)
			c.write("notes.txt", "remember the milk\n")
			r := c.park()
			first := c.workAs(0, "thinks.yaml", nil)
			defer first.kill()
			c.until("the first one is ready", patienceOfTests, func() bool { return strings.Contains(first.stderr.String(), "is ready") }, first)
			c.approve(r)
			c.until("it thinks", patienceOfTests, func() bool { return c.state(t.Context(), r).Over() && c.has(r, test.dies) }, first)
			var second *workerProcess
			if test.up {
				second = c.work(1)
				c.until("the other one is ready", patienceOfTests, func() bool { return strings.Contains(second.stderr.String(), "is ready") }, second)
			}
			first.kill()
			died := time.Now()
			if !test.up {
				second = c.work(1)
			}
			defer second.kill()
			c.until("another one has gone on with it", takeover+patienceOfTests, func() bool { return c.has(r, "Done.") }, second)
			t.Logf("taken over after %s", time.Since(died))
			if took := time.Since(died); took > takeover {
				t.Errorf("it took %s", took)
			}
			c.until("it has come to its end", patienceOfTests, func() bool { return c.over(t.Context(), r) }, second)
			if n := c.times(r); n != 1 {
				t.Errorf("the call ran %d times", n)
			}
			c.until("nobody has anything more to do", patienceOfTests, func() bool { ids, err := c.depot.LeftBehind(t.Context()); return err == nil && len(ids) == 0 }, second)
			if strings.Contains(second.stderr.String(), "state=failed") {
				t.Error(second.stderr)
			}
		})
	}
}

// A worker is asleep while it runs a call, and others say that nobody knows how that did. When it
// wakes up, and nobody has taken its session, it says so itself, and no person has to find out.
func TestD8_AWorkerThatWasOnlyAsleepSaysHowItsCallDid(t *testing.T) {
	t.Parallel()
	c := newWorkerCrash(t, 1)
	r := c.parkThen("; until test -e gate; do sleep 0.05; done")
	first := c.work(0)
	defer first.kill()
	c.until("the first one is ready", patienceOfTests, func() bool { return strings.Contains(first.stderr.String(), "is ready") }, first)
	c.approve(r)
	c.until("the call has begun", patienceOfTests, func() bool { return c.times(r) == 1 }, first)
	second := c.work(1)
	defer second.kill()
	if err := first.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.cmd.Process.Signal(syscall.SIGCONT) }()
	c.until("nobody knows how the call does", takeover, func() bool { return c.state(t.Context(), r) == approval.Unknown }, second)
	if err := first.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	c.write("gate", "")
	c.until("the session has come to its end", patienceOfTests, func() bool { return c.has(r, "Done.") }, first, second)
	// Its last word comes after that of the call, so nobody has to wait for a sweep.
	if state := c.state(t.Context(), r); state != approval.Done {
		t.Errorf("the session is done, and its call is %s", state)
	}
	history, err := c.store.History(t.Context(), r.ticket)
	if err != nil || len(history) == 0 || history[len(history)-1].Note != "" || c.times(r) != 1 {
		t.Errorf("%+v, %v; it ran %d times", history, err, c.times(r))
	}
	for _, w := range []*workerProcess{first, second} {
		if strings.Contains(w.stderr.String(), "state=failed") {
			t.Error(w.stderr)
		}
	}
}

// What a worker ends when its time to drain is over, a worker on another machine goes on with.
func TestD8_WhatADrainedWorkerEndsIsGoneOnWith(t *testing.T) {
	t.Parallel()
	c := newWorkerCrash(t, 1)
	c.write("thinks.yaml", "turns:\n  - {delay: 1h, say: Late.}\n")
	r := c.park()
	first := c.workAs(0, "thinks.yaml", []string{"--drain", "10ms"})
	defer first.kill()
	c.until("the first one is ready", patienceOfTests, func() bool { return strings.Contains(first.stderr.String(), "is ready") }, first)
	c.approve(r)
	c.until("it thinks", patienceOfTests, func() bool { return c.state(t.Context(), r).Over() }, first)
	if err := first.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-first.ended:
	case <-time.After(patienceOfTests):
		t.Fatalf("it does not end\n%s", first.stderr)
	}
	if log := first.stderr.String(); !strings.Contains(log, "at_most=10ms") || !strings.Contains(log, "the worker has drained") {
		t.Errorf("the log does not say that it has drained:\n%s", log)
	}
	second := c.work(1)
	defer second.kill()
	c.until("another one goes on with it", takeover, func() bool { return c.over(t.Context(), r) }, second)
	if n := c.times(r); n != 1 || !c.has(r, "Done.") {
		t.Errorf("the call ran %d times\n%s", n, second.stderr)
	}
}
