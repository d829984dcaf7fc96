package people

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPeopleAreKept(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Viewer, "zoe", "b-d", "b.c")
		want := Person{Name: "anna", Shown: "Mx anna", Email: "anna@example.org", Role: Admin, HasPassword: true, Created: w.clock()}
		if got := w.person("anna"); got != want {
			t.Errorf("%+v", got)
		}
		all, err := w.List(t.Context())
		w.must(err)
		var names []string
		for _, p := range all {
			names = append(names, p.Name)
		}
		if !slices.Equal(names, []string{"anna", "b-d", "b.c", "zoe"}) { // byte by byte, on both kinds
			t.Error(names)
		}
		for _, name := range []string{"Anna", "ann", "anna ", "", "nobody", "an\x00na", "\xff"} {
			_, err := w.Find(t.Context(), name)
			is[*Unknown](t, err)
		}
		is[*Taken](t, w.Add(t.Context(), operator, Person{Name: "zoe", Role: Admin}, "a long enough password"))
		if got := w.person("zoe").Role; got != Viewer {
			t.Error(got)
		}
		is[*BadValue](t, w.Add(t.Context(), operator, Person{Name: "eve"}, "a long enough password"))
		is[*BadValue](t, w.Add(t.Context(), operator, Person{Name: "eve", Role: Viewer}, "short"))
		w.must(w.Add(t.Context(), operator, Person{Name: "eve", Role: Viewer, Issuer: "https://idp.example", Subject: "1"}, passwordFor("eve")))
		if got := w.person("eve"); got.Issuer != "" || got.Subject != "" {
			t.Errorf("%+v", got)
		}
		// What is there is found by whoever opens it again.
		if other := w.on(w.again()); other != nil {
			got, err := other.Find(t.Context(), "anna")
			if got != want || err != nil {
				t.Errorf("%+v %v", got, err)
			}
		}
	})
}

// T1: nobody gives himself what he has not been given.
func TestT1_OnlyAdminsChangePeople(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna", "gone")
		w.add(Approver, "ben")
		w.add(Viewer, "vera", "other", "lena")
		w.must(w.Link(t.Context(), operator, "lena", "https://idp.example", "3"))
		tomorrow := w.clock().Add(24 * time.Hour)
		program := func(role Role) func() By {
			token, _, err := w.Issue(t.Context(), operator, "anna", "ci", role, tomorrow)
			w.must(err)
			_, in, err := w.Who(t.Context(), token)
			w.must(err)
			return in.By
		}
		signedIn := func(name string) func() By { return func() By { return w.by(name) } }
		always := func(by By) func() By { return func() By { return by } }
		disabled := w.by("gone")
		w.must(w.Disable(t.Context(), operator, "gone"))
		ctx := t.Context()
		for _, who := range []struct {
			name        string
			signIn      func() By
			admin, self bool // self: as vera, about vera
			ended       bool // the sign-in is none any more
		}{
			{"an operator", always(operator), true, true, false},
			{"an admin", signedIn("anna"), true, true, false},
			{"a program of an admin", program(Admin), false, false, false},
			{"a smaller program of an admin", program(Approver), false, false, false},
			{"an approver", signedIn("ben"), false, false, false},
			{"the person", signedIn("vera"), false, true, false},
			{"a disabled admin", always(disabled), false, false, true},
			{"nobody", always(By{}), false, false, false},
			{"somebody who is not there", always(By{name: "ghost", limit: Admin, kind: PersonSignIn}), false, false, false},
			{"a sign-in of somebody who is not there", always(By{name: "ghost", number: 1, limit: Admin, kind: PersonSignIn}), false, false, true},
			{"a sign-in of somebody else", always(By{name: "anna", number: disabled.number, limit: Admin, kind: PersonSignIn}), false, false, true},
			{"a sign-in without a role", always(SignedIn{Name: "vera", Kind: PersonSignIn}.By()), false, false, false},
			{"an admin without a sign-in", always(By{name: "anna"}), false, false, false},
		} {
			by := who.signIn()
			before := w.everything()
			for what, do := range map[string]func() error{
				"add":      func() error { return w.Add(ctx, by, Person{Name: "new", Role: Admin}, "a long enough password") },
				"role":     func() error { return w.SetRole(ctx, by, "vera", Admin) },
				"disable":  func() error { return w.Disable(ctx, by, "other") },
				"enable":   func() error { return w.Enable(ctx, by, "gone") },
				"link":     func() error { return w.Link(ctx, by, "vera", "https://idp.example", "1") },
				"unlink":   func() error { return w.Unlink(ctx, by, "lena") },
				"anybody":  func() error { return w.SetPassword(ctx, by, "anna", "a long enough password") },
				"sign out": func() error { return w.SignOutAll(ctx, by, "anna") },
				"issue":    func() error { _, _, err := w.Issue(ctx, by, "anna", "x", Viewer, tomorrow); return err },
				"delegate": func() error { _, err := w.Delegate(ctx, by, "ben", "vera", tomorrow, ""); return err },
			} {
				if who.admin {
					continue // what an admin may is in the other tests
				}
				if what == "delegate" && who.name == "an approver" { // it is about himself; a viewer is not for him to choose
					is[*BadValue](t, do())
					continue
				}
				if who.ended {
					is[*NotSignedIn](t, do())
					continue
				}
				if e := is[*NotAllowed](t, do()); e.Hint == "" {
					t.Errorf("%s, %s: %v", who.name, what, e)
				}
			}
			if !who.admin && w.everything() != before {
				t.Errorf("%s has changed something", who.name)
			}
			for what, do := range map[string]func() error{
				"password": func() error { return w.SetPassword(ctx, who.signIn(), "vera", passwordFor("vera")) },
				"sign out": func() error { return w.SignOutAll(ctx, who.signIn(), "vera") },
				"issue":    func() error { _, _, err := w.Issue(ctx, who.signIn(), "vera", "x", Viewer, tomorrow); return err },
			} {
				err := do()
				if who.ended {
					is[*NotSignedIn](t, err)
					continue
				}
				if _, refused := errors.AsType[*NotAllowed](err); refused == who.self || !refused && err != nil {
					t.Errorf("%s, %s of vera: %v", who.name, what, err)
				}
			}
		}
	})
}

// everything is all that there is about people.
func (w *world) everything() string {
	w.t.Helper()
	var text strings.Builder
	for _, table := range []string{"people", "people_sign_ins", "people_deputies", "people_accounts", "people_changes"} {
		rows, err := w.db.Reads().QueryContext(w.t.Context(), "SELECT * FROM "+table+" ORDER BY 1")
		w.must(err)
		columns, err := rows.Columns()
		w.must(err)
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new([]byte)
			}
			w.must(rows.Scan(values...))
			for _, value := range values {
				text.Write(*value.(*[]byte))
				text.WriteByte('|')
			}
			text.WriteByte('\n')
		}
		w.must(rows.Err())
		w.must(rows.Close())
	}
	return text.String()
}

// What a person was before ends what he had signed in with.
func TestChangesEndSignIns(t *testing.T) {
	for what, change := range map[string]func(*world) error{
		"password": func(w *world) error { return w.SetPassword(w.t.Context(), operator, "ben", passwordFor("ben")) },
		"role":     func(w *world) error { return w.SetRole(w.t.Context(), operator, "ben", Admin) },
		"disable":  func(w *world) error { return w.Disable(w.t.Context(), operator, "ben") },
		"out":      func(w *world) error { return w.SignOutAll(w.t.Context(), operator, "ben") },
		"link":     func(w *world) error { return w.Link(w.t.Context(), operator, "ben", "https://idp.example", "1") },
		"unlink": func(w *world) error {
			w.must(w.Link(w.t.Context(), operator, "ben", "https://idp.example", "1"))
			return w.Unlink(w.t.Context(), operator, "ben")
		},
	} {
		t.Run(what, func(t *testing.T) {
			onBoth(t, func(t *testing.T, w *world) {
				w.add(Approver, "ben", "carl")
				first, _ := w.in("ben")
				second, _ := w.in("ben")
				program, _, err := w.Issue(t.Context(), operator, "ben", "ci", Viewer, w.clock().Add(time.Hour))
				w.must(err)
				other, _ := w.in("carl")
				w.must(change(w))
				w.must(w.Enable(t.Context(), operator, "ben"))
				for _, token := range []string{first, second, program} {
					if why, ended := w.lapse(token); !ended || why != NoToken {
						t.Errorf("%v %v", ended, why)
					}
				}
				if _, ended := w.lapse(other); ended {
					t.Error("that of somebody else has ended")
				}
				w.in("ben")
			})
		})
	}
}

func TestTheHistorySaysWhoDidWhat(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		anna := w.by("anna")
		w.must(w.Add(t.Context(), anna, Person{Name: "ben", Role: Viewer}, passwordFor("ben")))
		w.pass(time.Minute)
		w.must(w.SetRole(t.Context(), anna, "ben", Approver))
		w.must(w.SetRole(t.Context(), anna, "ben", Approver)) // nothing happens
		w.must(w.SetPassword(t.Context(), w.by("ben"), "ben", "another good password"))
		w.must(w.Disable(t.Context(), anna, "ben"))
		w.must(w.Disable(t.Context(), anna, "ben"))
		w.must(w.Enable(t.Context(), anna, "ben"))
		w.must(w.Enable(t.Context(), anna, "ben"))
		got, err := w.Changes(t.Context(), "ben", 10)
		w.must(err)
		want := []Change{
			{Who: "anna", What: Enabled},
			{Who: "anna", What: Disabled},
			{Who: "ben", What: PasswordSet},
			{Who: "anna", What: RoleSet, Note: "from viewer to approver"},
			{Who: "anna", What: Added, Note: "as viewer"},
		}
		if len(got) != len(want) {
			t.Fatalf("%+v", got)
		}
		for i, c := range got {
			if c.Who != want[i].Who || c.Whom != "ben" || c.What != want[i].What || c.Note != want[i].Note {
				t.Errorf("%+v, want %+v", c, want[i])
			}
		}
		if !got[0].At.Equal(w.clock()) || !got[4].At.Equal(w.clock().Add(-time.Minute)) {
			t.Errorf("%v %v", got[0].At, got[4].At)
		}
		all, err := w.Changes(t.Context(), "", 100)
		w.must(err)
		if last := all[len(all)-1]; len(all) != 6 || last.Who != "olga@machine (operator)" || last.Whom != "anna" {
			t.Errorf("%+v", all)
		}
		if few, err := w.Changes(t.Context(), "", 2); err != nil || len(few) != 2 || few[0] != all[0] {
			t.Errorf("%+v %v", few, err)
		}
		_, err = w.Changes(t.Context(), "\xff", 2)
		is[*Unknown](t, err)
	})
}
