package people

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// changes are all that somebody can do to people by his sign-in: each of them works, done by ida, who
// is an admin. Their names are those of the methods.
func (w *world) changes() map[string]func(*Store, By) error {
	ctx := w.t.Context()
	tomorrow := func() time.Time { return w.clock().Add(24 * time.Hour) }
	deputy, err := w.Delegate(ctx, operator, "ben", "carl", tomorrow(), "")
	w.must(err)
	_, token, err := w.Issue(ctx, operator, "ben", "ci", Viewer, tomorrow())
	w.must(err)
	w.must(w.GiveAccount(ctx, operator, "root@build-7", "ben"))
	w.must(w.Disable(ctx, operator, "gone"))
	return map[string]func(*Store, By) error{
		"Add": func(s *Store, by By) error {
			return s.Add(ctx, by, Person{Name: "new", Role: Admin}, passwordFor("new"))
		},
		"SetPassword": func(s *Store, by By) error { return s.SetPassword(ctx, by, "ben", "another long password") },
		"SetRole":     func(s *Store, by By) error { return s.SetRole(ctx, by, "ben", Admin) },
		"Disable":     func(s *Store, by By) error { return s.Disable(ctx, by, "ben") },
		"Enable":      func(s *Store, by By) error { return s.Enable(ctx, by, "gone") },
		"SignOutAll":  func(s *Store, by By) error { return s.SignOutAll(ctx, by, "ben") },
		"Link":        func(s *Store, by By) error { return s.Link(ctx, by, "ben", "https://idp.example", "7") },
		"Unlink":      func(s *Store, by By) error { return s.Unlink(ctx, by, "lena") },
		"SetEmail":    func(s *Store, by By) error { return s.SetEmail(ctx, by, "ben", "ben@example.org") },
		"GiveAccount": func(s *Store, by By) error { return s.GiveAccount(ctx, by, "root@build-8", "ben") },
		"TakeAccount": func(s *Store, by By) error { return s.TakeAccount(ctx, by, "root@build-7", "ben") },
		"Delegate": func(s *Store, by By) error {
			_, err := s.Delegate(ctx, by, "carl", "ben", tomorrow(), "")
			return err
		},
		"RevokeDeputy": func(s *Store, by By) error { return s.RevokeDeputy(ctx, by, deputy.Number) },
		"Issue": func(s *Store, by By) error {
			_, _, err := s.Issue(ctx, by, "ida", "mine", Admin, tomorrow())
			return err
		},
		"RevokeToken": func(s *Store, by By) error { return s.RevokeToken(ctx, by, "ben", token.Number) },
	}
}

// crowded is a world in which ida, an admin whom another server knows, can change something.
func (w *world) crowded() map[string]func(*Store, By) error {
	w.add(Admin, "ida", "anna")
	w.add(Approver, "ben", "carl", "gone", "lena")
	w.must(w.Link(w.t.Context(), operator, "ida", "https://idp.example", "1"))
	w.must(w.Link(w.t.Context(), operator, "lena", "https://idp.example", "3"))
	return w.changes()
}

// Whatever somebody changes is in the table above: who adds a change adds it there.
func TestT1_EveryChangeByASignInIsKnown(t *testing.T) {
	var takeBy []string
	for method := range reflect.TypeFor[*Store]().Methods() {
		if slices.Contains(slices.Collect(method.Type.Ins()), reflect.TypeFor[By]()) {
			takeBy = append(takeBy, method.Name)
		}
	}
	w := newWorld(t, inFile(t))
	known := w.crowded()
	for _, name := range takeBy {
		if known[name] == nil {
			t.Errorf("%s is not in the table", name)
		}
	}
	if len(takeBy) != len(known) {
		t.Errorf("%v", takeBy)
	}
}

// A request is under way for a while after its sender was looked at. What ends his sign-in meanwhile
// ends what he has begun with it, whatever it is and however it came about.
func TestT1_NothingIsChangedByASignInThatHasEnded(t *testing.T) {
	admit := func(w *world, role Role) error {
		_, _, err := w.Admit(w.t.Context(), Identity{Issuer: "https://idp.example", Subject: "1", Name: "ida", Role: role}, OnlyKnown)
		return err
	}
	ways := map[string]struct {
		end func(w *world, token string) error
		why Lapse
	}{
		"signed out everywhere": {func(w *world, _ string) error { return w.SignOutAll(w.t.Context(), operator, "ida") }, NoToken},
		"signed out":            {func(w *world, token string) error { return w.SignOut(w.t.Context(), token) }, NoToken},
		"another password": {func(w *world, _ string) error {
			return w.SetPassword(w.t.Context(), operator, "ida", passwordFor("ida"))
		}, NoToken},
		"another identity": {func(w *world, _ string) error {
			return w.Link(w.t.Context(), operator, "ida", "https://idp.example", "2")
		}, NoToken},
		"no other server": {func(w *world, _ string) error { return w.Unlink(w.t.Context(), operator, "ida") }, NoToken},
		"disabled":        {func(w *world, _ string) error { return w.Disable(w.t.Context(), operator, "ida") }, NoToken},
		"disabled and enabled": {func(w *world, _ string) error {
			w.must(w.Disable(w.t.Context(), operator, "ida"))
			return w.Enable(w.t.Context(), operator, "ida")
		}, NoToken},
		"another role": {func(w *world, _ string) error { return w.SetRole(w.t.Context(), operator, "ida", Viewer) }, NoToken},
		"another role and back": {func(w *world, _ string) error {
			w.must(w.SetRole(w.t.Context(), operator, "ida", Viewer))
			return w.SetRole(w.t.Context(), operator, "ida", Admin)
		}, NoToken},
		"dropped": {func(w *world, _ string) error {
			is[*NotAdmitted](w.t, admit(w, NoRole))
			return admit(w, Admin)
		}, NoToken},
		"expired":     {func(w *world, _ string) error { w.pass(lasts); return nil }, TokenExpired},
		"unconfirmed": {func(w *world, _ string) error { w.pass(confirmedFor); return nil }, NotConfirmed},
	}
	onBoth(t, func(t *testing.T, w *world) {
		known := w.crowded()
		for name, way := range ways {
			w.must(w.Enable(t.Context(), operator, "ida"))
			w.must(w.SetRole(t.Context(), operator, "ida", Admin))
			w.must(w.Link(t.Context(), operator, "ida", "https://idp.example", "1"))
			token, in := w.in("ida")
			w.must(way.end(w, token))
			before := w.everything()
			for change, do := range known {
				if e := is[*NotSignedIn](t, do(w.Store, in.By())); e.Why != way.why {
					t.Errorf("%s, %s: %v", name, change, e)
				}
			}
			if w.everything() != before {
				t.Errorf("%s: something has changed", name)
			}
		}
	})
	onBoth(t, func(t *testing.T, w *world) { // and as long as it has not ended all of them work
		for name, do := range w.crowded() {
			if name == "Disable" { // whom others are about
				continue
			}
			if err := do(w.Store, w.by("ida")); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// The token of a program changes nothing about people, and one that was revoked is none.
func TestT1_NothingIsChangedByATokenThatWasRevoked(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		known := w.crowded()
		token, made, err := w.Issue(t.Context(), operator, "ida", "ci", Admin, w.clock().Add(time.Hour))
		w.must(err)
		_, in, err := w.Who(t.Context(), token)
		w.must(err)
		for change, do := range known {
			e := is[*NotAllowed](t, do(w.Store, in.By())) // which no admin could help it with
			if strings.Contains(e.Error(), "ask an admin") || !strings.Contains(e.Hint, "sign in as the person") || e.Who != fmt.Sprintf("the token %d of ida", made.Number) {
				t.Errorf("%s: %v", change, e)
			}
		}
		w.must(w.RevokeToken(t.Context(), operator, "ida", made.Number))
		for _, do := range known {
			is[*NotSignedIn](t, do(w.Store, in.By()))
		}
	})
}

// A password takes long to be hashed. Whoever is signed out meanwhile has set none.
func TestT1_ASignInThatEndsWhileAPasswordIsHashed(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		known := w.crowded()
		for _, name := range []string{"Add", "SetPassword"} {
			_, in := w.in("ida")
			slow := *w.Store
			slow.hasher.derive = func(password, salt []byte, c cost) []byte {
				w.must(w.SignOutAll(t.Context(), operator, "ida"))
				return argon2id(password, salt, c)
			}
			is[*NotSignedIn](t, known[name](&slow, in.By()))
		}
	})
}

// Whoever has ended a sign-in sees nothing come about by it any more, on whatever machine it was
// under way.
func TestT15_NothingComesAboutAfterASignOut(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		second := w.Store
		if w.db.Kind().String() == "PostgreSQL" {
			second = w.on(w.again())
		}
		latestChange := func() int64 {
			all, err := w.Changes(context.WithoutCancel(t.Context()), "", 1)
			w.must(err)
			return all[0].Number
		}
		for round := range 20 {
			token, in := w.in("ben")
			var all sync.WaitGroup
			for range 6 {
				all.Go(func() {
					_, _, err := second.Issue(t.Context(), in.By(), "ben", "ci", Approver, w.clock().Add(time.Hour))
					if _, ended := errors.AsType[*NotSignedIn](err); err != nil && !ended {
						t.Error(err)
					}
				})
			}
			if round%2 == 0 {
				w.must(w.SignOut(t.Context(), token))
			} else {
				w.must(w.SignOutAll(t.Context(), operator, "ben"))
			}
			then := latestChange()
			all.Wait()
			if now := latestChange(); now != then {
				t.Fatalf("round %d: %d changes came after it", round, now-then)
			}
		}
	})
}
