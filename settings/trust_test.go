package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// greedy grants one of everything, and restricts.
const greedy = `{
  "permissions": {
    "allow": ["Bash(tk a)"],
    "deny": ["Bash(tk u)"],
    "ask": ["Bash(tk q)"],
    "additionalDirectories": ["/"],
    "defaultMode": "acceptEdits",
    "disableBypassPermissionsMode": "disable"
  },
  "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}, {"hooks": []}], "Stop": 1},
  "disableAllHooks": true,
  "env": {"NODE_OPTIONS": "--require ./x.js"},
  "mcpServers": {"pay": {"command": "pay"}},
  "enableAllProjectMcpServers": true,
  "enabledMcpjsonServers": ["search"],
  "assent": {"classifier": "builtin"}
}`

func TestP20_WorkspaceCannotGrantItselfAnything(t *testing.T) {
	for _, source := range []rule.Source{rule.ProjectSettings, rule.LocalSettings} {
		t.Run(source.String(), func(t *testing.T) {
			w := newWorld(t)
			w.put(source, greedy)
			w.write(filepath.Join(w.Dir, ".mcp.json"), `{"mcpServers": {"search": {"command": "search"}}}`)
			s := w.load()

			name := source.String()
			equal(t, "rules", rules(s), []string{name + " ask Bash(tk q)", name + " deny Bash(tk u)"})
			equal(t, "directories", dirs(s), nil)
			if c := s.Config(); c.Mode != permission.Default || !c.DisableBypass {
				t.Errorf("mode %v, disable bypass %v", c.Mode, c.DisableBypass)
			}
			for _, f := range s.Files {
				if f.Source == source && (f.Trusted || f.Mode != 0 || f.DisableAllHooks || f.EnableAllProjectMCP || f.EnabledMCP != nil ||
					f.Hooks.JSON != nil || f.Env.JSON != nil || f.MCPServers.JSON != nil || f.Assent.JSON != nil) {
					t.Errorf("in force: %+v", f)
				}
			}
			if s.ProjectMCP.JSON != nil {
				t.Error(".mcp.json is in force")
			}
			h := s.HeldBack
			if len(h.Rules) != 1 || len(h.Directories) != 1 || h.Mode != permission.AcceptEdits || !h.DisableAllHooks {
				t.Errorf("held back: %+v", h)
			}
			equal(t, "hooks", []string{h.Hooks[0].Event + " " + h.Hooks[0].Matcher, h.Hooks[1].Event + " " + h.Hooks[1].Matcher, h.Hooks[2].Event},
				[]string{"PreToolUse Bash", "PreToolUse ", "Stop"})
			equal(t, "servers", h.MCPServers, []string{"pay", "search"})
			equal(t, "variables and keys", slices.Concat(h.Env, h.Assent), []string{"NODE_OPTIONS", "classifier"})
			if len(s.Reports) != 13 {
				t.Errorf("%d reports, want one for each of 13 things:\n%v", len(s.Reports), s.Reports)
			}
			for _, r := range s.Reports {
				if strings.Contains(r.String(), "--require") {
					t.Errorf("the value of a variable is shown: %v", r)
				}
				if r.Kind != HeldBackGrant || !strings.Contains(r.Hint, "assent trust "+w.Dir) || r.Line == 0 {
					t.Errorf("report %v", r)
				}
			}
		})
	}
}

func TestP20_EverythingCountsOnceTrusted(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, greedy)
	w.write(filepath.Join(w.Dir, ".mcp.json"), `{"mcpServers": {}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	s := w.load()
	equal(t, "rules", rules(s), []string{
		"projectSettings allow Bash(tk a)", "projectSettings ask Bash(tk q)", "projectSettings deny Bash(tk u)",
	})
	equal(t, "directories", dirs(s), []string{"projectSettings /"})
	i := slices.IndexFunc(s.Files, func(f File) bool { return f.Source == rule.ProjectSettings })
	f := s.Files[i]
	if !f.Trusted || f.Mode != permission.AcceptEdits || !f.DisableAllHooks || !f.EnableAllProjectMCP || len(f.EnabledMCP) != 1 ||
		f.Hooks.JSON == nil || f.Env.JSON == nil || f.MCPServers.JSON == nil || f.Assent.JSON == nil || s.ProjectMCP.JSON == nil {
		t.Errorf("not in force: %+v", f)
	}
	equal(t, "reports", kinds(s.Reports), nil)
	if got := s.TrustState(); got.Status != Trusted || got.By != "assent trust" {
		t.Errorf("trust %+v", got)
	}
}

func TestS33_WaysToTrust(t *testing.T) {
	vendor := func(dir string) string {
		return `{"numStartups": 7, "projects": {"` + dir + `": {"hasTrustDialogAccepted": true, "history": []}}}`
	}
	for _, c := range []struct {
		name string
		do   func(w *world)
		want TrustStatus
	}{
		{"nobody", func(*world) {}, Untrusted},
		{"flag", func(w *world) { w.TrustWorkspace = true }, Trusted},
		{"vendor", func(w *world) { w.write(w.Home+"/.claude.json", vendor(w.Dir)) }, Trusted},
		{"vendor, through a link", func(w *world) {
			w.write(w.Home+"/.claude.json", vendor(w.Dir))
			link := filepath.Join(w.root, "link")
			if err := os.Symlink(w.Dir, link); err != nil {
				w.t.Fatal(err)
			}
			w.Dir = link
		}, Trusted},
		{"vendor, a parent", func(w *world) { w.write(w.Home+"/.claude.json", vendor(w.root)) }, Untrusted},
		{"vendor, not accepted", func(w *world) {
			w.write(w.Home+"/.claude.json", strings.Replace(vendor(w.Dir), "true", "false", 1))
		}, Untrusted},
		{"vendor, a string", func(w *world) {
			w.write(w.Home+"/.claude.json", strings.Replace(vendor(w.Dir), "true", `"true"`, 1))
		}, Untrusted},
		{"managed", func(w *world) { w.manage(w.Dir) }, Trusted},
		{"managed, above", func(w *world) { w.manage(w.root) }, Trusted},
		{"managed, glob", func(w *world) { w.manage(w.root + "/**") }, Trusted},
		{"managed, everything", func(w *world) { w.manage("/**") }, Trusted},
		{"managed, a name that only starts the same", func(w *world) { w.manage(w.Dir[:len(w.Dir)-1]) }, Untrusted},
		{"managed, below", func(w *world) { w.manage(w.Dir + "/sub") }, Untrusted},
		{"managed, another glob", func(w *world) { w.manage(w.root + "/*") }, Untrusted},
		{"managed, relative", func(w *world) { w.manage(".") }, Untrusted},
		{"managed, a link out of it", func(w *world) {
			inner := filepath.Join(w.root, "good", "link")
			w.write(filepath.Join(w.root, "good", "x"), "")
			if err := os.Symlink(w.Dir, inner); err != nil {
				w.t.Fatal(err)
			}
			w.Dir = inner
			w.manage(filepath.Join(w.root, "good"))
		}, Untrusted},
		{"the project says so", func(w *world) {
			w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(tk a)"]}, "assent": {"trustedWorkspaces": ["/"]}}`)
		}, Untrusted},
		{"user settings say so", func(w *world) {
			w.put(rule.UserSettings, `{"assent": {"trustedWorkspaces": ["/"]}}`)
		}, Untrusted},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(tk a)"]}}`)
			c.do(w)
			s := w.load()
			if got := s.TrustState(); got.Status != c.want || (got.By == "") != (c.want == Untrusted) {
				t.Errorf("trust %+v, want %v", got, c.want)
			}
			if allowed := len(s.Config().Rules) > 0; allowed != (c.want == Trusted) {
				t.Errorf("rules %v", rules(s))
			}
		})
	}
}

func (w *world) manage(dir string) {
	w.put(rule.PolicySettings, `{"assent": {"trustedWorkspaces": ["`+dir+`"]}}`)
}

func TestS33_UnreadableRecordsTrustNothing(t *testing.T) {
	for name, file := range map[string]string{
		".claude.json": `{"projects": {`,
		"twice":        `{"projects": {}, "projects": {}}`,
	} {
		w := newWorld(t)
		w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(tk a)"]}}`)
		w.write(filepath.Join(w.Home, ".claude.json"), file)
		s := w.load()
		equal(t, name, kinds(s.Reports), []string{"held back", "trust unreadable"})
	}
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(tk a)"]}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	store := filepath.Join(w.StateDir, "trust.json")
	good := w.read(store)
	for name, text := range map[string]string{
		"cut short":   good[:len(good)/2],
		"version":     strings.Replace(good, `"version": 1`, `"version": 2`, 1),
		"unknown key": strings.Replace(good, `"grants"`, `"Grants"`, 1),
		"of another":  strings.Replace(good, "tk a", "tk b", 1),
		"no digest":   strings.Replace(good, `"digest": "sha256:`, `"digest": "`, 1),
		"its digest":  strings.Replace(good, `"digest": "sha256:`, `"digest": "sha256:0`, 1),
	} {
		w.write(store, text)
		s := w.load()
		if len(s.Config().Rules) > 0 {
			t.Errorf("%s: trusted", name)
		}
		if unfit := strings.Contains(fmt.Sprint(s.Reports), "does not fit its digest"); unfit != strings.Contains(name, "digest") {
			t.Errorf("%s: %v", name, s.Reports)
		}
	}
	w.write(store, good[:len(good)/2])
	if err := Trust(w.Options, ""); err == nil || w.read(store) != good[:len(good)/2] {
		t.Errorf("a broken store was overwritten: %v", err)
	}
}

func TestS33_StateInsideTheWorkspaceTrustsNothing(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(tk a)"]}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	brought := filepath.Join(w.Dir, "state", "trust.json")
	w.write(brought, w.read(filepath.Join(w.StateDir, "trust.json")))
	w.StateDir = filepath.Dir(brought)
	s := w.load()
	if s.TrustState().Status != Untrusted {
		t.Error("a workspace brought its own trust along")
	}
	find(t, s.Reports, TrustUnreadable)
	if err := Trust(w.Options, ""); err == nil {
		t.Error("trust was recorded inside the workspace")
	}
}

func TestS33_TrustIsBoundToWhatIsGranted(t *testing.T) {
	base := `{"permissions": {"allow": ["Bash(a)", "Bash(b)"], "deny": ["Bash(d)"]}, "hooks": {"Stop": [{"matcher": "", "hooks": [{"timeout": 9007199254740993}]}]}, "env": {"A": "1", "B": "2"}}`
	for _, c := range []struct {
		name, text string
		want       TrustStatus
	}{
		{"the same", base, Trusted},
		{"comments and blanks", "// hi\n" + strings.ReplaceAll(base, ",", " ,\n"), Trusted},
		{"order of rules and keys", `{"env": {"B": "2", "A": "1"}, "hooks": {"Stop": [{"hooks": [{"timeout": 9007199254740993}], "matcher": ""}]}, "permissions": {"allow": ["Bash(b)", "Bash(a)"]}}`, Trusted},
		{"another deny rule", strings.Replace(base, `"Bash(d)"`, `"Bash(d)", "Bash(e)"`, 1), Trusted},
		{"an unknown key", strings.Replace(base, `{`, `{"theme": "dark", `, 1), Trusted},
		{"another allow rule", strings.Replace(base, `"Bash(b)"`, `"Bash(b)", "Bash(c)"`, 1), Changed},
		{"an allow rule less", strings.Replace(base, `, "Bash(b)"`, ``, 1), Changed},
		{"a number in a hook", strings.Replace(base, "993", "992", 1), Changed},
		{"a variable", strings.Replace(base, `"1"`, `"3"`, 1), Changed},
		{"a mode", strings.Replace(base, `"deny"`, `"defaultMode": "auto", "deny"`, 1), Changed},
		{"hooks off", strings.Replace(base, `{`, `{"disableAllHooks": true, `, 1), Changed},
		{"an assent key", strings.Replace(base, `{`, `{"assent": {"classifier": "builtin"}, `, 1), Changed},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(rule.ProjectSettings, base)
			if err := Trust(w.Options, ""); err != nil {
				t.Fatal(err)
			}
			w.put(rule.ProjectSettings, c.text)
			s := w.load()
			got := s.TrustState()
			if got.Status != c.want {
				t.Fatalf("trust %+v, want %v", got, c.want)
			}
			if (c.want == Changed) != (len(got.Diff) > 0) {
				t.Errorf("difference %v", got.Diff)
			}
			if c.want == Changed && slices.ContainsFunc(s.Config().Rules, func(r rule.Rule) bool { return r.Behavior == rule.Allow }) {
				t.Error("a changed workspace still grants")
			}
		})
	}
}

func TestS33_ChangeIsShownAsADifference(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(old)", "Bash(same)"]}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	w.put(rule.ProjectSettings, "{\"permissions\": {\"allow\": [\"Bash(same)\", \"Bash(new \u202etxt)\"]}}")
	want := []string{
		`- allow rule "Bash(old)" (.claude/settings.json)`,
		`+ allow rule "Bash(new \u202etxt)" (.claude/settings.json)`,
	}
	s := w.load()
	equal(t, "difference", s.TrustState().Diff, want)
	if r := find(t, s.Reports, TrustChanged); !strings.Contains(r.Text, want[0]) || !strings.Contains(r.Text, want[1]) {
		t.Errorf("report %v", r)
	}
}

func TestS33_TrustCoversMCPServersOfTheWorkspace(t *testing.T) {
	w := newWorld(t)
	mcp := filepath.Join(w.Dir, ".mcp.json")
	w.write(mcp, `{"mcpServers": {"a": {"command": "a"}}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	if got := w.load().TrustState(); got.Status != Trusted {
		t.Fatalf("trust %+v", got)
	}
	for _, text := range []string{`{"mcpServers": {"a": {"command": "b"}}}`, `{"mcpServers": {`, `{"mcpServers": []}`} {
		w.write(mcp, text)
		if s := w.load(); s.TrustState().Status != Changed || s.ProjectMCP.JSON != nil {
			t.Errorf("%s: %+v", text, s.TrustState())
		}
	}
}

func TestS33_TrustGrantIsWhatSomebodySaw(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	seen, err := Grants(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "grant", seen.Lines, []string{`allow rule "Bash(a)" (.claude/settings.json)`})
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash"]}}`)
	if err := TrustGrant(w.Options, seen); err != nil {
		t.Fatal(err)
	}
	if got := w.load().TrustState(); got.Status != Changed {
		t.Errorf("something else than what was seen is trusted: %+v", got)
	}
}

func TestS33_UntrustAndList(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	other := filepath.Join(w.root, "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", "../other"} {
		if err := Trust(w.Options, dir); err != nil {
			t.Fatal(err)
		}
	}
	list := func() (all []string) {
		trusted, err := ListTrusted(w.Options)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range trusted {
			all = append(all, x.Dir)
		}
		return all
	}
	equal(t, "trusted", list(), []string{other, w.Dir})
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	if err := Untrust(w.Options, other); err != nil {
		t.Fatal(err)
	}
	equal(t, "trusted", list(), []string{w.Dir})
	if err := Untrust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	equal(t, "trusted", list(), nil)
	if got := w.load().TrustState(); got.Status != Untrusted {
		t.Errorf("trust %+v", got)
	}
	info, err := os.Stat(filepath.Join(w.StateDir, "trust.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("store %v %v", info, err)
	}
	if dir, err := os.Stat(w.StateDir); err != nil || dir.Mode().Perm() != 0o700 {
		t.Errorf("state directory %v %v", dir, err)
	}
}
