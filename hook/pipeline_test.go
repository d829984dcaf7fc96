package hook

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/internal/testlimit"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// What is no call never reaches a hook.
func TestS1_HooksSeeOnlyValidCalls(t *testing.T) {
	asked := 0
	count := Function{Label: "count", Func: func(context.Context, Invocation) (Output, error) {
		asked++
		return Allow(), nil
	}}
	s := newSession(t, Config{Entries: before(count)})
	j := s.judge("Nope", `{}`)
	if !errors.Is(j.Err, permission.ErrNoSuchTool) || j.Decision.Behavior != permission.Deny || j.Call != nil {
		t.Errorf("an unknown tool: %v %+v", j.Err, j.Decision)
	}
	j = s.judge("Bash", `{"command": 7}`)
	if _, ok := errors.AsType[*permission.InvalidError](j.Err); !ok || j.Decision.Behavior != permission.Ask || j.Decision.Reason.Kind != permission.ByInvalid || j.Call != nil {
		t.Errorf("an invalid input: %v %+v", j.Err, j.Decision)
	}
	if asked != 0 {
		t.Errorf("hooks were asked %d times", asked)
	}
	for _, mode := range []permission.Mode{permission.Default, permission.AcceptEdits, permission.Plan, permission.Auto, permission.BypassPermissions, permission.DontAsk} {
		asked = 0
		s.inMode(mode).bash("rm x")
		if asked != 1 {
			t.Errorf("in mode %v hooks were asked %d times", mode, asked)
		}
	}
}

// A tool that a rule removes does not exist: no hook is told of it.
func TestS4_HooksAreNotToldOfARemovedTool(t *testing.T) {
	for _, tt := range []struct{ rule, tool, input string }{
		{"Bash", "Bash", `{"command":"ls"}`},
		{"Bash(*)", "Bash", `{"command":"ls"}`},
		{"Bash", "Bash", `{"command":7}`}, // whatever its input is
		{"mcp__pay", "mcp__pay__refund", `{}`},
		{"mcp__pay__*", "mcp__pay__refund", `{}`},
		{"Agent", "Task", `{"description":"d","prompt":"p","subagent_type":"x"}`},
	} {
		asked := 0
		count := Function{Label: "count", Func: func(context.Context, Invocation) (Output, error) {
			asked++
			return Allow(), nil
		}}
		s := newSession(t, Config{Entries: before(count)}, textRule(t, rule.Deny, tt.rule))
		for _, snapshot := range []*permission.Context{s.snapshot, s.snapshot.Bubble()} {
			s.snapshot = snapshot
			j := s.judge(tt.tool, tt.input)
			if !errors.Is(j.Err, permission.ErrNoSuchTool) || j.Call != nil || len(j.Verdict.Runs) != 0 {
				t.Errorf("%s: %v, %+v", tt.rule, j.Err, j.Verdict)
			}
			wantDecision(t, j, denied, "no such tool: "+tt.tool, "the deny rule "+tt.rule+" in settings.json:1")
		}
		if asked != 0 {
			t.Errorf("%s: hooks were asked %d times", tt.rule, asked)
		}
	}
	// A rule that denies some calls, or asks, leaves the tool where it is.
	for _, r := range []rule.Rule{textRule(t, rule.Deny, "Bash(ls:*)"), textRule(t, rule.Ask, "Bash"), textRule(t, rule.Deny, "mcp__pay__refund")} {
		if j := newSession(t, Config{Entries: before(saying("x", Output{}))}, r).bash("ls"); j.Err != nil || len(j.Verdict.Runs) != 1 {
			t.Errorf("%s: %v, %+v", r.Text, j.Err, j.Verdict)
		}
	}
}

// Hooks run before rules, for calls that a rule allows or denies as well.
func TestS1_HooksRunBeforeRules(t *testing.T) {
	var seen PreToolUseInput
	look := Typed("look", func(_ context.Context, in PreToolUseInput, _ Invocation) (Output, error) {
		seen = in
		return Output{}, nil
	})
	s := newSession(t, Config{Entries: before(look)}, textRule(t, rule.Deny, "Bash(rm:*)"))
	wantDecision(t, s.bash("rm x"), denied, "Bash(rm:*)")
	if seen.ToolName != "Bash" || string(seen.ToolInput) != `{"command":"rm x"}` || seen.ToolUseID != "toolu_1" || seen.SessionID != "s1" ||
		seen.PermissionMode != "default" || seen.Cwd != testProject {
		t.Errorf("the hook was told %+v", seen)
	}
	s.snapshot = s.snapshot.Bubble()
	s.pipeline.Judge(t.Context(), s.snapshot, permission.Request{Tool: "Bash", Input: []byte(`{"command": "ls"}`), AgentID: "a7", Cwd: "/home/dev/proj/sub"}, Base{}, "")
	if seen.PermissionMode != "default" || seen.AgentID != "a7" || seen.Cwd != "/home/dev/proj/sub" {
		t.Errorf("inside a sub-agent the hook was told %+v", seen)
	}
}

func TestS2_HookVerdictsMeetRules(t *testing.T) {
	deny, ask, allow := textRule(t, rule.Deny, "Bash(make:*)"), textRule(t, rule.Ask, "Bash(make:*)"), textRule(t, rule.Allow, "Bash(make:*)")
	for _, tt := range []struct {
		name    string
		out     Output
		rules   []rule.Rule
		mode    permission.Mode
		command string
		want    permission.Behavior
		kind    permission.ReasonKind
	}{
		{"deny ends it", Deny("x"), []rule.Rule{allow}, permission.BypassPermissions, "make", denied, permission.ByHook},
		{"allow skips the question", Allow(), nil, permission.Default, "make", allowed, permission.ByHook},
		{"allow loses to a deny rule", Allow(), []rule.Rule{deny}, permission.Default, "make", denied, permission.ByRule},
		{"allow loses to an ask rule", Allow(), []rule.Rule{ask}, permission.BypassPermissions, "make", asked, permission.ByRule},
		{"allow loses to a safety check", Allow(), nil, permission.BypassPermissions, "rm -rf ~", asked, permission.BySafety},
		{"ask beats an allow rule", Ask("x"), []rule.Rule{allow}, permission.Default, "make", asked, permission.ByHook},
		{"ask beats bypassPermissions", Ask("x"), nil, permission.BypassPermissions, "make", asked, permission.ByHook},
		{"defer parks", Defer("x"), []rule.Rule{allow}, permission.Default, "make", deferred, permission.ByHook},
		{"defer loses to a deny rule", Defer("x"), []rule.Rule{deny}, permission.Default, "make", denied, permission.ByRule},
		{"no opinion leaves it to the rules", Output{}, []rule.Rule{allow}, permission.Default, "make", allowed, permission.ByRule},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := newSession(t, Config{Entries: before(saying("h", tt.out))}, tt.rules...).inMode(tt.mode).bash(tt.command)
			if j.Decision.Behavior != tt.want || j.Decision.Reason.Kind != tt.kind {
				t.Errorf("%v by %v (%s), want %v by %v", j.Decision.Behavior, j.Decision.Reason.Kind, j.Decision.Message(), tt.want, tt.kind)
			}
		})
	}
}

// An agent that changes its directory does not change which hook judges it.
func TestHooksRunInTheProject(t *testing.T) {
	var dir string
	look := Function{Label: "look", Func: func(_ context.Context, call Invocation) (Output, error) {
		dir = call.Dir
		return Output{}, nil
	}}
	s := newSession(t, Config{Entries: before(look)})
	s.pipeline.Judge(t.Context(), s.snapshot, permission.Request{Tool: "Bash", Input: []byte(`{"command": "ls"}`), Cwd: "/tmp/elsewhere"}, Base{}, "")
	if dir != testProject {
		t.Errorf("it ran in %s", dir)
	}
}

// The verdict in the request is nobody's but the hooks'.
func TestJudgeIgnoresAVerdictFromOutside(t *testing.T) {
	s := newSession(t, Config{})
	req := permission.Request{Tool: "Bash", Input: []byte(`{"command": "make"}`), Hook: permission.Verdict{Behavior: permission.Allow}}
	if j := s.pipeline.Judge(t.Context(), s.snapshot, req, Base{}, ""); j.Decision.Behavior != asked {
		t.Errorf("%v: %s", j.Decision.Behavior, j.Decision.Message())
	}
}

func TestPipelineWithoutHooks(t *testing.T) {
	s := newSession(t, Config{})
	s.pipeline.Hooks = nil
	j := s.bash("make")
	wantDecision(t, j, asked)
	if j.Verdict.Permission.Behavior != permission.Pass || string(j.Input) != `{"command":"make"}` {
		t.Errorf("%+v", j)
	}
	s.pipeline.Hooks.Close(t.Context())
}

func TestS33_HeldBackHookAsks(t *testing.T) {
	var held []Matcher
	for _, pair := range [][2]string{{"PreToolUse", "Bash|mcp__pay__.*"}, {"PostToolUse", ""}, {"Stop", ""}} {
		if m, ok := HeldBack(pair[0], pair[1]); ok {
			held = append(held, m)
		}
	}
	if len(held) != 1 {
		t.Fatalf("%d matchers", len(held))
	}
	for _, tt := range []struct {
		name    string
		hooks   []Entry
		command string
		want    permission.Behavior
		reason  string
	}{
		{"it asks", nil, "make", asked, "is held back until somebody trusts the workspace"},
		{"what only reads runs", nil, "ls -l", allowed, ""},
		{"an allow of another hook does not lift it", before(saying("mine", Allow())), "make", asked, "is held back"},
		{"an allow of what only reads stays", before(saying("mine", Allow())), "cat /etc/hosts", allowed, "function mine"},
		{"a denial stays", before(saying("mine", Deny("no"))), "ls", denied, "no"},
		{"a deferral stays", before(saying("mine", Defer("later"))), "make", deferred, "later"},
		{"an ask stays", before(saying("mine", Ask("sure?"))), "ls", asked, "sure?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t, Config{Entries: tt.hooks, HeldBack: held}, textRule(t, rule.Allow, "Bash"), textRule(t, rule.Allow, "Edit"))
			for _, mode := range []permission.Mode{permission.Default, permission.BypassPermissions} {
				wantDecision(t, s.inMode(mode).bash(tt.command), tt.want, tt.reason)
			}
			if j := s.judge("Write", `{"file_path": "a.txt", "content": ""}`); tt.hooks == nil && j.Decision.Behavior != allowed {
				t.Errorf("a call that the hook would not have judged: %s", j.Decision.Message())
			}
		})
	}
	// A matcher that cannot be understood is for every call, and so is an event whose
	// name is nearly right.
	for _, pair := range [][2]string{{"PreToolUse", "["}, {"preToolUse", ""}, {"PreToolUse", ""}} {
		m, ok := HeldBack(pair[0], pair[1])
		if !ok || !m.Match("Write") {
			t.Errorf("%v: %v %v", pair, m, ok)
		}
	}
}

func TestCancelledJudgementDenies(t *testing.T) {
	for _, tt := range []struct {
		name string
		fail OnFailure
	}{{"as the event", AsEvent}, {"also where a failure means allow", FailOpen}} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			hang := Function{Label: "hang", Func: func(ctx context.Context, _ Invocation) (Output, error) {
				cancel()
				<-ctx.Done()
				return Output{}, ctx.Err()
			}}
			s := newSession(t, Config{Entries: []Entry{
				{Event: PreToolUse, Handler: saying("fast", Allow())}, {Event: PreToolUse, Handler: hang, OnFailure: tt.fail},
			}}, textRule(t, rule.Allow, "Bash"))
			j := s.pipeline.Judge(ctx, s.snapshot, permission.Request{Tool: "Bash", Input: []byte(`{"command": "ls"}`)}, Base{}, "")
			wantDecision(t, j, denied, "hook broken: ", "function hang: it was cancelled")
			if j.Verdict.Runs[1].Outcome != Dropped {
				t.Errorf("the outcome is %v", j.Verdict.Runs[1].Outcome)
			}
		})
	}
	// Time that ran out for the whole call is no failure of the hook.
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Handler: never("slow"), OnFailure: FailOpen}}}, textRule(t, rule.Allow, "Bash"))
		j := s.pipeline.Judge(ctx, s.snapshot, permission.Request{Tool: "Bash", Input: []byte(`{"command": "ls"}`)}, Base{}, "")
		wantDecision(t, j, denied, "hook broken: function slow: it was cancelled")
	})
	// A context that has ended before.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newSession(t, Config{Entries: before(saying("x", Allow()))})
	if j := s.pipeline.Judge(ctx, s.snapshot, permission.Request{Tool: "Bash", Input: []byte(`{"command": "ls"}`)}, Base{}, ""); j.Decision.Behavior == allowed {
		t.Error("it runs")
	}
}

// At other events nobody is told that a hook is broken when nobody needed it.
func TestCancelledElsewhereIsQuiet(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, fail := range []OnFailure{AsEvent, FailClosed} {
		s := newSession(t, Config{Entries: []Entry{{Event: PermissionRequest, Handler: saying("x", AnswerAllow()), OnFailure: fail}}})
		v := s.pipeline.Hooks.Run(ctx, Occasion{Input: PermissionRequestInput{ToolName: "Bash"}})
		if v.Answer != nil || v.Messages != nil || v.Runs[0].Outcome != Dropped {
			t.Errorf("%+v", v)
		}
	}
}

// Nothing that a PreToolUse hook says makes the pipeline say less than the rules do
// without it, except an allow where nothing denies or must ask.
func FuzzHookOutputNeverBeatsADenyRule(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `{"hookSpecificOutput":{"permissionDecision":"allow"}}`, `{"decision":"approve"}`, `{"async":true}`, `{"continue":false}`,
		`{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"command":"rm y","x":null}}}`, "text", `{`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer testlimit.Watch(t)()
		s := newSession(t, Config{Entries: before(printing("x", text))}, textRule(t, rule.Deny, "Bash(ls:*)"))
		j := s.bash("ls")
		if len(j.Verdict.Runs) != 1 {
			t.Fatalf("%q: the hook was not asked", text)
		}
		// A hook may rescue a call by making another one of it.
		if j.Verdict.Input == nil && j.Decision.Behavior != denied {
			t.Errorf("%q: %v", text, j.Decision.Behavior)
		}
		broken := newSession(t, Config{Entries: before(printing("x", text))}, textRule(t, rule.Allow, "Bash")).bash("ls")
		if _, _, err := ReadOutput(PreToolUse, []byte(text)); err != nil && (broken.Decision.Behavior != denied || !strings.HasPrefix(broken.Decision.Message(), "hook broken: callback x")) {
			t.Errorf("%q cannot be read, and the call: %v (%s)", text, broken.Decision.Behavior, broken.Decision.Message())
		}
	})
}
