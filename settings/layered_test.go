package settings

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// The project denies for everybody, each developer has fast paths of their own,
// and a session has grants that never reach a file.
func TestP14_LayeredTeamConfiguration(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"deny": ["Bash(rm -rf *)", "Bash(npm publish)", "Bash(git push --force *)"]}}`)
	w.put(rule.LocalSettings, `{"permissions": {"allow": ["Bash(npm test)", "Bash(npm run build)"]}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	before := w.read(w.path(rule.LocalSettings))
	session := permission.Update{
		Type: permission.AddRules, Destination: rule.Session, Behavior: rule.Allow,
		Rules: []string{"Bash(git push origin feature/*)", "Bash(git push --force *)", "Bash(npm *)"},
	}
	ctx, err := permission.NewContext(w.load().Config())
	if err != nil {
		t.Fatal(err)
	}
	if ctx, err = ctx.Apply(session); err != nil {
		t.Fatal(err)
	}
	w.persist(session)

	for command, want := range map[string]permission.Behavior{
		"npm test":                    permission.Allow,
		"npm run build":               permission.Allow,
		"npm run lint":                permission.Allow, // the session's
		"npm publish":                 permission.Deny,  // although the session allows npm
		"rm -rf build":                permission.Deny,
		"git push origin feature/x":   permission.Allow,
		"git push --force origin x":   permission.Deny, // although the session allows it
		"git push origin main":        permission.Ask,
		"npm test && npm publish":     permission.Deny,
		"npm test && git push origin": permission.Ask,
	} {
		if got := decide(t, ctx, command); got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}

	if after := w.read(w.path(rule.LocalSettings)); after != before {
		t.Errorf("a session rule reached the file:\n%s", after)
	}
	if _, err := os.Stat(w.path(rule.UserSettings)); err == nil {
		t.Error("a session rule made a user settings file")
	}
	fresh, err := permission.NewContext(w.load().Config())
	if err != nil {
		t.Fatal(err)
	}
	if got := decide(t, fresh, "git push origin feature/x"); got != permission.Ask {
		t.Errorf("the next session starts with %v", got)
	}
}

// decide judges one shell command.
func decide(t *testing.T, ctx *permission.Context, command string) permission.Behavior {
	t.Helper()
	engine := permission.NewEngine(onlyBash{}, nil)
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	call, err := engine.Validate(ctx, permission.Request{Tool: "Bash", Input: input})
	if err != nil {
		t.Fatal(err)
	}
	return engine.Decide(ctx, call).Behavior
}

// onlyBash is a world with one tool.
type onlyBash struct{}

func (onlyBash) Lookup(name string) (permission.Tool, bool) { return bash{}, name == "Bash" }

type bash struct{}

func (bash) Name() string          { return "Bash" }
func (bash) Kind() permission.Kind { return permission.Shell }
func (bash) Subject() string       { return "command" }

func (bash) Decode(input []byte) (map[string]any, error) {
	var v map[string]any
	err := json.Unmarshal(input, &v)
	return v, err
}

// What an update does in memory and what it does to the file are the same: a
// context that was updated has the rules, directories and mode that the files
// give to the next one.
func TestP13_MemoryAndFileAgree(t *testing.T) {
	for _, dest := range fileDestinations {
		for _, u := range []permission.Update{
			ruleUpdate(permission.AddRules, rule.Allow, "Bash(new)", "Bash(old)", "Bash( spaced )"),
			ruleUpdate(permission.AddRules, rule.Deny, "Bash(broken"),
			ruleUpdate(permission.ReplaceRules, rule.Deny, "Bash(z)", "Bash(y)"),
			ruleUpdate(permission.RemoveRules, rule.Allow, "Bash(old)"),
			ruleUpdate(permission.RemoveRules, rule.Allow, "Read(*)"),
			dirUpdate(permission.AddDirectories, "sub", "~/x", "/"),
			dirUpdate(permission.RemoveDirectories, "../out/."),
			{Type: permission.SetMode, Mode: permission.Plan},
		} {
			t.Run(dest.String()+" "+string(u.Type), func(t *testing.T) {
				w := newWorld(t).trusted()
				w.put(dest, `{"permissions": {"allow": ["Bash(old)", "Read"], "deny": ["Bash(d)", "Bash(half"], "additionalDirectories": ["../out"]}}`)
				u.Destination = dest
				ctx, err := permission.NewContext(w.load().Config())
				if err != nil {
					t.Fatal(err)
				}
				if ctx, err = ctx.Apply(u); err != nil {
					t.Fatal(err)
				}
				w.persist(u)
				next, err := permission.NewContext(w.load().Config())
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "after the update", contextLines(ctx), contextLines(next))
			})
		}
	}
}
