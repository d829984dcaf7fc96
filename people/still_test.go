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
				err = w.MayAnswer(t.Context(), tx, Said{name, person, w.clock()})
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

// T1: what was said before all sign-ins of a person have ended does not count again, whatever has
// ended them, and neither does what his deputy has said for him. What is said from then on counts.
func TestT1_WhatWasSaidBeforeASignOut(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Viewer, "dee")
		_, _ = w.known(Approver)
		ctx := t.Context()
		admit := func(role Role) error {
			_, _, err := w.Admit(ctx, identity("1", "ida", role), OnlyKnown)
			return err
		}
		for name, end := range map[string]func() error{
			"disabled": func() error { return cmp.Or(w.Disable(ctx, operator, "ida"), w.Enable(ctx, operator, "ida")) },
			"role": func() error {
				return cmp.Or(w.SetRole(ctx, operator, "ida", Viewer), w.SetRole(ctx, operator, "ida", Approver))
			},
			"password":   func() error { return w.SetPassword(ctx, operator, "ida", passwordFor("ida")) },
			"signed out": func() error { return w.SignOutAll(ctx, operator, "ida") },
			"dropped": func() error {
				is[*NotAdmitted](t, admit(NoRole))
				return admit(Approver)
			},
			"another identity": func() error {
				return cmp.Or(w.Link(ctx, operator, "ida", issuer, "2"), w.Link(ctx, operator, "ida", issuer, "1"))
			},
		} {
			w.pass(time.Second)
			for _, said := range []Said{{"ida", "", w.clock()}, {"dee", "ida", w.clock()}} {
				w.must(w.MayAnswer(ctx, w.db.Reads(), said))
			}
			before := w.clock()
			w.pass(time.Second)
			w.must(end())
			for _, said := range []Said{{"ida", "", before}, {"ida", "", w.clock()}, {"dee", "ida", before}} {
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
		said := Said{"vera", "ben", w.clock()}
		w.pass(time.Second)
		w.must(w.MayAnswer(t.Context(), w.db.Reads(), said))
		second := delegate() // he is one twice, so what he has said stands
		w.must(w.MayAnswer(t.Context(), w.db.Reads(), said))
		w.must(w.RevokeDeputy(t.Context(), operator, first.Number))
		if e := is[*NotAllowed](t, w.MayAnswer(t.Context(), w.db.Reads(), said)); !strings.Contains(e.Error(), "made him the deputy anew") {
			t.Error(e)
		}
		w.must(w.MayAnswer(t.Context(), w.db.Reads(), Said{"vera", "ben", second.Created}))
	})
}
