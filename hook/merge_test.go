package hook

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func TestH6_HooksDecide(t *testing.T) {
	for _, tt := range []struct {
		out    Output
		want   permission.Behavior
		reason string
	}{
		{Output{}, asked, "no rule allows it"},
		{Allow(), allowed, "says allow"},
		{Deny("use make test instead"), denied, "use make test instead"},
		{Deny(""), denied, "denied by hook function guard, which gave no reason"},
		{Ask("is that wanted?"), asked, "is that wanted?"},
		{Defer("the owner decides"), deferred, "the owner decides"},
		{Output{Decision: "approve"}, allowed, ""},
		{Output{Decision: "block", Reason: "no"}, denied, "no"},
	} {
		s := newSession(t, Config{Entries: before(saying("guard", tt.out))})
		j := s.bash("make")
		wantDecision(t, j, tt.want, tt.reason)
		if j.Verdict.Permission.Broken {
			t.Errorf("%+v counts as broken", tt.out)
		}
	}
}

// Every combination of what two hooks say, in both orders.
func TestS18_DenyBeatsDeferBeatsAskBeatsAllow(t *testing.T) {
	ladder := []struct {
		out  Output
		want permission.Behavior
	}{{Output{}, permission.Pass}, {Allow(), allowed}, {Ask("ask"), asked}, {Defer("defer"), deferred}, {Deny("deny"), denied}}
	for i, a := range ladder {
		for j, b := range ladder {
			s := newSession(t, Config{Entries: before(saying("a", a.out), saying("b", b.out))})
			v := s.run(PreToolUseInput{ToolName: "Bash", ToolInput: strictjson.Raw(`{}`)})
			if want := ladder[max(i, j)].want; v.Permission.Behavior != want {
				t.Errorf("%v and %v: %v, want %v", a.want, b.want, v.Permission.Behavior, want)
			}
			if v.Runs[0].Decision != a.want || v.Runs[1].Decision != b.want {
				t.Errorf("%v and %v: on record are %v and %v", a.want, b.want, v.Runs[0].Decision, v.Runs[1].Decision)
			}
		}
	}
}

// The order is that of the configuration, however long each hook takes, and all of
// them run side by side.
func TestS18_ConfigurationOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		after := func(label string, wait time.Duration, out Output) Function {
			return Function{Label: label, Func: func(ctx context.Context, _ Invocation) (Output, error) {
				select {
				case <-time.After(wait):
				case <-ctx.Done():
				}
				return out, ctx.Err()
			}}
		}
		s := newSession(t, Config{Entries: before(
			after("slow", 30*time.Second, Deny("first")), after("middle", 20*time.Second, Deny("second")), saying("fast", Deny("third")))})
		started := time.Now()
		v := s.run(PreToolUseInput{ToolName: "Bash", ToolInput: strictjson.Raw(`{}`)})
		if took := time.Since(started); took != 30*time.Second {
			t.Errorf("it took %v: they wait for each other", took)
		}
		if want := "1. first\n2. second\n3. third"; v.Permission.Reason != want {
			t.Errorf("the reason is %q, want %q", v.Permission.Reason, want)
		}
		if v.Runs[0].Took != 30*time.Second || v.Runs[1].Took != 20*time.Second || v.Runs[2].Took != 0 {
			t.Errorf("they took %v, %v, %v", v.Runs[0].Took, v.Runs[1].Took, v.Runs[2].Took)
		}
	})
}

func TestH8_EveryReasonReachesTheModel(t *testing.T) {
	crash := Function{Label: "crash", Func: func(context.Context, Invocation) (Output, error) { panic("boom") }}
	late := Function{Label: "late", Func: func(context.Context, Invocation) (Output, error) { return Output{}, fmt.Errorf("no database") }}
	for _, tt := range []struct {
		name   string
		hooks  []Entry
		broken bool
		want   string // the whole message
	}{
		{"one", before(saying("a", Deny("too much"))), false, "too much"},
		{"two", before(saying("a", Deny("too much")), saying("b", Deny("not verified"))), false, "1. too much\n2. not verified"},
		{"with an allow", before(saying("a", Allow()), saying("b", Deny("not verified"))), false, "not verified"},
		{"one broken", before(crash), true, "hook broken: function crash: panic: boom"},
		{"all broken", before(crash, late), true, "hook broken: 1. function crash: panic: boom\n2. function late: no database"},
		{"one of both", before(crash, saying("b", Deny("not verified"))), false, "1. hook broken: function crash: panic: boom\n2. not verified"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := newSession(t, Config{Entries: tt.hooks}).bash("ls")
			if j.Decision.Behavior != denied || j.Decision.Message() != tt.want {
				t.Errorf("%v: %q, want %q", j.Decision.Behavior, j.Decision.Message(), tt.want)
			}
			if broken := j.Decision.Reason.Kind == permission.ByBrokenHook; broken != tt.broken || j.Verdict.Permission.Broken != tt.broken {
				t.Errorf("broken: %v, want %v", broken, tt.broken)
			}
		})
	}
}

func TestH9_UpdatedInput(t *testing.T) {
	const input = `{"file_path": "/home/dev/proj/a.txt", "content": "x"}`
	change := func(text string) *Specific {
		return &Specific{UpdatedInput: strictjson.Raw(text)}
	}
	with := func(decision, text string) Output {
		specific := change(text)
		specific.PermissionDecision = decision
		return Output{Specific: specific}
	}
	const changed = `{"file_path": "/home/dev/proj/a.txt", "content": "y"}`
	for _, tt := range []struct {
		name  string
		hooks []Handler
		want  permission.Behavior
		input string
		note  string // of the first hook
	}{
		{"with allow", []Handler{saying("a", with("allow", `{"content": "y"}`))}, allowed, changed, ""},
		{"with approve", []Handler{saying("a", Output{Decision: "approve", Specific: change(`{"content": "y"}`)})}, allowed, changed, ""},
		{"without a decision", []Handler{saying("a", with("", `{"content": "y"}`))}, asked, input, "updatedInput is ignored"},
		{"with ask", []Handler{saying("a", with("ask", `{"content": "y"}`))}, asked, input, "updatedInput is ignored"},
		{"with deny", []Handler{saying("a", with("deny", `{"content": "y"}`))}, denied, input, "updatedInput is ignored"},
		{"with defer", []Handler{saying("a", with("defer", `{"content": "y"}`))}, deferred, input, "updatedInput is ignored"},
		{"block beats the allow beside it", []Handler{saying("a", Output{Decision: "block", Specific: with("allow", `{"content": "y"}`).Specific})}, denied, input, "updatedInput is ignored"},
		{"another hook asks", []Handler{saying("a", with("allow", `{"content": "y"}`)), saying("b", Ask("sure?"))}, asked, changed, ""},
		{"another hook denies", []Handler{saying("a", with("allow", `{"content": "y"}`)), saying("b", Deny("no"))}, denied, input, "another hook says deny"},
		{"another hook defers", []Handler{saying("a", with("allow", `{"content": "y"}`)), saying("b", Defer("later"))}, deferred, input, "another hook says defer"},
		{"an allow elsewhere does not help", []Handler{saying("a", with("", `{"content": "y"}`)), saying("b", Allow())}, allowed, input, "updatedInput is ignored"},
		{"nothing new", []Handler{saying("a", with("allow", `{"content": "x"}`))}, allowed, input, ""},
		{"an empty change", []Handler{saying("a", with("allow", `{}`))}, allowed, input, ""},
		{"a list", []Handler{printing("a", `{"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": [1]}}`)}, denied, input, ""},
		{"invalid afterwards", []Handler{saying("a", with("allow", `{"content": 7}`))}, denied, input, "invalid"},
		{"a needed key deleted", []Handler{saying("a", with("allow", `{"content": null}`))}, denied, input, "invalid"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := newSession(t, Config{Entries: before(tt.hooks...)}).judge("Write", input)
			wantDecision(t, j, tt.want)
			wantJSON(t, j.Input, tt.input)
			if content, _ := j.Call.Input["content"].(string); !strings.Contains(tt.input, `"content": "`+content+`"`) {
				t.Errorf("what would run has the content %q", content)
			}
			if tt.note != "" {
				wantNote(t, j.Verdict.Runs[0], tt.note)
			}
			if wanted := tt.input == changed; (j.Verdict.Input != nil) != wanted || (len(j.Verdict.Changes) == 1) != wanted {
				t.Errorf("input %s, changes %v", j.Verdict.Input, j.Verdict.Changes)
			}
		})
	}
}

func TestS17_PartialUpdatesMerge(t *testing.T) {
	change := func(label, text string) Handler {
		return printing(label, `{"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": `+text+`}}`)
	}
	s := newSession(t, Config{Entries: before(
		change("a", `{"amount": 10, "note": "a", "gone": null}`),
		change("b", `{"note": "b", "order": {"id": 9007199254740993}}`),
		change("c", `{"amount": 10.0, "extra": null}`),
		change("d", `{"note": "b"}`))})
	j := s.judge("mcp__pay__refund", `{"amount": 700, "gone": true, "extra": 1, "customer": "c1"}`)
	wantDecision(t, j, allowed)
	if want := `{"amount":10.0,"customer":"c1","note":"b","order":{"id": 9007199254740993}}`; strings.ReplaceAll(string(j.Input), `": `, `":`) != strings.ReplaceAll(want, `": `, `":`) {
		t.Errorf("the input is %s, want %s", j.Input, want)
	}
	runs := j.Verdict.Runs
	wantNote(t, runs[0], `callback b sets "note" differently`)
	wantNote(t, runs[1], `callback a sets "note" differently`)
	wantNote(t, runs[2], `callback a sets "amount" differently`)
	if len(runs[3].Notes) != 0 {
		t.Errorf("the last hook says what the one before says, and is told %q", runs[3].Notes)
	}
	if got := fmt.Sprint(runs[0].Changed, runs[1].Changed, runs[2].Changed, runs[3].Changed); got != "[amount gone note] [note order] [amount extra] []" {
		t.Errorf("on record is %s", got)
	}
}

// The rules judge what the hook made of the input: it may rescue a call, and it may
// not smuggle one past a deny rule.
func TestS17_OnlyTheResultIsJudged(t *testing.T) {
	to := func(command string) []Entry {
		out, err := AllowWith(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		return before(saying("redirect", out))
	}
	deny := textRule(t, rule.Deny, "Bash(rm:*)")
	wantDecision(t, newSession(t, Config{Entries: to("ls")}, deny).bash("rm x"), allowed)
	wantDecision(t, newSession(t, Config{Entries: to("rm x")}, deny).bash("ls"), denied, "Bash(rm:*)")
	wantDecision(t, newSession(t, Config{Entries: to("rm -rf ~")}).bash("ls"), asked, "safety check")
}

// An invalid result is the hook's fault, and the model learns which hook that is.
func TestS17_InvalidResultIsABrokenHook(t *testing.T) {
	out, _ := AllowWith(map[string]any{"command": 7})
	fine, _ := AllowWith(map[string]any{"description": "x"})
	entries := before(saying("good", Allow()), saying("first", fine), saying("second", out))
	for i := range entries {
		entries[i].OnFailure = FailOpen // nobody knows what was meant to run
	}
	j := newSession(t, Config{Entries: entries}, textRule(t, rule.Allow, "Bash")).inMode(permission.BypassPermissions).bash("ls")
	wantDecision(t, j, denied, "hook broken: function first, function second: the input it made is invalid", "command")
	if j.Verdict.Runs[0].Outcome != Okay || j.Verdict.Runs[2].Outcome != Broken || j.Verdict.Input != nil || j.Verdict.Changes != nil {
		t.Errorf("verdict %+v", j.Verdict)
	}
	wantJSON(t, j.Input, `{"command": "ls"}`)
}

func TestH14_S23_ChangesAreOnRecord(t *testing.T) {
	a, _ := AllowWith(map[string]string{"file_path": "/sandbox/a.txt"})
	b, _ := AllowWith(map[string]string{"content": "y"})
	for _, announce := range []bool{false, true} {
		if announce {
			b = b.Announced()
		}
		s := newSession(t, Config{Entries: before(saying("redirect", a), saying("stamp", b))})
		v := s.judge("Write", "{\"content\": \"x\",\n \"file_path\": \"/src/a.txt\"}").Verdict
		if len(v.Changes) != 2 || v.Announce != announce {
			t.Fatalf("changes %+v, announce %v", v.Changes, v.Announce)
		}
		first, second := v.Changes[0], v.Changes[1]
		if first.Hook != "function redirect" || fmt.Sprint(first.Keys) != "[file_path]" || first.After != second.Before || len(first.Before) != 64 {
			t.Errorf("changes %+v", v.Changes)
		}
		// The digests are those of the canonical JSON, as anybody can compute them.
		for text, want := range map[string]string{
			`{"content":"x","file_path":"/src/a.txt"}`:     first.Before,
			`{"content":"x","file_path":"/sandbox/a.txt"}`: first.After,
			`{"content":"y","file_path":"/sandbox/a.txt"}`: second.After,
		} {
			if got := sha(text); got != want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
	}
	// Nothing to announce, nothing announced.
	v := newSession(t, Config{Entries: before(saying("a", Allow().Announced()))}).bash("ls").Verdict
	if v.Announce || v.Changes != nil {
		t.Error("a change is announced that nobody made")
	}
}

func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"{\"b\" : [1.50, {\"z\":null,\"a\":\"\\u0041\\/\"}],\n\"a\":true}": `{"a":true,"b":[1.50,{"a":"A/","z":null}]}`,
		`12345678901234567890`: `12345678901234567890`,
		` [ ] `:                `[]`,
		`{"a":{},"":"\n"}`:     `{"":"\n","a":{}}`,
	} {
		got, err := strictjson.Canonical(strictjson.Raw(text))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "{", `{"a":1,"a":2}`, `{} {}`} {
		if got, err := strictjson.Canonical(strictjson.Raw(text)); err == nil {
			t.Errorf("%q has the canonical form %s", text, got)
		}
	}
}

// A block at the top level and an exit status of 2 cannot be talked away.
func TestS20_BlockBeatsAnInnerAllow(t *testing.T) {
	s := newSession(t, Config{Entries: before(printing("x", `{"decision": "block", "reason": "no way", "hookSpecificOutput": {"permissionDecision": "allow"}}`))})
	wantDecision(t, s.bash("ls"), denied, "no way")
	s = newSession(t, Config{Entries: before(printing("x", `{"decision": "approve", "hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "really no"}}`))})
	wantDecision(t, s.bash("ls"), denied, "really no")
}

func TestS20_ExitTwoBlocksWhateverStdoutSays(t *testing.T) {
	const allow = `printf '{"hookSpecificOutput": {"permissionDecision": "allow"}}'; `
	for _, tt := range []struct{ line, reason string }{
		{allow + "echo 'not on a Friday' >&2; exit 2", "not on a Friday"},
		{allow + "exit 2", "which gave no reason (exit status 2, nothing on stderr)"},
		{"printf '{half'; exit 2", "which gave no reason"},
	} {
		c, err := ShellCommand(tt.line)
		if err != nil {
			t.Fatal(err)
		}
		s := newSession(t, Config{Dir: t.TempDir(), Entries: before(c)}, textRule(t, rule.Allow, "Bash"))
		j := s.pipeline.Judge(t.Context(), s.snapshot, permission.Request{Tool: "Bash", Input: []byte(`{"command": "ls"}`)}, Base{Cwd: t.TempDir()}, "t")
		wantDecision(t, j, denied, tt.reason)
		if run := j.Verdict.Runs[0]; run.Outcome != Blocked || run.Exit == nil || *run.Exit != 2 || j.Verdict.Permission.Broken {
			t.Errorf("%s: %+v", tt.line, run)
		}
		wantNote(t, j.Verdict.Runs[0], "stdout does not count")
	}
}

func TestS21_ContinueFalse(t *testing.T) {
	no := false
	for _, tt := range []struct {
		out          Output
		reason, halt string
	}{
		{Halt("the budget is spent"), "the budget is spent", "the budget is spent"},
		{Halt(""), "gave no reason", "gave no reason"},
		{Output{Continue: &no, StopReason: "enough", Specific: &Specific{PermissionDecision: "allow", UpdatedInput: strictjson.Raw(`{"command": "true"}`)}}, "enough", "enough"},
		{Output{Continue: &no, StopReason: "enough", Specific: &Specific{PermissionDecision: "deny", PermissionDecisionReason: "secret file"}}, "secret file", "enough"},
	} {
		s := newSession(t, Config{Entries: before(saying("x", tt.out))}, textRule(t, rule.Allow, "Bash"))
		j := s.bash("ls")
		wantDecision(t, j, denied, tt.reason)
		if !j.Verdict.Halt || !strings.Contains(j.Verdict.HaltReason, tt.halt) || len(j.Verdict.Denials) != 1 || j.Verdict.Permission.Broken || j.Verdict.Input != nil {
			t.Errorf("%+v: %+v", tt.out, j.Verdict)
		}
		// Elsewhere nothing is denied, and the session stops all the same.
		v := newSession(t, Config{Entries: entriesAt(PostToolUse, saying("x", Halt("enough")))}).run(PostToolUseInput{ToolName: "Bash"})
		if !v.Halt || v.HaltReason != "enough" || v.Block || v.Permission.Behavior != permission.Pass {
			t.Errorf("PostToolUse: %+v", v)
		}
	}
	v := newSession(t, Config{Entries: entriesAt(PermissionRequest, saying("x", Halt("enough")))}).run(PermissionRequestInput{ToolName: "Bash"})
	if !v.Halt || v.Answer == nil || v.Answer.Behavior != denied || v.Answer.Message != "enough" {
		t.Errorf("PermissionRequest: %+v, answer %+v", v, v.Answer)
	}
}

func TestH7_AdditionalContext(t *testing.T) {
	for _, input := range []Input{UserPromptSubmitInput{Prompt: "x"}, SessionStartInput{Source: "startup"}, PostToolUseInput{ToolName: "Bash"}, PreToolUseInput{ToolName: "Bash"}} {
		s := newSession(t, Config{Entries: entriesAt(input.Event(), saying("a", Context("first")), saying("b", Context("second")), exiting(0, "plain text", ""))})
		v := s.run(input)
		want := "[first second]"
		if input.Event() == UserPromptSubmit || input.Event() == SessionStart {
			want = "[first second plain text]"
		}
		if got := fmt.Sprint(v.Context); got != want {
			t.Errorf("%s: %s, want %s", input.Event(), got, want)
		}
	}
}

func TestBlocksWhereThereIsNothingToPermit(t *testing.T) {
	for _, input := range []Input{UserPromptSubmitInput{}, StopInput{}, SubagentStopInput{}, PostToolUseInput{ToolName: "Bash"}, PostToolUseFailureInput{ToolName: "Bash"}} {
		s := newSession(t, Config{Entries: entriesAt(input.Event(), saying("a", Block("first")), saying("b", Output{}), saying("c", Block("second")), saying("d", Block("")))})
		v := s.run(input)
		if !v.Block || len(v.Feedback) != 3 || v.Feedback[0] != "first" || v.Feedback[1] != "second" || !strings.Contains(v.Feedback[2], "function d") {
			t.Errorf("%s: %v %q", input.Event(), v.Block, v.Feedback)
		}
		if v.Runs[0].Outcome != Blocked || v.Runs[1].Outcome != Okay || v.Permission.Behavior != permission.Pass {
			t.Errorf("%s: %+v", input.Event(), v.Runs)
		}
	}
	v := newSession(t, Config{Entries: entriesAt(Notification, saying("a", Block("no")))}).run(NotificationInput{Message: "x"})
	if v.Block || v.Feedback != nil {
		t.Errorf("a notification is blocked: %+v", v)
	}
}

func TestH15_PermissionDeniedRetry(t *testing.T) {
	for _, tt := range []struct {
		hooks []Handler
		want  bool
	}{
		{nil, false},
		{[]Handler{saying("a", Output{})}, false},
		{[]Handler{saying("a", Output{}), saying("b", TryAgain())}, true},
		{[]Handler{printing("a", `{"retry": true}`)}, true},
	} {
		v := newSession(t, Config{Entries: entriesAt(PermissionDenied, tt.hooks...)}).run(PermissionDeniedInput{ToolName: "Bash", Reason: "x"})
		if v.Retry != tt.want {
			t.Errorf("%v: %v", tt.hooks, v.Retry)
		}
	}
}

func TestH18_ToolOutput(t *testing.T) {
	first, _ := ReplaceResult("2026-01-01")
	second, _ := ReplaceResult("2026-01-02")
	mcp := printing("mcp", `{"hookSpecificOutput": {"updatedMCPToolOutput": [{"type": "text", "text": "x"}]}}`)
	v := newSession(t, Config{Entries: entriesAt(PostToolUse, saying("a", first), saying("b", second), mcp)}).run(PostToolUseInput{ToolName: "Bash"})
	if string(v.ToolOutput) != `"2026-01-02"` || v.MCPToolOutput != nil {
		t.Errorf("output %s, of MCP %s", v.ToolOutput, v.MCPToolOutput)
	}
	wantNote(t, v.Runs[0], "updatedToolOutput is ignored: hook function b")
	wantNote(t, v.Runs[1], "is replaced by this one")
	wantNote(t, v.Runs[2], "Bash is no tool of an MCP server")
	v = newSession(t, Config{Entries: entriesAt(PostToolUse, mcp)}).run(PostToolUseInput{ToolName: "mcp__pay__get"})
	wantJSON(t, v.MCPToolOutput, `[{"type": "text", "text": "x"}]`)
}
