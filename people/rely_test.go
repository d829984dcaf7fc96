package people

import (
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// T1: whoever ends that somebody may answer waits for a transaction that relies on it. When he is
// told that it has ended, nothing begins by it any more.
func TestT1_WhatATransactionReliesOnDoesNotChange(t *testing.T) {
	w := newWorld(t, onServer(t))
	w.add(Admin, "anna")
	w.add(Approver, "ben")
	w.add(Viewer, "vera")
	ctx := t.Context()
	w.must(w.Add(ctx, operator, Person{Name: "carl", Email: "Ben@example.org", Role: Approver}, passwordFor("carl")))
	var lent Deputy
	var token SignedIn
	for _, c := range []struct {
		name string
		said Said
		end  func() error
	}{
		{"a deputy ends", Said{By: "vera", InPlaceOf: "ben"}, func() error { return w.RevokeDeputy(ctx, operator, lent.Number) }},
		{"a token is revoked", Said{By: "ben"}, func() error { return w.RevokeToken(ctx, operator, "ben", token.Number) }},
		{"an account is given", Said{By: "ben"}, func() error { return w.GiveAccount(ctx, operator, "root", "ben") }},
		{"an account is given to whom a deputy answers for", Said{By: "vera", InPlaceOf: "ben"}, func() error { return w.GiveAccount(ctx, operator, "runner", "ben") }},
		{"an account is given to who could be the same person", Said{By: "ben"}, func() error { return w.GiveAccount(ctx, operator, "agent", "carl") }},
		{"an account is given to who could be the same person as whom a deputy answers for", Said{By: "vera", InPlaceOf: "ben"}, func() error { return w.GiveAccount(ctx, operator, "builder", "carl") }},
		{"signed out", Said{By: "ben"}, func() error { return w.SignOutAll(ctx, operator, "ben") }},
		{"another role", Said{By: "ben"}, func() error { return w.SetRole(ctx, operator, "ben", Admin) }},
		{"disabled", Said{By: "ben"}, func() error { return w.Disable(ctx, operator, "ben") }},
		{"disabled, whose deputy answers", Said{By: "vera", InPlaceOf: "ben"}, func() error { return w.Disable(ctx, operator, "ben") }},
	} {
		var err error
		w.must(w.Enable(ctx, operator, "ben"))
		lent, err = w.Delegate(ctx, operator, "ben", "vera", w.clock().Add(time.Hour), "")
		w.must(err)
		_, token, err = w.Issue(ctx, operator, "ben", "ci", Viewer, w.clock().Add(time.Hour))
		w.must(err)
		w.pass(time.Second)
		c.said.At = w.clock()
		w.waits(c.name, func(tx *database.Tx) error { return w.MayAnswer(ctx, tx, c.said) }, c.end)
	}
}

// waits fails unless a change waits for a transaction that relies on what it would change.
func (w *world) waits(name string, rely func(*database.Tx) error, change func() error) {
	w.t.Helper()
	ctx, ended := w.t.Context(), make(chan error, 1)
	w.must(w.db.Within(ctx, func(tx *database.Tx) error {
		if err := rely(tx); err != nil {
			return err
		}
		go func() { ended <- change() }()
		for waits := 0; waits == 0; {
			select {
			case err := <-ended:
				ended <- err
				return errors.New(name + ": it has ended before")
			default:
			}
			w.must(w.db.Reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waits))
		}
		return nil
	}))
	w.must(<-ended)
}

// T1: by an e-mail that somebody gets who wanted a call another could become one human with him, so
// it waits as well.
func TestT1_TheEMailOfARequesterDoesNotChange(t *testing.T) {
	w := newWorld(t, onServer(t))
	ctx := t.Context()
	comes := func(email string) error {
		_, _, err := w.Admit(ctx, Identity{Issuer: "https://idp.example", Subject: "9", Name: "abe", Email: email, EmailVerified: true, Role: Approver}, Create)
		return err
	}
	w.must(comes("abe@example.org"))
	w.waits("an e-mail is verified", func(tx *database.Tx) error {
		all, err := w.Everybody(ctx, tx)
		if err == nil {
			_, err = w.Rely(ctx, tx, all.People)
		}
		return err
	}, func() error { return comes("zoe@example.org") })
}
