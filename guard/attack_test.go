package guard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/dialect/dialecttest"
)

// attacked allows much and denies a little, so that a way around the little shows.
const attacked = `{"permissions":{
  "allow": ["Edit", "Read", "Grep", "Glob", "Bash(ls:*)", "Bash(cd:*)", "Bash(apply_patch:*)", "Bash(applypatch:*)", "Bash(rm:*)",
    "WebFetch(domain:good.example)", "mcp__pay", "write_bash", "write_stdin"],
  "deny": ["Edit(.env)", "Edit(secrets/**)", "Read(./key.txt)", "Read(~/.ssh/**)", "Bash(git push:*)", "WebFetch(domain:evil.example)", "mcp__evil", "Agent(evil)"]
}}`

// toolEvent is a call in the agent's words. The input is JSON.
func toolEvent(agent dialect.Agent, cwd, tool, input string) string {
	name := map[dialect.Agent]string{dialect.Claude: "PreToolUse", dialect.Codex: "PreToolUse", dialect.Gemini: "BeforeTool", dialect.Cursor: "preToolUse"}[agent]
	if agent == dialect.Copilot {
		return fmt.Sprintf(`{"cwd":%q,"toolName":%q,"toolArgs":%s}`, cwd, tool, input)
	}
	return fmt.Sprintf(`{"hook_event_name":%q,"cwd":%q,"tool_name":%q,"tool_input":%s}`, name, cwd, tool, input)
}

func patchOf(lines ...string) string {
	return "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch"
}

// update is a patch of one file.
func update(file string) string { return patchOf("*** Update File: "+file, "@@", "-a", "+b") }

// heredoc is a command that carries a patch.
func heredoc(file string) string { return "apply_patch <<'EOF'\n" + update(file) + "\nEOF" }

func input(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, ",%q:%s", pairs[i], strconv.Quote(pairs[i+1]))
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
}

// Ways around a rule that use what an agent reads differently from assent. The calls
// that are let through show that the rows are about the rule and nothing else.
func TestT4_Attacks(t *testing.T) {
	const (
		claude, codex, gemini, cursor, copilot = dialect.Claude, dialect.Codex, dialect.Gemini, dialect.Cursor, dialect.Copilot
		bypass, normal                         = "bypassPermissions", "default"
	)
	type row struct {
		name        string
		agent       dialect.Agent
		mode        string
		tool, input string
		through     bool
	}
	both := func(name string, agent dialect.Agent, tool, input string, through bool) []row {
		return []row{{name + ", default", agent, normal, tool, input, through}, {name + ", bypass", agent, bypass, tool, input, through}}
	}
	tests := [][]row{
		// "~" is the home directory to assent, and a directory of that name to the agent.
		both("a file of the project", gemini, "write_file", input("file_path", "a"), true),
		both("tilde: write_file", gemini, "write_file", input("file_path", "~/../.env"), false),
		both("tilde: replace", gemini, "replace", input("file_path", "~/../.env"), false),
		both("tilde: read_file", gemini, "read_file", input("file_path", "~/../key.txt"), false),
		both("tilde: read_many_files", gemini, "read_many_files", `{"include":["~/../key.txt"]}`, false),
		both("tilde: search", gemini, "grep_search", `{"pattern":"x","dir_path":"~/../key.txt"}`, false),
		both("tilde: home is still home", gemini, "read_file", input("file_path", "~/.ssh/id"), false),
		both("tilde: somebody's home", gemini, "read_file", input("file_path", "~root/x"), false),
		both("tilde: Cursor reads", cursor, "Read", input("path", "~/../key.txt"), false),
		both("tilde: Cursor writes", cursor, "Write", input("path", "~/../.env"), false),
		both("tilde: Copilot views", copilot, "view", input("path", "~/../key.txt"), false),
		both("tilde: Copilot creates", copilot, "create", input("path", "~/../.env"), false),
		both("tilde: Copilot under Claude's names", copilot, "Write", input("file_path", "~/../.env"), false),
		both("tilde: Copilot's glob", copilot, "glob", input("pattern", "~root/*"), false),
		both("tilde: patch", codex, "apply_patch", input("command", update("~/../.env")), false),

		// A patch inside of a command is applied where the command runs.
		both("patch in a command", codex, "Bash", input("command", heredoc("a.txt")), true),
		both("patch in a directory", codex, "exec_command", input("cmd", heredoc("a.txt"), "workdir", "web"), true),
		both("patch behind cd", codex, "Bash", input("command", "cd web && "+heredoc("a.txt")), true),
		both("patch: workdir", codex, "exec_command", input("cmd", heredoc("a.txt"), "workdir", "secrets"), false),
		both("patch: cd", codex, "Bash", input("command", "cd secrets && "+heredoc("a.txt")), false),
		both("patch: cd in a workdir", codex, "exec_command", input("cmd", "cd secrets && "+heredoc("a.txt"), "workdir", "web/.."), false),
		both("patch: quoted cd", codex, "Bash", input("command", "cd 'secrets' && "+heredoc("a.txt")), false),
		both("patch: shell words", codex, "shell", `{"command":["bash","-lc",`+strconv.Quote("cd secrets && "+heredoc("a.txt"))+`]}`, false),
		both("patch: two directories", codex, "Bash", input("command", "cd secrets && cd . && "+heredoc("a.txt")), false),
		both("patch: semicolon", codex, "Bash", input("command", "cd secrets; "+heredoc("a.txt")), false),
		both("patch: subshell", codex, "Bash", input("command", "(cd secrets && "+heredoc("a.txt")+"\n)"), false),
		both("patch: a variable for a directory", codex, "Bash", input("command", "cd $D && "+heredoc("a.txt")), false),
		both("patch: home for a directory", codex, "Bash", input("command", "cd ~/x && "+heredoc("a.txt")), false),
		both("patch: an expansion in its text", codex, "Bash", input("command", strings.ReplaceAll(heredoc("${X}a.txt"), "'EOF'", "EOF")), false),
		both("patch: from a file", codex, "Bash", input("command", "apply_patch < a.patch"), false),
		both("patch: from a pipe", codex, "Bash", input("command", "cat <<'EOF' | apply_patch\n"+update("a.txt")+"\nEOF"), false),
		both("patch: the other name", codex, "Bash", input("command", "cd secrets && "+strings.Replace(heredoc("a.txt"), "apply_patch", "applypatch", 1)), false),

		// A file beside a patch does not hide the patch.
		both("a patch", copilot, "apply_patch", input("input", update("a.txt")), true),
		both("decoy: apply_patch", copilot, "apply_patch", input("path", "README.md", "input", update(".env")), false),
		both("decoy: the file is denied", copilot, "apply_patch", input("path", ".env", "input", update("a.txt")), false),
		both("decoy: edit", copilot, "edit", input("path", "README.md", "patch", update(".env")), false),
		both("decoy: Codex edits", codex, "Edit", input("file_path", "README.md", "command", update(".env")), false),
		both("decoy: Codex writes", codex, "Write", input("file_path", "README.md", "patch", update(".env")), false),
		both("decoy: half a patch", copilot, "edit", input("path", "README.md", "patch", "*** Update File: .env"), false),
		both("an edit by its action", copilot, "str_replace_editor", input("command", "str_replace", "path", "a"), true),

		// Two names for one thing must say the same.
		both("one command", codex, "shell", `{"command":["ls"],"cmd":"ls"}`, true),
		both("two commands: text and list", codex, "shell", `{"command":"git push","cmd":["ls"]}`, false),
		both("two commands: list and text", codex, "exec_command", `{"command":["ls"],"cmd":"git push"}`, false),
		both("two commands: lists", codex, "exec_command", `{"command":["ls"],"cmd":["git","push"]}`, false),

		// Typing a command is running it.
		both("typing", codex, "write_stdin", `{"chars":"ls\n"}`, true),
		both("typing ^C", codex, "write_stdin", `{"chars":"\u0003"}`, true),
		both("typing an arrow", codex, "write_stdin", `{"chars":"\u001b[A\r"}`, true),
		both("typing Copilot's keys", copilot, "write_bash", `{"input":"{up}{enter}"}`, true),
		both("typed: the root", codex, "write_stdin", `{"chars":"rm -rf /\n"}`, false),
		both("typed: the home", copilot, "write_bash", `{"input":"rm -rf ~\n"}`, false),
		both("typed: return", codex, "write_stdin", `{"chars":"git push\r"}`, false),
		both("typed: ^C first", codex, "write_stdin", `{"chars":"\u0003git push\n"}`, false),
		both("typed: a key by name", copilot, "write_bash", `{"input":"git push{enter}"}`, false),
		both("typed: two lines", copilot, "write_bash", `{"input":"ls{ENTER}git push"}`, false),
		both("typed: a character nobody sees", codex, "write_stdin", `{"chars":"gi\u0000t push\n"}`, false),
		both("typed: a correction", codex, "write_stdin", `{"chars":"git pux\u007fsh\n"}`, false),

		// A place under a name that assent does not know.
		both("a search", copilot, "grep", `{"pattern":"x","path":"web","output_mode":"content","-n":true}`, true),
		both("a place: known list", copilot, "grep", `{"pattern":"x","path":"web","paths":["web","HOME/.ssh"]}`, false),
		both("a place: Copilot's search", copilot, "grep", `{"pattern":"x","path":"web","searchRoots":["/etc"]}`, false),
		both("a place: Cursor's search", cursor, "Grep", `{"pattern":"x","path":"web","target_directory":"/etc"}`, false),
		both("a place: of a command", copilot, "bash", `{"command":"ls","cwd":"/etc"}`, false),
		both("a place: Claude's search", claude, "Grep", `{"pattern":"x","path":"web","baseDir":"/etc"}`, false),
		both("a place: another file", gemini, "write_file", `{"file_path":"a","target_file":".env"}`, false),
		both("no place: a number", copilot, "grep", `{"pattern":"x","path":"web","maxPerFile":3}`, true),
		both("no place: a text", copilot, "create", `{"path":"a","file_text":"x"}`, true),

		// A sub-agent under any word for it.
		both("sub-agent: Cursor", cursor, "Task", `{"agent_type":"evil"}`, false),
		both("sub-agent: Copilot", copilot, "task", `{"subagentType":"evil"}`, false),

		// The addresses in a prompt are parted by what JavaScript takes for a blank.
		both("addresses", gemini, "web_fetch", input("prompt", "get https://good.example/"), true),
		both("addresses: U+FEFF", gemini, "web_fetch", "{\"prompt\":\"get https://good.example/\ufeffhttps://evil.example/\"}", false),
		both("addresses: U+2028", gemini, "web_fetch", "{\"prompt\":\"get https://good.example/\u2028https://evil.example/\"}", false),
		both("addresses: U+3000", gemini, "web_fetch", "{\"prompt\":\"get https://good.example/\u3000https://evil.example/\"}", false),

		// Tools that assent does not know, where everything runs that is not denied.
		{
			{"unknown: harmless", claude, bypass, "Monitor", `{"command":"make"}`, true},
			{"unknown: Claude's Monitor", claude, bypass, "Monitor", `{"command":"git push"}`, false},
			{"unknown: Claude's PowerShell", claude, bypass, "PowerShell", `{"command":"git push"}`, false},
			{"unknown: a file", codex, bypass, "read_file", `{"file_path":"key.txt"}`, false},
			{"unknown: a search", codex, bypass, "grep_files", `{"pattern":"x","path":"key.txt"}`, false},
			{"unknown: words", codex, bypass, "container.exec", `{"command":["git","push"]}`, false},
			{"unknown: deep inside", codex, bypass, "functions.run", `{"steps":[{"args":{"cmd":"git push"}}]}`, false},
			{"unknown: a patch", cursor, bypass, "ApplyPatch", input("patch", update(".env")), false},
			{"unknown: an edit", cursor, bypass, "MultiStrReplace", `{"path":".env"}`, false},
			{"unknown: a notebook", cursor, bypass, "EditNotebook", `{"target_notebook":".env"}`, false},
			{"unknown: a view", copilot, bypass, "show_file", `{"path":"key.txt"}`, false},
			{"unknown: a view of another place", copilot, bypass, "show_file", `{"uri":"file://HOME/.ssh/id"}`, false},
			{"unknown: tilde", copilot, bypass, "show_file", `{"path":"~/../key.txt"}`, false},
			{"unknown: an address", gemini, bypass, "browse", `{"url":"https://evil.example/"}`, false},
			{"unknown: a plain text", codex, bypass, "custom_shell", `"git push"`, false},
			{"unknown: the root", codex, bypass, "run", `{"script":"rm -rf /"}`, false},
			{"unknown: a protected file", gemini, bypass, "patch_file", `{"filePath":".git/config"}`, false},
		},
	}
	for _, rows := range tests {
		for _, test := range rows {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, test.agent).user(attacked)
				for _, dir := range []string{"web", "secrets", ".git"} {
					if err := os.Mkdir(filepath.Join(w.proj, dir), 0o755); err != nil {
						t.Fatal(err)
					}
				}
				event := toolEvent(test.agent, w.proj, test.tool, strings.ReplaceAll(test.input, "HOME", w.home))
				reply := w.send(with(event, "permission_mode", test.mode))
				if got := w.letsThrough(reply); got != test.through {
					t.Errorf("lets through: %v: %s%s", got, reply.Stdout, reply.Stderr)
				}
			})
		}
	}
}

// Gemini CLI says beside a call which server it is for. Neither that nor the name
// alone decides.
func TestT4_AttacksOnServers(t *testing.T) {
	for _, test := range []struct {
		name, tool, context string
		through             bool
	}{
		{"they fit", "mcp_pay_list", `{"server_name":"pay","tool_name":"list"}`, true},
		{"a name is made plain", "mcp_pay_li_t", `{"server_name":"pay","tool_name":"li t"}`, true},
		{"without the beginning", "list", `{"server_name":"pay","tool_name":"list"}`, true},
		{"the server's name starts with the joint", "mcp__pay__x", `{"server_name":"_pay","tool_name":"_x"}`, false},
		{"the name says so", "mcp__pay__x", "null", false},
		{"another server", "mcp_evil_x", `{"server_name":"pay","tool_name":"x"}`, false},
		{"another name", "mcp_pay_x", `{"server_name":"evil","tool_name":"x"}`, false},
		{"without the beginning, denied", "x", `{"server_name":"evil","tool_name":"x"}`, false},
		{"an own tool's name", "read_file", `{"server_name":"evil","tool_name":"read_file"}`, false},
		{"another way to split", "mcp_evil_a_x", `{"server_name":"evil_a","tool_name":"x"}`, false},
		{"the server's name holds the joint", "mcp_pay__x_y", `{"server_name":"pay__x","tool_name":"y"}`, false},
		{"the server's name ends in it", "mcp_pay___y", `{"server_name":"pay_","tool_name":"_y"}`, false},
		{"unreadable", "mcp_pay_x", `17`, false},
	} {
		w := newWorld(t, dialect.Gemini).user(attacked)
		event := strings.TrimSuffix(toolEvent(dialect.Gemini, w.proj, test.tool, `{"file_path":"a"}`), "}") + `,"mcp_context":` + test.context + "}"
		if reply := w.send(event); w.letsThrough(reply) != test.through {
			t.Errorf("%s: %s", test.name, reply.Stdout)
		}
	}
}

// The rules of the project hold wherever in it the agent stands, and are read from
// the project's own directory.
func TestT4_AttacksFromBelow(t *testing.T) {
	for _, agent := range dialect.Agents {
		t.Run(agent.String(), func(t *testing.T) {
			w := newWorld(t, agent).user(`{"permissions":{"allow":["Bash(git push:*)","Bash(rm:*)"],"deny":["Edit(secrets/**)"]}}`)
			w.project(`{"permissions":{"deny":["Bash(git push:*)"]}}`)
			w.write(w.proj, "sub/deep/a", "").write(w.proj, "secrets/a", "")
			sub, secrets := filepath.Join(w.proj, "sub", "deep"), filepath.Join(w.proj, "secrets")
			for event, want := range map[string]bool{
				shellEvent(agent, sub, "git push"):       false,
				shellEvent(agent, secrets, "rm a"):       false,
				shellEvent(agent, sub, "rm a"):           true,
				shellEvent(agent, sub, "cat ../../READ"): true, // inside of the project
				shellEvent(agent, sub, "cat ../../../x"): false,
			} {
				if reply := w.send(event); w.letsThrough(reply) != want {
					t.Errorf("%s: %s", event, reply.Stdout)
				}
			}
		})
	}
}

// A project is told by what lies in it; the home directory is none.
func TestT4_WhereTheProjectBegins(t *testing.T) {
	for _, mark := range []string{".git/HEAD", ".git", ".claude/settings.local.json"} {
		w := newWorld(t, dialect.Codex).user(`{"permissions":{"deny":["Bash(rm ./x:*)","Edit(./keep)"],"allow":["Bash(rm:*)"]}}`)
		w.write(w.proj, mark, "{}").write(w.proj, "sub/a", "")
		if reply := w.send(shellEvent(dialect.Codex, filepath.Join(w.proj, "sub"), "rm ../keep")); w.letsThrough(reply) {
			t.Errorf("%s: %s", mark, reply.Stdout)
		}
	}
	w := newWorld(t, dialect.Codex).user(`{"permissions":{"deny":["Edit(./keep)"],"allow":["Bash(rm:*)"]}}`)
	w.write(w.home, "work/a", "").write(w.home, ".git/HEAD", "")
	if reply := w.send(shellEvent(dialect.Codex, filepath.Join(w.home, "work"), "rm keep")); w.letsThrough(reply) {
		t.Errorf("the home directory is taken for the project: %s", reply.Stdout)
	}
}

// All directories of a workspace count, with and without a name for the project.
func TestT4_Workspaces(t *testing.T) {
	w := newWorld(t, dialect.Cursor).user(`{"permissions":{"allow":["Bash(git push:*)","Bash(make:*)"],"deny":["Read(./key)"]}}`)
	w.project(`{"permissions":{"deny":["Bash(git push:*)"]}}`)
	other := filepath.Join(filepath.Dir(w.proj), "other")
	w.write(other, "sub/a", "").write(w.proj, "sub/a", "")
	shell := func(command, cwd string, roots ...string) string {
		var quoted []string
		for _, root := range roots {
			quoted = append(quoted, strconv.Quote(root))
		}
		place := ""
		if cwd != "" {
			place = fmt.Sprintf(`"cwd":%q,`, cwd)
		}
		return fmt.Sprintf(`{"hook_event_name":"beforeShellExecution","command":%q,%s"workspace_roots":[%s]}`, command, place, strings.Join(quoted, ","))
	}
	many := make([]string, 17)
	for i := range many {
		many[i] = w.proj
	}
	for _, test := range []struct {
		name, event string
		through     bool
	}{
		{"the only one", shell("git push", w.proj+"/sub", w.proj), false},
		{"the first", shell("git push", other, w.proj, other), false},
		{"the second", shell("git push", other, other, w.proj), false},
		{"no working directory", shell("git push", "", other, w.proj), false},
		{"another command", shell("make", "", other, w.proj), true},
		{"a file of another one", shell("cat "+w.proj+"/a "+other+"/a", other, other, w.proj), true},
		{"a file of none", shell("cat /etc/hostname", other, other, w.proj), false},
		{"a denied file of the second", shell("cat key", "", other, w.proj), false},
		{"a denied file by its name", shell("cat "+w.proj+"/key", other, other, w.proj), false},
		{"one that is gone", shell("make", other, other, w.proj+"/gone"), false},
		{"too many", shell("make", w.proj, many...), false},
		{"no text", `{"hook_event_name":"beforeShellExecution","command":"make","workspace_roots":[17]}`, false},
	} {
		if reply := w.send(test.event); w.letsThrough(reply) != test.through {
			t.Errorf("%s: %s", test.name, reply.Stdout)
		}
	}
	if reply := w.send(shell("make", other, other)); !w.letsThrough(reply) {
		t.Errorf("%s", reply.Stdout)
	}
}

// What the agent names to its hooks is the project, and the directories of the
// workspace count beside it.
func TestT4_NamedProject(t *testing.T) {
	w := newWorld(t, dialect.Cursor).user(`{"permissions":{"allow":["Bash"]}}`).project(`{"permissions":{"deny":["Bash(git push:*)"]}}`)
	other := filepath.Join(filepath.Dir(w.proj), "other")
	w.write(other, ".claude/settings.json", `{"permissions":{"deny":["Bash(make:*)"]}}`)
	w.options.Project = w.proj
	for _, command := range []string{"git push", "make"} {
		event := fmt.Sprintf(`{"hook_event_name":"beforeShellExecution","command":%q,"cwd":%q,"workspace_roots":[%q]}`, command, other, other)
		if reply := w.send(event); w.letsThrough(reply) {
			t.Errorf("%s: %s", command, reply.Stdout)
		}
	}
	w.options.Settings.Dir = other // the person's word counts before the agent's
	if reply := w.send(shellEvent(dialect.Cursor, w.proj, "git push")); !w.letsThrough(reply) {
		t.Errorf("%s", reply.Stdout)
	}
}

// "x/.." is one place to an agent that cleans names and another one to the kernel.
func TestT4_DirectoryBehindALink(t *testing.T) {
	w := newWorld(t, dialect.Gemini).user(`{"permissions":{"allow":["Bash(rm:*)"],"deny":["Edit(./secrets/**)"]}}`)
	w.write(w.proj, "secrets/below/a", "").write(w.proj, "web/a", "")
	if err := os.Symlink("secrets/below", filepath.Join(w.proj, "link")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{"web": true, "web/../web": true, "link": false, "link/..": false, "secrets": false} {
		event := toolEvent(dialect.Gemini, w.proj, "run_shell_command", input("command", "rm a", "dir_path", dir))
		if reply := w.send(event); w.letsThrough(reply) != want {
			t.Errorf("%s: %s", dir, reply.Stdout)
		}
	}
}

// Copilot runs the hooks of Claude Code's settings as well. A denial is one that both
// of them obey, whoever has sent the event.
func TestT4_CopilotRunsClaudesHooks(t *testing.T) {
	w := newWorld(t, dialect.Claude).user(attacked)
	for _, test := range []struct {
		name, event string
		kind        dialect.Kind
	}{
		{"Claude's names", with(toolEvent(dialect.Claude, w.proj, "Bash", `{"command":"git push"}`), "timestamp", "2026-08-01T10:00:00Z"), dialect.ToolCall},
		{"Copilot's inputs", with(toolEvent(dialect.Claude, w.proj, "Edit", `{"path":".env"}`), "timestamp", "2026-08-01T10:00:00Z"), dialect.ToolCall},
		{"Copilot's names", toolEvent(dialect.Copilot, w.proj, "bash", `{"command":"git push"}`), dialect.ToolCall},
		{"a question", toolEvent(dialect.Copilot, w.proj, "bash", `{"command":"make"}`), dialect.ToolCall},
		{"a failure", toolEvent(dialect.Copilot, w.proj, "bash", `{"command":17}`), dialect.ToolCall},
		{"a permission request", `{"hook_event_name":"PermissionRequest","timestamp":"x","tool_name":"Bash","tool_input":{"command":"git push"}}`, dialect.PermissionRequest},
		{"half an event", `{"sessionId":"s","toolName":"bash","toolArgs":`, dialect.ToolCall},
	} {
		reply := w.send(test.event)
		for _, agent := range []dialect.Agent{dialect.Claude, dialect.Copilot} {
			if dialecttest.LetsThrough(agent, test.kind, reply) {
				t.Errorf("%s: %v lets it through: %+v", test.name, agent, reply)
			}
		}
	}
	reply := w.send(toolEvent(dialect.Copilot, w.proj, "bash", `{"command":"ls"}`))
	for _, agent := range []dialect.Agent{dialect.Claude, dialect.Copilot} {
		if !dialecttest.LetsThrough(agent, dialect.ToolCall, reply) {
			t.Errorf("%v does not let it through: %+v", agent, reply)
		}
	}
}

// Copilot's own events have no name: where one may be either of two, the answer holds
// for both. An empty result is none.
func TestT4_NamelessEvents(t *testing.T) {
	w := newWorld(t, dialect.Copilot).user(attacked)
	for _, event := range []string{
		`{"toolName":"bash","toolInput":{"command":"git push"}}`,
		`{"toolName":"bash","toolInput":{"command":"make"}}`,
		`{"toolName":"bash","toolArgs":{"command":"git push"},"toolResult":""}`,
		`{"toolName":"bash","toolArgs":{"command":"git push"},"error":""}`,
		`{"toolName":"bash","toolArgs":{"command":"git push"},"toolResult":{}}`,
		`{"toolName":"bash","toolArgs":{"command":"ls"},"toolInput":{"command":"git push"}}`,
		`{"toolName":"bash","toolArgs":{"command":"git push"},"tool_name":"bash","tool_input":{"command":"ls"}}`,
		`{"tool_name":"bash","tool_input":{"command":"git push"},"source":"x"}`,
	} {
		reply := w.send(event)
		for _, kind := range []dialect.Kind{dialect.ToolCall, dialect.PermissionRequest} {
			if dialecttest.LetsThrough(dialect.Copilot, kind, reply) {
				t.Errorf("%s as kind %d: %+v", event, kind, reply)
			}
		}
	}
}

// A guess that asks is a denial where nothing is asked.
func TestT4_GuessesInDontAsk(t *testing.T) {
	w := newWorld(t, dialect.Codex).user(`{"permissions":{"allow":["write_stdin"],"ask":["Bash(git push:*)"]}}`)
	for chars, want := range map[string]bool{`ls\n`: true, "ls": false, "git push": false, `git push\n`: false, `rm -rf /\n`: false} {
		event := with(toolEvent(dialect.Codex, w.proj, "write_stdin", `{"chars":"`+chars+`"}`), "permission_mode", "dontAsk")
		if reply := w.send(event); w.letsThrough(reply) != want {
			t.Errorf("%s: %s", chars, reply.Stdout)
		}
	}
}

// Where an edit cannot be asked about, the denial names the rule that would allow it.
func TestT4_HintForEdits(t *testing.T) {
	for _, test := range []struct{ file, rule string }{
		{"a.go", "Edit(./**)"},
		{"../elsewhere/deep/a.go", "/elsewhere/deep/**)"},
		{".git/config", ""},
	} {
		w := newWorld(t, dialect.Codex)
		event := toolEvent(dialect.Codex, w.proj, "apply_patch", input("command", update(test.file)))
		reply := string(w.send(event).Stdout)
		if named := strings.Contains(reply, "with the rule Edit("); named != (test.rule != "") || !strings.Contains(reply, test.rule) {
			t.Errorf("%s: %s", test.file, reply)
		}
		if test.rule == "Edit(./**)" {
			w.user(`{"permissions":{"allow":["` + test.rule + `"]}}`)
			if reply := w.send(event); !w.letsThrough(reply) {
				t.Errorf("%s does not allow it: %s", test.rule, reply.Stdout)
			}
		}
	}
}
