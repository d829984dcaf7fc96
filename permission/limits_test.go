package permission_test

import (
	"errors"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func under(l permission.Limits) func(*permission.Config) {
	return func(c *permission.Config) {
		c.Limits, c.AllowBypass = l, true
		c.Protected = []permission.Place{{Path: "/home/dev/proj/real.json", Why: "settings are read from there"}}
	}
}

var everyMode = []permission.Mode{
	permission.Default, permission.AcceptEdits, permission.Plan, permission.Auto, permission.BypassPermissions, permission.DontAsk,
}

// TestS46_FilesOutsideTheDirectories: no rule, mode or hook lets a tool for files out of the
// working directories, for a sub-agent as for the session; inside nothing changes.
func TestS46_FilesOutsideTheDirectories(t *testing.T) {
	rules := lists{Allow: []string{"Read", "Edit", "Glob", "Grep", "Write", "NotebookEdit"}}
	for _, c := range []struct {
		limits      permission.Limits
		tool, input string
		denied      bool
	}{
		{permission.Limits{BlockReads: true}, "Read", `{"file_path":"/etc/hosts"}`, true},
		{permission.Limits{BlockReads: true}, "Read", `{"file_path":"../other/a.go"}`, true},
		{permission.Limits{BlockReads: true}, "Read", `{"file_path":"~/a"}`, true},
		{permission.Limits{BlockReads: true}, "Read", `{"file_path":"a.go"}`, false},
		{permission.Limits{BlockReads: true}, "Read", `{"file_path":"/srv/more/a"}`, false}, // an additional directory
		{permission.Limits{BlockReads: true}, "Grep", `{"pattern":"x","path":"/etc"}`, true},
		{permission.Limits{BlockReads: true}, "Grep", `{"pattern":"x"}`, false},
		{permission.Limits{BlockReads: true}, "Glob", `{"pattern":"/etc/*"}`, true},
		{permission.Limits{BlockReads: true}, "Glob", `{"pattern":"**/../../x"}`, true},
		{permission.Limits{BlockReads: true}, "Glob", `{"pattern":"**/*.go"}`, false},
		{permission.Limits{BlockReads: true}, "Write", `{"file_path":"/srv/x","content":"x"}`, false},
		{permission.Limits{BlockWrites: true}, "Read", `{"file_path":"/etc/hosts"}`, false},
		{permission.Limits{BlockWrites: true}, "Write", `{"file_path":"/srv/x","content":"x"}`, true},
		{permission.Limits{BlockWrites: true}, "Edit", `{"file_path":"/srv/x","old_string":"a","new_string":"b"}`, true},
		{permission.Limits{BlockWrites: true}, "NotebookEdit", `{"notebook_path":"/srv/x.ipynb","new_source":"x"}`, true},
		{permission.Limits{BlockWrites: true}, "Write", `{"file_path":"a.go","content":"x"}`, false},
		{permission.Limits{BlockWrites: true}, "Write", `{"file_path":".claude/settings.json","content":"x"}`, true},
		{permission.Limits{BlockWrites: true}, "Write", `{"file_path":"sub/.Claude/Settings.Local.json","content":"x"}`, true},
		{permission.Limits{BlockWrites: true}, "Write", `{"file_path":"real.json","content":"x"}`, true},
		{permission.Limits{BlockReads: true, ReadsExempt: []string{"/srv/data"}}, "Read", `{"file_path":"/srv/data/a"}`, false},
		{permission.Limits{BlockReads: true, ReadsExempt: []string{"/srv/data"}}, "Read", `{"file_path":"/srv/database"}`, true},
		{permission.Limits{BlockReads: true, BlockWrites: true, ReadsExempt: []string{"/srv/data"}}, "Write", `{"file_path":"/srv/data/a","content":"x"}`, true},
	} {
		for _, mode := range everyMode {
			w := newWorld(t, rules, under(c.limits), inMode(mode), func(config *permission.Config) {
				config.Directories = []permission.Directory{{Path: "/srv/more", Source: rule.CLIArg}}
			})
			for _, ctx := range []*permission.Context{w.ctx, w.ctx.Bubble()} {
				call := w.given(c.tool, c.input)
				call.Hook = permission.Verdict{Behavior: permission.Allow}
				d := w.engine.Decide(ctx, call)
				if got := d.Behavior == permission.Deny && d.Reason.Kind == permission.ByLimit; got != c.denied {
					t.Errorf("mode %v, %+v: %s %s: %v (%s), want denied: %v", mode, c.limits, c.tool, c.input, d.Behavior, d.Message(), c.denied)
				}
			}
		}
	}
}

// TestS46_CommandsThatReadOutside: a command that names a path outside the working directories is
// asked about in every mode, whatever allows it. One that does not is decided as before.
func TestS46_CommandsThatReadOutside(t *testing.T) {
	rules := lists{Allow: []string{"Bash", "Read"}, Deny: []string{"Bash(rm:*)"}}
	for command, asks := range map[string]bool{
		"cat /etc/hosts": true, "grep -r x ..": true, "cd /etc && ls": true, "mytool /etc/hosts": true, "cat <~/secret": true, "cp a /srv/b": true, `cat "$X"`: true,
		"ls": false, "cat a.go > b.go": false, "make 2>/dev/null": false, "npm test": false, "/usr/bin/make all": false, "cat /srv/data/x": false,
		"go test ./... | tail": false, `mytool "$X"`: false, "git log": false, "git commit -m 'read\n/etc/hosts'": false,
	} {
		for _, mode := range everyMode {
			limits := under(permission.Limits{BlockReads: true, ReadsExempt: []string{"/srv/data"}})
			w, without := newWorld(t, rules, limits, inMode(mode)), newWorld(t, rules, inMode(mode))
			want := without.bash(command).Behavior
			if asks && want != deny { // which plan mode says
				want = ask
			}
			if asks && mode == permission.DontAsk {
				want = deny
			}
			if d := w.bash(command); d.Behavior != want {
				t.Errorf("mode %v: %s: %v (%s), want %v", mode, command, d.Behavior, d.Message(), want)
			}
		}
	}
}

func TestS46_ModesThatAreOff(t *testing.T) {
	for _, c := range []struct {
		mode   permission.Mode
		limits permission.Limits
		want   error
	}{
		{permission.Auto, permission.Limits{DisableAuto: true}, permission.ErrAutoDisabled},
		{permission.BypassPermissions, permission.Limits{DisableBypass: true}, permission.ErrBypassDisabled},
		{permission.Auto, permission.Limits{DisableBypass: true}, nil},
		{permission.BypassPermissions, permission.Limits{DisableAuto: true}, nil},
		{permission.AcceptEdits, permission.Limits{DisableAuto: true, DisableBypass: true}, nil},
	} {
		started := newWorld(t, lists{}, under(c.limits), inMode(c.mode))
		if got, want := started.ctx.Mode() == c.mode, c.want == nil; got != want {
			t.Errorf("%v with %+v: it starts in %v", c.mode, c.limits, started.ctx.Mode())
		}
		w := newWorld(t, lists{}, under(c.limits))
		if _, err := w.ctx.WithMode(c.mode); !errors.Is(err, c.want) {
			t.Errorf("%v with %+v: %v, want %v", c.mode, c.limits, err, c.want)
		}
	}
}

// TestS46_OnlyManagedRulesAllow: no source, no answer and no custom command allows anything.
func TestS46_OnlyManagedRulesAllow(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(a)"}, Ask: []string{"Bash(b)"}, Deny: []string{"Bash(c)"}}, under(permission.Limits{ManagedRulesOnly: true}), func(c *permission.Config) {
		c.Rules = append(c.Rules, read(t, rule.PolicySettings, lists{Allow: []string{"Bash(b)", "Bash(c)", "Bash(d)"}})...)
	})
	for _, source := range []rule.Source{rule.Session, rule.CLIArg, rule.LocalSettings, rule.ProjectSettings, rule.UserSettings} {
		for _, kind := range []permission.UpdateType{permission.AddRules, permission.ReplaceRules} {
			_, err := w.ctx.Apply(permission.Update{Type: kind, Destination: source, Behavior: rule.Allow, Rules: []string{"Bash(a)"}})
			if !errors.Is(err, permission.ErrManagedRulesOnly) {
				t.Errorf("%s to %v: %v", kind, source, err)
			}
		}
		if _, err := w.ctx.Apply(permission.Update{Type: permission.AddRules, Destination: source, Behavior: rule.Deny, Rules: []string{"Bash(d)"}}); err != nil {
			t.Errorf("deny to %v: %v", source, err)
		}
	}
	commanded, err := w.ctx.WithCommand(read(t, rule.Command, lists{Allow: []string{"Bash(a)"}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, w.ctx = range []*permission.Context{w.ctx, commanded, w.ctx.Bubble()} {
		for command, want := range map[string]permission.Behavior{"a": ask, "b": ask, "c": deny, "d": allow} {
			call := w.given("Bash", `{"command":"`+command+`"}`)
			d := w.engine.Decide(w.ctx, call)
			if d.Behavior != want {
				t.Errorf("%s: %v (%s), want %v", command, d.Behavior, d.Message(), want)
			}
			if updates := w.engine.Suggest(w.ctx, call, d); len(updates) > 0 {
				t.Errorf("%s: rules are offered that would not count: %v", command, updates)
			}
		}
	}
}

func TestS46_NobodyIsAsked(t *testing.T) {
	w := newWorld(t, lists{Ask: []string{"Bash(b)"}}, under(permission.Limits{NoPrompts: true}))
	for _, command := range []string{"make", "b"} {
		asked := w.bash(command)
		d := asked.Unasked(w.ctx)
		if asked.Behavior != ask || d.Behavior != deny || d.Reason.Kind != permission.ByLimit || d.Question() != asked.Reason {
			t.Errorf("%s: %v, then %v (%s)", command, asked.Behavior, d.Behavior, d.Message())
		}
	}
	if d := w.bash("ls").Unasked(w.ctx); d.Behavior != allow {
		t.Errorf("ls: %v (%s)", d.Behavior, d.Message())
	}
	auto := newWorld(t, lists{}, under(permission.Limits{NoPrompts: true}), inMode(permission.Auto))
	if d := auto.bash("make").Unasked(auto.ctx); d.Behavior != ask || !d.Classify {
		t.Errorf("what a classifier may allow is %v (%s)", d.Behavior, d.Message())
	}
	if d := newWorld(t, lists{}).bash("make"); d.Unasked(newWorld(t, lists{}).ctx).Behavior != ask {
		t.Error("without the setting nothing changes")
	}
}
