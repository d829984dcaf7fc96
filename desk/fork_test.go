package desk_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// forkOf is the call in a fork of its session.
func forkOf(c agent.ParkedCall, session string) agent.ParkedCall {
	c.Forks = append([]string{c.Session}, c.Forks...)
	c.Session, c.New = session, false
	return c
}

// lineage makes a session, a fork of it and a fork of that, which lie here.
func (o *office) lineage() *session.Store {
	o.t.Helper()
	s := session.NewStore(filepath.Join(o.dir, "sessions"))
	begun := func(tr *session.Transcript, err error) {
		o.t.Helper()
		if err == nil {
			err = tr.Close()
		}
		if err != nil {
			o.t.Fatal(err)
		}
	}
	start := session.Start{Cwd: "/project"}
	begun(s.Create(firstID, start))
	begun(s.Fork(firstID, secondID, start))
	begun(s.Fork(secondID, thirdID, start))
	return s
}

// approveThis approves a call, whatever its session.
func (o *office) approveThis(c agent.ParkedCall) {
	o.t.Helper()
	o.people(func(ctx context.Context, s *approval.Store, _ approval.Ticket) error {
		t, err := s.OfCall(ctx, c.Session, c.ToolUseID)
		if err == nil {
			_, err = s.Approve(ctx, t.ID, t.Digest, "ann", "", nil)
		}
		return err
	})
}

// Where a session lies elsewhere from which a fork has its call, or is gone, nobody can say whether the
// call was denied there: only an answer to this one lets it run. What is known holds all the same.
func TestS34_WhatMayHaveBeenDeniedElsewhere(t *testing.T) {
	no := func(o *office, _ agent.ParkedCall) { o.deny() }
	gone := func(ids ...string) func(*session.Store) error {
		return func(s *session.Store) (err error) {
			for _, id := range ids {
				_, gone := s.Remove(id, nil)
				err = errors.Join(err, gone, s.Discard(id))
			}
			return err
		}
	}
	anew := func(id string) func(*session.Store) error {
		return func(s *session.Store) error {
			if err := gone(id)(s); err != nil {
				return err
			}
			tr, err := s.Create(id, session.Start{Cwd: "/project"})
			if err != nil {
				return err
			}
			return tr.Close()
		}
	}
	for name, tt := range map[string]struct {
		happens func(*session.Store) error // to the sessions
		said    func(o *office, c agent.ParkedCall)
		unheard bool // as long as nobody has answered this one
		runs    bool
	}{
		"all of them are here":     {gone(), nil, false, true},
		"the first is not":         {gone(firstID), nil, true, false},
		"the next is not":          {gone(secondID), nil, true, false},
		"it is not here, they are": {gone(thirdID), nil, true, false},
		"the first is another one": {anew(firstID), nil, true, false},
		"the next is another one":  {anew(secondID), nil, true, false},
		"a yes":                    {gone(firstID), (*office).approveThis, true, true},
		"a no that is known":       {gone(secondID), no, true, false},
		"a no, and all are here":   {gone(), no, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			o, c := newOffice(t), deploy()
			if err := tt.happens(o.lineage()); err != nil {
				t.Fatal(err)
			}
			o.park(c)
			fork := forkOf(forkOf(c, secondID), thirdID)
			looks := func(unheard bool) {
				t.Helper()
				if word := o.look(fork); (word.Unheard != "") != unheard {
					t.Errorf("%+v", word)
				}
			}
			looks(tt.unheard) // it has no ticket
			o.park(fork)
			looks(tt.unheard)
			if tt.said != nil {
				tt.said(o, fork)
				looks(tt.unheard && !tt.runs)
			}
			_, err := claimNow(t, o, fork, fork.Input)
			if tt.runs != (err == nil) || err != nil && !errors.Is(err, agent.ErrAnswered) {
				t.Errorf("%v", err)
			}
			if known := errors.As(err, new(*approval.WrongState)); err != nil && known != (tt.said != nil) { // a no that is known is what is told
				t.Errorf("%v", err)
			}
		})
	}
}

// What a person has denied is denied in a fork from the start: whoever takes the fork up
// hears it, and nobody can claim the call. What else was said stays behind.
func TestS34_ADenialGoesWithAFork(t *testing.T) {
	for name, tt := range map[string]struct {
		said  func(o *office, c agent.ParkedCall)
		wants agent.WordKind
	}{
		"nothing":  {func(*office, agent.ParkedCall) {}, agent.NoWord},
		"approved": {func(o *office, _ agent.ParkedCall) { o.approve("") }, agent.NoWord},
		"denied":   {func(o *office, _ agent.ParkedCall) { o.deny() }, agent.No},
		"denied, and the process died that refused it": {func(o *office, c agent.ParkedCall) {
			o.deny()
			if err := o.Refuse(t.Context(), c, o.look(c), "no"); err != nil {
				t.Fatal(err)
			}
		}, agent.No},
		"refused by a rule": {func(o *office, c agent.ParkedCall) {
			if err := o.Refuse(t.Context(), c, o.look(c), "a rule"); err != nil {
				t.Fatal(err)
			}
		}, agent.NoWord},
	} {
		t.Run(name, func(t *testing.T) {
			o, c := newOffice(t), deploy()
			o.lineage()
			o.park(c)
			tt.said(o, c)
			fork := forkOf(c, secondID)
			for _, c := range []agent.ParkedCall{fork, forkOf(fork, thirdID)} {
				o.park(c)
				word := o.look(c)
				if word.Kind != tt.wants || word.Kind == agent.No && (word.By != "ann" || word.Message != "no (denied in the session it was forked from)") {
					t.Errorf("%s: %+v", c.Session, word)
				}
				_, err := claimNow(t, o, c, c.Input)
				if denied := errors.Is(err, agent.ErrAnswered); denied != (tt.wants == agent.No) || !denied && err != nil {
					t.Errorf("%s claimed: %v", c.Session, err)
				}
			}
		})
	}
}

// Also a fork that nobody has looked at keeps the denial when it is claimed at once.
func TestS34_ADenialIsHeardAtTheClaim(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	o.deny()
	fork := forkOf(c, secondID)
	if _, err := claimNow(t, o, fork, fork.Input); !errors.Is(err, agent.ErrAnswered) {
		t.Errorf("%v", err)
	}
}

// A call that the guard of another agent holds is none of a session, whatever id a model
// makes up: its answer is not heard, it is not run, refused, left out or ended.
func TestA2_ASessionLeavesHeldCallsAlone(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c) // so that there are tickets
	var held approval.Ticket
	o.people(func(ctx context.Context, s *approval.Store, _ approval.Ticket) (err error) {
		if held, err = s.Hold(ctx, "codex", approval.Parking{Call: approval.Call{Session: firstID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd}, By: "guard"}); err != nil {
			return err
		}
		held, err = s.Approve(ctx, held.ID, held.Digest, "ann", "", nil)
		return err
	})
	c.ToolUseID, c.Since = held.ToolUseID, held.Created
	if word := o.look(c); word.Kind != agent.NoWord {
		t.Errorf("%+v", word)
	}
	if err := errors.Join(
		o.Refuse(t.Context(), c, agent.Word{}, "a rule"),
		o.Cancel(t.Context(), []agent.ParkedCall{c}, "a prompt"),
		o.Settle(t.Context(), c, agent.RanWell),
	); err != nil {
		t.Error(err)
	}
	if _, err := claimNow(t, o, c, c.Input); err != nil { // of a ticket of its own
		t.Error(err)
	}
	o.people(func(ctx context.Context, s *approval.Store, _ approval.Ticket) error {
		if t2, err := s.Find(ctx, held.ID); err != nil || t2.State != approval.Approved || t2.Answer.Behavior != permission.Allow {
			t.Errorf("%+v, %v", t2, err)
		}
		return nil
	})
}
