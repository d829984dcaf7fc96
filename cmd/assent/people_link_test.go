package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people"
)

// Whoever gives somebody a password that does not let him in is told so, and what does. Whoever unlinks
// somebody without a password is told that he needs one.
func TestA4_WhoeverUnlinksSomebodyIsToldHowHeComesIn(t *testing.T) {
	for _, shared := range []bool{false, true} {
		w := votedIn(t, shared)
		w.within(func(ctx context.Context, s *approval.Store) {
			long := time.Now().Add(-40 * 24 * time.Hour)
			store, err := people.On(ctx, s.Database(), people.Clock(func() time.Time { return long }))
			w.check(err)
			w.check(store.Link(ctx, operator(), "ben", "https://id.example.org", "1"))
			_, _, err = store.Admit(ctx, people.Identity{Issuer: "https://id.example.org", Subject: "2", Name: "zora", Role: people.Approver}, people.Create)
			w.check(err)
		})
		w.looks("people", "list")
		w.says("approver (not confirmed)", "by https://id.example.org")
		password := filepath.Join(w.home, "password")
		w.check(os.WriteFile(password, []byte("another horse battery\n"), 0o600))
		w.looks("people", "password", "ben", "--password-file", password)
		w.says("ben has a new password", "it does not let him in: the other server that knows ben has not confirmed him for 30 days, or has dropped him", "`assent people enable ben` lets him in for 30 days, `assent people unlink ben` for good")
		w.looks("people", "unlink", "ben")
		w.says("ben signs in by no other server any more, and is signed out everywhere", "his password lets him in, until somebody disables him", "!has no password")
		w.looks("people", "password", "ben", "--password-file", password)
		w.says("ben has a new password", "!does not let him in")
		w.looks("people", "unlink", "zora")
		w.says("zora has no password, and cannot sign in until there is one (`assent people password zora`)", "!his password lets him in")
		w.looks("people", "list")
		w.says("!not confirmed", "!https:")
	}
}
