package clerk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// crowd is a place in which further sessions wait, each with a ticket.
func crowd(t *testing.T, n int) *place {
	t.Helper()
	p := waitingIn(t, "Bash(forbidden)", bash("deploy"))
	for range n {
		p.parked(session.NewID())
	}
	return p
}

// parked makes a session in which a call waits. Its process dies before there is a ticket.
func (p *place) parked(id string) {
	p.t.Helper()
	tr, err := p.store.Create(id, session.Start{Cwd: p.cwd, Model: "m", Mode: "default"})
	p.check(err)
	c := bash("deploy")
	c.Cwd = p.cwd
	p.check(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("go")}}))
	p.check(tr.Append(session.Said, model.Message{Role: model.Assistant, Content: []model.Block{{Kind: model.ToolUse, ID: c.ToolUseID, Name: c.Tool, Input: c.Input}}}))
	p.check(tr.Append(session.Parked, session.Pending{Calls: []session.PendingCall{c}}))
	p.check(tr.Close())
}

// waits is how many calls of a session wait for people; of all when it is empty.
func (p *place) waits(id string) int {
	p.t.Helper()
	list, err := p.tickets.List(p.t.Context(), approval.Query{Session: id, States: []approval.State{approval.Pending}})
	p.check(err)
	return len(list)
}

func (p *place) recheckAll(r *Round) (ids []string) {
	p.t.Helper()
	ids, err := p.Recheck(p.t.Context(), r)
	p.check(err)
	return ids
}

// Calls that wait cost whoever serves people nothing: their sessions are read once, and then a few of
// them at a time, however many there are.
func TestA3_WhatWaitsIsNotReadAgain(t *testing.T) {
	const n = 2 * few
	p := crowd(t, n)
	p.check(p.need())
	read := 0
	p.meanwhile = func() { read++ }
	r := &Round{}
	p.recheckAll(r)
	if got := p.waits(""); got != n+1 || read < n {
		t.Fatalf("%d calls wait, %d sessions were read", got, read)
	}
	for range 3 {
		read = 0
		if p.recheckAll(r); read > few {
			t.Errorf("%d sessions were read again", read)
		}
	}
	if noted, err := p.store.ToRecheck(); err != nil || len(noted) != 0 {
		t.Errorf("still noted: %v, %v", noted, err)
	}
}

// A process that dies before it has made a ticket has left a note, however the call came to wait, so
// people see the call soon, and nobody has to read all the sessions.
func TestA3_ACallWhoseProcessDied(t *testing.T) {
	for name, happens := range map[string]func(p *place) (id string){
		"parked": func(p *place) string { p.parked(forkID); return forkID },
		"forked": func(p *place) string { p.fork(); return forkID },
		"brought": func(p *place) string {
			p.export(sessionID)
			remove(p, Forced)
			p.bring(sessionID)
			return sessionID
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := crowd(t, few)
			p.check(p.need())
			r := &Round{}
			p.recheckAll(r)
			p.check(p.tickets.Forget(t.Context(), sessionID))
			id := happens(p)
			r.walk.Close() // what it finds first is left to chance
			at, err := r.walk.Next(1)
			p.check(err)
			for slices.Contains(at, id) {
				at, err = r.walk.Next(1)
				p.check(err)
			}
			if p.recheckAll(r); p.waits(id) != 1 {
				t.Errorf("%d calls wait", p.waits(id))
			}
		})
	}
}

// One of which nobody has left a note, as when somebody copies a directory, is found in the end.
func TestA3_ASessionThatNobodyHasNoted(t *testing.T) {
	const n = few
	p := crowd(t, n)
	p.check(p.need())
	r := &Round{}
	p.recheckAll(r)
	p.parked(forkID)
	p.check(os.Remove(filepath.Join(p.dir, "sessions.recheck", forkID)))
	for range n/few + 3 { // the directories that are none, and the end of the list
		p.recheckAll(r)
	}
	if p.waits(forkID) != 1 {
		t.Errorf("%d calls wait", p.waits(forkID))
	}
}

// What cannot be looked at now is looked at again: a process has the session open, or it cannot be
// read.
func TestA3_ASessionThatCannotBeRecheckedNow(t *testing.T) {
	for name, hinder := range map[string]func(p *place) (end func()){
		"somebody has it open": func(p *place) func() {
			tr, err := p.store.Resume(sessionID)
			p.check(err)
			return func() { p.check(tr.Close()) }
		},
		"others could write it": func(p *place) func() {
			path := filepath.Join(p.dir, "sessions", sessionID)
			p.check(os.Chmod(path, 0o777))
			return func() { p.check(os.Chmod(path, 0o700)) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := crowd(t, 0)
			p.check(p.need())
			end := hinder(p)
			r := &Round{}
			for range 3 {
				p.recheckAll(r)
			}
			if got := p.waits(""); got != 0 {
				t.Errorf("%d calls wait", got)
			}
			end()
			r.walk = p.store.Walk()
			for some, err := r.walk.Next(1); len(some) > 0; some, err = r.walk.Next(1) { // only the note is left
				p.check(err)
			}
			if p.recheckAll(r); p.waits("") != 1 {
				t.Errorf("%d calls wait", p.waits(""))
			}
		})
	}
}

// A person says that a call ran, and the process that was told dies before anybody hears of it.
func TestA3_AFindingOfWhichNobodyHears(t *testing.T) {
	p := crowd(t, 0)
	p.check(p.need())
	r := &Round{}
	p.recheckAll(r)
	tr, err := p.store.Resume(sessionID)
	p.check(err)
	p.check(tr.Append(session.Began, session.Beginning{ToolUseID: "a", Input: bash("deploy").Input}))
	p.check(tr.Append(session.Found, session.Finding{ToolUseID: "a", Ran: true, By: "ann"}))
	p.check(tr.Close())
	if ids := p.recheckAll(r); !slices.Equal(ids, []string{sessionID}) {
		t.Errorf("%v goes on", ids)
	}
}

// Somebody takes the session into a database: the tickets that it has here end soon.
func TestD8_TheTicketsOfASessionThatHasGone(t *testing.T) {
	p := crowd(t, 0)
	p.check(p.need())
	r := &Round{}
	p.recheckAll(r)
	d, err := depot.On(t.Context(), p.tickets.Database(), "test")
	p.check(err)
	with := session.NewStore(filepath.Join(p.dir, "sessions"))
	with.Depot = d.Sessions(nil)
	tr, err := with.Resume(sessionID)
	p.check(err)
	p.check(tr.Close())
	for some, err := r.walk.Next(1); len(some) > 0; some, err = r.walk.Next(1) { // only the note is left
		p.check(err)
	}
	if p.recheckAll(r); p.waits("") != 0 {
		t.Errorf("%d calls wait", p.waits(""))
	}
}
