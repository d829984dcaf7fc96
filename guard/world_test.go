package guard_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/dialect/dialecttest"
	"github.com/assent-dev/assent/guard"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/settings/oslinks"
)

// world is a machine with a home directory and a project.
type world struct {
	t          *testing.T
	home, proj string
	options    guard.Options
}

func newWorld(t *testing.T, agent dialect.Agent) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(top, "home"), proj: filepath.Join(top, "proj")}
	for _, dir := range []string{w.home, w.proj} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.options = guard.Options{
		Agent: agent, Links: oslinks.Links{}, Cwd: w.proj,
		Settings: settings.Options{Home: w.home, ManagedFiles: []string{}},
	}
	return w
}

// user writes the user's settings.
func (w *world) user(text string) *world { return w.write(w.home, ".claude/settings.json", text) }

// project writes the project's.
func (w *world) project(text string) *world { return w.write(w.proj, ".claude/settings.json", text) }

// emptySettings is where the project's settings would be, with the directory made.
func (w *world) emptySettings() string {
	w.t.Helper()
	dir := filepath.Join(w.proj, ".claude")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	return filepath.Join(dir, "settings.json")
}

func (w *world) write(dir, name, text string) *world {
	w.t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return w
}

func (w *world) send(event string) dialect.Reply {
	w.t.Helper()
	o := w.options
	o.Stdin = strings.NewReader(event)
	return guard.Run(context.Background(), o)
}

// run sends a command in the agent's words.
func (w *world) run(command string) dialect.Reply {
	return w.send(shellEvent(w.options.Agent, w.proj, command))
}

// shellEvent is a command in the agent's words.
func shellEvent(agent dialect.Agent, cwd, command string) string {
	command, cwd = strconv.Quote(command), strconv.Quote(cwd)
	switch agent {
	case dialect.Claude, dialect.Codex:
		return fmt.Sprintf(`{"hook_event_name":"PreToolUse","cwd":%s,"tool_name":"Bash","tool_input":{"command":%s}}`, cwd, command)
	case dialect.Gemini:
		return fmt.Sprintf(`{"hook_event_name":"BeforeTool","cwd":%s,"tool_name":"run_shell_command","tool_input":{"command":%s}}`, cwd, command)
	case dialect.Cursor:
		return fmt.Sprintf(`{"hook_event_name":"preToolUse","cwd":%s,"tool_name":"Shell","tool_input":{"command":%s}}`, cwd, command)
	case dialect.Copilot:
		return fmt.Sprintf(`{"cwd":%s,"toolName":"bash","toolArgs":{"command":%s}}`, cwd, command)
	}
	panic("no such agent")
}

// with adds a key to an event.
func with(event, key, value string) string {
	return strings.TrimSuffix(event, "}") + fmt.Sprintf(`,%q:%q}`, key, value)
}

func (w *world) letsThrough(r dialect.Reply) bool {
	return dialecttest.LetsThrough(w.options.Agent, dialect.ToolCall, r)
}

// decision is the word that Claude Code reads.
func decision(t *testing.T, r dialect.Reply) (word, reason string) {
	t.Helper()
	var answer struct {
		Specific struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := strictjson.Unmarshal(r.Stdout, &answer); err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return answer.Specific.Decision, answer.Specific.Reason
}
