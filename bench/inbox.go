package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What the inbox promises.
const (
	mostStart         = 5 * time.Millisecond
	leastCycles       = 0.4 // of the rate of commits, three for a cycle
	mostPage          = 100 * time.Millisecond
	pageBarApplies    = 1_000_000 // tickets; fewer would prove nothing
	mostFollow        = 500 * time.Millisecond
	followBarApplies  = 1_000 // clients; likewise
	commitsOfOneCycle = 3
)

// inboxFigures are those of the inbox. The zero value means that nobody has measured it.
type inboxFigures struct {
	// approved is from an approval to the start of the tool, requested the same from the
	// request on. Commanded is until the shell of a command is at that, and shell what it
	// needs alone.
	approved, requested, commanded, shell time.Duration
	// cycle is an approval, a claim and the end of a call; commit one row.
	cycle, commit time.Duration
	// page50 and page95 are the first page of many tickets.
	page50, page95 time.Duration
	// follow50 and followWorst are how long it takes until the last of many clients is told.
	follow50, followWorst time.Duration
}

// compareInbox measures all of it, in processes of their own.
func compareInbox(p plan) (f inboxFigures, err error) {
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "inbox")
	files, err := filepath.Glob(filepath.Join("inbox", "*.go"))
	if err != nil {
		return f, err
	}
	args := []string{"build", "-trimpath", "-ldflags", "-s -w", "-o", program}
	for _, file := range files {
		args = append(args, filepath.Join("bench", file))
	}
	build := exec.Command("go", args...)
	build.Dir, build.Env = "..", append(os.Environ(), "CGO_ENABLED=0") // the program says why
	if text, err := build.CombinedOutput(); err != nil {
		return f, fmt.Errorf("the inbox: cannot build it: %w\n%s", err, text)
	}
	for _, m := range []struct {
		what string
		n    int
		into map[string]*time.Duration
	}{
		{"start", p.starts, map[string]*time.Duration{"approved": &f.approved, "requested": &f.requested, "commanded": &f.commanded, "shell": &f.shell}},
		{"cycles", p.approvals, map[string]*time.Duration{"cycle": &f.cycle, "commit": &f.commit}},
		{"page", p.tickets, map[string]*time.Duration{"p50": &f.page50, "p95": &f.page95}},
		{"follow", p.followers, map[string]*time.Duration{"p50": &f.follow50, "worst": &f.followWorst}},
	} {
		out, err := exec.Command(program, m.what, filepath.Join(dir, m.what), strconv.Itoa(m.n)).Output()
		if err != nil {
			return f, fmt.Errorf("the inbox: %s: %w", m.what, said(err))
		}
		var found map[string]int64
		if err := json.Unmarshal(out, &found); err != nil {
			return f, err
		}
		for name, d := range m.into {
			*d = time.Duration(found[name])
		}
	}
	return f, nil
}

// said is an error with what the program has said.
func said(err error) error {
	if failed, ok := err.(*exec.ExitError); ok {
		return fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	return err
}

// rate is the rate of cycles as a part of what commits alone would permit.
func (f inboxFigures) rate() float64 {
	return commitsOfOneCycle * float64(f.commit) / float64(f.cycle)
}

func (r *results) inboxBars() []bar {
	f := r.inbox
	if f.cycle == 0 {
		return nil
	}
	all := []bar{
		{"from an approval to the start of the tool ≤ 5 ms", fmt.Sprintf("%.1f ms", f.approved.Seconds()*1e3), f.approved <= mostStart},
		{"approve, claim, done: ≥ 0.4 of a third of the rate of SQLite FULL commits", fmt.Sprintf("%.2f", f.rate()), f.rate() >= leastCycles},
	}
	if r.plan.tickets >= pageBarApplies {
		all = append(all, bar{"the first page of 1,000,000 tickets ≤ 100 ms (p95)", fmt.Sprintf("%.1f ms", f.page95.Seconds()*1e3), f.page95 <= mostPage})
	}
	if r.plan.followers >= followBarApplies {
		all = append(all, bar{"1,000 clients are told of a change within 500 ms", milliseconds(f.followWorst), f.followWorst <= mostFollow})
	}
	return all
}

func (r *results) writeInbox(b *strings.Builder) {
	f := r.inbox
	if f.cycle == 0 {
		return
	}
	fmt.Fprintf(b, "\n## The inbox\n\n"+
		"A server on loopback with its workers in the same process. A call waits in a session of 100 records, without hooks; it is approved through the API.\n"+
		"Its tool starts %s after the approval is given, and %s after the request was sent, which also pays for HTTP and for judging the call once more:\n"+
		"a Write has then begun to write. The shell of a command is at that after %s, of which it needs %s alone.\n"+
		"Medians of %s each, one after the other.\n\n"+
		"To approve a call, claim it and tell its end are three transactions, %s together; one row and its commit take %s in the same run,\n"+
		"in turn. That is %s cycles a second, %.2f of what commits alone would permit.\n\n"+
		"Where %s tickets are, every second one of which waits, the first page of 50 takes %s (p95 %s). When something changes that another process has\n"+
		"done, the last of %s clients that follow is told after %s; %s at worst.\n",
		nanoseconds(float64(f.approved)), nanoseconds(float64(f.requested)), nanoseconds(float64(f.commanded)), nanoseconds(float64(f.shell)), thousands(r.plan.starts),
		nanoseconds(float64(f.cycle)), nanoseconds(float64(f.commit)), thousands(int(float64(time.Second)/float64(f.cycle))), f.rate(),
		thousands(r.plan.tickets), nanoseconds(float64(f.page50)), nanoseconds(float64(f.page95)),
		thousands(r.plan.followers), nanoseconds(float64(f.follow50)), nanoseconds(float64(f.followWorst)))
}
