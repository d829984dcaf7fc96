package people

import (
	"strings"
	"sync"
	"testing"
)

const issuer = "https://idp.example"

func identity(subject, name string, role Role) Identity {
	return Identity{Issuer: issuer, Subject: subject, Name: name, Shown: "Mx " + name, Email: name + "@example.org", EmailVerified: true, Role: role, From: "192.0.2.1"}
}

func TestAdmit(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		_, _, err := w.Admit(t.Context(), identity("1", "ida", Approver), OnlyKnown)
		if e := is[*NotAdmitted](t, err); !strings.Contains(e.Error(), "link") {
			t.Error(e)
		}
		token, p, err := w.Admit(t.Context(), identity("1", "ida", Approver), Create)
		w.must(err)
		want := Person{Name: "ida", Shown: "Mx ida", Email: "ida@example.org", Role: Approver, Issuer: issuer, Subject: "1", Confirmed: w.clock(), Created: w.clock()}
		if who, in, err := w.Who(t.Context(), token); err != nil || p != want || who != want || in.Role != Approver || in.Kind != PersonSignIn {
			t.Errorf("%+v %+v %+v %v", p, who, in, err)
		}
		// She is called something else now, and stays who she is.
		second, p, err := w.Admit(t.Context(), Identity{Issuer: issuer, Subject: "1", Name: "ida.married", Shown: "Ida M", Email: "new@example.org", Role: Approver}, OnlyKnown)
		w.must(err)
		if want.Shown = "Ida M"; p != want || w.person("ida") != want { // nobody has verified that address
			t.Errorf("%+v", p)
		}
		if _, ended := w.lapse(token); ended {
			t.Error("the first sign-in has ended")
		}
		// Another role holds at once, and ends what was signed in with the old one.
		third, p, err := w.Admit(t.Context(), identity("1", "ida", Viewer), OnlyKnown)
		w.must(err)
		if p.Role != Viewer || w.person("ida").Role != Viewer {
			t.Errorf("%+v", p)
		}
		for token, over := range map[string]bool{token: true, second: true, third: false} {
			if _, ended := w.lapse(token); ended != over {
				t.Errorf("ended: %v", ended)
			}
		}
		w.must(w.Disable(t.Context(), operator, "ida"))
		_, _, err = w.Admit(t.Context(), identity("1", "ida", Admin), Create)
		if e := is[*NotSignedIn](t, err); e.Why != PersonDisabled || w.person("ida").Role != Viewer {
			t.Error(e)
		}
		changes, err := w.Changes(t.Context(), "ida", 10)
		w.must(err)
		if first := changes[len(changes)-1]; first.Who != issuer || first.What != Added {
			t.Errorf("%+v", first)
		}
	})
}

func TestWhoIsNotAdmitted(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		for what, id := range map[string]Identity{
			"no role": identity("1", "ida", NoRole), "no such role": identity("1", "ida", 9),
			"no name": identity("1", "", Viewer), "a bad name": identity("1", "Ida", Viewer), "a bad shown name": {Issuer: issuer, Subject: "1", Name: "ida", Shown: "a\nb", Role: Viewer},
		} {
			token, _, err := w.Admit(t.Context(), id, Create)
			if e := is[*NotAdmitted](t, err); token != "" || e.Hint == "" {
				t.Errorf("%s: %v", what, err)
			}
		}
		for _, id := range []Identity{{Issuer: issuer, Name: "ida", Role: Viewer}, {Subject: "1", Name: "ida", Role: Viewer}, {Issuer: issuer, Subject: "a\x00", Name: "ida", Role: Viewer}, {Issuer: "\xff", Subject: "1", Name: "ida", Role: Viewer}} {
			_, _, err := w.Admit(t.Context(), id, Create)
			is[*BadValue](t, err)
		}
		if all, err := w.List(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("%v %v", all, err)
		}
	})
}

// T1: nobody becomes somebody else by having his name or his e-mail at another server.
func TestT1_NobodyIsTakenOver(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		_, _, err := w.Admit(t.Context(), identity("1", "ida", Approver), Create)
		w.must(err)
		before := w.everything()
		for what, id := range map[string]Identity{
			"a local name":            identity("2", "anna", Viewer),
			"a name of the server":    identity("2", "ida", Viewer),
			"the subject of another":  {Issuer: "https://evil.example", Subject: "1", Name: "ida", Role: Admin},
			"the subject, other case": {Issuer: strings.ToUpper(issuer), Subject: "1", Name: "ida", Role: Admin},
		} {
			_, _, err := w.Admit(t.Context(), id, Create)
			if e := is[*NotAdmitted](t, err); !strings.Contains(e.Hint, "link") {
				t.Errorf("%s: %v", what, e)
			}
		}
		if w.everything() != before {
			t.Error("something has changed")
		}
		// An e-mail that nobody has verified says nothing.
		_, p, err := w.Admit(t.Context(), Identity{Issuer: issuer, Subject: "3", Name: "other", Email: "anna@example.org", Role: Viewer}, Create)
		if w.must(err); p.Name != "other" || p.Role != Viewer {
			t.Errorf("%+v", p)
		}
		// An admin says that it is the same person.
		w.must(w.Link(t.Context(), w.by("anna"), "anna", issuer, "2"))
		_, p, err = w.Admit(t.Context(), identity("2", "whoever", Admin), OnlyKnown)
		if w.must(err); p.Name != "anna" {
			t.Errorf("%+v", p)
		}
		if e := is[*AlreadyLinked](t, w.Link(t.Context(), operator, "other", issuer, "1")); e.Name != "ida" {
			t.Error(e)
		}
		is[*Unknown](t, w.Link(t.Context(), operator, "ghost", issuer, "7"))
		is[*BadValue](t, w.Link(t.Context(), operator, "anna", issuer, ""))
		w.must(w.Link(t.Context(), operator, "anna", issuer, "2")) // that is so already
		_, _, err = w.Admit(t.Context(), identity("2", "anna", Viewer), OnlyKnown)
		is[*LastAdmin](t, err)
		// Without a password of her own nobody signs in as ida with one.
		_, _, err = w.SignIn(t.Context(), "ida", "", "")
		is[*WrongSignIn](t, err)
	})
}

// One human must not become two people who each have a vote: whoever could be somebody who is
// here is let in when an admin has said who he is.
func TestT1_NobodyBecomesTwoPeople(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.must(w.Add(t.Context(), operator, Person{Name: "ben@corp.com", Role: Approver}, passwordFor("ben")))
		w.must(w.Disable(t.Context(), operator, "ben@corp.com"))
		before := w.everything()
		for what, id := range map[string]Identity{
			"her name with a domain":            {Name: "anna@corp.com"},
			"her name with two":                 {Name: "anna@corp.com@idp"},
			"his name without one":              {Name: "ben"},
			"his name with another":             {Name: "ben@corp.example"},
			"her e-mail":                        {Name: "other", Email: "anna@example.org", EmailVerified: true},
			"her e-mail, in another case":       {Name: "other", Email: "Anna@Example.org", EmailVerified: true},
			"an e-mail that is somebody's name": {Name: "other", Email: "ben@corp.com", EmailVerified: true},
			"a name that is somebody's e-mail":  {Name: "anna@example.org"},
		} {
			id.Issuer, id.Subject, id.Role = issuer, "9", Approver
			_, _, err := w.Admit(t.Context(), id, Create)
			if e := is[*NotAdmitted](t, err); !strings.Contains(e.Hint, "link") || !strings.Contains(e.Hint, `"9"`) {
				t.Errorf("%s: %v", what, e)
			}
		}
		if w.everything() != before {
			t.Error("something has changed")
		}
		// An admin says that it is somebody else.
		w.must(w.Add(t.Context(), operator, Person{Name: "other", Role: Viewer}, passwordFor("other")))
		w.must(w.Link(t.Context(), operator, "other", issuer, "9"))
		if _, p, err := w.Admit(t.Context(), Identity{Issuer: issuer, Subject: "9", Name: "anna@corp.com", Email: "anna@example.org", EmailVerified: true, Role: Approver}, Create); err != nil || p.Name != "other" {
			t.Errorf("%+v, %v", p, err)
		}
		for _, id := range []Identity{{Subject: "10", Name: "annabel@corp.com"}, {Subject: "11", Name: "an.na", Email: "an.na@example.org", EmailVerified: true}} {
			id.Issuer, id.Role = issuer, Viewer
			_, _, err := w.Admit(t.Context(), id, Create)
			w.must(err)
		}
	})
}

func TestT15_SomebodyComesTwiceAtTheSameTime(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		stores := []*Store{w.Store, w.Store}
		if w.db.Kind().String() == "PostgreSQL" {
			stores[1] = w.on(w.again())
		}
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				if _, p, err := stores[i%2].Admit(t.Context(), identity("1", "ida", Approver), Create); err != nil || p.Name != "ida" {
					t.Errorf("%+v %v", p, err)
				}
			})
		}
		all.Wait()
		if people, err := w.List(t.Context()); err != nil || len(people) != 1 {
			t.Errorf("%+v %v", people, err)
		}
		if n := strings.Count(w.everything(), "|person|"); n != 10 {
			t.Errorf("%d sign-ins", n)
		}
	})
}
