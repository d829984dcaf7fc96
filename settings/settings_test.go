package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func TestP3_RulesComeFromEverySource(t *testing.T) {
	w := newWorld(t).trusted()
	w.put(rule.UserSettings, `{"permissions": {"allow": ["Bash(u)"]}}`)
	w.put(rule.ProjectSettings, `{"permissions": {"deny": ["Bash(p)"]}}`)
	w.put(rule.LocalSettings, `{"permissions": {"ask": ["Bash(l)"]}}`)
	w.put(rule.PolicySettings, `{"permissions": {"deny": ["Bash(m)"]}}`)
	w.Flag = `{"permissions": {"allow": ["Bash(f)"]}}`
	w.AllowedTools = []string{"Bash(a:*) Read"}
	w.AskTools = []string{"Bash(b)"}
	w.DisallowedTools = []string{"Bash(c),WebFetch"}

	equal(t, "rules", rules(w.load()), []string{
		"cliArg allow Bash(a:*)", "cliArg allow Read", "cliArg ask Bash(b)",
		"cliArg deny Bash(c)", "cliArg deny WebFetch", "flagSettings allow Bash(f)",
		"localSettings ask Bash(l)", "policySettings deny Bash(m)", "projectSettings deny Bash(p)",
		"userSettings allow Bash(u)",
	})
}

func TestP3_SourcesNarrowWhatIsReadButNeverManagedOrFlag(t *testing.T) {
	w := newWorld(t).trusted()
	for _, s := range []rule.Source{rule.UserSettings, rule.ProjectSettings, rule.LocalSettings, rule.PolicySettings} {
		w.put(s, `{"permissions": {"deny": ["Bash(`+s.String()+`)"]}}`)
	}
	w.Flag = `{"permissions": {"deny": ["Bash(flag)"]}}`
	always := []string{"flagSettings deny Bash(flag)", "policySettings deny Bash(policySettings)"}

	w.Sources = []rule.Source{}
	equal(t, "no source", rules(w.load()), always)

	w.Sources = []rule.Source{rule.UserSettings}
	equal(t, "user only", rules(w.load()), append(slices.Clone(always), "userSettings deny Bash(userSettings)"))

	w.put(rule.ProjectSettings, `{`)
	if _, err := Load(w.Options); err != nil {
		t.Errorf("a broken file that is not asked for stopped the start: %v", err)
	}
	w.Sources = []rule.Source{rule.ProjectSettings}
	if _, err := Load(w.Options); err == nil {
		t.Error("a broken project file was accepted")
	}
}

func TestP3_RuleNamesItsFileAndLine(t *testing.T) {
	w := newWorld(t).trusted()
	w.put(rule.ProjectSettings, "\xef\xbb\xbf// team rules\n{\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(a)\", /* two\n lines */ \"Bash(b)\",\n    ],\n  },\n} // end")
	got := map[string]int{}
	for _, r := range w.load().Config().Rules {
		if r.Origin.File != w.path(rule.ProjectSettings) {
			t.Errorf("%s is said to come from %s", r.Text, r.Origin.File)
		}
		got[r.Text] = r.Origin.Line
	}
	if got["Bash(a)"] != 5 || got["Bash(b)"] != 6 {
		t.Errorf("lines %v, want Bash(a) in 5 and Bash(b) in 6", got)
	}
}

func TestP17_DirectoriesAreSettled(t *testing.T) {
	w := newWorld(t).trusted()
	for _, d := range []string{"out", "home/notes", "work/sub", "sibling"} {
		if err := os.MkdirAll(filepath.Join(w.root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.write(filepath.Join(w.root, "file"), "x")
	w.put(rule.UserSettings, `{"permissions": {"additionalDirectories": ["~/notes", "sub/", "~/notes/../notes"]}}`)
	w.put(rule.ProjectSettings, `{"permissions": {"additionalDirectories": ["../sibling", "../file", " ", "../later"]}}`)
	w.AddDirs = []string{filepath.Join(w.root, "out") + "/."}

	s := w.load()
	// Through a link the same directories have the same names.
	if err := os.Symlink(w.Dir, filepath.Join(w.root, "link")); err != nil {
		t.Fatal(err)
	}
	w.Dir = filepath.Join(w.root, "link")
	equal(t, "directories through a link", dirs(w.load()), dirs(s))

	equal(t, "directories", dirs(s), []string{
		"cliArg " + w.root + "/out", "projectSettings " + w.root + "/later", "projectSettings " + w.root + "/sibling",
		"userSettings " + w.root + "/home/notes", "userSettings " + w.root + "/work/sub",
	})
	equal(t, "reports", kinds(s.Reports), []string{"directory missing", "directory missing", "directory missing"})
}

func TestConfigNamesDirectoriesAsTheKernelDoes(t *testing.T) {
	w := newWorld(t)
	dotfiles := filepath.Join(w.root, "dotfiles")
	if err := os.MkdirAll(dotfiles, 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": w.Dir, "homelink": w.Home, "home/.claude": dotfiles} {
		if err := os.Symlink(to, filepath.Join(w.root, link)); err != nil {
			t.Fatal(err)
		}
	}
	o := w.Options
	o.Dir, o.Home = filepath.Join(w.root, "link"), filepath.Join(w.root, "homelink")
	s, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Config()
	equal(t, "config", []string{c.Cwd, c.Root, c.Home, c.UserRoot}, []string{w.Dir, w.Dir, w.Home, dotfiles})
}

func TestConfigCannotBeChangedThroughItsCopies(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, `{"permissions": {"deny": ["Bash(a)"], "additionalDirectories": ["/"]}}`)
	s := w.load()
	c := s.Config()
	c.Rules[0], c.Directories[0] = rule.Rule{}, permission.Directory{}
	if again := s.Config(); again.Rules[0].Text != "Bash(a)" || again.Directories[0].Path != "/" {
		t.Error("a caller changed the settings")
	}
}

func TestProjectInTheHomeDirectoryIsReadOnce(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	w.Dir = w.Home
	s := w.load()
	equal(t, "rules", rules(s), []string{"userSettings allow Bash(a)"})
	equal(t, "reports", kinds(s.Reports), nil)
}

func TestS14_MalformedRulesNeverDisableTheirNeighbours(t *testing.T) {
	w := newWorld(t).trusted()
	w.put(rule.ProjectSettings, `{"permissions": {
	  "deny": ["Bash(a", "Bash(b)"],
	  "ask": ["Bash(c))x", "Read(d)"],
	  "allow": ["Bash(e", "Bash(f)"]}}`)
	s := w.load()
	equal(t, "rules", rules(s), []string{
		"projectSettings allow Bash(f)", "projectSettings ask Bash(a", "projectSettings ask Bash(c))x",
		"projectSettings ask Read(d)", "projectSettings deny Bash(b)",
	})
	equal(t, "reports", kinds(s.Reports), []string{"malformed rule", "malformed rule", "malformed rule"})
	r := find(t, s.Reports, MalformedRule)
	if r.Line != 2 || r.Hint == "" || !strings.Contains(r.String(), w.path(rule.ProjectSettings)+":2: ") {
		t.Errorf("the report does not say where and what to do: %v", r)
	}
	for _, r := range s.Config().Rules {
		if r.Quarantined && (r.Tool != "Bash" || !r.Bare) {
			t.Errorf("%s is kept as %+v, want ask for Bash", r.Text, r)
		}
	}
}

func TestRawSectionsKeepTheirLines(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, "{\n  \"hooks\": // why\n  {\n    \"Stop\": [], // because\n  },\n  \"env\": {\"A\": \"1\"}, \"mcpServers\": {}, \"assent\": {\"classifier\": \"builtin\"},\n  \"disableAllHooks\": true\n}")
	f := w.load().Files
	i := slices.IndexFunc(f, func(f File) bool { return f.Source == rule.UserSettings })
	u := f[i]
	if u.Hooks.Line != 3 || strings.Contains(string(u.Hooks.JSON), "because") || !strings.Contains(string(u.Hooks.JSON), "\n    \"Stop\": []") {
		t.Errorf("hooks %d %q", u.Hooks.Line, u.Hooks.JSON)
	}
	if string(u.Env.JSON) != `{"A": "1"}` || string(u.MCPServers.JSON) != "{}" || string(u.Assent.JSON) != `{"classifier": "builtin"}` || !u.DisableAllHooks {
		t.Errorf("sections %q %q %q %v", u.Env.JSON, u.MCPServers.JSON, u.Assent.JSON, u.DisableAllHooks)
	}
}

func TestOptionsMustNameAbsoluteDirectories(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(*Options){
		"dir":   func(o *Options) { o.Dir = "work" },
		"home":  func(o *Options) { o.Home = "." },
		"state": func(o *Options) { o.StateDir = ".assent" },
		"gone":  func(o *Options) { o.Dir += "-gone" },
	} {
		o := w.Options
		change(&o)
		if _, err := Load(o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
