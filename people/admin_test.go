package people

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestTheLastAdminStays(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna", "gone")
		w.add(Approver, "ben")
		w.must(w.Disable(t.Context(), operator, "gone")) // he does not count
		anna := w.by("anna")
		for _, by := range []By{anna, operator} {
			if e := is[*LastAdmin](t, w.SetRole(t.Context(), by, "anna", Approver)); e.Name != "anna" {
				t.Error(e)
			}
			is[*LastAdmin](t, w.Disable(t.Context(), by, "anna"))
		}
		w.must(w.SetRole(t.Context(), operator, "gone", Viewer)) // who is disabled is none of them
		w.must(w.SetRole(t.Context(), anna, "ben", Admin))
		w.must(w.SetRole(t.Context(), anna, "anna", Viewer))
		is[*NotSignedIn](t, w.SetRole(t.Context(), anna, "anna", Admin))
		is[*NotAllowed](t, w.SetRole(t.Context(), w.by("anna"), "anna", Admin))
		is[*LastAdmin](t, w.Disable(t.Context(), operator, "ben"))
		w.exec("UPDATE people SET disabled = 1") // by hand; nobody is an admin then who could stay one
		w.must(w.SetRole(t.Context(), operator, "ben", Viewer))
	})
}

// T15: of two admins who demote each other at the same moment one stays, wherever their
// servers are.
func TestT15_TwoAdminsDemoteEachOther(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		stores := []*Store{w.Store, w.Store}
		if w.db.Kind().String() == "PostgreSQL" {
			stores[1] = w.on(w.again())
		}
		for round := range 20 {
			names := []string{fmt.Sprintf("a%d", round), fmt.Sprintf("b%d", round)}
			w.add(Admin, names...)
			if round > 0 { // only those two are left
				for _, before := range []string{"a", "b"} {
					w.must(w.SetRole(t.Context(), operator, fmt.Sprint(before, round-1), Viewer))
				}
			}
			bys := []By{w.by(names[0]), w.by(names[1])}
			if round%2 == 0 { // whoever may do everything
				bys = []By{operator, operator}
			}
			errs := make([]error, 2)
			var all sync.WaitGroup
			for i := range stores {
				all.Go(func() {
					if round%4 < 2 {
						errs[i] = stores[i].SetRole(t.Context(), bys[i], names[1-i], Viewer)
					} else {
						errs[i] = stores[i].Disable(t.Context(), bys[i], names[1-i])
					}
				})
			}
			all.Wait()
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("%v, %v", errs[0], errs[1])
			}
			refused := errors.Join(errs...)
			_, last := errors.AsType[*LastAdmin](refused)
			if _, ended := errors.AsType[*NotSignedIn](refused); !last && !ended { // which is what the other has done
				t.Fatal(refused)
			}
			if n := w.admins(); n != 1 {
				t.Fatalf("%d admins", n)
			}
			for _, name := range names {
				w.must(w.Enable(t.Context(), operator, name))
			}
		}
	})
}

// admins is how many there are who are enabled.
func (w *world) admins() (n int) {
	w.t.Helper()
	all, err := w.List(w.t.Context())
	w.must(err)
	for _, p := range all {
		if p.Role.Manage() && !p.Disabled {
			n++
		}
	}
	return n
}

func TestThereIsAlwaysAnAdmin(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		names := []string{"a", "b", "c"}
		w.add(Admin, names...)
		for _, name := range names {
			w.must(w.Link(t.Context(), operator, name, "https://idp.example", name))
		}
		rapid.Check(t, func(rt *rapid.T) {
			for range 8 {
				name, role := rapid.SampledFrom(names).Draw(rt, "name"), rapid.SampledFrom(Roles).Draw(rt, "role")
				var err error
				switch rapid.IntRange(0, 3).Draw(rt, "what") {
				case 0:
					err = w.SetRole(t.Context(), operator, name, role)
				case 1:
					err = w.Disable(t.Context(), operator, name)
				case 2:
					err = w.Enable(t.Context(), operator, name)
				case 3:
					_, _, err = w.Admit(t.Context(), Identity{Issuer: "https://idp.example", Subject: name, Role: role}, OnlyKnown)
				}
				_, last := errors.AsType[*LastAdmin](err)
				if _, disabled := errors.AsType[*NotSignedIn](err); err != nil && !last && !disabled {
					rt.Fatal(err)
				}
				if w.admins() == 0 {
					rt.Fatal("there is no admin any more")
				}
			}
		})
	})
}
