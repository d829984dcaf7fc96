package people

import (
	"encoding/base64"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestSignIn(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		token, p, err := w.SignIn(t.Context(), "ben", passwordFor("ben"), "192.0.2.7:4711")
		w.must(err)
		secret, ok := strings.CutPrefix(token, "asp_")
		if raw, err := base64.RawURLEncoding.DecodeString(secret); !ok || err != nil || len(raw) != 32 {
			t.Errorf("%d bytes, %v", len(raw), err)
		}
		if p != w.person("ben") {
			t.Errorf("%+v", p)
		}
		who, in, err := w.Who(t.Context(), token)
		want := SignedIn{Number: in.Number, Name: "ben", Kind: PersonSignIn, Role: Approver, Created: w.clock(), Until: w.clock().Add(12 * time.Hour), Moment: 1} // that he was added
		if err != nil || who != p || in != want {
			t.Errorf("%+v %+v %v", who, in, err)
		}
		other, _ := w.in("ben")
		if other == token {
			t.Error("it is the same token")
		}
		w.must(w.SignOut(t.Context(), token))
		w.must(w.SignOut(t.Context(), token))
		if why, ended := w.lapse(token); !ended || why != NoToken {
			t.Errorf("%v %v", why, ended)
		}
		w.pass(12*time.Hour - time.Microsecond)
		if _, ended := w.lapse(other); ended {
			t.Error("it has ended too early")
		}
		w.pass(time.Microsecond)
		if why, ended := w.lapse(other); !ended || why != TokenExpired {
			t.Errorf("%v %v", why, ended)
		}
		w.in("ben") // who was signed in is forgotten
		if n := strings.Count(w.everything(), "|person|"); n != 1 {
			t.Errorf("%d sign-ins are kept", n)
		}
	})
}

func TestWhatIsNoToken(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		token, _ := w.in("ben")
		for _, no := range []string{"", "asp_", token[:len(token)-1], token + "A", strings.ToUpper(token), "x" + token[1:], "asp_" + strings.Repeat("A", 43), "asp_" + strings.Repeat("\x00", 43), "asp_" + strings.Repeat("\xff", 43), " " + token} {
			if why, ended := w.lapse(no); !ended || why != NoToken {
				t.Errorf("%q: %v %v", no, why, ended)
			}
		}
	})
}

// Who acts by a token is asked with every request: the time must not grow with how many do.
func TestWhoGoesByIndexes(t *testing.T) {
	w := newWorld(t, inFile(t))
	plan, err := readAll(t.Context(), w.db.Reads(), func(row scanner) (detail string, err error) {
		var a, b, c int
		err = row.Scan(&a, &b, &c, &detail)
		return detail, err
	}, "EXPLAIN QUERY PLAN "+byToken, digestOf("x"))
	w.must(err)
	if len(plan) != 4 || strings.Contains(strings.Join(plan, "\n"), "SCAN") {
		t.Errorf("%q", plan)
	}
}

// A person can be disabled by hand in the database, where nobody ends his sign-ins.
func TestWhoIsDisabledIsNotSignedIn(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		token, _ := w.in("ben")
		w.exec("UPDATE people SET disabled = 1")
		if why, ended := w.lapse(token); !ended || why != PersonDisabled {
			t.Errorf("%v %v", why, ended)
		}
		w.exec("UPDATE people SET disabled = 0, role = 'owner'")
		_, _, err := w.Who(t.Context(), token)
		is[*Damaged](t, err)
		w.exec("UPDATE people SET role = 'viewer'")
		if _, in, err := w.Who(t.Context(), token); err != nil || in.Role != Viewer {
			t.Errorf("%v %v", in.Role, err)
		}
		w.exec("UPDATE people_sign_ins SET role = ''")
		_, _, err = w.Who(t.Context(), token)
		is[*Damaged](t, err)
	})
}

func (w *world) exec(text string, args ...any) {
	w.t.Helper()
	_, err := w.db.Writer().ExecContext(w.t.Context(), text, args...)
	w.must(err)
}

// T12: whoever tries learns neither from words nor from time whether a name is there. Time is
// what is hashed.
func TestT12_AWrongNameIsLikeAWrongPassword(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben", "gone")
		w.must(w.Disable(t.Context(), operator, "gone"))
		_, _, err := w.Admit(t.Context(), Identity{Issuer: "https://idp.example", Subject: "1", Name: "ida", Role: Viewer}, Create)
		w.must(err)
		w.hasher.cost.time = 2 // whose password is right would be hashed once more
		for _, c := range []struct{ name, password string }{
			{"ben", "a wrong password"},
			{"ben", ""},
			{"ben", strings.Repeat("x", 1001)},
			{"ben", strings.Repeat("x", 1<<20)},
			{"ghost", "a wrong password"},
			{"Ben", passwordFor("ben")},
			{"", "a wrong password"},
			{"\xff", "a wrong password"},
			{"a\x00b", "a wrong password"},
			{strings.Repeat("x", 1<<20), "a wrong password"},
			{"assent", "a wrong password"},
			{"gone", passwordFor("gone")},
			{"gone", "a wrong password"},
			{"ida", ""},
			{"ida", "a wrong password"},
		} {
			w.exec("DELETE FROM people_attempts")
			before := w.hashed.Load()
			token, p, err := w.SignIn(t.Context(), c.name, c.password, "192.0.2.1")
			if e := is[*WrongSignIn](t, err); *e != (WrongSignIn{}) || token != "" || p != (Person{}) {
				t.Errorf("%.20q: %v %q %v", c.name, e, token, p)
			}
			if n := w.hashed.Load() - before; n != 1 {
				t.Errorf("%.20q with %.20q: %d hashes", c.name, c.password, n)
			}
		}
	})
}

// T19: no secret is where somebody may read it.
func TestT19_NoSecretsAreKept(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		token, _ := w.in("ben")
		program, _, err := w.Issue(t.Context(), operator, "ben", "ci", Viewer, w.clock().Add(time.Hour))
		w.must(err)
		kept := w.everything()
		for _, secret := range []string{passwordFor("ben"), token, token[4:], program, program[4:]} {
			if strings.Contains(kept, secret) {
				t.Errorf("%q is kept", secret)
			}
		}
		for _, err := range []error{
			func() error { _, _, err := w.SignIn(t.Context(), "ben", "a secret slip", ""); return err }(),
			func() error { _, _, err := w.Who(t.Context(), "asp_a secret slip"); return err }(),
			w.SetPassword(t.Context(), operator, "ben", "a secret"),
			w.SetPassword(t.Context(), By{}, "ben", "a secret slip of the tongue"),
		} {
			if err == nil || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v", err)
			}
		}
	})
}

// Hashes of before are made anew when somebody says what they are of.
func TestOldHashesAreRenewed(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben")
		w.hasher.cost.time = 2
		_, _, err := w.SignIn(t.Context(), "ben", "a wrong password", "")
		is[*WrongSignIn](t, err)
		if kept := w.everything(); !strings.Contains(kept, "m=8,t=1,p=1") {
			t.Error(kept)
		}
		first, _ := w.in("ben")
		if kept := w.everything(); !strings.Contains(kept, "m=8,t=2,p=1") || strings.Contains(kept, "t=1") {
			t.Error(kept)
		}
		w.in("ben")
		if _, ended := w.lapse(first); ended {
			t.Error("the renewed hash has ended a sign-in")
		}
	})
}

// A password that is changed while it is compared signs nobody in.
func TestT5_ASignInThatWasOvertaken(t *testing.T) {
	for what, change := range map[string]func(*world) error{
		"password": func(w *world) error {
			return w.SetPassword(w.t.Context(), operator, "ben", "a completely new password")
		},
		"disable": func(w *world) error { return w.Disable(w.t.Context(), operator, "ben") },
	} {
		t.Run(what, func(t *testing.T) {
			onBoth(t, func(t *testing.T, w *world) {
				w.add(Approver, "ben")
				derive := w.hasher.derive
				w.hasher.derive = func(password, salt []byte, c cost) []byte {
					w.hasher.derive = derive
					w.must(change(w))
					return derive(password, salt, c)
				}
				_, _, err := w.SignIn(t.Context(), "ben", passwordFor("ben"), "192.0.2.1")
				is[*WrongSignIn](t, err)
				if kept := w.everything(); strings.Contains(kept, "|person|") {
					t.Error(kept)
				}
			})
		})
	}
}

func TestManySignInsAtTheSameTime(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.add(Approver, "ben", "carl")
		w.in("ben") // where he is known to be
		tokens := make(chan string, 8)
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				name := []string{"ben", "carl"}[i%2]
				token, _, err := w.SignIn(t.Context(), name, passwordFor(name), "192.0.2.1")
				if err != nil {
					t.Error(err)
				}
				tokens <- token
			})
		}
		all.Wait()
		close(tokens)
		for token := range tokens {
			if _, ended := w.lapse(token); ended {
				t.Error("one does not count")
			}
		}
	})
}
