package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/tool"
)

// TestS38_DirectoriesThatAreTakenAway: those of the command line end with the session's
// own, and what stays is reported.
func TestS38_DirectoriesThatAreTakenAway(t *testing.T) {
	for name, tt := range map[string]struct {
		from, to rule.Source
		dir      string
		asked    int // about a file in it
		says     string
	}{
		"of the session":          {rule.Session, rule.Session, "/data", 2, ""},
		"of the command line":     {rule.CLIArg, rule.Session, "/data", 2, ""},
		"of settings":             {rule.UserSettings, rule.Session, "/data", 1, "The directory /data is still one that may be worked in: it comes from userSettings, and was to be removed from session."},
		"of other settings":       {rule.UserSettings, rule.LocalSettings, "/data", 1, "it comes from userSettings, and was to be removed from localSettings."},
		"of the settings it says": {rule.UserSettings, rule.UserSettings, "/data", 2, ""},
		"that are none":           {rule.CLIArg, rule.Session, "/other", 1, "The directory /other was not removed: it is not one that was added."},
	} {
		t.Run(name, func(t *testing.T) {
			p := &person{answer: func(_ context.Context, q agent.Question) (permission.Answer, error) {
				if q.Tool != "Bash" {
					return permission.Answer{Behavior: permission.Allow}, nil
				}
				return permission.Answer{Behavior: permission.Allow, Updates: []permission.Update{
					{Type: permission.RemoveDirectories, Directories: []string{tt.dir}, Destination: tt.to},
				}}, nil
			}}
			settings := func(mode permission.Mode) *permission.Context {
				c, err := permission.NewContext(permission.Config{
					Cwd: "/project", Home: "/home/dev", Mode: mode, Directories: []permission.Directory{{Path: "/data", Source: tt.from}},
				})
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			w := newWorld(t, config{asker: p, turns: []reply{
				{calls: []model.Block{use("t1", "Bash", push)}},
				{calls: []model.Block{use("t2", "Read", `{"file_path":"/data/x"}`)}},
				{text: "ok"},
				{calls: []model.Block{use("t3", "Read", `{"file_path":"/data/x"}`)}},
				{text: "ok"},
			}, change: func(c *agent.Config) { c.Permissions = settings(permission.Default) }})
			w.prompt("go")
			if got := disturbed(p); got != tt.asked {
				t.Errorf("asked %d times, want %d", got, tt.asked)
			}
			if got := w.warnings(); tt.says == "" && got != "" || !strings.Contains(got, tt.says) {
				t.Errorf("warned %q, want %q", got, tt.says)
			}
			// New settings bring no directory back that the session has taken away.
			w.agent.Rebase(settings(permission.Default))
			w.prompt("again")
			if want := 2*tt.asked - 1; disturbed(p) != want {
				t.Errorf("after new settings: asked %d times, want %d", disturbed(p), want)
			}
		})
	}
}

// TestAnInterruptedTaskMayHaveDoneSomething: what a sub-agent ran has run.
func TestAnInterruptedTaskMayHaveDoneSomething(t *testing.T) {
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}},
		{calls: []model.Block{use("s1", "Bash", push), use("s2", "Bash", push)}},
	}})
	w.tools.run = func(context.Context, tool.Job) tool.Result {
		w.agent.Interrupt()
		return tool.Succeed("pushed")
	}
	w.prompt("go")
	text := said(w.results()["t1"])
	if strings.Contains(text, "Not run") || !strings.Contains(text, "may have been done") {
		t.Errorf("%q", text)
	}
	if len(w.tools.list()) != 1 {
		t.Errorf("%q ran", w.tools.list())
	}
}
