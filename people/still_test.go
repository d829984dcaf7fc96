package people

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Who may answer is asked in the transaction of the answer, and holds for that moment.
func TestWhoMayAnswerNow(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Approver, "ben", "carl")
		w.add(Viewer, "vera")
		_, err := w.Delegate(t.Context(), operator, "ben", "vera", w.clock().Add(time.Hour), "")
		w.must(err)
		may := func(name, person, refused string) {
			t.Helper()
			w.pass(time.Second) // what is said now comes after all that has happened
			var err error
			w.must(w.db.Within(t.Context(), func(tx *database.Tx) error {
				err = w.MayAnswer(t.Context(), tx, Said{By: name, InPlaceOf: person, At: w.clock()})
				return nil
			}))
			if refused == "" {
				w.must(err)
				return
			}
			if no := is[*NotAllowed](t, err); no != nil && !strings.Contains(no.Error(), refused) {
				t.Errorf("%s for %q: %v", name, person, no)
			}
		}
		may("anna", "", "")
		may("ben", "ben", "")
		may("vera", "", "as a viewer")
		may("vera", "ben", "")
		may("vera", "carl", "he is not the deputy")
		may("ghost", "", "nobody of that name")
		may("no name", "", "nobody of that name")
		w.must(w.Disable(t.Context(), operator, "ben"))
		may("ben", "", "is disabled")
		may("vera", "ben", "ben is disabled")
		w.must(w.Enable(t.Context(), operator, "ben"))
		may("vera", "ben", "")
		w.must(w.Disable(t.Context(), operator, "vera"))
		may("vera", "ben", "vera may not answer any more")
		w.must(w.Enable(t.Context(), operator, "vera"))
		w.pass(time.Hour)
		may("vera", "ben", "he is not the deputy")
		w.must(w.SetRole(t.Context(), operator, "ben", Viewer))
		may("ben", "", "as a viewer")
	})
}

// waysToEndAll are all in which the sign-ins of ida end, who is an approver afterwards; see known.
func (w *world) waysToEndAll(s *Store) map[string]func() error {
	ctx := w.t.Context()
	admit := func(role Role) error {
		_, _, err := s.Admit(ctx, identity("1", "ida", role), OnlyKnown)
		return err
	}
	return map[string]func() error{
		"disabled": func() error { return cmp.Or(s.Disable(ctx, operator, "ida"), s.Enable(ctx, operator, "ida")) },
		"role": func() error {
			return cmp.Or(s.SetRole(ctx, operator, "ida", Viewer), s.SetRole(ctx, operator, "ida", Approver))
		},
		"password":   func() error { return s.SetPassword(ctx, operator, "ida", passwordFor("ida")) },
		"signed out": func() error { return s.SignOutAll(ctx, operator, "ida") },
		"dropped": func() error {
			if err := admit(NoRole); !errors.As(err, new(*NotAdmitted)) {
				w.t.Errorf("%v", err)
			}
			return admit(Approver)
		},
		"another identity": func() error {
			return cmp.Or(s.Link(ctx, operator, "ida", issuer, "2"), s.Link(ctx, operator, "ida", issuer, "1"))
		},
		"unlinked": func() error {
			err := s.Unlink(ctx, operator, "ida")
			w.exec(fmt.Sprintf("UPDATE people SET issuer = '%s', subject = '1', confirmed = %d WHERE name = 'ida'", issuer, micros(w.clock()))) // by hand: a link would end them, too
			return err
		},
	}
}

// T1: what was said before all sign-ins of a person have ended does not count again, whatever has
// ended them, and neither does what his deputy has said for him. What is said from then on counts.
func TestT1_WhatWasSaidBeforeASignOut(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Viewer, "dee")
		_, _ = w.known(Approver)
		ctx := t.Context()
		for name, end := range w.waysToEndAll(w.Store) {
			w.pass(time.Second)
			for _, said := range []Said{{By: "ida", At: w.clock()}, {By: "dee", InPlaceOf: "ida", At: w.clock()}} {
				w.must(w.MayAnswer(ctx, w.db.Reads(), said))
			}
			before := w.clock()
			w.pass(time.Second)
			w.must(end())
			for _, said := range []Said{{By: "ida", At: before}, {By: "ida", At: w.clock()}, {By: "dee", InPlaceOf: "ida", At: before}} {
				err := w.MayAnswer(ctx, w.db.Reads(), said)
				if e, no := errors.AsType[*NotAllowed](err); !no || e.Hint != "say it again" {
					t.Errorf("%s: %+v: %v", name, said, err)
				}
			}
		}
	})
}

// T1: what a program has said holds when the time of its token is over, or it has signed out, and not
// when somebody has revoked the token, be it later: somebody else may have had it.
func TestT1_WhatAProgramSaidBefore(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben", "carl")
		ctx := t.Context()
		issue := func() (string, int64) {
			token, in, err := w.Issue(ctx, operator, "ben", "ci", Approver, w.clock().Add(time.Hour))
			w.must(err)
			return token, in.Number
		}
		holds := func(what string, number int64, want bool) {
			t.Helper()
			err := w.TokenHolds(ctx, w.db.Reads(), "ben", number)
			if want {
				w.must(err)
			} else if e := is[*NotAllowed](t, err); e.Who != "ben" || !strings.Contains(e.Error(), fmt.Sprintf("token %d of his was revoked", number)) {
				t.Errorf("%s: %v", what, e)
			}
		}
		_, kept := issue()
		_, revoked := issue()
		left, signedOut := issue()
		w.must(w.RevokeToken(ctx, operator, "ben", revoked))
		w.must(w.SignOut(ctx, left))
		holds("that of another program", kept, true)
		holds("revoked", revoked, false)
		holds("signed out", signedOut, true)
		w.must(w.RevokeToken(ctx, operator, "ben", signedOut))
		holds("revoked after it has signed out", signedOut, false)
		w.pass(2 * time.Hour)
		holds("over", kept, true)
		w.in("ben") // what is over is forgotten then
		holds("over, and forgotten", kept, true)
		is[*Gone](t, w.RevokeToken(ctx, operator, "carl", kept))
		w.must(w.RevokeToken(ctx, operator, "ben", kept))
		holds("revoked when it is over", kept, false)
		is[*Gone](t, w.RevokeToken(ctx, operator, "ben", kept))
	})
}

// A deputy has said nothing before he was one, also if he was one earlier.
func TestT1_WhatADeputySaidBefore(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		w.add(Viewer, "vera")
		delegate := func() Deputy {
			d, err := w.Delegate(t.Context(), operator, "ben", "vera", w.clock().Add(time.Hour), "")
			w.must(err)
			return d
		}
		first := delegate()
		said := Said{By: "vera", InPlaceOf: "ben", At: w.clock()}
		w.pass(time.Second)
		w.must(w.MayAnswer(t.Context(), w.db.Reads(), said))
		second := delegate() // he is one twice, so what he has said stands
		w.must(w.MayAnswer(t.Context(), w.db.Reads(), said))
		w.must(w.RevokeDeputy(t.Context(), operator, first.Number))
		if e := is[*NotAllowed](t, w.MayAnswer(t.Context(), w.db.Reads(), said)); !strings.Contains(e.Error(), "made him the deputy anew") {
			t.Error(e)
		}
		w.must(w.MayAnswer(t.Context(), w.db.Reads(), Said{By: "vera", InPlaceOf: "ben", At: second.Created}))
	})
}

// T1: what came first the history says, and no clock: those of the server at which somebody answers and of
// the machine on which an admin ends his sign-ins may differ.
func TestT1_NoClockSaysWhatCameFirst(t *testing.T) {
	for _, ahead := range []time.Duration{-3 * time.Second, 0, 3 * time.Second} {
		onBoth(t, func(t *testing.T, w *world) {
			w.add(Admin, "anna")
			w.add(Viewer, "dee")
			_, _ = w.known(Approver)
			elsewhere := w.elsewhere(ahead)
			say := func() []Said {
				_, ida := w.in("ida")
				_, dee := w.in("dee")
				return []Said{{By: "ida", At: w.clock(), Moment: ida.Moment}, {By: "dee", InPlaceOf: "ida", At: w.clock(), Moment: dee.Moment}}
			}
			may := func(said Said) error { return w.MayAnswer(t.Context(), w.db.Reads(), said) }
			for name, end := range w.waysToEndAll(elsewhere) {
				before := say()
				for _, said := range before {
					w.must(may(said))
				}
				w.pass(time.Second)
				w.must(end())
				w.pass(time.Second)
				for _, said := range before {
					err := may(said)
					if e, no := errors.AsType[*NotAllowed](err); !no || e.Hint != "say it again" {
						t.Errorf("%v ahead, %s: %+v: %v", ahead, name, said, err)
					}
				}
				for _, said := range say() {
					if err := may(said); err != nil {
						t.Errorf("%v ahead, %s, said again: %+v: %v", ahead, name, said, err)
					}
				}
			}
		})
	}
}

// elsewhere is the store as another machine has it, whose clock is ahead.
func (w *world) elsewhere(ahead time.Duration) *Store {
	s := w.on(w.again())
	s.now = func() time.Time { return w.clock().Add(ahead) }
	return s
}

// A deputy has said nothing before he was one, whatever clocks say.
func TestT1_NoClockSaysSinceWhenSomebodyIsADeputy(t *testing.T) {
	for _, ahead := range []time.Duration{-3 * time.Second, 3 * time.Second} {
		onBoth(t, func(t *testing.T, w *world) {
			w.add(Approver, "ben")
			w.add(Viewer, "vera")
			elsewhere := w.elsewhere(ahead)
			delegate := func() Deputy {
				d, err := elsewhere.Delegate(t.Context(), operator, "ben", "vera", w.clock().Add(time.Hour), "")
				w.must(err)
				return d
			}
			token, _ := w.in("vera")
			say := func() Said {
				_, in, err := w.Who(t.Context(), token)
				w.must(err)
				return Said{By: "vera", InPlaceOf: "ben", At: w.clock(), Moment: in.Moment}
			}
			may := func(said Said) error { return w.MayAnswer(t.Context(), w.db.Reads(), said) }
			first := delegate()
			said := say()
			w.must(may(said))
			delegate() // he is one twice, so what he has said stands
			w.must(may(said))
			w.must(elsewhere.RevokeDeputy(t.Context(), operator, first.Number))
			if e := is[*NotAllowed](t, may(said)); !strings.Contains(e.Error(), "made him the deputy anew") {
				t.Error(e)
			}
			w.must(may(say()))
		})
	}
}
