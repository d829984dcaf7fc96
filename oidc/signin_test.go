package oidc

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/people"
)

func ana(groups ...string) map[string]any {
	return map[string]any{"preferred_username": "Ana", "name": "Ana Ito", "email": "ana@example.org", "email_verified": true, "groups": groups}
}

func TestSignIn(t *testing.T) {
	w, other := known(t)
	if err := w.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	other.next("subject-1", ana("ops", "bakers"))
	got := w.signedIn(w.browser().signIn())
	want := people.Person{Name: "ana", Shown: "Ana Ito", Email: "ana@example.org", Role: people.Approver, Issuer: other.address, Subject: "subject-1", Confirmed: got.Confirmed, Created: got.Created}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}

	t.Run("by another name it is the same person", func(t *testing.T) {
		claims := ana("admins", "ops")
		claims["preferred_username"], claims["email"], claims["email_verified"] = "anna", "anna@example.org", false
		other.next("subject-1", claims)
		if p := w.signedIn(w.browser().signIn()); p.Name != "ana" || p.Role != people.Admin || p.Email != "ana@example.org" {
			t.Errorf("got %+v", p)
		}
	})
	t.Run("nobody takes over a name", func(t *testing.T) {
		other.next("subject-2", ana("ops"))
		w.refused(w.browser().signIn(), uninvited)
		if !strings.Contains(w.said.String(), "subject-2") {
			t.Errorf("the log does not say whom to link: %s", w.said)
		}
	})
	t.Run("nobody becomes a second person", func(t *testing.T) {
		w.must(w.people.Add(t.Context(), operator, people.Person{Name: "ben", Email: "ben@corp.com", Role: people.Approver}, "a password of ben"))
		for _, claims := range []map[string]any{
			{"preferred_username": "ben@corp.com", "groups": []string{"ops"}},
			{"preferred_username": "b.bo", "email": "ben@corp.com", "email_verified": true, "groups": []string{"ops"}},
		} {
			other.next("subject-9", claims)
			w.refused(w.browser().signIn(), uninvited)
		}
		if !strings.Contains(w.said.String(), "subject-9") {
			t.Errorf("the log does not say whom to link: %s", w.said)
		}
	})
	t.Run("the other server says no", func(t *testing.T) {
		other.next("", nil)
		w.refused(w.browser().signIn(), declined)
	})
	for _, never := range []string{"asp_", "a secret for", "code="} {
		if strings.Contains(w.said.String(), never) {
			t.Errorf("the log says %q: %s", never, w.said)
		}
	}
}

func TestSignInWithoutSecret(t *testing.T) {
	w, other := known(t)
	w.settings.ClientID, w.settings.Secret = "public", nil
	w.reconnect()
	other.next("subject-1", ana("ops"))
	w.signedIn(w.browser().signIn())
}

// A role is what the groups say now, and with the role ends what was signed in with it.
func TestA4_RolesOfGroups(t *testing.T) {
	w, other := known(t)
	w.must(w.people.Add(t.Context(), operator, people.Person{Name: "root-of-all", Role: people.Admin}, "a password for all"))
	other.next("subject-1", ana("admins"))
	before := w.browser().signIn()
	w.signedIn(before)
	token := before.location[strings.Index(before.location, "asp_"):]

	other.next("subject-1", ana("ops"))
	if p := w.signedIn(w.browser().signIn()); p.Role != people.Approver {
		t.Errorf("got %+v", p)
	}
	if _, _, err := w.people.Who(t.Context(), token); err == nil {
		t.Error("the sign-in of the admin still counts")
	}
	for name, groups := range map[string]any{"unknown": []string{"bakers"}, "none": []string{}, "no list": 7, "in another case": []string{"OPS"}} {
		other.next("subject-1", ana("ops"))
		last := w.browser().signIn()
		w.signedIn(last)
		claims := ana()
		claims["groups"] = groups
		other.next("subject-1", claims)
		w.refused(w.browser().signIn(), noRole)
		if _, _, err := w.people.Who(t.Context(), last.location[strings.Index(last.location, "asp_"):]); err == nil {
			t.Errorf("groups %s: what was signed in before still counts", name)
		}
	}
	w.settings.Default = people.Viewer
	if p := w.signedIn(w.browser().signIn()); p.Role != people.Viewer {
		t.Errorf("got %+v", p)
	}
}

func TestA4_WhoIsLetIn(t *testing.T) {
	w, other := known(t)
	w.settings.Arrival = people.OnlyKnown
	other.next("subject-1", ana("ops"))
	w.refused(w.browser().signIn(), uninvited)

	w.must(w.people.Add(t.Context(), operator, people.Person{Name: "ana-ito", Role: people.Viewer}, "a password of ana"))
	w.must(w.people.Link(t.Context(), operator, "ana-ito", other.address, "subject-1"))
	if p := w.signedIn(w.browser().signIn()); p.Name != "ana-ito" || p.Role != people.Approver {
		t.Errorf("got %+v", p)
	}
	w.must(w.people.Disable(t.Context(), operator, "ana-ito"))
	w.refused(w.browser().signIn(), disabled)
	w.must(w.people.Enable(t.Context(), operator, "ana-ito"))

	other.next("subject-1", ana("admins"))
	w.signedIn(w.browser().signIn())
	other.next("subject-1", ana("ops"))
	w.refused(w.browser().signIn(), lastAdmin)
}

// Somebody else's page can make a browser follow any address. It must not sign anybody in as
// somebody else, who would see then what is answered.
func TestT2_SignInOfAnotherBrowser(t *testing.T) {
	w, other := known(t)
	other.next("subject-1", ana("ops"))
	mallory := w.browser()
	caught := mallory.goOn(mallory.begin())

	t.Run("a browser that has not begun", func(t *testing.T) { w.refused(w.browser().get(caught), foreign) })
	t.Run("a browser that has begun another", func(t *testing.T) {
		b := w.browser()
		b.begin()
		w.refused(b.get(caught), foreign)
	})
	t.Run("with the state of the victim", func(t *testing.T) {
		b := w.browser()
		begun, err := url.Parse(b.begin())
		w.must(err)
		w.refused(b.get(with(t, caught, "state", begun.Query().Get("state"))), unconfirmed) // the verifier is another one
	})
	t.Run("a code for another client", func(t *testing.T) {
		b := w.browser()
		w.refused(b.get(b.goOn(with(t, b.begin(), "client_id", "other"))), unconfirmed)
	})
	t.Run("an answer to another question", func(t *testing.T) {
		b := w.browser()
		w.refused(b.get(b.goOn(with(t, b.begin(), "nonce", "another"))), unconfirmed)
	})
	t.Run("with a verifier of somebody else", func(t *testing.T) {
		b := w.browser()
		w.refused(b.get(b.goOn(with(t, b.begin(), "code_challenge", newFlow(time.Now()).state()))), unconfirmed)
	})
	for name, change := range map[string][2]string{
		"no state": {"state", ""}, "another state": {"state", "x"}, "another server": {"iss", "https://evil.example"}, "no server": {"iss", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := w.browser()
			w.refused(b.get(with(t, b.goOn(b.begin()), change[0], change[1])), foreign)
		})
	}
	t.Run("two states", func(t *testing.T) {
		b := w.browser()
		w.refused(b.get(b.goOn(b.begin())+"&state=x"), foreign)
	})
	t.Run("a cookie that was slipped in", func(t *testing.T) {
		u, err := url.Parse(caught)
		w.must(err)
		slipped := mallory.client.Jar.Cookies(u)
		for _, c := range slipped {
			c.Path = CallbackPath // it comes before that of the victim
		}
		b := w.browser()
		b.begin()
		b.client.Jar.SetCookies(u, slipped)
		w.refused(b.get(caught), foreign)
	})
	t.Run("what took too long", func(t *testing.T) {
		b := w.browser()
		back := b.goOn(b.begin())
		w.pass(flowLasts + time.Second)
		w.refused(b.get(back), foreign)
		w.pass(-flowLasts)
	})
	w.signedIn(mallory.get(caught)) // it was good all the time, for the one who began
}

// A code counts once, also for a browser that keeps the cookie.
func TestT2_ReplayedCode(t *testing.T) {
	w, other := known(t)
	other.next("subject-1", ana("ops"))
	b := w.browser()
	back := b.goOn(b.begin())
	u, err := url.Parse(back)
	w.must(err)
	kept := b.client.Jar.Cookies(u)
	w.signedIn(b.get(back))
	w.refused(b.get(back), foreign) // the cookie is gone
	for _, c := range kept {
		c.Path = "/"
	}
	b.client.Jar.SetCookies(u, kept)
	w.refused(b.get(back), unconfirmed)
}

// The other server may be down: that is no reason not to start, and it is found when it is back.
func TestProviderIsDown(t *testing.T) {
	w := newWorld(t)
	port := freePort(t)
	issuer := &url.URL{Scheme: "http", Host: hostPort(port)}
	w.know(issuer.String())
	if err := w.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), issuer.String()) {
		t.Fatalf("got the error %v", err)
	}
	start := w.web.URL + StartPath
	w.refused(w.browser().get(start), unreachable)

	other := w.startProvider(port)
	other.next("subject-1", ana("ops"))
	w.refused(w.browser().get(start), unreachable) // it is not asked at every click
	w.pass(pause)
	w.signedIn(w.browser().signIn())

	b := w.browser()
	back := b.goOn(b.begin())
	other.stop()
	w.refused(b.get(back), unreachable)
	w.pass(fresh)
	w.refused(w.browser().get(start), unreachable)

	other = w.startProvider(port) // with other keys, as far as anybody knows
	other.next("subject-1", ana("ops"))
	w.pass(pause)
	w.signedIn(w.browser().signIn())
}
