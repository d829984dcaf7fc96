package voice

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/people"
)

// Whoever is refused as the same human, beside another or for what the other wanted, is refused as well
// when he has signed in with another e-mail, until an admin says that they are two.
func TestT1_AnotherEMailMakesNoSecondVoice(t *testing.T) {
	db, err := database.OpenFile(t.TempDir() + "/people.db")
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	store, err := people.On(t.Context(), db)
	must(t, err)
	operator := people.Operator("root@vm")
	comes := func(email string, verified bool) {
		t.Helper()
		_, _, err := store.Admit(t.Context(), people.Identity{Issuer: "https://idp.example", Subject: "9", Name: "zed", Email: email, EmailVerified: verified, Role: people.Approver}, people.Create)
		must(t, err)
	}
	comes("olga@corp.com", true)
	must(t, store.Add(t.Context(), operator, people.Person{Name: "olga", Email: "olga@corp.com", Role: people.Approver}, "correct horse battery"))
	must(t, store.GiveAccount(t.Context(), operator, "root", "olga"))
	for _, step := range []struct {
		name   string
		change func()
		by     string // what is said why; empty when he is not refused
	}{
		{"the same e-mail", func() {}, "by the e-mail"},
		{"one that is not verified", func() { comes("other@corp.com", false) }, "by the e-mail"},
		{"none", func() { comes("", false) }, "by the e-mail"},
		{"another one", func() { comes("zed@corp.com", true) }, "by an earlier e-mail"},
		{"and none again", func() { comes("", false) }, "by an earlier e-mail"},
		{"an admin has said so", func() { must(t, store.SetEmail(t.Context(), operator, "zed", "zed@corp.com")) }, ""},
	} {
		step.change()
		vote := approval.Vote{Voter: "zed", By: "zed", At: time.Now()}
		other := approval.Vote{Voter: "olga", By: "olga", At: time.Now()}
		must(t, db.Within(t.Context(), func(tx *database.Tx) error {
			for what, err := range map[string]error{
				"beside her":      Counts(store)("")(t.Context(), tx, vote, other),
				"what she wanted": Counts(store)("root@vm")(t.Context(), tx, vote),
			} {
				_, refused := errors.AsType[*approval.Lapsed](err)
				if refused != (step.by != "") || refused && !strings.Contains(err.Error(), step.by) {
					t.Errorf("%s, %s: %v", step.name, what, err)
				}
			}
			return nil
		}))
	}
}
