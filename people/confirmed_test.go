package people

import (
	"strings"
	"testing"
	"time"
)

// known lets somebody arrive by another server, who has a password, a program and a deputy too.
// It is everything that must not outlive him there.
func (w *world) known(role Role) (in, program string) {
	w.t.Helper()
	_, _, err := w.Admit(w.t.Context(), identity("1", "ida", role), Create)
	w.must(err)
	w.must(w.SetPassword(w.t.Context(), operator, "ida", passwordFor("ida")))
	in, _ = w.in("ida")
	program, _, err = w.Issue(w.t.Context(), operator, "ida", "ci", Viewer, w.clock().Add(300*24*time.Hour))
	w.must(err)
	_, err = w.Delegate(w.t.Context(), operator, "ida", "dee", w.clock().Add(300*24*time.Hour), "holidays")
	w.must(err)
	return in, program
}

// left says what of all that still works.
func (w *world) left(tokens ...string) string {
	w.t.Helper()
	var left []string
	for i, token := range tokens {
		if _, ended := w.lapse(token); !ended {
			left = append(left, []string{"sign-in", "program"}[i])
		}
	}
	if _, _, err := w.SignIn(w.t.Context(), "ida", passwordFor("ida"), "192.0.2.1"); err == nil {
		left = append(left, "password")
	}
	now := w.clock().Add(time.Second)
	if w.MayAnswer(w.t.Context(), w.db.Reads(), Said{By: "ida", At: now}) == nil {
		left = append(left, "vote")
	}
	if w.MayAnswer(w.t.Context(), w.db.Reads(), Said{By: "dee", InPlaceOf: "ida", At: now}) == nil {
		left = append(left, "vote of the deputy")
	}
	for who, what := range map[string]string{"ida": "answers", "dee": "deputy"} {
		names, err := w.Effective(w.t.Context(), who, w.clock())
		if w.must(err); len(names) > 0 {
			left = append(left, what)
		}
	}
	return strings.Join(left, ", ")
}

// T1: whom another server gives no role any more has nothing here, and has it again when he gets
// one there. An admin who has disabled him is not overruled.
func TestT1_WhomTheOtherServerDrops(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Viewer, "dee")
		in, program := w.known(Approver)
		_, _, err := w.Admit(t.Context(), identity("1", "ida", NoRole), Create)
		if e := is[*NotAdmitted](t, err); e.Name != "ida" || !strings.Contains(e.Error(), "no role here") {
			t.Error(e)
		}
		if left := w.left(in, program); left != "" {
			t.Error("after he was dropped: ", left)
		}
		if changes, err := w.Changes(t.Context(), "ida", 1); err != nil || changes[0].What != Dropped || changes[0].Who != issuer {
			t.Errorf("%+v %v", changes, err)
		}
		_, _, err = w.Issue(t.Context(), operator, "ida", "ci", Viewer, w.clock().Add(time.Hour))
		is[*BadValue](t, err) // it would count when he is back, and nobody would remember
		_, err = w.Delegate(t.Context(), operator, "ida", "anna", w.clock().Add(time.Hour), "")
		is[*BadValue](t, err)
		_, _, err = w.Admit(t.Context(), identity("1", "ida", Approver), OnlyKnown)
		w.must(err)
		if left := w.left(); !strings.Contains(left, "password, vote, vote of the deputy") {
			t.Error("after he was let in again: ", left)
		}
		w.must(w.Disable(t.Context(), operator, "ida"))
		_, _, err = w.Admit(t.Context(), identity("1", "ida", NoRole), OnlyKnown)
		is[*NotSignedIn](t, err)
		_, _, err = w.Admit(t.Context(), identity("1", "ida", Approver), OnlyKnown)
		is[*NotSignedIn](t, err)
	})
}

// T1: who was removed at the other server never comes again, so nothing of his may last for ever.
func TestT1_WhoDoesNotComeAnyMore(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Viewer, "dee")
		_, program := w.known(Approver)
		w.pass(confirmedFor - time.Second)
		if _, ended := w.lapse(program); ended {
			t.Error("it has ended too early")
		}
		in, _ := w.in("ida")
		w.pass(time.Second)
		if left := w.left(in, program); left != "" {
			t.Error(left)
		}
		if why, _ := w.lapse(program); why != NotConfirmed {
			t.Error(why)
		}
		_, _, err := w.SignIn(t.Context(), "ida", passwordFor("ida"), "192.0.2.1")
		if e := is[*NotSignedIn](t, err); e.Why != NotConfirmed || !strings.Contains(e.Error(), "other server") {
			t.Error(e) // he knows the password, so he is told
		}
		w.pass(time.Minute)
		_, _, err = w.SignIn(t.Context(), "ida", "a wrong password", "192.0.2.1")
		is[*WrongSignIn](t, err)
		w.must(w.Enable(t.Context(), operator, "ida")) // somebody vouches for him
		if left := w.left(program, program); !strings.Contains(left, "program, password") {
			t.Error(left)
		}
		w.pass(confirmedFor)
		_, _, err = w.Admit(t.Context(), identity("1", "ida", Approver), OnlyKnown) // or he comes again
		w.must(err)
		if !w.Active(w.person("ida")) || !w.Active(w.person("anna")) { // whom no other server knows
			t.Error("somebody is not active")
		}
	})
}

// The last admin with less is not let in, keeps nothing of what he was signed in with, and stays
// one in the table until there is another, so that he is told each time.
func TestT1_TheLastAdminIsDropped(t *testing.T) {
	for what, role := range map[string]Role{"no role": NoRole, "less": Approver} {
		t.Run(what, func(t *testing.T) {
			onBoth(t, func(t *testing.T, w *world) {
				w.add(Viewer, "dee")
				in, program := w.known(Admin)
				for range 2 {
					_, _, err := w.Admit(t.Context(), identity("1", "ida", role), Create)
					if e := is[*LastAdmin](t, err); e.Name != "ida" || !strings.Contains(err.Error(), issuer) {
						t.Error(err)
					}
				}
				if left := w.left(in, program); left != "" {
					t.Error(left)
				}
				_, p, err := w.Admit(t.Context(), identity("1", "ida", Admin), OnlyKnown) // it was a mistake
				if w.must(err); p.Role != Admin || !w.Active(p) {
					t.Errorf("%+v", p)
				}
				w.add(Admin, "anna")
				token, p, err := w.Admit(t.Context(), identity("1", "ida", role), OnlyKnown)
				if role == NoRole {
					is[*NotAdmitted](t, err)
				} else if _, ended := w.lapse(token); err != nil || ended || p.Role != role {
					t.Errorf("%+v %v", p, err)
				}
			})
		})
	}
}

// An admin whom the other server has dropped is not the other one who is left.
func TestT1_ADroppedAdminIsNoOtherAdmin(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Viewer, "dee")
		_, _ = w.known(Admin)
		admin := w.by("ida")
		_, _, err := w.Admit(t.Context(), identity("1", "ida", NoRole), Create)
		is[*NotAdmitted](t, err)
		is[*NotSignedIn](t, w.SetRole(t.Context(), admin, "dee", Admin)) // begun before
		is[*LastAdmin](t, w.Disable(t.Context(), operator, "anna"))
		is[*LastAdmin](t, w.SetRole(t.Context(), operator, "anna", Viewer))
	})
}

func TestALinkIsAWordOfAnAdmin(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.pass(2 * confirmedFor)
		w.must(w.Link(t.Context(), operator, "anna", issuer, "7"))
		if p := w.person("anna"); !w.Active(p) || !p.Confirmed.Equal(w.clock()) {
			t.Errorf("%+v", p)
		}
	})
}
