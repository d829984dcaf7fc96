package people

import (
	"strings"
	"testing"
)

// Whoever is not linked any more signs in with his password alone, for good: no other server has to stand
// up for him. All that was signed in before has ended.
func TestUnlink(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		w.add(Viewer, "dee")
		in, program := w.known(Approver)
		w.must(w.Unlink(t.Context(), w.by("anna"), "ida"))
		for _, token := range []string{in, program} {
			if why, ended := w.lapse(token); !ended || why != NoToken {
				t.Errorf("%v %v", ended, why)
			}
		}
		if p := w.person("ida"); p.Issuer != "" || p.Subject != "" || !p.Confirmed.IsZero() || p.Role != Approver {
			t.Errorf("%+v", p)
		}
		changes, err := w.Changes(t.Context(), "ida", 1)
		if err != nil || changes[0].What != Unlinked || changes[0].Who != "anna" || !strings.Contains(changes[0].Note, issuer) || !strings.Contains(changes[0].Note, `"1"`) {
			t.Errorf("%+v %v", changes, err)
		}
		w.pass(2 * confirmedFor)
		w.in("ida")
		before := w.everything()
		w.must(w.Unlink(t.Context(), operator, "ida")) // that is so already, and is no news
		if w.everything() != before {
			t.Error("something has changed")
		}
		is[*Unknown](t, w.Unlink(t.Context(), operator, "ghost"))
		w.must(w.Link(t.Context(), operator, "dee", issuer, "1")) // whom the identity is free for
	})
}

// T1: whom the other server knows is nobody here any more, and does not become the person again by coming
// once more: his name is taken.
func TestT1_WhoWasUnlinkedDoesNotComeBackByTheOtherServer(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Viewer, "dee")
		_, _ = w.known(Approver)
		w.must(w.Unlink(t.Context(), operator, "ida"))
		for _, arrival := range []Arrival{OnlyKnown, Create} {
			_, _, err := w.Admit(t.Context(), identity("1", "ida", Admin), arrival)
			is[*NotAdmitted](t, err)
		}
	})
}

// T1: who is disabled stays so, and who has no password cannot sign in until he is given one.
func TestT1_UnlinkingLetsNobodyInWhoWasKeptOut(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		_, _, err := w.Admit(t.Context(), identity("1", "ida", Approver), Create)
		w.must(err)
		if w.person("ida").HasPassword || !w.person("anna").HasPassword {
			t.Error("nobody knows who has a password")
		}
		w.must(w.Disable(t.Context(), operator, "ida"))
		w.must(w.Unlink(t.Context(), operator, "ida"))
		if p := w.person("ida"); !p.Disabled {
			t.Errorf("%+v", p)
		}
		w.must(w.Enable(t.Context(), operator, "ida"))
		for _, password := range []string{"", passwordFor("ida")} {
			_, _, err = w.SignIn(t.Context(), "ida", password, "192.0.2.1")
			is[*WrongSignIn](t, err)
		}
		w.must(w.SetPassword(t.Context(), operator, "ida", passwordFor("ida")))
		w.in("ida")
	})
}

// T1: an admin who can sign in stays: one without a password has to get one before he is unlinked if he is
// the last, and is not the other admin who is left.
func TestT1_TheLastAdminIsUnlinkedWithAPasswordOnly(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		_, _, err := w.Admit(t.Context(), identity("1", "ida", Admin), Create)
		w.must(err)
		if e := is[*NotAllowed](t, w.Unlink(t.Context(), operator, "ida")); !strings.Contains(e.Error(), "give him one first") {
			t.Error(e)
		}
		if p := w.person("ida"); p.Issuer != issuer || !w.Active(p) {
			t.Errorf("%+v", p)
		}
		w.add(Admin, "anna")
		w.must(w.Unlink(t.Context(), operator, "ida"))
		is[*LastAdmin](t, w.Disable(t.Context(), operator, "anna"))
		is[*LastAdmin](t, w.SetRole(t.Context(), operator, "anna", Viewer))
		w.must(w.SetPassword(t.Context(), operator, "ida", passwordFor("ida")))
		w.must(w.Disable(t.Context(), operator, "anna"))
		w.must(w.Link(t.Context(), operator, "ida", issuer, "1"))
		w.must(w.Unlink(t.Context(), operator, "ida")) // the last one, who has a password
		if p := w.person("ida"); p.Role != Admin || !w.Active(p) {
			t.Errorf("%+v", p)
		}
	})
}

// An issuer is the address of a server, as the settings of OpenID Connect have it: no other one would ever
// be the issuer of anybody.
func TestAnIssuerIsAnAddress(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Admin, "anna")
		before := w.everything()
		for _, bad := range []string{"x", "id.example.org", "http://id.example.org", "https://", "https://a:b@id.example.org", "https://id.example.org/?x=1", "mailto:x"} {
			if e := is[*BadValue](t, w.Link(t.Context(), operator, "anna", bad, "1")); e.Subject != "issuer" || !strings.Contains(e.Hint, "https://") {
				t.Errorf("%s: %v", bad, e)
			}
		}
		if w.everything() != before {
			t.Error("something has changed")
		}
		for _, good := range []string{"https://id.example.org/", "https://id.example.org/realms/a", "http://localhost:8080", "http://127.0.0.1:1"} {
			w.must(w.Link(t.Context(), operator, "anna", good, "1"))
		}
	})
}
