package people

import (
	"slices"
	"testing"
	"time"
)

func TestTokensOfPrograms(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben", "carl")
		ben, until := w.by("ben"), w.clock().Add(48*time.Hour)
		token, made, err := w.Issue(t.Context(), ben, "ben", "nightly build", Viewer, until)
		w.must(err)
		p, in, err := w.Who(t.Context(), token)
		want := SignedIn{Number: made.Number, Name: "ben", Kind: ProgramSignIn, Label: "nightly build", Role: Viewer, Created: w.clock(), Until: until}
		looked := want
		looked.Moment = 3 // both were added, and the token issued
		if err != nil || in != looked || made != want || p.Name != "ben" {
			t.Errorf("%+v %+v %v", in, made, err)
		}
		second, other, err := w.Issue(t.Context(), ben, "ben", "another", Approver, until.Add(time.Hour))
		w.must(err)
		got, err := w.Tokens(t.Context(), "ben")
		if err != nil || !slices.Equal(got, []SignedIn{made, other}) { // and not that of the person
			t.Errorf("%+v %v", got, err)
		}
		if got, err := w.Tokens(t.Context(), "carl"); err != nil || got != nil {
			t.Errorf("%+v %v", got, err)
		}
		_, err = w.Tokens(t.Context(), "ghost")
		is[*Unknown](t, err)

		carl := w.by("carl")
		is[*NotAllowed](t, w.RevokeToken(t.Context(), carl, "ben", made.Number))
		is[*Gone](t, w.RevokeToken(t.Context(), carl, "carl", made.Number))
		_, person := w.in("ben")
		is[*Gone](t, w.RevokeToken(t.Context(), ben, "ben", person.Number)) // that is none of a program
		w.must(w.RevokeToken(t.Context(), ben, "ben", made.Number))
		is[*Gone](t, w.RevokeToken(t.Context(), ben, "ben", made.Number))
		if why, ended := w.lapse(token); !ended || why != NoToken {
			t.Errorf("%v %v", why, ended)
		}
		w.pass(49 * time.Hour)
		if why, ended := w.lapse(second); !ended || why != TokenExpired {
			t.Errorf("%v %v", why, ended)
		}
		if got, err := w.Tokens(t.Context(), "ben"); err != nil || got != nil {
			t.Errorf("%+v %v", got, err)
		}
		changes, err := w.Changes(t.Context(), "ben", 2)
		w.must(err)
		if changes[0].What != TokenRevoked || changes[1].What != TokenIssued || changes[1].Who != "ben" {
			t.Errorf("%+v", changes)
		}
	})
}

func TestTokensThatAreNotIssued(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		later := w.clock().Add(time.Hour)
		for what, issue := range map[string]struct {
			label string
			role  Role
			until time.Time
		}{
			"a higher role": {"ci", Admin, later},
			"no role":       {"ci", NoRole, later},
			"no such role":  {"ci", 9, later},
			"no label":      {"", Viewer, later},
			"a bad label":   {"a\nb", Viewer, later},
			"over":          {"ci", Viewer, w.clock()},
			"no end":        {"ci", Viewer, time.Time{}},
			"far away":      {"ci", Viewer, w.clock().Add(longest + time.Second)},
		} {
			token, _, err := w.Issue(t.Context(), operator, "ben", issue.label, issue.role, issue.until)
			if is[*BadValue](t, err); token != "" {
				t.Errorf("%s: a token", what)
			}
		}
		_, _, err := w.Issue(t.Context(), operator, "ghost", "ci", Viewer, later)
		is[*Unknown](t, err)
		w.add(Viewer, "gone")
		w.must(w.Disable(t.Context(), operator, "gone"))
		_, _, err = w.Issue(t.Context(), operator, "gone", "ci", Viewer, later)
		is[*BadValue](t, err)
		if got, err := w.Tokens(t.Context(), "ben"); err != nil || got != nil {
			t.Errorf("%+v %v", got, err)
		}
	})
}
