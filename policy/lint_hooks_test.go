package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// hookSettings is a project with one hook; script lies in proj/check.
func hookSettings(t *testing.T, event, matcher, hook, script string, mode os.FileMode) (*settings.Settings, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string, mode os.FileMode) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("home/x", "", 0o644)
	write("proj/.claude/settings.json", fmt.Sprintf(`{"hooks":{%q:[{"matcher":%q,"hooks":[%s]}]}}`, event, matcher, hook), 0o644)
	if script != "" {
		write("proj/check", script, mode)
	}
	s, err := settings.Load(settings.Options{
		Dir: filepath.Join(dir, "proj"), Home: filepath.Join(dir, "home"), ManagedFiles: []string{}, TrustWorkspace: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, filepath.Join(dir, "proj")
}

func codes(found []Finding) []string {
	var all []string
	for _, f := range found {
		all = append(all, f.Severity.String()+" "+f.Code)
	}
	return all
}

func lintHook(t *testing.T, s *settings.Settings, dir string) []Finding {
	t.Helper()
	var names []string
	for _, d := range tool.Builtin() {
		names = append(names, d.Name())
	}
	return Lint(s, LintOptions{Tools: names, Script: func(path string) (Script, error) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		info, err := os.Stat(path)
		if err != nil {
			return Script{}, err
		}
		text, err := os.ReadFile(path)
		return Script{Text: text, Executable: info.Mode()&0o111 != 0}, err
	}})
}

const (
	checkHook = `{"type":"command","command":"./check"}`
	denying   = "#!/bin/sh\necho '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\"}}'\n"
)

func TestH13_HooksThatDoNotDoWhatTheySeemTo(t *testing.T) {
	for _, c := range []struct {
		name, event, matcher, hook, script string
		mode                               os.FileMode
		want                               []string
		fix                                string
	}{
		{"as it should be", "PreToolUse", "Bash", checkHook, denying, 0o755, nil, ""},
		{"for every tool", "PreToolUse", "", checkHook, denying, 0o755, nil, ""},
		{"a regular expression", "PreToolUse", ".*process_refund", checkHook, denying, 0o755, nil, ""},
		{"misses the mcp__ form", "PreToolUse", "process_refund", checkHook, denying, 0o755, []string{"warning hook-mcp-name"}, "write .*process_refund, which finds the name with any prefix"},
		{"a server is no tool", "PreToolUse", "mcp__pay", checkHook, denying, 0o755, []string{"warning hook-matcher"}, "write mcp__pay__.*"},
		{"letter case", "PreToolUse", "bash", checkHook, denying, 0o755, []string{"warning hook-matcher"}, "did you mean Bash?"},
		{"a permission rule", "PreToolUse", "Bash(git:*)", checkHook, denying, 0o755, []string{"warning hook"}, ""},
		{"an unknown event", "BeforeTool", "Bash", checkHook, denying, 0o755, []string{"warning hook"}, ""},
		{"a matcher of another event", "SessionStart", "startup", checkHook, denying, 0o755, nil, ""},
		{"in the background", "PreToolUse", "Bash", `{"type":"command","command":"./check","async":true}`, denying, 0o755, []string{"warning hook-async"}, ""},
		{"open when broken", "PreToolUse", "Bash", `{"type":"command","command":"./check","onFailure":"allow"}`, denying, 0o755, []string{"info hook-fails-open"}, ""},
		{"not there", "PreToolUse", "Bash", checkHook, "", 0, []string{"error hook-missing"}, ""},
		{"not executable", "PreToolUse", "Bash", checkHook, denying, 0o644, []string{"error hook-not-executable"}, "run chmod +x './check'"},
		{"given to an interpreter", "PreToolUse", "Bash", `{"type":"command","command":"sh check"}`, denying, 0o644, nil, ""},
		{"without a shell", "PreToolUse", "Bash", `{"type":"command","command":"./check","args":["-v"]}`, denying, 0o644, []string{"error hook-not-executable"}, ""},
		{
			"empty return instead of deny", "PreToolUse", "delete_account|Bash", `{"type":"command","command":"python3 check"}`,
			"if event[\"tool_name\"] == \"delete_account\":\n    print(\"Blocked delete_account!\")\n", 0o644,
			[]string{"warning hook-mcp-name", "warning hook-never-denies"},
			"",
		},
		{"a wrong word", "PreToolUse", "Bash", checkHook, `print({"hookSpecificOutput": {"permissionDecision": "reject"}})`, 0o755, []string{"error hook-word"}, "the words are allow, deny, ask and defer"},
		{"the wrong place", "PreToolUse", "Bash", checkHook, `echo '{"permissionDecision":"deny"}'`, 0o755, []string{"error hook-place"}, ""},
		{
			"updatedInput without allow", "PreToolUse", "Write", checkHook,
			`echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"x"}}}'`, 0o755,
			[]string{"warning hook-input"},
			"",
		},
		{"exit 2 blocks", "PreToolUse", "Bash", checkHook, "echo blocked >&2\nexit 2\n", 0o755, nil, ""},
		{"what it says elsewhere is its own business", "PostToolUse", "Bash", checkHook, "echo blocked", 0o755, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, dir := hookSettings(t, c.event, c.matcher, c.hook, c.script, c.mode)
			found := lintHook(t, s, dir)
			if got := codes(found); !slices.Equal(got, c.want) {
				t.Fatalf("%q, want %q\n%v", got, c.want, found)
			}
			for _, f := range found {
				if f.Line != 1 || !strings.HasSuffix(f.File, "settings.json") {
					t.Errorf("the place is missing: %+v", f)
				}
				if c.fix != "" && f.Fix != c.fix {
					t.Errorf("fix %q, want %q", f.Fix, c.fix)
				}
			}
		})
	}
}

func TestH13_CanariesFindHooksThatDoNotWork(t *testing.T) {
	for _, c := range []struct {
		name, event, matcher, script string
		want                         []string
		says                         string
	}{
		{"works", "PreToolUse", "Bash", denying, nil, ""},
		{"has no opinion", "PreToolUse", "Write", "#!/bin/sh\ncat >/dev/null\n", nil, ""},
		{"crashes", "PreToolUse", "Bash", "#!/bin/sh\nexit 7\n", []string{"error hook-broken"}, "every call it is for is denied"},
		{"answers a wrong word", "PreToolUse", "mcp__pay__.*|mcp__canary.*", "#!/bin/sh\necho '{\"hookSpecificOutput\":{\"permissionDecision\":\"reject\"}}'\n", []string{"error hook-broken"}, "reject"},
		{"changes the input without allowing", "PreToolUse", "Bash", "#!/bin/sh\necho '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"updatedInput\":{\"command\":\"ls\"}}}'\n", []string{"warning hook-note"}, "updatedInput"},
		{"is for a tool by name", "PreToolUse", "process_refund", "#!/bin/sh\ngrep -q process_refund || exit 9\n", nil, ""},
		{"no canary fits", "PreToolUse", "^custom_.*$", denying, []string{"info hook-canary"}, "^custom_.*$"},
		{"at another event", "Stop", "", "#!/bin/sh\nexit 3\n", []string{"error hook-broken"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, dir := hookSettings(t, c.event, c.matcher, checkHook, c.script, 0o755)
			found := RunHooks(t.Context(), s, dir)
			if got := codes(found); !slices.Equal(got, c.want) {
				t.Fatalf("%q, want %q\n%v", got, c.want, found)
			}
			if len(found) > 0 && !strings.Contains(found[0].Text, c.says) {
				t.Errorf("%q does not say %q", found[0].Text, c.says)
			}
		})
	}
}
