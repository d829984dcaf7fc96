package agent_test

import (
	"context"
	"slices"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// TestS33_AlwaysHoldsForTheSession: what a person permits "always" holds for the session
// although the file it is written to is held back. From the moment it is not, the file
// decides: a rule that is taken out of it is gone.
func TestS33_AlwaysHoldsForTheSession(t *testing.T) {
	settings, err := permission.NewContext(permission.Config{Cwd: "/project", Home: "/home/dev"})
	if err != nil {
		t.Fatal(err)
	}
	always := []permission.Update{
		{Type: permission.AddRules, Behavior: rule.Allow, Destination: rule.LocalSettings, Rules: []string{"Bash(git push:*)"}},
		{Type: permission.AddRules, Behavior: rule.Allow, Destination: rule.UserSettings, Rules: []string{"Bash(make:*)"}},
	}
	p := &person{}
	p.answer = func(_ context.Context, q agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: permission.Allow, Updates: always, Answered: true}, nil
	}
	untrusted, written := "nobody has trusted it", 0
	var turns []reply
	for _, id := range []string{"1", "2", "3"} {
		turns = append(turns, reply{calls: []model.Block{use("p"+id, "Bash", push), use("m"+id, "Bash", `{"command":"make"}`)}}, reply{text: "ok"})
	}
	w := newWorld(t, config{asker: p, turns: turns, change: func(c *agent.Config) {
		c.Permissions = settings
		c.HeldBack = func(s rule.Source) string {
			if s == rule.LocalSettings {
				return untrusted
			}
			return ""
		}
		c.Persist = func(permission.Update) error { written++; return nil }
	}})
	w.prompt("go")
	w.agent.Rebase(settings) // the file of the user has lost its rule by then
	w.prompt("go on")
	untrusted = ""
	w.agent.Rebase(settings) // and so has the one that somebody trusts
	w.prompt("go on")
	if got := questions(p); !slices.Equal(got, []string{"p1", "m2", "p3"}) {
		t.Errorf("asked about %v", got)
	}
	if p.asked[0].HeldBack[rule.LocalSettings] == "" && len(p.asked[0].Suggestions) > 0 {
		t.Errorf("the person was not told: %+v", p.asked[0])
	}
	if written != 6 {
		t.Errorf("%d updates were written", written)
	}
}
