package crew

import (
	"context"
	"maps"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// site is a state directory as one process has it open, with what a crew there works with.
type site struct {
	Config
	t testing.TB

	mu       sync.Mutex
	resumed  map[string]int // how often each session went on
	warnings []string
}

// newSite opens a state directory. Several may have the same one open, as processes have.
func newSite(t testing.TB, dir string) *site {
	t.Helper()
	s := &site{t: t, resumed: map[string]int{}}
	tickets, err := approval.Open(dir)
	s.must(err)
	t.Cleanup(func() { tickets.Close() })
	s.must(tickets.Share(2))
	s.Config = Config{
		Dir: dir, Tickets: tickets, Sessions: session.NewStore(filepath.Join(dir, "sessions")), Most: 4, Resume: s.resume,
		Ask: func(ctx context.Context, errand func(*clerk.Clerk) error) error {
			c, err := clerk.Among(ctx, dir, s.Sessions, s.Tickets)
			if err != nil {
				return err
			}
			defer c.Close()
			return errand(c)
		},
		Warn: func(what, id string, err error) {
			s.locked(func() { s.warnings = append(s.warnings, what+" "+id+": "+err.Error()) })
		},
		Now: time.Now,
	}
	return s
}

func (s *site) locked(f func()) { s.mu.Lock(); defer s.mu.Unlock(); f() }

func (s *site) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// resume does what an agent does with the answers of people, with a tool that does nothing.
func (s *site) resume(ctx context.Context, id string) error {
	return s.resumeAfter(ctx, id, func() {})
}

// resumeAfter is resume, with something that happens while the session is open.
func (s *site) resumeAfter(ctx context.Context, id string, before func()) error {
	tr, err := s.Sessions.Resume(id)
	if err != nil {
		return err
	}
	defer tr.Close()
	tickets, err := s.Tickets.List(ctx, approval.Query{Session: id, States: []approval.State{approval.Approved}})
	if err != nil {
		return err
	}
	if len(tickets) == 0 {
		return ErrNothingLeft
	}
	s.locked(func() { s.resumed[id]++ })
	before()
	results := model.Message{Role: model.User}
	for _, t := range tickets {
		fence, err := s.Tickets.Claim(ctx, t.ID, t.Call, nil, "a test")
		if err != nil {
			return err
		}
		results.Content = append(results.Content, model.Result(t.ToolUseID, "ok"))
		if err := s.Tickets.Finish(ctx, t.ID, fence, true, ""); err != nil {
			return err
		}
	}
	if err := tr.Append(session.Said, results); err != nil {
		return err
	}
	return tr.Append(session.Ended, map[string]string{"subtype": "success"})
}

// park parks calls in a new session, each with its ticket.
func (s *site) park(commands ...string) (tickets []approval.Ticket) {
	s.t.Helper()
	id := session.NewID()
	tr, err := s.Sessions.Create(id, session.Start{Cwd: s.Dir, Model: "m", Mode: "default"})
	s.must(err)
	s.must(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("deploy the site")}}))
	turn := model.Message{Role: model.Assistant, Content: []model.Block{model.TextBlock("I will do that.")}}
	var waits []session.PendingCall
	for i, command := range commands {
		input, err := strictjson.Marshal(map[string]string{"command": command})
		s.must(err)
		c := session.PendingCall{ToolUseID: "toolu_" + string(rune('a'+i)), Tool: "Bash", Input: input, Cwd: s.Dir, Since: time.Now()}
		turn.Content = append(turn.Content, model.Block{Kind: model.ToolUse, ID: c.ToolUseID, Name: c.Tool, Input: c.Input})
		waits = append(waits, c)
	}
	s.must(tr.Append(session.Said, turn))
	s.must(tr.Append(session.Parked, session.Pending{Calls: waits}))
	s.must(tr.Close())
	for _, c := range waits {
		ticket, err := s.Tickets.Park(s.t.Context(), approval.Parking{
			Call: approval.Call{Session: id, ToolUseID: c.ToolUseID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd},
			Why:  "a person has to say so", At: c.Since, By: "test", Risk: permission.HighRisk,
		})
		s.must(err)
		tickets = append(tickets, ticket)
	}
	return tickets
}

func (s *site) approve(t approval.Ticket) {
	s.t.Helper()
	_, err := s.Tickets.Approve(s.t.Context(), t.ID, t.Digest, "ann", "", nil)
	s.must(err)
}

func (s *site) state(ticket string) approval.State {
	s.t.Helper()
	t, err := s.Tickets.Find(s.t.Context(), ticket)
	s.must(err)
	return t.State
}

// wentOn are the sessions that went on here, and how often.
func (s *site) wentOn() (all map[string]int) {
	s.locked(func() { all = maps.Clone(s.resumed) })
	return all
}

// times is how often a session went on here.
func (s *site) times(id string) int { return s.wentOn()[id] }

// employ lets a crew work that hears of every change, until the test ends or it is stopped.
func (s *site) employ() (c *Crew, stop func()) {
	s.t.Helper()
	c = New(s.Config)
	ctx, cancel := context.WithCancel(context.Background())
	after, err := s.Tickets.Settled(ctx)
	s.must(err)
	var all sync.WaitGroup
	all.Go(func() {
		if err := s.Tickets.Follow(ctx, after, nil, c.Hear); err != nil {
			s.t.Error(err)
		}
	})
	all.Go(func() {
		if err := c.Work(ctx); err != nil {
			s.t.Error(err)
		}
	})
	stop = func() { cancel(); all.Wait() }
	s.t.Cleanup(stop)
	return c, stop
}

// until waits for something that other goroutines or processes do.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: that does not happen", what)
		}
	}
}
