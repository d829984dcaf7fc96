package people

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/database"
)

// comes signs somebody in by the other server, with an e-mail that it has verified or not.
func (w *world) comes(subject, name, email string, verified bool) error {
	_, _, err := w.Admit(w.t.Context(), Identity{Issuer: issuer, Subject: subject, Name: name, Email: email, EmailVerified: verified, Role: Approver}, Create)
	return err
}

// apart is whether two people count as two; inside a transaction as well as outside.
func (w *world) apart(one, other string) bool {
	w.t.Helper()
	outside := w.Apart(w.t.Context(), w.db.Reads(), one, other)
	var inside error
	w.must(w.db.Within(w.t.Context(), func(tx *database.Tx) error {
		inside = w.Apart(w.t.Context(), tx, one, other)
		return nil
	}))
	if fmt.Sprint(outside) != fmt.Sprint(inside) {
		w.t.Errorf("%v, in a transaction %v", outside, inside)
	}
	if outside != nil {
		is[*NotAllowed](w.t, outside)
	}
	return outside == nil
}

// T1: whoever could be another person by his e-mail does not become a second one by signing in with
// another address, or with one that is not verified, whoever has written the first one down.
func TestT1_AnAddressThatSomebodyOnceHadStillCounts(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.must(w.Add(t.Context(), operator, Person{Name: "olga", Email: "olga@corp.com", Role: Approver}, passwordFor("olga")))
		for i, signIns := range [][]struct {
			email    string
			verified bool
		}{
			{{"", false}},
			{{"zed@corp.com", false}},
			{{"zed@corp.com", true}},
			{{"zed@corp.com", true}, {"z@corp.com", true}, {"", false}},
			{{"zed@corp.com", true}, {"Olga@corp.com", true}, {"zed@corp.com", true}},
		} {
			for how, make := range map[string]func(name, subject string){
				"an admin has written it down": func(name, subject string) {
					w.must(w.Add(t.Context(), operator, Person{Name: name, Email: "Olga@corp.com", Role: Approver}, passwordFor(name)))
					w.must(w.Link(t.Context(), operator, name, issuer, subject))
				},
				"the other server has verified it": func(name, subject string) {
					w.must(w.comes(subject, name, "", false))
					w.must(w.comes(subject, name, "OLGA@corp.com", true))
				},
			} {
				name := fmt.Sprintf("zed-%d-%d", i, len(how))
				make(name, name)
				if w.apart(name, "olga") {
					t.Fatalf("%s: they count as two before", how)
				}
				for _, s := range signIns {
					w.must(w.comes(name, name, s.email, s.verified))
					if w.apart(name, "olga") || w.apart("olga", name) {
						t.Errorf("%s: after %+v of %+v they count as two", how, s, signIns)
					}
				}
			}
		}
	})
}

// An address that nobody has verified takes the place of none.
func TestAnUnverifiedAddressTakesThePlaceOfNone(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.must(w.comes("1", "zed", "zed@corp.com", true))
		w.must(w.comes("1", "zed", "other@corp.com", false))
		if p := w.person("zed"); p.Email != "zed@corp.com" || len(p.Earlier()) != 0 {
			t.Errorf("%+v", p)
		}
		w.must(w.comes("1", "zed", "z@corp.com", true))
		w.must(w.comes("1", "zed", "Z@corp.com", true)) // which is the same one
		if p := w.person("zed"); p.Email != "Z@corp.com" || fmt.Sprint(p.Earlier()) != "[zed@corp.com]" {
			t.Errorf("%+v", p)
		}
		if all, err := w.Everybody(t.Context(), w.db.Reads()); err != nil || fmt.Sprint(all.People[0].Earlier()) != "[zed@corp.com]" {
			t.Errorf("%+v, %v", all, err)
		}
	})
}

// T1: whoever comes first and has an address that somebody had before could be he.
func TestT1_ANewcomerWithAnEarlierAddressIsNotLetIn(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.must(w.comes("1", "zed", "first@corp.com", true))
		w.must(w.comes("1", "zed", "second@corp.com", true))
		for name, email := range map[string]string{"new": "First@corp.com", "first@corp.com": ""} {
			if e := is[*NotAdmitted](t, w.comes("2", name, email, true)); !strings.Contains(e.Why, "zed is here, who could be the same person by an earlier e-mail") {
				t.Error(e)
			}
		}
	})
}

// Only an admin says that two people are two who have had one address.
func TestT1_AnAdminSaysWhichAddressCounts(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Approver, "ben")
		w.must(w.comes("1", "olga", "ops@corp.com", true))
		w.must(w.comes("1", "olga", "olga@corp.com", true))
		w.must(w.Add(t.Context(), operator, Person{Name: "zed", Email: "ops@corp.com", Role: Approver}, passwordFor("zed")))
		for _, by := range []By{w.by("ben"), w.by("zed")} {
			is[*NotAllowed](t, w.SetEmail(t.Context(), by, "olga", "olga@corp.com"))
		}
		is[*Unknown](t, w.SetEmail(t.Context(), operator, "ghost", "x@corp.com"))
		is[*BadValue](t, w.SetEmail(t.Context(), operator, "olga", "a\nb"))
		if w.apart("olga", "zed") {
			t.Fatal("they count as two before an admin has said so")
		}
		w.must(w.SetEmail(t.Context(), w.by("anna"), "olga", "olga@corp.com"))
		if p := w.person("olga"); !w.apart("olga", "zed") || p.Email != "olga@corp.com" || len(p.Earlier()) != 0 {
			t.Errorf("%+v", p)
		}
		changes, err := w.Changes(t.Context(), "olga", 1)
		w.must(err)
		if c := changes[0]; c.Who != "anna" || c.What != EmailSet || !strings.Contains(c.Note, `"olga@corp.com"`) || !strings.Contains(c.Note, `"ops@corp.com"`) {
			t.Errorf("%+v", c)
		}
		before := w.everything()
		if w.must(w.SetEmail(t.Context(), operator, "olga", "olga@corp.com")); w.everything() != before {
			t.Error("that is so already")
		}
		w.must(w.SetEmail(t.Context(), operator, "zed", ""))
		if w.person("zed").Email != "" {
			t.Error("he still has one")
		}
		w.must(w.comes("1", "olga", "zed", true)) // which is a name here
		if w.must(w.SetEmail(t.Context(), operator, "olga", "")); !w.apart("olga", "zed") {
			t.Error("an admin has said that they are two")
		}
	})
}

// Nobody gets rid of an address by having very many, and what is kept has an end.
func TestT1_WhoHasHadVeryManyAddressesIsNotLetIn(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		for i := range mostEarlier + 1 {
			w.must(w.comes("1", "zed", fmt.Sprintf("zed-%d@corp.com", i), true))
		}
		before := w.everything()
		if e := is[*NotAdmitted](t, w.comes("1", "zed", "one-more@corp.com", true)); !strings.Contains(e.Hint, "assent people email") {
			t.Error(e)
		}
		if w.everything() != before {
			t.Error("something has changed")
		}
		w.must(w.comes("1", "zed", "zed-0@corp.com", true)) // which he has had
		w.must(w.SetEmail(t.Context(), operator, "zed", "zed-0@corp.com"))
		w.must(w.comes("1", "zed", "one-more@corp.com", true))
	})
}

// By a slip of the hand one human would be two: what is no address is that of nobody.
func TestT1_AnEmailIsAnAddress(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Viewer, "ben")
		before := w.everything()
		for _, bad := range []string{"bad", "ben", "x y z", "@", "ben@", "@example.org", "not an address <x>", "Ben <ben@example.org>", "<ben@example.org>", "a@b@c", "ben @example.org", "ben@example.org (work)", "a@example.org, b@example.org"} {
			for what, err := range map[string]error{
				"set": w.SetEmail(t.Context(), operator, "anna", bad),
				"add": w.Add(t.Context(), operator, Person{Name: "new", Email: bad, Role: Viewer}, passwordFor("new")),
			} {
				if e := is[*BadValue](t, err); e.Subject != "e-mail" || !strings.Contains(e.Hint, "ben@example.org") {
					t.Errorf("%s %q: %v", what, bad, e)
				}
			}
		}
		if w.everything() != before {
			t.Error("something has changed")
		}
		for _, good := range []string{"Anna.Ito+ops@mail.example.org", "anna@localhost", "änna@example.org", ""} {
			w.must(w.SetEmail(t.Context(), operator, "anna", good))
		}
		w.must(w.comes("1", "zed", "zed at corp", true)) // the other server has looked at it, and knows better
	})
}
