package crew

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// No session goes on by itself for what tickets say that were moved away: people use others.
func TestT5_NoSessionGoesOnForTicketsThatWereMovedAway(t *testing.T) {
	w := newSite(t, t.TempDir())
	var resumed []string
	w.Resume = func(_ context.Context, id string) error { resumed = append(resumed, id); return nil }
	c := New(w.Config)
	ticket := w.park("make deploy")[0]
	w.must(c.run(t.Context(), ticket.Session))
	if !slices.Equal(resumed, []string{ticket.Session}) {
		t.Fatal(resumed)
	}
	w.must(os.Rename(filepath.Join(w.Dir, "state.db"), filepath.Join(w.Dir, "damaged.db")))
	if err := c.run(t.Context(), ticket.Session); !errors.Is(err, approval.ErrMoved) || len(resumed) > 1 {
		t.Errorf("%v", err)
	}
}

// A call that waits and has no ticket gets one, so that people see it.
func TestA3_ACallWithoutATicket(t *testing.T) {
	w := newSite(t, t.TempDir())
	ticket := w.park("make deploy")[0]
	w.must(w.Tickets.Forget(t.Context(), ticket.Session))
	if _, err := New(w.Config).stock(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := w.Tickets.List(t.Context(), approval.Query{Session: ticket.Session})
	if err != nil || len(list) != 1 || list[0].State != approval.Pending {
		t.Errorf("%+v, %v", list, err)
	}
}

// Many tickets of a session have a print as short as that of one, and every word changes it.
func TestA3_ThePrintOfWhatWasSaid(t *testing.T) {
	w := newSite(t, t.TempDir())
	c := New(w.Config)
	tickets := w.park("make a", "make b")
	id := tickets[0].Session
	prints := map[string]bool{}
	look := func() {
		t.Helper()
		d, err := c.look(t.Context(), id)
		w.must(err)
		if all, err := c.sweep(t.Context()); err != nil || all[id] != d {
			t.Errorf("%+v, %+v, %v", all, d, err)
		}
		if prints[d.print] || len(d.print) > 64 {
			t.Errorf("%q", d.print)
		}
		prints[d.print] = true
	}
	look()
	for _, ticket := range tickets {
		for _, who := range []string{"ann", "bob"} {
			said, err := w.Tickets.Say(t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: who, Settles: time.Now().Add(time.Hour)})
			w.must(err)
			look()
			_, err = w.Tickets.Retract(t.Context(), ticket.ID, said.Said(), who)
			w.must(err)
		}
		_, err := w.Tickets.Deny(t.Context(), ticket.ID, ticket.Digest, "bob", "no")
		w.must(err)
		look()
	}
}

// What a process has left is read in the transcript: an end, or an interruption, which has one
// as well, is on record there.
func TestA3_WhatIsLeftIsOnRecord(t *testing.T) {
	message := func(role model.Role, b ...model.Block) model.Message { return model.Message{Role: role, Content: b} }
	other := model.Block{Kind: model.ToolUse, ID: "toolu_z", Name: "Bash", Input: strictjson.Raw(`{"command":"make"}`)}
	for name, test := range map[string]struct {
		after func(*site, *session.Transcript)
		want  leaving
	}{
		"killed while the model thinks": {func(*site, *session.Transcript) {}, leftResult},
		"killed in a later call": {func(w *site, tr *session.Transcript) {
			w.must(tr.Append(session.Said, message(model.Assistant, other)))
		}, leftMiddle},
		"interrupted": {func(w *site, tr *session.Transcript) {
			w.must(tr.Append(session.Said, message(model.User, model.TextBlock("[Request interrupted by user]"))))
			w.must(tr.Append(session.Ended, map[string]string{"subtype": "success"}))
		}, leftNothing},
		"done": {func(w *site, tr *session.Transcript) {
			w.must(tr.Append(session.Said, message(model.Assistant, model.TextBlock("done."))))
			w.must(tr.Append(session.Ended, map[string]string{"subtype": "success"}))
		}, leftNothing},
	} {
		w := newSite(t, t.TempDir())
		ticket := w.park("npm test")[0]
		if got := (records{Config: w.Config}).leftIn(t.Context(), ticket.Session); got != leftNothing {
			t.Errorf("%s: it waits, and %d is left", name, got)
		}
		tr, fence, result := w.begins(ticket)
		w.must(tr.Append(session.Said, message(model.User, result)))
		w.must(w.Tickets.Finish(t.Context(), ticket.ID, fence, true, ""))
		test.after(w, tr)
		if got := (records{Config: w.Config}).leftIn(t.Context(), ticket.Session); got != stillOpen && test.want != leftNothing {
			t.Errorf("%s: it is open, and %d is left", name, got)
		}
		w.must(tr.Close())
		if got := (records{Config: w.Config}).leftIn(t.Context(), ticket.Session); got != test.want || w.state(ticket.ID) != approval.Done {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// A process has written down the result of a call, and died before it could tell the model: no
// call waits any more, and the result is owed.
func TestA3_AResultThatNobodyWasTold(t *testing.T) {
	for name, several := range map[string]bool{"the only call": false, "another one waits": true} {
		w := newSite(t, t.TempDir())
		commands := []string{"npm test"}
		if several {
			commands = append(commands, "npm publish")
		}
		ticket := w.park(commands...)[0]
		tr, fence, result := w.begins(ticket)
		w.must(tr.Append(session.Settled, session.Settlement{ToolUseID: ticket.ToolUseID, Result: result, Ran: true}))
		w.must(w.Tickets.Finish(t.Context(), ticket.ID, fence, true, ""))
		if got := (records{Config: w.Config}).leftIn(t.Context(), ticket.Session); !several && got != stillOpen {
			t.Errorf("%s: it is open, and %d is left", name, got)
		}
		w.must(tr.Close())
		want := leftResult
		if several {
			want = leftNothing
		}
		if got := (records{Config: w.Config}).leftIn(t.Context(), ticket.Session); got != want {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// begins approves a call, and begins to run it in its session, with the result that it will have.
func (s *site) begins(ticket approval.Ticket) (*session.Transcript, int64, model.Block) {
	s.t.Helper()
	_, err := s.Tickets.Approve(s.t.Context(), ticket.ID, ticket.Digest, "ann", "", nil)
	s.must(err)
	tr, err := s.Sessions.Resume(ticket.Session)
	s.must(err)
	fence, err := s.Tickets.Claim(s.t.Context(), ticket.ID, ticket.Call, nil, "process 1")
	s.must(err)
	s.must(tr.Append(session.Began, session.Beginning{ToolUseID: ticket.ToolUseID}))
	return tr, fence, model.Block{Kind: model.ToolResult, ToolUseID: ticket.ToolUseID, Result: []model.Block{model.TextBlock("ok")}}
}

// somewhere is a depot in which nobody has a session.
type somewhere struct{ session.Depot }

func (somewhere) Find(id string) (session.Stored, error) { return session.Stored{ID: id}, nil }

// Where machines share sessions a call that runs is seen, because whoever runs it may not be heard of
// any more; what was said about the others is the same then.
func TestD8_ACallThatRunsIsSeen(t *testing.T) {
	for name, depot := range map[string]session.Depot{"on one machine": nil, "in a depot": somewhere{}} {
		w := newSite(t, t.TempDir())
		w.Sessions.Depot = nil
		tickets := w.park("make a", "make b")
		for _, ticket := range tickets {
			w.approve(ticket)
		}
		_, err := w.Tickets.Claim(t.Context(), tickets[0].ID, tickets[0].Call, nil, "a test")
		w.must(err)
		w.Sessions.Depot = depot
		on := records{Config: w.Config}
		one, err := on.dutyOf(t.Context(), tickets[0].Session)
		w.must(err)
		all, err := on.dutiesOf(t.Context(), "")
		w.must(err)
		if of := all[tickets[0].Session]; one.running != (depot != nil) || one.kind != toGoOn || of.print != one.print || of.running {
			t.Errorf("%s: %+v, of all %+v", name, one, of)
		}
	}
}

// Who runs a call on another machine and is not heard of any more tells nobody. Whoever marks the call
// does, once: which it is, who ran it, and what helps.
func TestD8_WhoeverMarksACallTellsWhatHelps(t *testing.T) {
	w := newSite(t, t.TempDir())
	ticket := w.park("make deploy")[0]
	w.approve(ticket)
	_, err := w.Tickets.Claim(t.Context(), ticket.ID, ticket.Call, nil, "process 7 on elsewhere")
	w.must(err)
	w.Sessions.Depot = somewhere{}
	on := records{Config: w.complete()}
	w.must(on.mark(t.Context()))
	w.must(on.mark(t.Context()))
	if len(w.warnings) != 1 || w.state(ticket.ID) != approval.Unknown {
		t.Fatalf("%q, %s", w.warnings, w.state(ticket.ID))
	}
	for _, part := range []string{ticket.Session, ticket.ID, "process 7 on elsewhere", "assent sessions resolve " + ticket.ID + " --ran"} {
		if !strings.Contains(w.warnings[0], part) {
			t.Errorf("%s, without %q", w.warnings[0], part)
		}
	}
}
