package main

import (
	"context"
	"testing"

	"github.com/assent-dev/assent/people"
)

// The list names the addresses that somebody had before, which still count, and whoever sets one anew is
// told which count no more.
func TestT1_AnEMailIsSetAtTheTerminal(t *testing.T) {
	w := votedIn(t, false)
	w.people(func(ctx context.Context, s *people.Store) error {
		var err error
		for _, email := range []string{"olga@corp.com", "zed@corp.com"} {
			_, _, err = s.Admit(ctx, people.Identity{Issuer: "https://idp.example", Subject: "9", Name: "zed", Email: email, EmailVerified: true, Role: people.Approver}, people.Create)
			w.check(err)
		}
		return err
	})
	w.looks("people", "list")
	w.says("zed@corp.com, before olga@corp.com")
	w.looks("people", "list", "--json")
	w.says(`"earlier_emails"`)
	w.people(func(ctx context.Context, s *people.Store) error {
		return s.Add(ctx, operator(), people.Person{Name: "olga", Email: "olga@corp.com", Role: people.Approver}, "a password that is long")
	})
	w.looks("people", "email", "zed", "zed@corp.com")
	w.says("the e-mail of zed is zed@corp.com", "olga@corp.com counts no more", "zed and olga count as two people from now on")
	w.looks("people", "list")
	w.says("zed@corp.com", "!before olga@corp.com")
	w.looks("people", "email", "zed", "")
	w.says("zed has no e-mail", "zed@corp.com counts no more", "!two people")
	w.looks("people", "email", "zed", "")
	w.says("zed has no e-mail", "!counts no more")
	w.looks("people", "history", "zed", "--limit", "2")
	w.says("e-mail set by")
	w.run(2, "people", "email", "ghost", "x@corp.com")
	w.says(`there is nobody called "ghost"`)
}
