package oidc

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/people"
)

// T1: whoever has no role at the other server any more has nothing here, not even by a password.
func TestT1_NothingOutlivesTheRole(t *testing.T) {
	w, other := known(t)
	w.must(w.people.Add(t.Context(), operator, people.Person{Name: "keeper", Role: people.Admin}, "a password for all"))
	other.next("subject-1", ana("ops"))
	w.signedIn(w.browser().signIn())
	w.must(w.people.SetPassword(t.Context(), operator, "ana", "a password of hers"))
	other.next("subject-1", ana())
	w.refused(w.browser().signIn(), noRole)
	if _, _, err := w.people.SignIn(t.Context(), "ana", "a password of hers", "192.0.2.1"); err == nil {
		t.Error("she signs in with a password")
	}
	if p, err := w.people.Find(t.Context(), "ana"); err != nil || w.people.Active(p) {
		t.Errorf("%+v %v", p, err)
	}
	other.next("subject-1", ana("ops"))
	w.signedIn(w.browser().signIn())
	other.next("subject-2", map[string]any{"preferred_username": "bob"})
	w.refused(w.browser().signIn(), noRole) // who was never here
	if !strings.Contains(w.said.String(), "subject-2") {
		t.Errorf("the log does not say who it is: %s", w.said)
	}
}

// The last admin is told what to do, and so is the log.
func TestT1_TheLastAdminIsTold(t *testing.T) {
	for what, groups := range map[string][]string{"less": {"ops"}, "none": nil} {
		t.Run(what, func(t *testing.T) {
			w, other := known(t)
			other.next("subject-1", ana("admins"))
			before := w.browser().signIn()
			w.signedIn(before)
			other.next("subject-1", ana(groups...))
			w.refused(w.browser().signIn(), lastAdmin)
			if _, _, err := w.people.Who(t.Context(), before.location[strings.Index(before.location, "asp_"):]); err == nil {
				t.Error("what was signed in before still counts")
			}
			if !strings.Contains(w.said.String(), "last admin") {
				t.Errorf("the log does not say it: %s", w.said)
			}
			if _, sentence := lastAdmin.tell("Example"); !strings.Contains(sentence, "assent people role") {
				t.Error(sentence)
			}
			other.next("subject-1", ana("admins"))
			w.signedIn(w.browser().signIn())
		})
	}
}

// Whoever gets less from the other server, or nothing, is named once, also one who is not let in.
func TestA4_WhoeverHasLessIsNamed(t *testing.T) {
	w, other := known(t)
	w.must(w.people.Add(t.Context(), operator, people.Person{Name: "keeper", Role: people.Admin}, "a password for all"))
	var named []string
	w.Curbed = func(_ context.Context, name string) { named = append(named, name) }
	for _, step := range []struct {
		groups []string
		named  bool
	}{
		{[]string{"admins"}, false}, // who comes first, or has more
		{[]string{"admins"}, false},
		{[]string{"ops"}, true},
		{[]string{"ops"}, false},
		{[]string{"admins"}, false},
		{nil, true},
		{nil, false}, // which is known
		{[]string{"ops"}, true},
	} {
		named = nil
		other.next("subject-1", ana(step.groups...))
		w.browser().signIn()
		if got := slices.Equal(named, []string{"ana"}); got != step.named || !got && named != nil {
			t.Errorf("%q: %q", step.groups, named)
		}
	}
}
