package permission_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func TestP1_StagesInOrder(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(rm:*)"}, Allow: []string{"Bash(npm test)"}})
	for _, tt := range []struct {
		command string
		want    permission.Behavior
		stage   permission.Stage
		trace   []permission.Behavior
	}{
		{"rm x", permission.Deny, permission.StageRules, []permission.Behavior{permission.Pass, permission.Deny, 0, 0}},
		{"npm test", permission.Allow, permission.StageRules, []permission.Behavior{permission.Pass, permission.Allow, 0, 0}},
		{"ls", permission.Allow, permission.StageCheck, []permission.Behavior{permission.Pass, permission.Pass, permission.Allow, 0}},
		{"make", permission.Ask, permission.StageCheck, []permission.Behavior{permission.Pass, permission.Pass, permission.Ask, 0}},
	} {
		d := w.bash(tt.command)
		if d.Behavior != tt.want || d.Stage != tt.stage {
			t.Errorf("%s: %v in %v, want %v in %v", tt.command, d.Behavior, d.Stage, tt.want, tt.stage)
		}
		for i, outcome := range tt.trace {
			if d.Trace[i].Outcome != outcome {
				t.Errorf("%s: stage %d said %v, want %v", tt.command, i+1, d.Trace[i].Outcome, outcome)
			}
		}
	}
}

// What is decided on is borrowed; a decision must not change when that is used again.
func TestDecisionOutlivesItsScript(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(rm:*)"}, Ask: []string{"Bash(npm publish *)"}, Allow: []string{"Bash(npm test)"}})
	commands := []string{
		"sudo -u x rm -rf a", "timeout 5 npm publish 'x y'", "npm test && ls 'a b'", "cat /etc/passwd", "cd a && make x > b", "echo 'x",
		"find . -name x -exec rm {} +", "docker compose -f a up", "cat a",
	}
	var decisions []permission.Decision
	var said []string
	show := func(d permission.Decision) string {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, command := range commands {
		d := w.bash(command)
		decisions, said = append(decisions, d), append(said, show(d))
	}
	for i, d := range decisions {
		if now := show(d); now != said[i] {
			t.Errorf("%s: it said\n%s\nand now it says\n%s", commands[i], said[i], now)
		}
	}
}

func TestP2_InvalidInputAsks(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash", "Read"}}, inMode(permission.BypassPermissions))
	for _, input := range []string{
		`{}`, `{"command": 7}`, `{"command": ""}`, `{"command": "ls", "command": "rm -rf /"}`, `{"COMMAND": "ls"}`,
		`{"command": "ls", "Command": "rm"}`, `[]`, `null`, `"ls"`, `{"command": "ls"`, `{"command": "l` + "\xff" + `s"}`, ``,
	} {
		_, err := w.engine.Validate(w.ctx, permission.Request{Tool: "Bash", Input: []byte(input)})
		var invalid *permission.InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%s: error %v, want an InvalidError", input, err)
			continue
		}
		d := permission.Invalid(w.ctx, invalid)
		if d.Behavior != permission.Ask || d.Reason.Kind != permission.ByInvalid || !strings.Contains(d.Message(), "Bash") {
			t.Errorf("%s: %v: %s", input, d.Behavior, d.Message())
		}
	}
}

func TestS4_UnknownToolIsNoTool(t *testing.T) {
	w := newWorld(t, lists{})
	for _, name := range []string{"bash", "Nope", ""} {
		if _, err := w.engine.Validate(w.ctx, permission.Request{Tool: name, Input: []byte(`{}`)}); !errors.Is(err, permission.ErrNoSuchTool) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestP3_EightSources(t *testing.T) {
	for _, source := range rule.Sources {
		w := newWorld(t, lists{}, func(c *permission.Config) {
			c.Rules = append(read(t, source, lists{Allow: []string{"Bash(a)"}, Ask: []string{"Bash(b)"}, Deny: []string{"Bash(c)"}}),
				read(t, rule.UserSettings, lists{Allow: []string{"Bash(b)", "Bash(c)"}})...)
		})
		for command, want := range map[string]permission.Behavior{"a": permission.Allow, "b": permission.Ask, "c": permission.Deny} {
			d := w.bash(command)
			if d.Behavior != want || d.Reason.Rule == nil || d.Reason.Rule.Origin.Source != source {
				t.Errorf("%v: %s: %v by %+v", source, command, d.Behavior, d.Reason.Rule)
			}
		}
	}
}

// Every pair of sources: a deny of one beats an ask and an allow of the other.
func TestP4_DenyBeatsAskBeatsAllow(t *testing.T) {
	for _, strict := range rule.Sources {
		for _, lax := range rule.Sources {
			w := newWorld(t, lists{}, func(c *permission.Config) {
				c.Rules = append(read(t, strict, lists{Deny: []string{"Bash(d:*)", "Edit(/d)", "mcp__d"}, Ask: []string{"Bash(k:*)", "Edit(//home/dev/proj/k)", "mcp__k"}}),
					read(t, lax, lists{Allow: []string{"Bash", "Edit", "mcp__d__x", "mcp__k__x"}, Ask: []string{"Bash(d:*)"}})...)
				c.UserRoot = project
			})
			w.want(w.bash("d x"), permission.Deny, permission.ByRule)
			w.want(w.bash("k x"), permission.Ask, permission.ByRule)
			w.want(w.file("Write", "d"), permission.Deny, permission.ByRule)
			w.want(w.file("Write", "k"), permission.Ask, permission.ByRule)
			w.want(w.decide("mcp__d__x", map[string]any{}), permission.Deny, permission.ByRule)
			w.want(w.decide("mcp__k__x", map[string]any{}), permission.Ask, permission.ByRule)
		}
	}
}

func TestS5_NearestSourceIsNamed(t *testing.T) {
	w := newWorld(t, lists{}, func(c *permission.Config) {
		for _, source := range rule.Sources {
			c.Rules = append(c.Rules, read(t, source, lists{Deny: []string{"Bash(x)"}})...)
		}
	})
	if d := w.bash("x"); d.Reason.Rule.Origin.Source != rule.Session {
		t.Errorf("named %v", d.Reason.Rule.Origin)
	}
}

func TestP5_AllowRuleUpgradesPassNotAsk(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Edit(//**)", "Bash(npm test)"}})
	w.want(w.file("Edit", "/elsewhere/x"), permission.Allow, permission.ByRule) // outside: pass, upgraded
	w.want(w.file("Edit", ".git/config"), permission.Ask, permission.BySafety)  // explicit ask
	w.want(w.bash("npm test; echo 'unclosed"), permission.Ask, permission.ByUnreadable)
	w.want(w.decide("mcp__a__b", map[string]any{}), permission.Ask, permission.ByNoRule) // pass without a rule asks
	w = newWorld(t, lists{Allow: []string{"Bash(echo:*)"}})
	w.want(w.bash("echo hi > file.txt"), permission.Ask, permission.ByNoRule) // the write is not covered
}

func TestP7_ContextIsImmutable(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(npm test)"}})
	before := w.ctx
	for _, u := range []permission.Update{
		{Type: permission.AddRules, Behavior: rule.Deny, Rules: []string{"Bash(npm:*)"}, Destination: rule.Session},
		{Type: permission.ReplaceRules, Behavior: rule.Allow, Rules: nil, Destination: rule.ProjectSettings},
		{Type: permission.RemoveRules, Behavior: rule.Allow, Rules: []string{"Bash(npm test)"}, Destination: rule.ProjectSettings},
		{Type: permission.SetMode, Mode: permission.Plan, Destination: rule.Session},
		{Type: permission.AddDirectories, Directories: []string{"/x"}, Destination: rule.Session},
	} {
		next, err := before.Apply(u)
		if err != nil {
			t.Fatal(err)
		}
		if next == before {
			t.Errorf("%s: the same context", u.Type)
		}
		if w.bash("npm test").Behavior != permission.Allow || before.Mode() != permission.Default || len(before.Directories()) != 0 {
			t.Errorf("%s changed the snapshot it was made from", u.Type)
		}
	}
	rules := before.Rules()
	rules[0].Behavior = rule.Deny
	if dirs := before.Directories(); len(dirs) > 0 {
		dirs[0].Path = "/"
	}
	if w.bash("npm test").Behavior != permission.Allow {
		t.Error("a caller can change the rules of a context")
	}
}

func TestHookVerdicts(t *testing.T) {
	type verdict = permission.Verdict
	hook := func(b permission.Behavior) verdict { return verdict{Behavior: b, Reason: "hook says so"} }
	for _, tt := range []struct {
		name    string
		rules   lists
		mode    permission.Mode
		command string
		hook    verdict
		want    permission.Behavior
		kind    permission.ReasonKind
	}{
		{"deny ends it", lists{Allow: []string{"Bash"}}, permission.BypassPermissions, "ls", hook(permission.Deny), permission.Deny, permission.ByHook},
		{"broken denies", lists{Allow: []string{"Bash"}}, permission.Default, "ls", verdict{Behavior: permission.Deny, Broken: true, Reason: "x"}, permission.Deny, permission.ByBrokenHook},
		{"allow skips the prompt", lists{}, permission.Default, "make", hook(permission.Allow), permission.Allow, permission.ByHook},
		{"allow loses to deny", lists{Deny: []string{"Bash(make)"}}, permission.Default, "make", hook(permission.Allow), permission.Deny, permission.ByRule},
		{"allow loses to ask", lists{Ask: []string{"Bash(make)"}}, permission.Default, "make", hook(permission.Allow), permission.Ask, permission.ByRule},
		{"allow loses to safety", lists{}, permission.Default, "rm -rf ~", hook(permission.Allow), permission.Ask, permission.BySafety},
		{"ask over an allow rule", lists{Allow: []string{"Bash"}}, permission.Default, "ls", hook(permission.Ask), permission.Ask, permission.ByHook},
		{"ask over bypass", lists{}, permission.BypassPermissions, "ls", hook(permission.Ask), permission.Ask, permission.ByHook},
		{"ask under dontAsk", lists{}, permission.DontAsk, "ls", hook(permission.Ask), permission.Deny, permission.ByMode},
		{"defer parks", lists{Allow: []string{"Bash"}}, permission.Default, "ls", hook(permission.Defer), permission.Defer, permission.ByHook},
		{"defer after deny rules", lists{Deny: []string{"Bash(ls)"}}, permission.Default, "ls", hook(permission.Defer), permission.Deny, permission.ByRule},
		{"defer after plan", lists{}, permission.Plan, "make", hook(permission.Defer), permission.Deny, permission.ByMode},
		{"allow under plan", lists{Allow: []string{"Bash"}}, permission.Plan, "make", hook(permission.Allow), permission.Deny, permission.ByMode},
		{"no opinion", lists{}, permission.Default, "make", hook(permission.Pass), permission.Ask, permission.ByNoRule},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, tt.rules, inMode(tt.mode))
			call := w.validate("Bash", map[string]any{"command": tt.command})
			call.Hook = tt.hook
			w.want(w.engine.Decide(w.ctx, call), tt.want, tt.kind)
		})
	}
}
