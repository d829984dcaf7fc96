package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// hookSettings is a project with one hook; script lies in proj/check.
func hookSettings(t *testing.T, event, matcher, entry, script string, mode os.FileMode) (*settings.Settings, string) {
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
	write("proj/.claude/settings.json", fmt.Sprintf(`{"hooks":{%q:[{"matcher":%q,"hooks":[%s]}]}}`, event, matcher, entry), 0o644)
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
		{"below the project", "PreToolUse", "Bash", `{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/check"}`, denying, 0o644, []string{"error hook-not-executable"}, ""},
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
		{"exits with what it was told", "PreToolUse", "Bash", checkHook, "# denied?\ncode=2\nexit $code\n", 0o755, nil, ""},
		{"SystemExit", "PreToolUse", "Bash", checkHook, "# deny big refunds\nraise SystemExit(2)\n", 0o755, nil, ""},
		{"without cleaning up", "PreToolUse", "Bash", checkHook, "import os\n# deny\nos._exit(2)\n", 0o755, nil, ""},
		{"what main returns", "PreToolUse", "Bash", checkHook, "def main():\n    print('denied', file=sys.stderr)\n    return 2\nsys.exit(main())\n", 0o755, nil, ""},
		{"exit 1 is no denial", "PreToolUse", "Bash", checkHook, "echo blocked\nexit 1\n", 0o755, []string{"warning hook-never-denies"}, ""},
		{"the letter case of a word", "PreToolUse", "Bash", checkHook, `print({"hookSpecificOutput": {"permissionDecision": "Deny"}})`, 0o755, []string{"error hook-word"}, "the words are allow, deny, ask and defer"},
		{"a word nobody knows", "PreToolUse", "Bash", checkHook, `print({"hookSpecificOutput": {"permissionDecision": "stop"}})`, 0o755, []string{"error hook-word"}, ""},
		{"a right word and a wrong one", "PreToolUse", "Bash", checkHook, `x = {"hookSpecificOutput": {"permissionDecision": "allow"}}; y = {"permissionDecision": "DENY"}`, 0o755, []string{"error hook-word"}, ""},
		{"a variable of that name", "PreToolUse", "Bash", checkHook, `permissionDecision = "none"; answer({"hookSpecificOutput": {permissionDecision}})`, 0o755, nil, ""},
		{"the older approve counts as allow", "PreToolUse", "Write", checkHook, `echo '{"decision":"approve","hookSpecificOutput":{"updatedInput":{"file_path":"x"}}}'`, 0o755, nil, ""},
		{"line ends of Windows", "PreToolUse", "Bash", checkHook, strings.ReplaceAll(denying, "\n", "\r\n"), 0o755, []string{"error hook-line-ends"}, "save it with line feeds alone"},
		{"line ends of Windows, given to a shell", "PreToolUse", "Bash", `{"type":"command","command":"bash check"}`, strings.ReplaceAll(denying, "\n", "\r\n"), 0o644, []string{"error hook-line-ends"}, ""},
		{"line ends of Windows, which Python does not mind", "PreToolUse", "Bash", `{"type":"command","command":"python3 check"}`, "import os\r\nos._exit(2)\r\n", 0o644, nil, ""},
		{"former tools", "PreToolUse", "LS|MultiEdit", checkHook, denying, 0o755, []string{"info hook-matcher", "info hook-matcher"}, ""},
		{"a former tool alone", "PreToolUse", "MultiEdit", checkHook, denying, 0o755, []string{"info hook-matcher"}, "write Edit"},
		{"a former tool beside its successor", "PreToolUse", "Edit|MultiEdit|Write", checkHook, denying, 0o755, []string{"info hook-matcher"}, "remove it: Edit, which took over, is there already"},
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

// What stands in the settings themselves is read like a script, and so is the file that
// a line of several commands runs.
func TestH13_CommandsInTheSettings(t *testing.T) {
	const wrong = `print({"hookSpecificOutput": {"permissionDecision": "reject"}})`
	for _, c := range []struct {
		name, hook, script string
		want               []string
	}{
		{"prints instead of denying", `"command": "echo 'Blocked rm!'"`, "", []string{"warning hook-never-denies"}},
		{"prints what it looked at", `"command": "c=$(jq -r .tool_input.command); echo \"Blocked: $c\""`, "", []string{"warning hook-never-denies"}},
		{"after a test", `"command": "grep -q 'rm -rf' && echo 'denied' || true"`, "", []string{"warning hook-never-denies"}},
		{"a text of several lines", `"command": "cat <<E\nThis is forbidden.\nE"`, "", []string{"warning hook-never-denies"}},
		{"without a shell", `"command": "/bin/echo", "args": ["Blocked!"]`, "", []string{"warning hook-never-denies"}},
		{"code on the line", `"command": "python3 -c \"print('Blocked')\""`, "", []string{"warning hook-never-denies"}},
		{"code on standard input", `"command": "python3 - <<E\nprint('Blocked')\nE"`, "", []string{"warning hook-never-denies"}},
		{"code behind other options", `"command": "bash -euo pipefail -c 'echo Blocked'"`, "", []string{"warning hook-never-denies"}},
		{"the wrong place", `"command": "echo '{\"permissionDecision\":\"deny\"}'"`, "", []string{"error hook-place"}},
		{"a wrong word", `"command": "echo '{\"hookSpecificOutput\":{\"permissionDecision\":\"reject\"}}'"`, "", []string{"error hook-word"}},
		{"a wrong word in escaped quotes", `"command": "echo \"{\\\"hookSpecificOutput\\\":{\\\"permissionDecision\\\":\\\"Deny\\\"}}\""`, "", []string{"error hook-word"}},
		{"updatedInput without allow", `"command": "echo '{\"hookSpecificOutput\":{\"updatedInput\":{}}}'"`, "", []string{"warning hook-input"}},
		{"denies", `"command": "grep -q rm && { echo 'Blocked rm!' >&2; exit 2; }; exit 0"`, "", nil},
		{"denies with jq", `"command": "jq '{decision: \"block\", reason: \"Blocked\"}' && echo Blocked"`, "", nil},
		{"takes notes", `"command": "grep -c denied >> notes"`, "", nil},
		{"another program decides", `"command": "echo Blocked | decide"`, "", nil},
		{"another program, by its name", `"command": "uv run block.py"`, "", nil},
		{"a name that speaks of blocking", `"command": "python3 -m guard.blocked"`, "", nil},
		{"cannot be read", `"command": "echo 'Blocked"`, "", []string{"error hook-syntax"}},

		{"in another directory", `"command": "cd hooks && ./missing.sh"`, "", []string{"error hook-missing"}},
		{"in this directory after all", `"command": "cd . && ./check"`, denying, nil},
		{"in a directory that is not known", `"command": "cd \"$X\" && ./missing.sh"`, "", nil},
		{"after another command", `"command": "export A=1; ./check"`, wrong, []string{"error hook-word"}},
		{"in place of the shell", `"command": "exec ./check"`, wrong, []string{"error hook-word"}},
		{"each of two", `"command": "./missing1 && ./missing2"`, "", []string{"error hook-missing", "error hook-missing"}},
		{"run by another program", `"command": "timeout 5 env A=1 ./missing"`, "", []string{"error hook-missing"}},
		{"looks whether it is there", `"command": "[ -x ./missing ] && ./missing || true"`, "", nil},
		{"read by the shell", `"command": ". ./check"`, "echo Blocked\n", []string{"warning hook-never-denies"}},
		{"the line denies for the script", `"command": "./check || exit 2"`, "echo Blocked\nexit 1\n", nil},
		{"options of Python", `"command": "python3 -u -W ignore check"`, wrong, []string{"error hook-word"}},
		{"options of a shell", `"command": "bash -euo pipefail check"`, wrong, []string{"error hook-syntax", "error hook-word"}},
		{"more options of a shell", `"command": "bash +e -- check"`, wrong, []string{"error hook-syntax", "error hook-word"}},
		{"options of node", `"command": "node --require ./x.js --no-warnings ./check"`, wrong, []string{"error hook-word"}},
		{"options of perl", `"command": "perl -MFile::Temp -w check"`, wrong, []string{"error hook-word"}},
		{"a command of deno", `"command": "deno run -A ./check"`, wrong, []string{"error hook-word"}},
		{"another command of deno", `"command": "deno task block"`, "", nil},
		{"an interpreter without a shell", `"command": "python3", "args": ["-u", "${CLAUDE_PROJECT_DIR}/check"]`, wrong, []string{"error hook-word"}},
		{"a variable without a shell", `"command": "$CLAUDE_PROJECT_DIR/check", "args": []`, denying, []string{"error hook-missing"}},
		{"somebody's home", `"command": "~/missing"`, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, dir := hookSettings(t, "PreToolUse", "Bash", `{"type": "command", `+c.hook+`}`, c.script, 0o755)
			if found := lintHook(t, s, dir); !slices.Equal(codes(found), c.want) {
				t.Errorf("%q, want %q\n%v", codes(found), c.want, found)
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
		{"is for tools with a prefix", "PreToolUse", "^custom_.*$", "#!/bin/sh\ngrep -q custom_canary || exit 9\n", nil, ""},
		{"is for a tool of any server", "PreToolUse", ".*process_refund", "#!/bin/sh\ngrep -q mcp__canary__process_refund || exit 9\n", nil, ""},
		{"crashes for a tool of any server", "PostToolUse", ".*get_customer", "#!/bin/sh\nexit 9\n", []string{"error hook-broken"}, "exit status 9"},
		{"no canary fits", "PreToolUse", "^two words.*$", denying, []string{"info hook-canary"}, "^two words.*$"},
		{"finds the state", "PreToolUse", "Bash", "#!/bin/sh\n[ \"$(cat \"$ASSENT_STATE\")\" = '{}' ] || exit 9\n", nil, ""},
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

// Names for regular expressions that no built-in tool fits.
func TestH13_CanariesHaveFittingNames(t *testing.T) {
	for matcher, want := range map[string]string{
		".*process_refund":              "mcp__canary__process_refund",
		"process_refund$":               "mcp__canary__process_refund",
		"^mcp__pay__.*":                 "mcp__pay__canary",
		"mcp__pay__.*":                  "mcp__pay__canary",
		"^mcp__pay":                     "mcp__pay__canary",
		"mcp__.*__refund":               "mcp__canary__refund",
		"^mcp__(pay|bank)__refund$":     "mcp__pay__refund",
		"^(mcp__pay__)?refund(_all)?$":  "refund",
		"^custom_[0-9]{2}$":             "custom_00",
		"^(?i)refund.+$":                "REFUNDx",
		"(get|set)_customer":            "mcp__canary__get_customer",
		"^[^a-z]+_tool$":                "A_tool",
		"^$":                            "",
		"no such tool.":                 "",
		`[\x{4e00}]`:                    "",
		"^((a|b|c|d){9}){9}(e|f)$":      strings.Repeat("a", 81) + "e",
		"^(((x{10}){10}){9})y$":         "", // too long to be a name
		"mcp__pay__(refund|charge)_.*$": "mcp__pay__refund_canary",
	} {
		m, err := hook.ParseMatcher(matcher)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, ok := canaryCall(m); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", matcher, got, ok, want)
		}
	}
}

// Nobody waits for a hook that goes on in the background, and nothing of it stays.
func TestH13_CanariesDoNotWaitForTheBackground(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	s, dir := hookSettings(t, "PreToolUse", "Bash", `{"type":"command","command":"./check","args":[]}`, "#!/bin/sh\necho $$ > pid\necho '{\"async\":true}'\nexec sleep 50\n", 0o755)
	start := time.Now()
	if found := RunHooks(t.Context(), s, dir); len(found) > 0 {
		t.Errorf("%v", found)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if process, err := os.FindProcess(pid); err == nil && process.Signal(syscall.Signal(0)) == nil {
		t.Errorf("process %d is still there", pid)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// A hook that is configured to run in the background makes no call wait, however long
// it takes.
func TestH13_CanariesLeaveSlowBackgroundHooks(t *testing.T) {
	e := hook.Entry{Event: hook.PostToolUse, Handler: hook.Function{Label: "slow"}, Async: true}
	for _, run := range []hook.Run{
		{Outcome: hook.OutOfTime, Took: backgroundHook, Reason: "it did not answer"},
		{Outcome: hook.Okay, Took: 2 * slowHook},
	} {
		l := &linter{}
		if l.judgeCanary(&e, run); len(l.found) > 0 {
			t.Errorf("%v", l.found)
		}
		waited := e
		waited.Async = false
		if l.judgeCanary(&waited, run); len(l.found) == 0 {
			t.Errorf("%v: nothing is said of a hook that calls wait for", run.Outcome)
		}
	}
}
