package clerk

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// What is forgotten with a session is not forgotten of one that somebody makes of its id
// while the removal waits for the tickets.
func TestD7_ARemovalForgetsNoAnswerOfANewSession(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	_, err := p.MakeTickets(t.Context())
	p.check(err)
	db, err := sql.Open("sqlite", filepath.Join(p.dir, "state.db"))
	p.check(err)
	defer db.Close()
	conn, err := db.Conn(t.Context())
	p.check(err)
	defer conn.Close()
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE") // somebody writes
	p.check(err)
	removed := make(chan error, 1)
	go func() {
		_, err := p.Remove(t.Context(), sessionID, Forced)
		removed <- err
	}()
	for !p.store.Gone(sessionID) {
		runtime.Gosched()
	}
	made, err := p.store.Create(sessionID, session.Start{Cwd: p.cwd, Model: "m", Mode: "default"})
	if _, inUse := errors.AsType[*session.InUse](err); err != nil && !inUse {
		t.Fatal(err)
	}
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	p.check(err)
	p.check(<-removed)
	if made == nil {
		return // nobody could make it, so nobody could answer
	}
	p.check(made.Close())
	if list, err := p.tickets.List(t.Context(), approval.Query{Session: sessionID}); err != nil || len(list) != 1 {
		t.Errorf("%d tickets are left, %v", len(list), err)
	}
}

// A removal that could not forget the tickets is ended by the next one.
func TestD7_ARemovalThatCouldNotForget(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	_, err := p.MakeTickets(t.Context())
	p.check(err)
	good := p.tickets
	if p.tickets, err = approval.Look(p.dir, errKept); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Remove(t.Context(), sessionID, Forced); !errors.Is(err, errKept) {
		t.Errorf("%v", err)
	}
	p.check(p.tickets.Close())
	p.tickets = good
	p.check(p.FinishRemovals(t.Context()))
	if list, err := good.List(t.Context(), approval.Query{Session: sessionID}); err != nil || len(list) != 0 {
		t.Errorf("%d tickets are left, %v", len(list), err)
	}
	if left := p.store.Discarded(); len(left) > 0 {
		t.Errorf("%v is still to be removed", left)
	}
}

// A damaged ticket that went with its session is not spoken of any more.
func TestD7_ADamagedTicketGoesWithItsSession(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	_, err := p.MakeTickets(t.Context())
	p.check(err)
	p.damage(sessionID)
	if _, _, err := p.Matters(t.Context()); err != nil || len(p.Warnings()) != 1 {
		t.Fatalf("%v, %v", p.Warnings(), err)
	}
	_, err = p.Remove(t.Context(), sessionID, Forced)
	p.check(err)
	if gone, err := p.GoneSessions(t.Context()); err != nil || len(gone) > 0 || len(p.Warnings()) > 0 {
		t.Errorf("%+v, %v, %v", gone, p.Warnings(), err)
	}
}

var errKept = errors.New("the disk is full")

// What a database has lost lies nowhere else: it goes only when somebody says so.
func TestD8_WhatADatabaseHasLostStays(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	p.check(os.WriteFile(filepath.Join(p.dir, "sessions", sessionID, "copy"), []byte("a database"), 0o600))
	p.check(os.WriteFile(filepath.Join(p.dir, "sessions", sessionID, "beyond-0123456789ab.jsonl"), []byte("{}\n"), 0o600))
	for _, remove := range []func(context.Context, string, Care) (int64, error){p.WouldRemove, p.Remove} {
		_, err := remove(t.Context(), sessionID, Careful)
		if keep, ok := errors.AsType[*Kept](err); !ok || keep.Way != ForceIt || !strings.Contains(keep.Why, "beyond-0123456789ab.jsonl") {
			t.Errorf("%v", err)
		}
	}
	if _, err := p.Remove(t.Context(), sessionID, Forced); err != nil || !p.store.Gone(sessionID) {
		t.Errorf("%v", err)
	}
}
