package permission_test

import (
	"errors"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func TestS43_RulesOfACommand(t *testing.T) {
	read := func(text string, b rule.Behavior, s rule.Source) rule.Rule {
		r, ok, err := rule.Read(text, b, rule.Origin{Source: s, File: "ship.md", Line: 2})
		if !ok {
			t.Fatal(err)
		}
		return r
	}
	base, err := permission.NewContext(permission.Config{Cwd: "/project", Home: "/home/dev", Rules: []rule.Rule{read("Bash(a)", rule.Allow, rule.UserSettings)}})
	if err != nil {
		t.Fatal(err)
	}
	with, err := base.WithCommand([]rule.Rule{read("Bash(b)", rule.Allow, rule.Command)})
	if err != nil {
		t.Fatal(err)
	}
	if got := with.Rules(); len(got) != 2 || len(base.Rules()) != 1 || got[0].Origin.Source != rule.Command || got[0].Origin.File != "ship.md" {
		t.Errorf("%+v", got)
	}
	if other, err := with.WithCommand([]rule.Rule{read("Bash(c)", rule.Allow, rule.Command)}); err != nil || len(other.Rules()) != 2 || other.Rules()[0].Text != "Bash(c)" {
		t.Errorf("the rules of another command stay: %v, %v", other.Rules(), err)
	}
	if after, err := with.WithCommand(nil); err != nil || len(after.Rules()) != 1 {
		t.Errorf("%v, %v", after.Rules(), err)
	}
	for _, bad := range []rule.Rule{read("Bash(b)", rule.Allow, rule.Session), read("Bash(b)", rule.Deny, rule.Command)} {
		if _, err := base.WithCommand([]rule.Rule{bad}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if _, err := base.Bubble().WithCommand([]rule.Rule{read("Bash(b)", rule.Allow, rule.Command)}); !errors.Is(err, permission.ErrSubAgent) {
		t.Errorf("a sub-agent got rules of its own: %v", err)
	}
}
