package assent_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/script"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"go.uber.org/goleak"
)

// play is a model that plays the turns of a script.
func play(t *testing.T, turns string) model.Provider {
	t.Helper()
	p, err := script.New(t.Name(), []byte(turns))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// place is where the sessions of a test work and keep their files.
type place struct {
	t                *testing.T
	dir, home, state string
}

// newPlace makes one. At the end of the test nothing may be left running.
func newPlace(t *testing.T) *place {
	t.Helper()
	before := goleak.IgnoreCurrent()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t, filepath.Join(root, "work"), filepath.Join(root, "home"), filepath.Join(root, "state")}
	for _, dir := range []string{p.dir, p.home, p.state} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	return p
}

// with are options for a session there, whose model plays a script.
func (p *place) with(turns string, more ...assent.Option) []assent.Option {
	p.t.Helper()
	return append([]assent.Option{
		assent.Dir(p.dir), assent.Home(p.home), assent.StateDir(p.state), assent.Provider(play(p.t, turns)),
	}, more...)
}

// file writes a file below the directory of the session.
func (p *place) file(name, text string) string {
	p.t.Helper()
	return put(p.t, filepath.Join(p.dir, name), text)
}

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (p *place) exists(name string) bool {
	_, err := os.Stat(filepath.Join(p.dir, name))
	return err == nil
}

// in one word each: what a loop has yielded.
func told(m assent.Message) string {
	switch m := m.(type) {
	case *assent.Init:
		return "init"
	case *assent.Assistant:
		if call := m.Call(); call != nil {
			return "call " + call.Name
		}
		return "say " + m.Text()
	case *assent.User:
		return "told " + m.Content[0].Text + resultText(m)
	case *assent.Result:
		return "end " + string(m.Subtype)
	case *assent.Status:
		return "mode " + m.PermissionMode
	case *assent.Informational:
		return "note " + m.Text
	}
	return fmt.Sprintf("%T", m)
}

func resultText(m *assent.User) string {
	var all []string
	for _, b := range m.Content[0].Result {
		all = append(all, b.Text)
	}
	return strings.Join(all, "|")
}

// watch runs a prompt to its end and returns what it was told and the result.
func watch(t *testing.T, prompt string, options []assent.Option) ([]string, *assent.Result) {
	t.Helper()
	var all []string
	var last *assent.Result
	for m, err := range assent.Query(t.Context(), prompt, options...) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, told(m))
		if r, ok := m.(*assent.Result); ok {
			last = r
		}
	}
	if last == nil {
		t.Fatalf("no result: %q", all)
	}
	return all, last
}

// lines fails unless the two lists are the same; a wanted entry that ends in * is only
// compared up to there.
func lines(t *testing.T, got, want []string) {
	t.Helper()
	same := slices.EqualFunc(got, want, func(g, w string) bool {
		if head, ok := strings.CutSuffix(w, "*"); ok {
			return strings.HasPrefix(g, head)
		}
		return g == w
	})
	if !same {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

const twoCalls = `
turns:
  - say: I look.
    call: {Bash: {command: ls}}
  - expect: a.txt
    say: I read.
    call: {Read: {file_path: a.txt}}
  - expect: hello
    say: It says hello.
`

var twoCallsTold = []string{
	"init", "say I look.", "call Bash", "told a.txt*", "say I read.", "call Read", "told *", "say It says hello.", "end success",
}

func TestK1_QueryYieldsWhatHappens(t *testing.T) {
	p := newPlace(t)
	p.file("a.txt", "hello\n")
	all, result := watch(t, "look around", p.with(twoCalls))
	lines(t, all, twoCallsTold)
	if result.Text != "It says hello." || result.NumTurns != 3 || result.Err() != nil || len(result.Denials)+len(result.Deferred) > 0 {
		t.Errorf("%+v", result)
	}
}

// The agent waits while the body of the loop runs: what it sees has not gone on.
func TestK1_TheAgentWaitsForTheLoop(t *testing.T) {
	p := newPlace(t)
	for m, err := range assent.Query(t.Context(), "make it", p.with(`
turns:
  - call: {Bash: {command: touch made}}
  - say: Done.
`, assent.Allow("Bash(touch:*)"))...) {
		if err != nil {
			t.Fatal(err)
		}
		switch told(m) {
		case "call Bash":
			runtime.Gosched()
			if p.exists("made") {
				t.Error("the call ran before the loop was done with the news of it")
			}
		case "end success":
			if !p.exists("made") {
				t.Error("the call did not run")
			}
		}
	}
}

// TestK1_TheLoopCanBeLeft: at every message, in every way, and nothing goes on.
func TestK1_TheLoopCanBeLeft(t *testing.T) {
	for how, leave := range map[string]func(){
		"break": nil,
		"panic": func() { panic("out") },
		"exit":  runtime.Goexit,
	} {
		for at := range twoCallsTold {
			t.Run(fmt.Sprintf("%s at %d", how, at), func(t *testing.T) {
				p := newPlace(t)
				p.file("a.txt", "hello\n")
				var ended []string
				options := p.with(twoCalls, assent.OnEvent("SessionEnd", "", noteTo(&ended)))
				done := make(chan any)
				go func() {
					defer close(done)
					defer func() {
						if fault := recover(); fault != nil && fault != "out" {
							t.Errorf("%v", fault)
						}
					}()
					i := 0
					for range assent.Query(context.Background(), "look around", options...) {
						if i == at && leave != nil {
							leave()
						}
						if i == at {
							break
						}
						i++
					}
				}()
				<-done
				if len(ended) != 1 {
					t.Errorf("the session ended %d times", len(ended))
				}
			})
		}
	}
}

// Every loop over the same value is a session of its own.
func TestK1_EveryLoopIsASession(t *testing.T) {
	p := newPlace(t)
	query := assent.Query(t.Context(), "hi", p.with("turns: []\nafterwards: Hello.\n")...)
	var ids []string
	for range 2 {
		for m, err := range query {
			if err != nil {
				t.Fatal(err)
			}
			if init, ok := m.(*assent.Init); ok {
				ids = append(ids, init.SessionID)
			}
		}
	}
	sessions, err := os.ReadDir(filepath.Join(p.state, "sessions"))
	if err != nil || len(sessions) != 2 || len(ids) != 2 || ids[0] == ids[1] || ids[0] == "" {
		t.Errorf("%v sessions, %v, %q", len(sessions), err, ids)
	}
}

func TestK1_Run(t *testing.T) {
	p := newPlace(t)
	result, err := assent.Run(t.Context(), "hi", p.with("turns: []\nafterwards: Hello.\n")...)
	if err != nil || result.Text != "Hello." {
		t.Errorf("%+v, %v", result, err)
	}
	result, err = assent.Run(t.Context(), "hi", p.with("turns:\n  - error: {status: 400, message: too odd}\n")...)
	var failed *assent.ResultError
	if !errors.As(err, &failed) || failed.Result != result || !strings.Contains(err.Error(), "too odd") {
		t.Errorf("%+v, %v", result, err)
	}
	result, err = assent.Run(t.Context(), "hi", p.with("turns:\n  - {call: {Bash: {command: ls}}, repeat: 9}\n", assent.MaxTurns(2))...)
	if !errors.As(err, &failed) || result.Subtype != "error_max_turns" {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestK1_WhatIsWrongWithOptions is said at once, all of it, and nothing is begun.
func TestK1_WhatIsWrongWithOptions(t *testing.T) {
	for name, tt := range map[string]struct {
		options []assent.Option
		why     []string
	}{
		"a matcher": {[]assent.Option{assent.OnEvent("PreToolUse", "[", noteTo(new([]string)))}, []string{`the matcher "["`}},
		"a pointer": {[]assent.Option{assent.On("Bash", func(context.Context, *hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
			return hook.Output{}, nil
		})}, []string{"assent.On", "hook.PreToolUseInput"}},
		"no function":    {[]assent.Option{assent.OnEvent("PreToolUse", "", nil)}, []string{"needs a function"}},
		"an id":          {[]assent.Option{assent.Resume("../x"), assent.SessionID("a b")}, []string{"../x", "a b"}},
		"a tool":         {[]assent.Option{assent.Tools("Bush")}, []string{"Bush"}},
		"rules":          {[]assent.Option{assent.Allow("Bash("), assent.Ask("Read", "a b"), assent.Deny("")}, []string{"assent.Allow", "assent.Ask", "assent.Deny", "Bash("}},
		"a server":       {[]assent.Option{assent.Serve("a b")}, []string{`"a b"`}},
		"a server twice": {[]assent.Option{assent.Serve("a", hello(t)), assent.Serve("a", hello(t))}, []string{`two servers are called "a"`}},
		"an MCP config":  {[]assent.Option{assent.MCPConfig("/no/such/file")}, []string{"/no/such/file"}},
		"agents":         {[]assent.Option{assent.Agents("[")}, []string{"assent.Agents"}},
		"settings":       {[]assent.Option{assent.Settings("{")}, []string{"assent.Settings"}},

		"an event that is none":    {[]assent.Option{assent.OnEvent("PreToolUSe", "", noteTo(new([]string)))}, []string{`no event "PreToolUSe"`, "hook.PreToolUse"}},
		"hooks that never run":     {[]assent.Option{assent.Hooks(hook.Entry{}, hook.Entry{Event: hook.Stop})}, []string{`no event ""`, "a Stop hook has nothing to run"}},
		"a hook without its func":  {[]assent.Option{assent.Hooks(hook.Entry{Event: hook.PreToolUse, Handler: hook.Function{Label: "guard"}})}, []string{"a PreToolUse hook has nothing to run"}},
		"two rules as one":         {[]assent.Option{assent.Allow("Bash(git commit -m hello),Bash(touch:*)")}, []string{"assent.Allow", "several rules", "touch"}},
		"two denied as one":        {[]assent.Option{assent.Deny("Bash(rm:*) Bash(dd:*)"), assent.Ask("Bash(a),Bash(b)")}, []string{"assent.Deny", "assent.Ask"}},
		"settings twice":           {[]assent.Option{assent.Settings(`{"permissions":{"deny":["Bash"]}}`), assent.Settings("{}")}, []string{"assent.Settings is given twice"}},
		"agents twice":             {[]assent.Option{assent.Agents("{}"), assent.Agents("{}")}, []string{"assent.Agents is given twice"}},
		"no mode":                  {[]assent.Option{assent.PermissionMode(99)}, []string{"assent.PermissionMode"}},
		"a mode of sub-agents":     {[]assent.Option{assent.PermissionMode(permission.Bubble)}, []string{"bubble cannot be chosen"}},
		"fewer turns than none":    {[]assent.Option{assent.MaxTurns(-3)}, []string{"-3 turns"}},
		"no source":                {[]assent.Option{assent.SettingSources(rule.Source(77))}, []string{"assent.SettingSources"}},
		"a source of others":       {[]assent.Option{assent.SettingSources(rule.PolicySettings)}, []string{"policySettings"}},
		"a copy of nothing":        {[]assent.Option{assent.Fork()}, []string{"assent.Fork", "assent.Resume"}},
		"two sessions to go on":    {[]assent.Option{assent.Resume(anID), assent.Continue()}, []string{"assent.Resume and assent.Continue"}},
		"all of it, inside others": {[]assent.Option{assent.Options(assent.MaxTurns(-1), assent.Allow("Bash("))}, []string{"-1 turns", "Bash("}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			_, err := assent.Run(t.Context(), "hi", p.with("turns: []\nafterwards: Hello.\n", tt.options...)...)
			if err == nil {
				t.Fatal("it was accepted")
			}
			for _, part := range tt.why {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in: %v", part, err)
				}
			}
			if left, _ := os.ReadDir(filepath.Join(p.state, "sessions")); len(left) > 0 {
				t.Errorf("a session was begun: %v", left)
			}
		})
	}
}

// Without a prompt there must be something to go on with.
func TestK1_NothingToDo(t *testing.T) {
	p := newPlace(t)
	if _, err := assent.Run(t.Context(), "", p.with("turns: []\nafterwards: Hello.\n")...); !errors.Is(err, assent.ErrNothingPending) {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(filepath.Join(p.state, "sessions")); len(left) > 0 {
		t.Errorf("a session was begun: %v", left)
	}
	options := p.with("turns: []\nafterwards: Hello.\n", assent.SessionID(anID))
	if _, err := assent.Run(t.Context(), "hi", options...); err != nil {
		t.Fatal(err)
	}
	if _, err := assent.Run(t.Context(), "", p.with("turns: []\nafterwards: Hello.\n", assent.Resume(anID))...); !errors.Is(err, assent.ErrNothingPending) {
		t.Errorf("%v", err)
	}
	client := opened(t, p.with("turns: []\nafterwards: Hello.\n", assent.Resume(anID))...)
	for _, err := range client.Query(t.Context(), "") {
		if !errors.Is(err, assent.ErrNothingPending) {
			t.Errorf("%v", err)
		}
	}
	for _, err := range client.Query(t.Context(), "hi") { // that was no reason to end
		if err != nil {
			t.Error(err)
		}
	}
}
