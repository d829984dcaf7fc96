package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/tool"
)

const (
	testHome    = "/home/dev"
	testProject = "/home/dev/proj"
)

// toolbox are the built-in tools and every MCP tool; process_refund stands for a tool
// of a Go program.
type toolbox struct{ *tool.Set }

func newToolbox(t testing.TB) toolbox {
	t.Helper()
	set, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	return toolbox{set}
}

func (b toolbox) Lookup(name string) (permission.Tool, bool) {
	if strings.HasPrefix(name, "mcp__") || strings.HasSuffix(name, "_refund") || strings.HasSuffix(name, "_customer") {
		return anyTool(name), true
	}
	return b.Set.Lookup(name)
}

type anyTool string

func (a anyTool) Name() string          { return string(a) }
func (a anyTool) Kind() permission.Kind { return permission.Other }
func (a anyTool) Subject() string       { return "" }
func (a anyTool) Decode(input []byte) (map[string]any, error) {
	var v map[string]any
	if err := json.Unmarshal(input, &v); err != nil || v == nil {
		return nil, errors.New("want an object")
	}
	return v, nil
}

// testSession is where a test judges calls: a pipeline and the permissions of a session.
type testSession struct {
	t        testing.TB
	pipeline Pipeline
	snapshot *permission.Context
}

// newSession has the given hooks, and rules that a test may add.
func newSession(t testing.TB, config Config, rules ...rule.Rule) *testSession {
	t.Helper()
	snapshot, err := permission.NewContext(permission.Config{Cwd: testProject, Home: testHome, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	engine := permission.NewEngine(newToolbox(t), nil)
	if config.Dir == "" {
		config.Dir = testProject
	}
	config.Home, config.Engine = testHome, engine
	runner := NewRunner(config)
	t.Cleanup(func() { runner.Close(context.WithoutCancel(t.Context())) })
	return &testSession{t: t, pipeline: Pipeline{Engine: engine, Hooks: runner}, snapshot: snapshot}
}

func (s *testSession) inMode(mode permission.Mode) *testSession {
	s.t.Helper()
	snapshot, err := permission.NewContext(permission.Config{Cwd: testProject, Home: testHome, Rules: s.snapshot.Rules(), Mode: mode})
	if err != nil {
		s.t.Fatal(err)
	}
	s.snapshot = snapshot
	return s
}

func textRule(t testing.TB, behavior rule.Behavior, text string) rule.Rule {
	t.Helper()
	r, ok, err := rule.Read(text, behavior, rule.Origin{Source: rule.ProjectSettings, File: "settings.json", Line: 1})
	if !ok || err != nil {
		t.Fatalf("rule %s: %v", text, err)
	}
	return r
}

func (s *testSession) judge(toolName, input string) Judgement {
	s.t.Helper()
	return s.pipeline.Judge(s.t.Context(), s.snapshot, permission.Request{Tool: toolName, Input: []byte(input)}, Base{SessionID: "s1"}, "toolu_1")
}

func (s *testSession) bash(command string) Judgement {
	s.t.Helper()
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.judge("Bash", string(input))
}

func (s *testSession) run(input Input) Verdict {
	s.t.Helper()
	return s.pipeline.Hooks.Run(s.t.Context(), Occasion{Input: input})
}

// saying is a Go hook that always gives one answer.
func saying(label string, out Output) Function {
	return Function{Label: label, Func: func(context.Context, Invocation) (Output, error) { return out, nil }}
}

// printing is a hook that answers with text, as a command or a host does.
func printing(id, text string) Callback {
	return Callback{ID: id, Send: func(context.Context, string, []byte, string) ([]byte, error) { return []byte(text), nil }}
}

// before makes PreToolUse entries for every tool.
func before(handlers ...Handler) []Entry { return entriesAt(PreToolUse, handlers...) }

func entriesAt(event Event, handlers ...Handler) []Entry {
	var entries []Entry
	for _, h := range handlers {
		entries = append(entries, Entry{Event: event, Handler: h})
	}
	return entries
}

func mustMatcher(t testing.TB, text string) Matcher {
	t.Helper()
	m, err := ParseMatcher(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wantDecision checks what came out in the end.
func wantDecision(t testing.TB, j Judgement, want permission.Behavior, parts ...string) {
	t.Helper()
	if j.Decision.Behavior != want {
		t.Errorf("the decision is %v (%s), want %v", j.Decision.Behavior, j.Decision.Message(), want)
	}
	for _, part := range parts {
		if !strings.Contains(j.Decision.Message(), part) {
			t.Errorf("the reason %q does not say %q", j.Decision.Message(), part)
		}
	}
}

func wantNote(t testing.TB, run Run, part string) {
	t.Helper()
	if !slices.ContainsFunc(run.Notes, func(note string) bool { return strings.Contains(note, part) }) {
		t.Errorf("%s: no note says %q: %q", run.Hook, part, run.Notes)
	}
}

func wantJSON(t testing.TB, got []byte, want string) {
	t.Helper()
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		t.Fatalf("not JSON: %q or %q", got, want)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The outcomes, as tests name them.
const (
	allowed  = permission.Allow
	asked    = permission.Ask
	denied   = permission.Deny
	deferred = permission.Defer
)

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
