package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/session"
)

// crashEnd is how a parked call ends otherwise than by running once it is approved.
type crashEnd struct {
	// settings are those of the session beside its hook.
	settings string
	// said is what people say before the session goes on.
	said func(*crashRound, approval.Ticket)
	// with is what is said to go on.
	with []string
	// points are the moments at which the process dies that goes on.
	points []string
	want   approval.State
}

func crashEnds() map[string]crashEnd {
	told := []string{"resume: ran", "resume: settled", "resume: ticket", "resume: told"}
	nothing := func(*crashRound, approval.Ticket) {}
	return map[string]crashEnd{
		"denied": {said: (*crashRound).deny, points: append([]string{"resume: refused"}, told...), want: approval.Refused},
		"expired": {
			settings: `,"assent":{"parking":{"lasts":"1ms","outcome":"deny"}}`, said: nothing, points: append([]string{"resume: refused"}, told...), want: approval.Refused,
		},
		"left out": {said: nothing, with: []string{"something else"}, points: []string{"resume: cancelled"}, want: approval.Cancelled},
	}
}

// A call that was denied, whose time was over, or that a prompt has taken the place of never
// runs, and the model is told, whenever the process dies that goes on with the session.
func TestD8_AParkedCallThatDoesNotRun(t *testing.T) {
	p := crashPlace(t)
	var all sync.WaitGroup
	limit := make(chan struct{}, 3)
	reached := map[string]bool{}
	for name, end := range crashEnds() {
		settings := p.write("settings-"+strings.ReplaceAll(name, " ", "-")+".json", p.deferring(end.settings))
		for i, point := range end.points {
			reached[point] = true
			limit <- struct{}{}
			all.Go(func() {
				defer func() { <-limit }()
				c := p.round(t, point, fmt.Sprintf("effects-%s-%d", strings.ReplaceAll(name, " ", "-"), i))
				c.settings = settings
				c.begin("")
				end.said(c, c.ticket())
				c.resumeWith(c.crashEnv("resume"), end.with...)
				if !c.fell() {
					t.Errorf("%s, %s: nobody came to that moment", name, point)
				}
				c.resumeWith(nil, end.with...)
				if state, times := c.state(), c.times(); state != end.want || times > 0 || !c.finished() {
					t.Errorf("%s, %s: the ticket is %s, the call ran %d times, the session has finished: %v", name, point, state, times, c.finished())
				}
			})
		}
	}
	all.Wait()
	for _, point := range crashpoint.Ends() {
		if !reached[point] && strings.HasPrefix(point, "resume:") {
			t.Errorf("nobody dies at %q", point)
		}
	}
}

// A person says that a call did not run, and dies with the word half said. It is still
// unknown, the same word is taken again, and then the call runs once it is approved.
func TestD8_AFindingThatIsHalfSaid(t *testing.T) {
	p := crashPlace(t)
	c := p.round(t, "resume: begun", "effects-found")
	c.begin("")
	c.approve(c.ticket())
	c.resume(c.crashEnv("resume"))
	next := time.Now()
	if out := c.process("assent", nil, "sessions", "list"); !strings.Contains(out, "unknown") || c.state() != approval.Unknown {
		t.Fatalf("%s, %s", c.state(), out)
	}
	if took := c.since(next, approval.Unknown); took > mostUnknown {
		t.Errorf("after %v somebody could see that the outcome is unknown", took)
	}
	c.point, c.effects = "resolve: found", "effects-found-2" // dies once more
	c.process("assent", c.crashEnv("resolve"), "sessions", "resolve", c.id, "--not-run")
	if !c.fell() || c.state() != approval.Unknown {
		t.Fatalf("nobody came to that moment: %s", c.state())
	}
	c.resume(nil)
	c.effects = "effects-found"
	if n := c.times(); n > 0 {
		t.Fatalf("it ran %d times before anybody was sure", n)
	}
	if out := c.process("assent", nil, "sessions", "resolve", c.id, "--not-run"); c.state() != approval.Pending {
		t.Fatalf("%s, %s", c.state(), out)
	}
	c.approve(c.ticket())
	c.resume(nil)
	if state, times := c.state(), c.times(); state != approval.Done || times != 1 || !c.finished() {
		t.Errorf("the ticket is %s, the call ran %d times, the session has finished: %v", state, times, c.finished())
	}
}

// Two calls of one turn are parked. One is approved and one denied, and the process dies
// that goes on: the first runs at most once, and the second never.
func TestD8_ABatchThatIsInterrupted(t *testing.T) {
	p := crashPlace(t)
	var all sync.WaitGroup
	limit := make(chan struct{}, 3)
	for i, point := range append(crashpoint.Names(), "resume: refused") {
		if !strings.HasPrefix(point, "resume:") {
			continue
		}
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			c := p.round(t, point, fmt.Sprintf("effects-batch-%d", i))
			c.begin("denied-" + c.effects)
			for _, ticket := range c.tickets(2) {
				if strings.Contains(ticket.Input.String(), "denied-") {
					c.deny(ticket)
				} else {
					c.approve(ticket)
				}
			}
			c.resume(c.crashEnv("resume"))
			if !c.fell() {
				t.Errorf("%s: nobody came to that moment", point)
			}
			c.resume(nil)
			for _, ticket := range c.tickets(2) {
				if ticket.State == approval.Unknown {
					word := map[bool]string{true: "--ran", false: "--not-run"}[c.times() > 0]
					c.process("assent", nil, "sessions", "resolve", ticket.ID, word)
					if word == "--not-run" {
						c.approve(ticket)
					}
					c.resume(nil)
				}
			}
			denied, _ := os.ReadFile(filepath.Join(c.dir, "denied-"+c.effects))
			if times := c.times(); times != 1 || len(denied) > 0 || !c.finished() {
				t.Errorf("%s: the approved call ran %d times, the denied one: %q, the session has finished: %v", point, times, denied, c.finished())
			}
			for _, ticket := range c.tickets(2) {
				if want := map[bool]approval.State{true: approval.Refused, false: approval.Done}[strings.Contains(ticket.Input.String(), "denied-")]; ticket.State != want {
					t.Errorf("%s: %s is %s", point, ticket.Input, ticket.State)
				}
			}
		})
	}
	all.Wait()
}

// round is a session of its own, whose process dies at a moment.
func (p *crashSite) round(t *testing.T, point, effects string) *crashRound {
	return &crashRound{
		place: p.place, t: t, store: p.store, worker: "assent", random: rand.New(rand.NewPCG(1, 2)),
		id: session.NewID(), point: point, effects: effects,
	}
}

// begin parks the call, and a second one in the same turn if that has a file for its effects.
func (c *crashRound) begin(second string) {
	calls := fmt.Sprintf("{Bash: {command: 'echo ran >> %s'}}", c.effects)
	args := []string{"--session-id", c.id}
	key := "call"
	if second != "" {
		key, calls = "calls", "["+calls+fmt.Sprintf(", {Bash: {command: 'echo ran >> %s'}}]", second)
		args = append(args, "--defer-batch")
	}
	script := c.write(c.effects+".yaml", fmt.Sprintf("turns:\n  - %s: %s\nafterwards: Done.\n", key, calls))
	c.start(nil, append(args, "--model", "script:"+script, "go")...)
}

// resumeWith goes on with the session and says something, if there is anything to say.
func (c *crashRound) resumeWith(env []string, words ...string) {
	c.start(env, append([]string{"--resume", c.id, "--model", "script:" + filepath.Join(c.dir, "end.yaml")}, words...)...)
}

func (c *crashRound) deny(ticket approval.Ticket) {
	if _, err := c.store.Deny(context.Background(), ticket.ID, ticket.Digest, "ann", "no"); err != nil {
		c.t.Errorf("%s: %v", c.point, err)
	}
}

// tickets are those of the session, so many.
func (c *crashRound) tickets(want int) []approval.Ticket {
	list, err := c.store.List(context.Background(), approval.Query{Session: c.id})
	if err != nil || len(list) != want {
		c.t.Errorf("%s: %d tickets, %v", c.point, len(list), err)
	}
	return list
}
