package guard_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/dialect/dialecttest"
	"github.com/assent-dev/assent/guard"
)

// fine allows every command, and makes the guard look at the files of each.
const fine = `{"permissions":{"allow":["Bash","mcp__*__list"],"deny":["Read(./secret)"]}}`

// failure is something that breaks around a call which is allowed as long as nothing
// is broken.
type failure struct {
	name string
	// send breaks something and sends the event.
	send func(w *world, event string) dialect.Reply
	// says is what the answer must hold.
	says string
}

// failures can happen to every event.
func failures() []failure {
	return []failure{
		{"empty input", func(w *world, _ string) dialect.Reply { return w.send("") }, "the text is empty"},
		{"half an event", func(w *world, e string) dialect.Reply { return w.send(e[:len(e)/2]) }, "the text ends before the value does"},
		{"no object", func(w *world, _ string) dialect.Reply { return w.send(`["x"]`) }, "want an object"},
		{"null", func(w *world, _ string) dialect.Reply { return w.send("null") }, "it has no name"},
		{"two events", func(w *world, e string) dialect.Reply { return w.send(e + e) }, "invalid JSON"},
		{"an outer key twice", func(w *world, e string) dialect.Reply { return w.send(with(e, "cwd", "/")) }, `occurs twice`},
		{"an unknown event", func(w *world, e string) dialect.Reply { return w.send(renamed(e)) }, "Unheard"},
		{"an unknown mode", func(w *world, e string) dialect.Reply { return w.send(with(e, "permission_mode", "yolo")) }, "yolo"},
		{"an empty mode", func(w *world, e string) dialect.Reply { return w.send(with(e, "permission_mode", "")) }, "unknown permission mode"},
		{"too much input", func(w *world, e string) dialect.Reply {
			return w.send(with(e, "padding", strings.Repeat("x", dialect.MaxInput)))
		}, "larger than 4 MiB"},
		{"deep nesting", func(w *world, e string) dialect.Reply {
			return w.send(strings.TrimSuffix(e, "}") + `,"deep":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "}")
		}, "levels deep"},
		{"invalid text", func(w *world, e string) dialect.Reply { return w.send(with(e, "x", "")[:len(e)+3] + "\xff" + `"}`) }, "invalid"},
		{"broken settings", func(w *world, e string) dialect.Reply {
			return w.project("{\n  \"permissions\": {\"deny\": [\n").send(e)
		}, "settings.json:2:28: "},
		{"a settings key twice", func(w *world, e string) dialect.Reply {
			return w.project(`{"permissions":{},"permissions":{}}`).send(e)
		}, "occurs twice"},
		{"unreadable settings", func(w *world, e string) dialect.Reply {
			return w.write(w.proj, ".claude/settings.json/in_its_place", "").send(e)
		}, "cannot be read"},
		{"settings that are a pipe", func(w *world, e string) dialect.Reply {
			if err := makePipe(w.emptySettings()); err != nil {
				w.t.Fatal(err)
			}
			return w.send(e)
		}, "settings.json"},
		{"settings that are a loop", func(w *world, e string) dialect.Reply {
			if err := os.Symlink("settings.json", w.emptySettings()); err != nil {
				w.t.Fatal(err)
			}
			return w.send(e)
		}, "settings.json"},
		{"huge settings", func(w *world, e string) dialect.Reply {
			if err := errors.Join(os.WriteFile(w.emptySettings(), nil, 0o600), os.Truncate(w.emptySettings(), 1<<30)); err != nil {
				w.t.Fatal(err)
			}
			return w.send(e)
		}, "settings.json"},
		{"a settings flag that is missing", func(w *world, e string) dialect.Reply {
			w.options.Settings.Flag = "nowhere.json"
			return w.send(e)
		}, "nowhere.json"},
		{"a directory that is gone", func(w *world, e string) dialect.Reply {
			return w.send(strings.ReplaceAll(e, w.proj, w.proj+"/gone"))
		}, "gone cannot be used"},
		{"a project that is gone", func(w *world, e string) dialect.Reply {
			w.options.Settings.Dir = w.proj + "/gone"
			return w.send(e)
		}, "gone"},
		{"a relative directory", func(w *world, e string) dialect.Reply {
			return w.send(strings.ReplaceAll(e, w.proj, "."))
		}, "not an absolute path"},
		{"no directory at all", func(w *world, e string) dialect.Reply {
			w.options.Cwd = ""
			return w.send(strings.ReplaceAll(e, w.proj, ""))
		}, "not an absolute path"},
		{"no home", func(w *world, e string) dialect.Reply {
			w.options.Settings.Home = ""
			return w.send(e)
		}, "no home directory"},
		{"a home that is gone", func(w *world, e string) dialect.Reply {
			w.options.Settings.Home += "/gone"
			return w.send(e)
		}, "gone cannot be used, so your own rules cannot be found"},
		{"a home that is a file", func(w *world, e string) dialect.Reply {
			w.options.Settings.Home = "/dev/null"
			return w.send(e)
		}, "/dev/null cannot be used"},
		{"input that fails", func(w *world, e string) dialect.Reply {
			w.options.Stdin = io.MultiReader(strings.NewReader(e[:10]), iotest.ErrReader(errors.New("cable pulled")))
			return guard.Run(context.Background(), w.options)
		}, "cable pulled"},
		{"a panic while reading", func(w *world, _ string) dialect.Reply {
			w.options.Stdin = panics{}
			return guard.Run(context.Background(), w.options)
		}, "internal error: boom"},
	}
}

// shellFailures need the command `make` in the input of the tool for commands.
func shellFailures() []failure {
	return []failure{
		{"a key twice", func(w *world, e string) dialect.Reply {
			return w.send(strings.Replace(e, `{"command":"make"`, `{"command":"make","command":"make"`, 1))
		}, `occurs twice`},
		{"a panic while deciding", func(w *world, e string) dialect.Reply {
			w.options.Links = panics{}
			return w.send(strings.Replace(e, `"make"`, `"cat x"`, 1))
		}, "assent failed while it judged this call (boom at guard/failure_test.go:"},
		{"no tool", func(w *world, e string) dialect.Reply {
			for _, name := range []string{`"Bash"`, `"run_shell_command"`, `"Shell"`, `"bash"`} {
				e = strings.Replace(e, name, `""`, 1)
			}
			return w.send(e)
		}, "which tool"},
		{"no command", func(w *world, e string) dialect.Reply { return w.send(strings.Replace(e, `"command"`, `"comand"`, 1)) }, "missing"},
		{"a command that is no text", func(w *world, e string) dialect.Reply { return w.send(strings.Replace(e, `"make"`, `17`, 1)) }, "no text"},
	}
}

// renamed gives an event a name that no agent has.
func renamed(event string) string {
	const key = `"hook_event_name":"`
	before, rest, found := strings.Cut(event, key)
	if !found {
		return with(event, "hook_event_name", "Unheard")
	}
	_, after, _ := strings.Cut(rest, `"`)
	return before + key + `Unheard"` + after
}

// What can break, for every agent.
func TestT4_NothingBrokenLetsACallThrough(t *testing.T) {
	for _, agent := range dialect.Agents {
		t.Run(agent.String(), func(t *testing.T) {
			t.Parallel()
			nothingLetsThrough(t, agent, dialect.ToolCall, slices.Concat(failures(), shellFailures()), func(w *world) string {
				return shellEvent(agent, w.proj, "make")
			})
		})
	}
}

// The other events by which an agent asks, too.
func TestT4_NothingBrokenLetsOtherEventsThrough(t *testing.T) {
	for _, test := range []struct {
		name  string
		agent dialect.Agent
		kind  dialect.Kind
		event string
	}{
		{"Claude's permission request", dialect.Claude, dialect.PermissionRequest, `{"hook_event_name":"PermissionRequest","cwd":"PROJ","tool_name":"Bash","tool_input":{"command":"make"}}`},
		{"Codex's permission request", dialect.Codex, dialect.PermissionRequest, `{"hook_event_name":"PermissionRequest","cwd":"PROJ","tool_name":"Bash","tool_input":{"command":"make"}}`},
		{"Copilot's permission request", dialect.Copilot, dialect.PermissionRequest, `{"hook_event_name":"permissionRequest","cwd":"PROJ","toolName":"bash","toolInput":{"command":"make"}}`},
		{"Copilot's event without a name", dialect.Copilot, dialect.ToolCall, `{"cwd":"PROJ","toolName":"bash","toolInput":{"command":"make"}}`},
		{"Copilot under Claude's names", dialect.Copilot, dialect.ToolCall, `{"hook_event_name":"PreToolUse","cwd":"PROJ","tool_name":"Bash","tool_input":{"command":"make"}}`},
		{"Copilot at Claude's hook", dialect.Claude, dialect.ToolCall, `{"hook_event_name":"PreToolUse","timestamp":"now","cwd":"PROJ","tool_name":"Bash","tool_input":{"command":"make"}}`},
		{"beforeShellExecution", dialect.Cursor, dialect.ToolCall, `{"hook_event_name":"beforeShellExecution","cwd":"PROJ","workspace_roots":["PROJ"],"command":"make"}`},
		{"beforeReadFile", dialect.Cursor, dialect.ToolCall, `{"hook_event_name":"beforeReadFile","cwd":"PROJ","workspace_roots":["PROJ"],"file_path":"a"}`},
		{"beforeTabFileRead", dialect.Cursor, dialect.ToolCall, `{"hook_event_name":"beforeTabFileRead","cwd":"PROJ","workspace_roots":["PROJ"],"file_path":"a"}`},
		{"beforeMCPExecution", dialect.Cursor, dialect.ToolCall, `{"hook_event_name":"beforeMCPExecution","cwd":"PROJ","workspace_roots":["PROJ"],"tool_name":"list","tool_input":"{}"}`},
		{"subagentStart", dialect.Cursor, dialect.ToolCall, `{"hook_event_name":"subagentStart","cwd":"PROJ","workspace_roots":["PROJ"],"subagent_type":"explore"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			nothingLetsThrough(t, test.agent, test.kind, failures(), func(w *world) string {
				return strings.ReplaceAll(test.event, "PROJ", w.proj)
			})
		})
	}
}

func nothingLetsThrough(t *testing.T, agent dialect.Agent, kind dialect.Kind, failures []failure, event func(*world) string) {
	w := newWorld(t, agent).user(fine)
	if reply := w.send(event(w)); !dialecttest.LetsThrough(agent, kind, reply) {
		t.Fatalf("the call is not allowed even when nothing is broken: %+v", reply)
	}
	for _, test := range failures {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, agent).user(fine)
			reply := test.send(w, event(w))
			if dialecttest.LetsThrough(agent, kind, reply) {
				t.Fatalf("it lets the call through: %+v", reply)
			}
			if said := string(reply.Stdout) + string(reply.Stderr); !strings.Contains(said, test.says) {
				t.Errorf("want %q in %s", test.says, said)
			}
		})
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error)        { panic("boom") }
func (panics) Readlink(string) (string, error) { panic("boom") }

// An event that never ends is denied when the time is up; so is a decision that is
// not made by then.
func TestT4_Deadline(t *testing.T) {
	for _, agent := range dialect.Agents {
		w := newWorld(t, agent).user(fine)
		event := shellEvent(agent, w.proj, "cat x")
		synctest.Test(t, func(t *testing.T) {
			in, out := io.Pipe()
			defer out.Close()
			go func() { _, _ = out.Write([]byte(event)) }() // and no end
			w.options.Stdin = in
			reply := guard.Run(t.Context(), w.options)
			if w.letsThrough(reply) || !strings.Contains(string(reply.Stdout)+string(reply.Stderr), "the event has not come within 5s") {
				t.Errorf("%v: %+v", agent, reply)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			stuck := make(chan struct{})
			defer close(stuck)
			w.options.Stdin, w.options.Links = strings.NewReader(event), slow(stuck)
			reply := guard.Run(t.Context(), w.options)
			if w.letsThrough(reply) || !strings.Contains(string(reply.Stdout), "the decision has not been made within 5s") {
				t.Errorf("%v: %+v", agent, reply)
			}
		})
	}
}

// There is one answer, however the decision and the deadline fall: the decision that
// comes too late is not given, and neither is the denial of a deadline that comes then.
func TestT4_OneAnswer(t *testing.T) {
	w := newWorld(t, dialect.Claude).user(fine)
	event := shellEvent(dialect.Claude, w.proj, "cat x")
	for _, test := range []struct {
		name      string
		takes     time.Duration
		late, own int
	}{
		{"in time", 4 * time.Second, 0, 1},
		{"too late", 6 * time.Second, 1, 0},
		{"never", time.Hour, 1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stuck := make(chan struct{})
				time.AfterFunc(test.takes, func() { close(stuck) })
				o := w.options
				o.Stdin, o.Links = strings.NewReader(event), slow(stuck)
				var late, own atomic.Int32
				go func() {
					guard.RunHere(o, func(r dialect.Reply) {
						late.Add(1)
						if w.letsThrough(r) {
							t.Errorf("%+v", r)
						}
					})
					own.Add(1)
				}()
				time.Sleep(2 * time.Hour) // of the bubble
				if int(late.Load()) != test.late || int(own.Load()) != test.own {
					t.Errorf("%d answers of the deadline and %d of the decision, want %d and %d", late.Load(), own.Load(), test.late, test.own)
				}
			})
		})
	}
}

// slow is a file system that does not answer.
type slow chan struct{}

func (s slow) Readlink(string) (string, error) {
	<-s
	return "", nil
}

// An event with nothing to decide needs no settings, so it cannot fail for theirs.
func TestT4_NoticesDoNotDependOnSettings(t *testing.T) {
	w := newWorld(t, dialect.Claude).user("{")
	if reply := w.send(`{"hook_event_name":"Stop"}`); reply.Exit != 0 || len(reply.Stdout) != 0 {
		t.Errorf("%+v", reply)
	}
}

// A link that leads out of the project is followed.
func TestT4_LinksAreFollowed(t *testing.T) {
	w := newWorld(t, dialect.Claude)
	if err := os.Symlink("/etc", filepath.Join(w.proj, "inside")); err != nil {
		t.Fatal(err)
	}
	if word, reason := decision(t, w.run("cat inside/shadow")); word != "ask" {
		t.Errorf("%s: %s", word, reason)
	}
}
