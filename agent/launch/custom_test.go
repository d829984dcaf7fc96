package launch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/wire"
)

// workshop is a session with files, and what it said.
type workshop struct {
	t *testing.T
	Options
	warned  []string
	inits   []*wire.Init
	session *Session
}

func newWorkshop(t *testing.T, script string) *workshop {
	t.Helper()
	w := &workshop{t: t, Options: options(t)}
	w.Model = "script:" + writeFile(t, "script.yaml", script)
	w.Warn = func(text string) { w.warned = append(w.warned, text) }
	w.Emit = func(m wire.Message) {
		if init, ok := m.(*wire.Init); ok {
			w.inits = append(w.inits, init)
		}
	}
	return w
}

func (w *workshop) put(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workshop) project(name, text string) {
	w.put(filepath.Join(w.Settings.Dir, ".claude", name), text)
}

func (w *workshop) user(name, text string) {
	w.put(filepath.Join(w.Settings.Home, ".claude", name), text)
}

func (w *workshop) open() {
	w.t.Helper()
	s := mustOpen(w.t, w.Options)
	w.session = s
	w.t.Cleanup(func() { mustClose(w.t, s) })
}

func (w *workshop) prompt(text string) *wire.Result {
	w.t.Helper()
	return w.session.Agent.Prompt(w.t.Context(), agent.TextPrompt(text))
}

func (w *workshop) trust() {
	w.t.Helper()
	if err := settings.Trust(w.Settings, ""); err != nil {
		w.t.Fatal(err)
	}
}

const (
	silent = "turns: []\nafterwards: Well.\n"
	ship   = "---\ndescription: Ships\nargument-hint: <where>\nallowed-tools: Bash(touch:*)\n---\nShip to $1.\n"
)

func TestS43_ACommandOfAnUntrustedWorkspace(t *testing.T) {
	w := newWorkshop(t, silent)
	w.project("commands/ship.md", strings.Replace(ship, "touch:*", "*", 1))
	w.open()
	result := w.prompt("/ship it")
	if !result.IsError || len(result.Errors) != 1 || !strings.Contains(result.Errors[0], "assent trust "+w.Settings.Dir) || result.NumTurns > 0 {
		t.Errorf("%+v", result)
	}
	if len(w.warned) != 1 || !strings.Contains(w.warned[0], "command /ship is held back") {
		t.Errorf("warned %q", w.warned)
	}
	if slices.Contains(w.inits[0].SlashCommands, "ship") {
		t.Error("a command is listed that cannot run")
	}
	if result := w.prompt("/SHIP"); !result.IsError || !strings.Contains(result.Errors[0], "there is no command /SHIP") {
		t.Errorf("%+v", result)
	}
	// Somebody trusts it while the session runs; then it changes again.
	w.trust()
	if result := w.prompt("/ship it"); result.IsError {
		t.Errorf("%+v", result)
	}
	w.project("commands/ship.md", ship+"More.")
	if result := w.prompt("/ship it"); !result.IsError || !strings.Contains(result.Errors[0], "have changed since") {
		t.Errorf("%+v", result)
	}
	before := len(w.warned)
	if w.prompt("/ship it"); len(w.warned) != before || before != 2 {
		t.Errorf("warned %q", w.warned)
	}
	if result := w.prompt("an ordinary prompt"); result.IsError || result.Text != "Well." {
		t.Errorf("%+v", result)
	}
}

func TestS43_ACommandRuns(t *testing.T) {
	w := newWorkshop(t, `turns:
  - calls: [{Bash: {command: "touch one"}}]
  - say: one
  - calls: [{Bash: {command: "touch two"}}]
  - say: two
`)
	w.project("commands/team/ship.md", ship)
	w.project("commands/compact.md", "Mine.")
	w.user("commands/mine.md", "Mine.")
	w.trust()
	w.open()
	if result := w.prompt("/team:ship prod"); result.IsError || len(result.Denials) > 0 {
		t.Errorf("%+v", result)
	}
	if result := w.prompt("again"); len(result.Denials) != 1 {
		t.Errorf("%+v", result)
	}
	for name, want := range map[string]bool{"one": true, "two": false} {
		if _, err := os.Stat(filepath.Join(w.Settings.Dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if want := []string{"compact", "mine", "team:ship"}; !slices.Equal(w.inits[0].SlashCommands, want) {
		t.Errorf("init lists %v", w.inits[0].SlashCommands)
	}
	commands := w.session.Commands()
	if len(commands) != 3 || commands[2].Description != "Ships" || commands[2].ArgumentHint != "<where>" || commands[0].Description == "" {
		t.Errorf("%+v", commands)
	}
}

func TestS43_WhatIsNoCommand(t *testing.T) {
	w := newWorkshop(t, silent)
	w.user("commands/ship.md", ship)
	w.user("commands/broken.md", "---\nmodel: a\nmodel: b\n---\nx")
	w.open()
	for prompt, want := range map[string]string{
		"/etc/hosts is wrong":  "",
		"/tmp is full":         "",
		" /shp":                "",
		"/ship":                "",
		"/shp":                 "there is no command /shp (did you mean /ship?)",
		"/team:ship":           "there is no command /team:ship (did you mean /ship?)",
		"/zzz":                 "there is no command /zzz (there are: /broken, /compact, /ship",
		"/../commands/ship":    "",
		"/broken":              "broken.md:3: model stands here a second time",
		"/ship\nwith\nlines":   "",
		"/ship:../../etc/x me": "",
	} {
		result := w.prompt(prompt)
		got := strings.Join(result.Errors, "\n")
		if result.IsError != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%q: %+v", prompt, result)
		}
	}
	w.put(filepath.Join(w.Settings.Home, ".claude", "settings.json"), "{")
	if result := w.prompt("/ship"); !result.IsError || !strings.Contains(result.Errors[0], "settings cannot be read") {
		t.Errorf("%+v", result)
	}
}

func agentFile(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\nDo it.\n"
}

func TestS33_WhichAgentCounts(t *testing.T) {
	w := newWorkshop(t, silent)
	w.user("agents/a.md", agentFile("a", "user"))
	w.user("agents/b.md", agentFile("b", "user"))
	w.user("agents/bad.md", "no front matter")
	w.project("agents/sub/x.md", agentFile("b", "project"))
	w.project("agents/c.md", agentFile("c", "project"))
	w.Agents = `{"c": {"description": "flag", "prompt": "p"}}`
	shown := func() string {
		w.open()
		var all []string
		for _, d := range w.session.Agent.Kinds() {
			all = append(all, d.Name+" "+d.Description)
		}
		slices.Sort(all)
		return strings.Join(all[:len(all)-1], ", ") // the last is general-purpose
	}
	if got := shown(); got != "a user, b user, c flag" {
		t.Errorf("untrusted: %s", got)
	}
	if said := strings.Join(w.warned, "\n"); !strings.Contains(said, "bad.md:1: an agent begins") || strings.Count(said, "is held back") != 2 {
		t.Errorf("warned\n%s", said)
	}
	w.Settings.TrustWorkspace = true
	if got := shown(); got != "a user, b project, c flag" {
		t.Errorf("trusted: %s", got)
	}
	w.prompt("hello")
	if got := w.inits[0].Agents; !slices.Equal(slices.Sorted(slices.Values(got)), []string{"a", "b", "c"}) {
		t.Errorf("init lists %v", got)
	}
	w.Agents = `{"c": {"prompt": "p"}}`
	if _, err := Open(w.Options); err == nil || !strings.Contains(err.Error(), `--agents: agent "c": it has no description`) {
		t.Errorf("%v", err)
	}
}

// An agent that is to do without something nobody knows is left out, whoever describes it.
func TestUnsoundAgents(t *testing.T) {
	o := options(t)
	var warned []string
	o.Warn = func(text string) { warned = append(warned, text) }
	o.Agents = `{"flag": {"description": "d", "prompt": "p", "disallowedTools": ["bash"]}, "fine": {"description": "d", "prompt": "p", "disallowedTools": ["Bas*"]}}`
	put(t, o.Settings.Home, ".claude/agents/a.md", "---\nname: filed\ndescription: d\ndisallowedTools: Bash, Wrte\n---\nGo\n")
	s := mustOpen(t, o)
	defer mustClose(t, s)
	kinds := func() string {
		var names []string
		for _, d := range s.Agent.Kinds() {
			names = append(names, d.Name)
		}
		return strings.Join(names, " ")
	}
	said := strings.Join(warned, "\n")
	if kinds() != "fine general-purpose" || !strings.Contains(said, `"flag" is left out: disallowedTools names "bash"`) || !strings.Contains(said, `a.md: agent "filed" is left out: disallowedTools names "Wrte"`) {
		t.Errorf("%s, warned %s", kinds(), said)
	}
	notes, err := s.AddAgents([]byte(`{"hosted": {"description": "d", "prompt": "p", "disallowedTools": ["Bsh"]}}`))
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], `"Bsh"`) || kinds() != "fine general-purpose" {
		t.Error(notes, err, kinds())
	}
	if _, err := s.AddAgents([]byte(`{"fine": {"description": "d", "prompt": "p", "disallowedTools": ["Bsh"]}}`)); err == nil {
		t.Error("another agent of that name takes its place")
	}
}

func TestAliasesOfModels(t *testing.T) {
	for _, tt := range []struct{ name, own, want string }{
		{"haiku", "claude-sonnet-5-5", "claude-haiku-5-5"},
		{"haiku", "llama3:8b", "llama3:8b"},
		{"other", "llama3:8b", "other"},
	} {
		s := &Session{env: variables{process: func(string) string { return "" }}, customs: &customs{model: tt.own}}
		if got := s.resolve(tt.name); got != tt.want {
			t.Errorf("%s beside %s: %s", tt.name, tt.own, got)
		}
	}
}
