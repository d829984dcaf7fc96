package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// onDisk is a checker for a workspace with these project settings, which nobody
// has trusted.
func onDisk(t *testing.T, project string) *Checker {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, "proj", ".claude")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(project), 0o644); err != nil {
		t.Fatal(err)
	}
	c := newTestChecker(t)
	c.Settings = settings.Options{Dir: filepath.Join(top, "proj"), Home: filepath.Join(top, "home"), ManagedFiles: []string{}}
	return c
}

func judgeCall(t *testing.T, c *Checker, text string) *Judgement {
	t.Helper()
	call, err := ParseCall(text)
	if err != nil {
		t.Fatal(err)
	}
	return judged(t, c, Query{Tool: call.Tool, Input: call.Input})
}

func flipTexts(j *Judgement, to permission.Behavior) []string {
	var all []string
	for _, f := range j.Flips() {
		if f.To == to {
			all = append(all, f.String())
		}
	}
	return all
}

func TestFlipsOfAnUntrustedWorkspace(t *testing.T) {
	c := onDisk(t, `{"permissions": {"allow": ["Bash(make)"], "deny": ["Bash(make clean)"]}}`)
	proj := c.Settings.Dir
	j := judgeCall(t, c, "Bash(make)")
	if j.Decision.Behavior != permission.Ask {
		t.Fatalf("got %v, want ask: a workspace cannot grant itself anything", j.Decision.Behavior)
	}
	got := flipTexts(j, permission.Allow)
	want := []string{
		"trust the workspace: assent trust " + proj,
		"add allow rule Bash(make) to " + filepath.Join(filepath.Dir(proj), "home", ".claude", "settings.json"),
		"run in mode bypassPermissions",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if j := judgeCall(t, c, "Bash(make clean)"); j.Decision.Behavior != permission.Deny {
		t.Errorf("the deny rule of an untrusted workspace must hold, got %v", j.Decision.Behavior)
	}
}

// What is added by hand to a trusted workspace has to be trusted again.
func TestFlipsOfATrustedWorkspace(t *testing.T) {
	c := onDisk(t, `{"permissions": {"allow": ["Bash(make)"]}}`)
	if err := settings.Trust(c.Settings, ""); err != nil {
		t.Fatal(err)
	}
	if j := judgeCall(t, c, "Bash(make)"); j.Decision.Behavior != permission.Allow {
		t.Fatalf("got %v, want allow", j.Decision.Behavior)
	}
	got := flipTexts(judgeCall(t, c, "Bash(make x)"), permission.Allow)
	want := "add allow rule Bash(make x) to " + c.Settings.Dir + "/.claude/settings.local.json and run `assent trust " + c.Settings.Dir + "`"
	if len(got) == 0 || got[0] != want {
		t.Errorf("got %q\nwant %q first", got, want)
	}
}

func TestHeldBackHooksAsk(t *testing.T) {
	c := onDisk(t, `{"hooks": {"PreToolUse": [{"matcher": "Bash|Edit", "hooks": [{"type": "command", "command": "x"}]}]}}`)
	for call, want := range map[string]permission.Behavior{
		"Bash(ls)":               permission.Allow, // it only reads
		"Bash(make)":             permission.Ask,
		"Read(x)":                permission.Allow,
		"Edit(x)":                permission.Ask,
		"WebFetch(https://a.bc)": permission.Ask,
	} {
		c.Settings.Mode = permission.BypassPermissions
		if call == "WebFetch(https://a.bc)" {
			want = permission.Allow // no hook is for it
		}
		j := judgeCall(t, c, call)
		if j.Decision.Behavior != want {
			t.Errorf("%s: got %v, want %v: %s", call, j.Decision.Behavior, want, j.Decision.Message())
		}
		if want == permission.Ask && !slices.Contains(flipTexts(j, permission.Allow), "trust the workspace: assent trust "+c.Settings.Dir) {
			t.Errorf("%s: trusting the workspace is not offered: %q", call, flipTexts(j, permission.Allow))
		}
	}
}

func TestExplainTellsAboutHooks(t *testing.T) {
	c := onDisk(t, `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}}`)
	c.Settings.TrustWorkspace = true
	notes := judgeCall(t, c, "Bash(ls)").Explain().Notes
	if len(notes) != 1 || !strings.Contains(notes[0], "settings.json:1 run before the rules") {
		t.Errorf("got %q", notes)
	}
}

func TestBrokenSettingsAreAnError(t *testing.T) {
	c := onDisk(t, "{\n \"permissions\": {\"deny\": [\"Bash\"], \"deny\": []}}")
	_, err := c.Judge(Query{Tool: "Bash", Input: []byte(`{"command":"ls"}`)})
	if err == nil || !strings.Contains(err.Error(), "settings.json:2:") || !strings.Contains(err.Error(), "occurs twice") {
		t.Errorf("got %v", err)
	}
}

func TestExplainStages(t *testing.T) {
	for _, c := range []struct {
		call string
		p    Permissions
		want []string
	}{
		{"Bash(ls)", Permissions{}, []string{"valid", "no rule", "allow", "not reached"}},
		{"Bash(make)", Permissions{}, []string{"valid", "no rule", "ask", "ask"}},
		{"Bash(make)", Permissions{Allow: []string{"Bash(make)"}}, []string{"valid", "allow", "not reached", "not reached"}},
		{"Bash(make)", Permissions{Deny: []string{"Bash"}}, []string{"valid", "deny", "not reached", "not reached"}},
		{`Read({"path": "x"})`, Permissions{}, []string{"ask", "not reached", "not reached", "ask"}},
	} {
		var got []string
		for _, s := range shortCall(t, c.call, c.p).Explain().Stages {
			got = append(got, s.Outcome)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.call, got, c.want)
		}
	}
}

func TestExplainPaths(t *testing.T) {
	c := newTestChecker(t)
	call, err := ParseCall("Bash(cat a > l/b; rm -r /tmp/x $X; cat .git/config > .git/hooks/x)")
	if err != nil {
		t.Fatal(err)
	}
	j := judged(t, c, Query{
		Tool: call.Tool, Input: call.Input, Permissions: &Permissions{}, Symlinks: map[string]string{"/home/dev/proj/l": "/etc"},
	})
	want := []PathView{
		{"writes", PathReply{"/home/dev/proj/l/b", "/etc/b", ""}, false, false, false, false},
		{"reads", PathReply{"/home/dev/proj/a", "/home/dev/proj/a", ""}, true, false, false, false},
		{"deletes", PathReply{"/tmp/x", "/tmp/x", ""}, false, false, false, true},
		{"deletes", PathReply{"…", "", "only known when it runs"}, false, false, false, true},
		{"writes", PathReply{"/home/dev/proj/.git/hooks/x", "/home/dev/proj/.git/hooks/x", ""}, true, true, false, false},
		{"reads", PathReply{"/home/dev/proj/.git/config", "/home/dev/proj/.git/config", ""}, true, false, false, false},
	}
	got := j.Explain().Paths
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%+v is missing in %+v", w, got)
		}
	}
}
