package people

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func (w *world) answersFor(name string) []string {
	w.t.Helper()
	names, err := w.Effective(w.t.Context(), name, w.clock())
	w.must(err)
	return names
}

func (w *world) expect(name string, want ...string) {
	w.t.Helper()
	if got := w.answersFor(name); !slices.Equal(got, want) {
		w.t.Errorf("%s answers for %v, want %v", name, got, want)
	}
}

func TestDeputies(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Approver, "ben", "carl", "dora")
		w.add(Viewer, "vera")
		until := w.clock().Add(time.Hour)
		w.expect("ben", "ben")
		w.expect("vera")
		ben := w.by("ben")
		d, err := w.Delegate(t.Context(), ben, "ben", "carl", until, "on holiday")
		w.must(err)
		if got, err := w.Deputies(t.Context(), w.clock()); err != nil || len(got) != 1 || got[0] != d || d.By != "ben" || d.Dormant != "" || d.Reason != "on holiday" || !d.Until.Equal(until) {
			t.Errorf("%+v %v", got, err)
		}
		w.expect("carl", "ben", "carl")
		w.expect("ben", "ben")
		// There are no chains.
		_, err = w.Delegate(t.Context(), w.by("carl"), "carl", "dora", until, "")
		w.must(err)
		w.expect("dora", "carl", "dora")
		_, err = w.Delegate(t.Context(), w.by("carl"), "ben", "dora", until, "")
		is[*NotAllowed](t, err)
		// A viewer is for an admin to choose.
		_, err = w.Delegate(t.Context(), ben, "ben", "vera", until, "")
		is[*BadValue](t, err)
		_, err = w.Delegate(t.Context(), w.by("anna"), "ben", "vera", until, "")
		w.must(err)
		w.expect("vera", "ben")
		_, err = w.Delegate(t.Context(), w.by("anna"), "ben", "carl", until.Add(time.Hour), "")
		w.must(err)
		w.expect("carl", "ben", "carl")
		w.pass(time.Hour)
		w.expect("vera")
		w.expect("carl", "ben", "carl") // the longer one counts on
		w.pass(time.Hour)
		w.expect("carl", "carl")
		if got, err := w.Deputies(t.Context(), w.clock()); err != nil || got != nil {
			t.Errorf("%+v %v", got, err)
		}
		_, err = w.Effective(t.Context(), "ghost", w.clock())
		is[*Unknown](t, err)
	})
}

func TestWhoCannotBeADeputy(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben", "carl", "gone")
		w.add(Viewer, "vera")
		w.must(w.Disable(t.Context(), operator, "gone"))
		w.expect("gone") // not even for himself
		later := w.clock().Add(time.Hour)
		for what, c := range map[string]struct {
			from, to string
			until    time.Time
			reason   string
		}{
			"himself":         {"ben", "ben", later, ""},
			"over":            {"ben", "carl", w.clock(), ""},
			"no end":          {"ben", "carl", time.Time{}, ""},
			"far away":        {"ben", "carl", w.clock().Add(longest + time.Second), ""},
			"a bad reason":    {"ben", "carl", later, "a\nb"},
			"disabled":        {"ben", "gone", later, ""},
			"for a disabled":  {"gone", "ben", later, ""},
			"nothing to lend": {"vera", "ben", later, ""},
		} {
			_, err := w.Delegate(t.Context(), operator, c.from, c.to, c.until, c.reason)
			if e := is[*BadValue](t, err); e.Hint == "" {
				t.Errorf("%s: %v", what, e)
			}
		}
		for _, names := range [][2]string{{"ben", "ghost"}, {"ghost", "ben"}} {
			_, err := w.Delegate(t.Context(), operator, names[0], names[1], later, "")
			is[*Unknown](t, err)
		}
		if got, err := w.Deputies(t.Context(), w.clock()); err != nil || got != nil {
			t.Errorf("%+v %v", got, err)
		}
	})
}

// T1: who lends his right to answer lends what he has at the moment when it is used.
func TestT1_ADeputyHasWhatThePersonHas(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben", "carl")
		w.add(Viewer, "vera")
		until := w.clock().Add(time.Hour)
		_, err := w.Delegate(t.Context(), w.by("ben"), "ben", "carl", until, "")
		w.must(err)
		_, err = w.Delegate(t.Context(), operator, "ben", "vera", until, "")
		w.must(err)
		for _, step := range []struct {
			what       func() error
			carl, vera []string
		}{
			{func() error { return nil }, []string{"ben", "carl"}, []string{"ben"}},
			{func() error { return w.SetRole(t.Context(), operator, "ben", Viewer) }, []string{"carl"}, nil},
			{func() error { return w.SetRole(t.Context(), operator, "ben", Approver) }, []string{"ben", "carl"}, []string{"ben"}},
			{func() error { return w.Disable(t.Context(), operator, "ben") }, []string{"carl"}, nil},
			{func() error { return w.Enable(t.Context(), operator, "ben") }, []string{"ben", "carl"}, []string{"ben"}},
			{func() error { return w.SetRole(t.Context(), operator, "carl", Viewer) }, nil, []string{"ben"}}, // ben may not choose a viewer
			{func() error { return w.Disable(t.Context(), operator, "vera") }, nil, nil},
		} {
			w.must(step.what())
			w.expect("carl", step.carl...)
			w.expect("vera", step.vera...)
		}
		got, err := w.Deputies(t.Context(), w.clock())
		if err != nil || len(got) != 2 || got[0].Dormant == "" || got[1].Dormant == "" {
			t.Errorf("%+v %v", got, err)
		}
	})
}

func TestDeputiesAreRevoked(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Approver, "ben", "carl", "dora")
		for who, by := range map[string]By{"the person": w.by("ben"), "the deputy": w.by("carl"), "an admin": w.by("anna"), "an operator": operator} {
			d, err := w.Delegate(t.Context(), operator, "ben", "carl", w.clock().Add(time.Hour), "")
			w.must(err)
			is[*NotAllowed](t, w.RevokeDeputy(t.Context(), w.by("dora"), d.Number))
			is[*NotAllowed](t, w.RevokeDeputy(t.Context(), By{}, d.Number))
			w.expect("carl", "ben", "carl")
			if err := w.RevokeDeputy(t.Context(), by, d.Number); err != nil {
				t.Errorf("%s: %v", who, err)
			}
			w.expect("carl", "carl")
			is[*Gone](t, w.RevokeDeputy(t.Context(), by, d.Number))
		}
	})
}

// T1: a program is nobody's deputy, and does not choose one.
func TestT1_ProgramsAreNoDeputies(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben", "carl")
		until := w.clock().Add(time.Hour)
		_, err := w.Delegate(t.Context(), operator, "ben", "carl", until, "")
		w.must(err)
		_, person := w.in("carl")
		for _, c := range []struct {
			role Role
			want []string
		}{{Viewer, nil}, {Approver, []string{"carl"}}} {
			token, _, err := w.Issue(t.Context(), operator, "carl", "ci", c.role, until)
			w.must(err)
			_, in, err := w.Who(t.Context(), token)
			w.must(err)
			if got, err := w.AnswersFor(t.Context(), in); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v %v", got, err)
			}
			_, err = w.Delegate(t.Context(), in.By(), "carl", "ben", until, "")
			is[*NotAllowed](t, err)
		}
		if got, err := w.AnswersFor(t.Context(), person); err != nil || !slices.Equal(got, []string{"ben", "carl"}) {
			t.Errorf("%v %v", got, err)
		}
		if got, err := w.AnswersFor(t.Context(), SignedIn{}); err != nil || got != nil {
			t.Errorf("%v %v", got, err)
		}
	})
}

// Whatever is lent, nobody answers for somebody who has not lent it to him directly.
func TestEffectiveIsWhatWasLent(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		names := []string{"a", "b", "c", "d"}
		w.add(Approver, names...)
		rapid.Check(t, func(rt *rapid.T) {
			w.exec("DELETE FROM people_deputies")
			now := w.clock()
			type lent struct{ from, to string }
			until := map[lent]time.Time{}
			for range rapid.IntRange(1, 6).Draw(rt, "deputies") {
				l := lent{rapid.SampledFrom(names).Draw(rt, "from"), rapid.SampledFrom(names).Draw(rt, "to")}
				end := now.Add(time.Duration(rapid.IntRange(1, 5).Draw(rt, "hours")) * time.Hour)
				if _, err := w.Delegate(t.Context(), operator, l.from, l.to, end, ""); (err != nil) != (l.from == l.to) {
					rt.Fatal(err)
				} else if err == nil && end.After(until[l]) {
					until[l] = end
				}
			}
			then := now.Add(time.Duration(rapid.IntRange(0, 6).Draw(rt, "later")) * time.Hour)
			for _, to := range names {
				var want []string
				for _, from := range names {
					if from == to || until[lent{from, to}].After(then) {
						want = append(want, from)
					}
				}
				if got, err := w.Effective(t.Context(), to, then); err != nil || !slices.Equal(got, want) {
					rt.Fatalf("%s: %v, want %v, %v", to, got, want, err)
				}
			}
		})
	})
}
