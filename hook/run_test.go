package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// never is a Go hook that waits for its context.
func never(label string) Function {
	return Function{Label: label, Func: func(ctx context.Context, _ Invocation) (Output, error) {
		<-ctx.Done()
		return Output{}, ctx.Err()
	}}
}

// counted is a hook with an identity that counts how often it runs.
type counted struct {
	name, key string
	times     *atomic.Int32
	out       Output
}

func (c counted) Name() string { return c.name }
func (c counted) Key() string  { return c.key }
func (c counted) Handle(context.Context, Invocation) Reply {
	c.times.Add(1)
	return Reply{Output: &c.out}
}

func bashInput(command string) PreToolUseInput {
	text, _ := json.Marshal(map[string]string{"command": command})
	return PreToolUseInput{ToolName: "Bash", ToolInput: text}
}

func TestS22_IdenticalHooksRunOnce(t *testing.T) {
	var times atomic.Int32
	same := counted{"command ./check", "shell\x00./check", &times, Output{}}
	at := func(file string, e Entry) Entry {
		e.Origin = rule.Origin{Source: rule.UserSettings, File: file, Line: 3}
		return e
	}
	other := same
	other.key = ""
	for _, tt := range []struct {
		name    string
		entries []Entry
		want    int32
	}{
		{"twice the same", []Entry{at("a", Entry{Event: PreToolUse, Handler: same}), at("b", Entry{Event: PreToolUse, Handler: same})}, 1},
		{"the other one does not match", []Entry{{Event: PreToolUse, Matcher: mustMatcher(t, "Write"), Handler: same}, {Event: PreToolUse, Handler: same}}, 1},
		{"without identity", []Entry{{Event: PreToolUse, Handler: other}, {Event: PreToolUse, Handler: other}}, 2},
		{"another event", []Entry{{Event: PreToolUse, Handler: same}, {Event: PostToolUse, Handler: same}}, 1},
		// One that decides nothing must not stand in for one that decides.
		{"another meaning", []Entry{{Event: PreToolUse, Handler: same, Async: true}, {Event: PreToolUse, Handler: same}}, 2},
		{"another meaning of failures", []Entry{{Event: PreToolUse, Handler: same, OnFailure: FailOpen}, {Event: PreToolUse, Handler: same}}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			times.Store(0)
			s := newSession(t, Config{Entries: tt.entries})
			v := s.run(bashInput("ls"))
			s.pipeline.Hooks.Close(t.Context())
			if got := times.Load(); got != tt.want {
				t.Errorf("it ran %d times, want %d", got, tt.want)
			}
			if tt.name == "twice the same" {
				wantNote(t, v.Runs[0], "the same hook stands at b:3 as well")
				if v.Runs[0].Origin.File != "a" {
					t.Errorf("the origin is %v", v.Runs[0].Origin)
				}
			}
		})
	}
}

func TestS22_Conditions(t *testing.T) {
	ran := func(condition, toolName, input string) bool {
		var times atomic.Int32
		s := newSession(t, Config{Entries: []Entry{{
			Event: PreToolUse, Handler: counted{"x", "", &times, Output{}}, If: &Condition{Text: condition},
			Origin: rule.Origin{Source: rule.ProjectSettings, File: "settings.json", Line: 1},
		}}})
		if j := s.judge(toolName, input); j.Err != nil {
			t.Fatal(j.Err)
		}
		return times.Load() == 1
	}
	bash := func(command string) string {
		text, _ := json.Marshal(map[string]string{"command": command})
		return string(text)
	}
	for _, tt := range []struct {
		condition, tool, input string
		want                   bool
	}{
		{"Bash(git *)", "Bash", bash("git push"), true},
		{"Bash(git *)", "Bash", bash("ls"), false},
		{"Bash(git *)", "Bash", bash("cd x && git push"), true},
		{"Bash(git *)", "Bash", bash("bash -c 'git push'"), true},
		{"Bash(git *)", "Bash", bash("$X push"), true},    // may be git
		{"Bash(git *)", "Bash", bash("if then ( "), true}, // nobody can read it
		{"Read(.env)", "Bash", bash("if then ( "), true},
		{"mcp__pay", "Bash", bash("if then ( "), false},
		{"Bash(git *)", "Read", `{"file_path": "a.go"}`, false},
		{"Bash", "Bash", bash("ls"), true},
		{"Edit(src/**)", "Write", `{"file_path": "/home/dev/proj/src/a.go", "content": ""}`, true},
		{"Edit(src/**)", "Write", `{"file_path": "/home/dev/proj/doc/a.md", "content": ""}`, false},
		{"Edit(/src/**)", "Edit", `{"file_path": "src/a.go", "old_string": "a", "new_string": "b"}`, true},
		{"Read(~/.ssh/**)", "Read", `{"file_path": "/home/dev/.ssh/id"}`, true},
		{"Read(.env)", "Bash", bash("cat .env"), true},
		{"Read(.env)", "Bash", bash("cat README"), false},
		{"mcp__pay", "mcp__pay__refund", `{}`, true},
		{"mcp__pay", "mcp__mail__send", `{}`, false},
		{"WebFetch(domain:example.com)", "WebFetch", `{"url": "https://example.com/", "prompt": "x"}`, true},
		{"WebFetch(domain:example.com)", "WebFetch", `{"url": "https://example.org/", "prompt": "x"}`, false},
	} {
		if got := ran(tt.condition, tt.tool, tt.input); got != tt.want {
			t.Errorf("if %s, %s %s: %v, want %v", tt.condition, tt.tool, tt.input, got, tt.want)
		}
	}
}

func TestS22_ConditionsThatCannotBeJudged(t *testing.T) {
	var times atomic.Int32
	hook := counted{"x", "", &times, Output{}}
	// Without the call the hook runs: it is there to guard something.
	s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Handler: hook, If: &Condition{Text: "Bash(git *)"}}}})
	s.run(bashInput("ls"))
	if times.Load() != 1 {
		t.Error("without a call it did not run")
	}
	// A condition that is no rule breaks the hook.
	s = newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Handler: hook, If: &Condition{Text: "Bash(git"}}}})
	wantDecision(t, s.bash("ls"), denied, "hook broken: x: the condition is no permission rule")
	// At an event without a call it never holds.
	s = newSession(t, Config{Entries: []Entry{{Event: Stop, Handler: hook, If: &Condition{Text: "Bash"}}}})
	if v := s.run(StopInput{}); len(v.Runs) != 0 {
		t.Error("it ran at Stop")
	}
	// What another hook said about the call before does not matter.
	call := s.bash("git push").Call
	call.Hook = permission.Verdict{Behavior: permission.Deny}
	s = newSession(t, Config{Entries: []Entry{{Event: PostToolUse, Handler: hook, If: &Condition{Text: "Bash(ls)"}}}})
	if v := s.pipeline.Hooks.Run(t.Context(), Occasion{Input: PostToolUseInput{ToolName: "Bash"}, Call: call}); len(v.Runs) != 0 {
		t.Error("it ran for another command")
	}
	s = newSession(t, Config{Entries: []Entry{{Event: PostToolUse, Handler: hook, If: &Condition{Text: "Bash(git *)"}}}})
	if v := s.pipeline.Hooks.Run(t.Context(), Occasion{Input: PostToolUseInput{ToolName: "Bash"}, Call: call}); len(v.Runs) != 1 {
		t.Error("it did not run for its command")
	}
}

func TestOnce(t *testing.T) {
	var times atomic.Int32
	s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Once: true, Handler: counted{"x", "", &times, Context("read the rules first")}}}}, textRule(t, rule.Allow, "Bash"))
	if j := s.bash("ls"); len(j.Verdict.Context) != 1 {
		t.Errorf("the model was not told: %+v", j.Verdict)
	}
	wantDecision(t, s.bash("ls"), allowed)
	wantDecision(t, s.bash("ls"), allowed)
	if times.Load() != 1 {
		t.Errorf("it ran %d times", times.Load())
	}
}

// A hook that broke has not judged anything: the next call meets it again.
func TestOnceDoesNotCountABrokenRun(t *testing.T) {
	broken := true
	hook := Function{Label: "x", Func: func(context.Context, Invocation) (Output, error) {
		if broken {
			return Output{}, errors.New("no database")
		}
		return Deny("no"), nil
	}}
	s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Once: true, Handler: hook}}}, textRule(t, rule.Allow, "Bash"))
	wantDecision(t, s.bash("ls"), denied, "hook broken")
	wantDecision(t, s.bash("ls"), denied, "hook broken")
	broken = false
	wantDecision(t, s.bash("ls"), denied, "no")
	wantDecision(t, s.bash("ls"), denied, "no")
}

func TestOnFailure(t *testing.T) {
	fail := Function{Label: "x", Func: func(context.Context, Invocation) (Output, error) { return Output{}, errors.New("no database") }}
	const sentence = "hook broken: function x: no database"
	for _, event := range Events {
		for _, onFailure := range []OnFailure{AsEvent, FailOpen, FailClosed} {
			input := inputOf(event)
			v := newSession(t, Config{Entries: []Entry{{Event: event, Handler: fail, OnFailure: onFailure}}}).run(input)
			closed := onFailure == FailClosed || onFailure == AsEvent && event == PreToolUse
			held := v.Permission.Behavior == denied || v.Block || v.Answer != nil && v.Answer.Behavior == denied
			can := event == PermissionRequest || event.takesBlock()
			if held != (closed && can) {
				t.Errorf("%s, %d: held up: %v", event, onFailure, held)
			}
			said := fmt.Sprint(v.Denials, v.Feedback, v.Messages, v.Answer)
			if !strings.Contains(said, sentence) {
				t.Errorf("%s, %d: nobody is told: %s", event, onFailure, said)
			}
			if v.Runs[0].Outcome != Broken || v.Runs[0].Reason != sentence {
				t.Errorf("%s, %d: %+v", event, onFailure, v.Runs[0])
			}
		}
	}
}

// inputOf is an input of an event.
func inputOf(event Event) Input {
	all := []Input{
		bashInput("ls"),
		PostToolUseInput{ToolName: "Bash"},
		PostToolUseFailureInput{ToolName: "Bash"},
		PermissionRequestInput{ToolName: "Bash"},
		PermissionDeniedInput{ToolName: "Bash"},
		NotificationInput{},
		UserPromptSubmitInput{},
		SessionStartInput{Source: "startup"},
		SessionEndInput{Reason: "other"},
		StopInput{},
		SubagentStartInput{},
		SubagentStopInput{},
		PreCompactInput{Trigger: "auto"},
	}
	return all[slices.IndexFunc(all, func(in Input) bool { return in.Event() == event })]
}

func TestEveryHookHasItsOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, Config{Entries: []Entry{
			{Event: PreToolUse, Handler: never("short"), Timeout: 2 * time.Second},
			{Event: PreToolUse, Handler: never("default")},
			{Event: PreToolUse, Handler: saying("fine", Allow())},
		}})
		started := time.Now()
		j := s.bash("ls")
		if took := time.Since(started); took != DefaultTimeout {
			t.Errorf("it took %v", took)
		}
		wantDecision(t, j, denied, "hook broken: 1. function short: it did not answer within 2s\n2. function default: it did not answer within 1m0s")
		if j.Verdict.Runs[0].Outcome != OutOfTime || j.Verdict.Runs[0].Took != 2*time.Second {
			t.Errorf("%+v", j.Verdict.Runs[0])
		}
	})
}

// deaf is a handler that breaks its promise to end with its context.
type deaf struct{ release chan struct{} }

func (deaf) Name() string { return "deaf" }
func (deaf) Key() string  { return "" }
func (d deaf) Handle(context.Context, Invocation) Reply {
	<-d.release
	out := Allow()
	return Reply{Output: &out}
}

func TestHandlerThatDoesNotEndCannotHoldUpTheAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := deaf{make(chan struct{})}
		s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Handler: d, Timeout: time.Second}}})
		started := time.Now()
		j := s.bash("ls")
		if took := time.Since(started); took != time.Second+patience {
			t.Errorf("it took %v", took)
		}
		wantDecision(t, j, denied, "hook broken: deaf: it did not answer within 1s")
		wantNote(t, j.Verdict.Runs[0], "left behind")
		close(d.release)
	})
}

// panicky panics wherever it can.
type panicky struct{ where string }

func (p panicky) at(where string) {
	if p.where == where {
		panic("boom at " + where)
	}
}
func (p panicky) Name() string { p.at("name"); return "panicky" }
func (p panicky) Key() string  { p.at("key"); return "" }
func (p panicky) Handle(context.Context, Invocation) Reply {
	p.at("handle")
	if p.where == "reply" {
		return Reply{Background: nil, Failure: &Failure{}}
	}
	if p.where == "nothing" {
		return Reply{Exit: new(int)}
	}
	return Reply{}
}

func TestPanicsBreakOnlyTheirHook(t *testing.T) {
	for _, tt := range []struct {
		where  string
		broken bool
	}{{"handle", true}, {"reply", true}, {"key", true}, {"name", true}, {"nothing", false}} {
		s := newSession(t, Config{Entries: before(panicky{tt.where}, saying("fine", Allow()))}, textRule(t, rule.Allow, "Bash"))
		j := s.bash("ls")
		name := "panicky"
		if tt.where == "name" {
			name = "unreadable hook: panic: boom"
		}
		if tt.broken {
			wantDecision(t, j, denied, "hook broken: "+name)
		} else {
			wantDecision(t, j, allowed)
		}
		if len(j.Verdict.Runs) != 2 || j.Verdict.Runs[1].Decision != allowed {
			t.Errorf("%s: the other hook: %+v", tt.where, j.Verdict.Runs)
		}
	}
}

// An input that cannot be written down has been shown to no hook.
func TestInputThatCannotBeEncoded(t *testing.T) {
	s := newSession(t, Config{Entries: before(saying("x", Allow()))})
	v := s.run(PreToolUseInput{ToolName: "Bash", ToolInput: []byte(`{"a":`)})
	if v.Permission.Behavior != denied || !v.Permission.Broken {
		t.Errorf("%+v", v.Permission)
	}
}

func TestS39_AsyncHooksDecideNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended []Run
		release := make(chan struct{})
		slow := Function{Label: "slow", Func: func(ctx context.Context, _ Invocation) (Output, error) {
			<-release
			return Deny("too late"), nil
		}}
		s := newSession(t, Config{
			Entries: []Entry{
				{Event: PreToolUse, Handler: slow, Async: true},
				{Event: PreToolUse, Handler: saying("message", Message("look")), Async: true},
				{Event: PreToolUse, Async: true, Defect: "it cannot work", Handler: saying("defect", Output{})},
			},
			Ended: func(r Run) { ended = append(ended, r) },
		}, textRule(t, rule.Allow, "Bash"))
		j := s.bash("ls")
		wantDecision(t, j, allowed)
		if j.Verdict.Runs[0].Outcome != InBackground || j.Verdict.Runs[2].Outcome != Broken || len(j.Verdict.Messages) != 1 {
			t.Errorf("%+v %q", j.Verdict.Runs, j.Verdict.Messages)
		}
		synctest.Wait()
		close(release)
		s.pipeline.Hooks.Close(t.Context())
		if len(ended) != 2 || ended[0].Hook != "function message" || ended[1].Hook != "function slow" || ended[1].Outcome != Okay {
			t.Fatalf("ended: %+v", ended)
		}
		wantNote(t, ended[0], "look")
		// After the end nothing starts any more.
		v := s.run(bashInput("ls"))
		if v.Runs[0].Outcome != Dropped || v.Permission.Behavior != permission.Pass || len(v.Messages) != 1 {
			t.Errorf("after the end: %+v", v)
		}
	})
}

// An answer that says async decides nothing either, and its message is for the
// person.
func TestS39_AsyncAnswer(t *testing.T) {
	s := newSession(t, Config{Entries: before(printing("x", `{"async": true, "systemMessage": "I go on"}`))}, textRule(t, rule.Allow, "Bash"))
	j := s.bash("ls")
	wantDecision(t, j, allowed)
	if j.Verdict.Runs[0].Outcome != InBackground || fmt.Sprint(j.Verdict.Messages) != "[I go on]" || j.Verdict.Context != nil {
		t.Errorf("%+v", j.Verdict)
	}
	// Whoever says async and denies at once is not taken for harmless.
	s = newSession(t, Config{Entries: before(printing("x", `{"async": true, "hookSpecificOutput": {"permissionDecision": "deny"}}`))}, textRule(t, rule.Allow, "Bash"))
	wantDecision(t, s.bash("ls"), denied, "hook broken: callback x")
}

func TestCloseWaitsForTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, Config{Entries: []Entry{{Event: Stop, Handler: never("x"), Async: true, Timeout: 7 * time.Second}}})
		s.run(StopInput{})
		started := time.Now()
		s.pipeline.Hooks.Close(t.Context())
		if took := time.Since(started); took != 7*time.Second {
			t.Errorf("it waited %v, want the hook's own time", took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := newSession(t, Config{Entries: []Entry{{Event: Stop, Handler: never("x"), Async: true, Timeout: time.Hour}}})
		s.run(StopInput{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		started := time.Now()
		s.pipeline.Hooks.Close(ctx)
		if took := time.Since(started); took != time.Second {
			t.Errorf("it waited %v, want until the context ended", took)
		}
	})
}

// detached is a handler whose hook goes on after its reply.
type detached struct {
	ended     chan struct{}
	abandoned *atomic.Bool
}

func (detached) Name() string { return "detached" }
func (detached) Key() string  { return "" }
func (d detached) Handle(context.Context, Invocation) Reply {
	abandon := func() {
		if d.abandoned.CompareAndSwap(false, true) {
			close(d.ended)
		}
	}
	return Reply{Text: []byte(`{"async": true}`), Background: d.ended, Abandon: abandon}
}

func TestS39_WhatGoesOnIsAbandonedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := detached{make(chan struct{}), new(atomic.Bool)}
		s := newSession(t, Config{Entries: before(d)}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("ls"), allowed)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		started := time.Now()
		s.pipeline.Hooks.Close(ctx)
		if took := time.Since(started); took != time.Minute || !d.abandoned.Load() {
			t.Errorf("it waited %v, abandoned: %v", took, d.abandoned.Load())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		d := detached{make(chan struct{}), new(atomic.Bool)}
		s := newSession(t, Config{Entries: before(d)})
		s.pipeline.Hooks.Close(t.Context())
		s.bash("ls")
		if !d.abandoned.Load() {
			t.Error("after the end of the session a hook goes on")
		}
	})
}

func TestH11_CommandHooks(t *testing.T) {
	dir := t.TempDir()
	run := func(line string) (Verdict, Judgement) {
		c, err := ShellCommand(line)
		if err != nil {
			t.Fatal(err)
		}
		s := newSession(t, Config{Dir: dir, Entries: before(c), Env: []string{"TEAM=red"}}, textRule(t, rule.Allow, "Bash"))
		j := s.pipeline.Judge(t.Context(), s.snapshot, permission.Request{Tool: "Bash", Input: []byte(`{"command": "ls"}`)}, Base{SessionID: "s1", Cwd: dir}, "toolu_9")
		return j.Verdict, j
	}
	v, j := run(`cat >in.json; cat in.json >&2; echo "$TEAM" >&2; pwd >&2`)
	wantDecision(t, j, allowed)
	var told map[string]any
	line, rest, _ := strings.Cut(v.Runs[0].Stderr, "\n")
	if err := json.Unmarshal([]byte(line), &told); err != nil {
		t.Fatalf("%v: %s", err, v.Runs[0].Stderr)
	}
	if told["hook_event_name"] != "PreToolUse" || told["tool_name"] != "Bash" || told["tool_use_id"] != "toolu_9" || told["session_id"] != "s1" || !strings.Contains(rest, "red\n") {
		t.Errorf("it was told %v and %q", told, rest)
	}
	_, j = run(`echo '{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "not now"}}'`)
	wantDecision(t, j, denied, "not now")
	_, j = run(`echo "stop it" >&2; exit 2`)
	wantDecision(t, j, denied, "stop it")
	v, j = run(`echo "no module named x" >&2; exit 1`)
	wantDecision(t, j, denied, "hook broken: command echo", "exit status 1", "no module named x")
	if v.Runs[0].Exit == nil || *v.Runs[0].Exit != 1 {
		t.Errorf("%+v", v.Runs[0])
	}
}

// What hook_response messages need is on record.
func TestH17_RunsAreOnRecord(t *testing.T) {
	c, err := ShellCommand(`echo '{"suppressOutput": true}'; echo careful >&2`)
	if err != nil {
		t.Fatal(err)
	}
	origin := rule.Origin{Source: rule.UserSettings, File: "settings.json", Line: 4}
	s := newSession(t, Config{Dir: t.TempDir(), Entries: []Entry{{Event: SessionStart, Matcher: mustMatcher(t, "startup"), Handler: c, Origin: origin}}})
	v := s.run(SessionStartInput{Source: "startup"})
	r := v.Runs[0]
	if r.Hook != c.Name() || r.Origin != origin || r.Event != SessionStart || r.Matcher != "startup" || r.Started.IsZero() || r.Took <= 0 ||
		r.Outcome != Okay || r.Exit == nil || *r.Exit != 0 || r.Stdout != "{\"suppressOutput\": true}\n" || r.Stderr != "careful\n" || !r.SuppressOutput {
		t.Errorf("%+v", r)
	}
	if v = s.run(SessionStartInput{Source: "resume"}); len(v.Runs) != 0 {
		t.Error("it ran for another source")
	}
}

func TestS39_SystemMessageIsForThePerson(t *testing.T) {
	v := newSession(t, Config{Entries: before(saying("a", Message("first")), saying("b", Message("second")))}).run(bashInput("ls"))
	if fmt.Sprint(v.Messages) != "[first second]" || v.Context != nil || v.Feedback != nil || v.Permission.Reason != "" {
		t.Errorf("%+v", v)
	}
}

// One runner serves many calls at once.
func TestRunnerIsSafeForConcurrentUse(t *testing.T) {
	out, _ := AllowWith(map[string]string{"command": "true"})
	s := newSession(t, Config{State: MemoryState(), Entries: []Entry{
		{Event: PreToolUse, Handler: saying("a", out)},
		{Event: PreToolUse, Handler: saying("b", Output{}), Once: true},
		{Event: PreToolUse, Handler: saying("c", Output{}), Async: true, If: &Condition{Text: "Bash(ls)"}},
	}})
	done := make(chan permission.Behavior)
	for range 20 {
		go func() { done <- s.bash("ls").Decision.Behavior }()
	}
	for range 20 {
		if got := <-done; got != allowed {
			t.Errorf("got %v", got)
		}
	}
}
