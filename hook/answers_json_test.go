package hook

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/rule"
)

// The page of a proxy, a list or a word is no answer of a server or a host.
func TestS19_AServerOrHostThatSendsNoObjectIsBroken(t *testing.T) {
	for _, text := range []string{"<html><body>Sign in</body></html>", `[{"decision":"block"}]`, `"deny"`, "null", "ok", "\n false"} {
		url, _ := endpoint(t, says(text))
		for _, h := range []Handler{newHTTP(t, url), printing("host", text)} {
			s := newSession(t, Config{Entries: before(h)}, textRule(t, rule.Allow, "Bash"))
			wantDecision(t, s.bash("ls"), denied, "hook broken: "+h.Name(), "is no JSON object")
			// Elsewhere the work goes on, and nobody takes a page for context.
			v := newSession(t, Config{Entries: entriesAt(UserPromptSubmit, h)}).run(UserPromptSubmitInput{Prompt: "x"})
			if v.Block || v.Context != nil || len(v.Messages) != 1 || v.Runs[0].Outcome != Broken {
				t.Errorf("%s %q: %+v", h.Name(), text, v)
			}
		}
	}
	for _, text := range []string{"", " \n", "{}", "\ufeff{}", `{"systemMessage":"m"}`} {
		url, _ := endpoint(t, says(text))
		for _, h := range []Handler{newHTTP(t, url), printing("host", text)} {
			s := newSession(t, Config{Entries: before(h)}, textRule(t, rule.Allow, "Bash"))
			wantDecision(t, s.bash("ls"), allowed)
		}
	}
}

// A hook that is broken changes nothing that others rely on.
func TestH12_OnlyAnAnswerThatIsUnderstoodChangesTheState(t *testing.T) {
	for _, tt := range []struct{ name, answer, want string }{
		{"an unknown word", `{"state":{"verified":true},"hookSpecificOutput":{"permissionDecision":"permit"}}`, `{}`},
		{"only unknown keys beside it", `{"state":{"verified":true},"ok":true}`, `{}`},
		{"a decision in the wrong place", `{"state":{"verified":true},"permissionDecision":"allow"}`, `{}`},
		{"understood", `{"state":{"verified":true},"decision":"approve"}`, `{"verified":true}`},
		{"alone", `{"state":{"verified":true}}`, `{"verified":true}`},
		{"after a byte order mark", "\ufeff" + `{"state":{"verified":true}}`, `{"verified":true}`},
		{"after a byte order mark, with a decision", "\ufeff" + `{"state":{"verified":true},"decision":"approve"}`, `{"verified":true}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, _ := endpoint(t, says(tt.answer))
			state, err := OpenState(filepath.Join(t.TempDir(), "s.json"))
			if err != nil {
				t.Fatal(err)
			}
			s := newSession(t, Config{State: state, Entries: before(newHTTP(t, url))}, textRule(t, rule.Allow, "Bash"))
			want := allowed
			if tt.want == `{}` {
				want = denied
			}
			wantDecision(t, s.bash("ls"), want)
			wantAll(t, state, tt.want)
		})
	}
}

// Nor does one that answers when nobody waits any more.
func TestH12_ALateAnswerChangesNoState(t *testing.T) {
	release := make(chan struct{})
	url, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		<-release
		_, _ = w.Write([]byte(`{"state":{"verified":true}}`))
	})
	state := MemoryState()
	reply := newHTTP(t, url).Handle(short(t), Invocation{JSON: []byte("{}"), State: state})
	close(release)
	wantFailure(t, reply, TimedOut, "")
	wantAll(t, state, `{}`)
}

// A denial in an encoding that is not ours must not pass for text, wherever it starts.
func TestS19_ANULByteIsBroken(t *testing.T) {
	deny := specific(`"permissionDecision":"deny"`)
	wide := func(text string, before, after int) string {
		var b strings.Builder
		for i := range len(text) {
			b.WriteString(strings.Repeat("\x00", before) + text[i:i+1] + strings.Repeat("\x00", after))
		}
		return b.String()
	}
	for _, text := range []string{
		wide("\r\n"+deny, 0, 1), wide("\n"+deny, 1, 0), wide(" "+deny, 0, 3), wide(deny, 3, 0), "\x00" + deny, "\x00\x00\x00" + deny, "text\x00", deny + "\x00",
	} {
		for _, event := range []Event{PreToolUse, UserPromptSubmit} {
			_, _, err := ReadOutput(event, []byte(text))
			if err == nil {
				t.Errorf("%s: %.40q is not broken", event, text)
			}
		}
	}
}

// Keys that only tell somebody something are no decisions: in the wrong place they are
// ignored, and their author learns where they belong.
func TestS19_AMessageInTheWrongPlaceIsANote(t *testing.T) {
	for text, want := range map[string]string{
		specific(`"permissionDecision":"allow","systemMessage":"hi"`):            `ignored: the key "systemMessage" has no meaning in hookSpecificOutput: write systemMessage at the top level`,
		specific(`"permissionDecision":"allow","suppressOutput":true`):           "write suppressOutput at the top level",
		specific(`"permissionDecision":"allow","AdditionalContext":"c"`):         "write additionalContext",
		`{"continue":true,"additionalContext":"x"}`:                              `ignored: the key "additionalContext" has no meaning in the output: write additionalContext inside hookSpecificOutput`,
		`{"continue":true,"announceInput":true}`:                                 "write announceInput inside hookSpecificOutput",
		`{"suppressOutput":true,"system_message":"m"}`:                           "write systemMessage",
		`{"decision":"approve","additionalContext":"x","hookSpecificOutput":{}}`: "inside hookSpecificOutput",
	} {
		out, notes, err := ReadOutput(PreToolUse, []byte(text))
		if err != nil || len(notes) != 1 || !strings.Contains(notes[0], want) {
			t.Errorf("%s: %+v, %q, %v", text, out, notes, err)
		}
	}
	// Alone they are all that the hook said, and nobody heard it.
	brokenOutput(t, PreToolUse, `{"additionalContext":"x"}`, "write additionalContext inside hookSpecificOutput")
	brokenOutput(t, PreToolUse, specific(`"systemMessage":"hi"`), "write systemMessage at the top level")
}

// Who gives a reason means to hold something up.
func TestS19_AReasonWithoutADecisionIsTold(t *testing.T) {
	for _, text := range []string{`{"reason":"no"}`, specific(`"permissionDecisionReason":"no"`)} {
		s := newSession(t, Config{Entries: before(printing("x", text))}, textRule(t, rule.Allow, "Bash"))
		j := s.bash("ls")
		wantDecision(t, j, allowed)
		wantNote(t, j.Verdict.Runs[0], `without one it holds up nothing: to deny, print {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"`)
	}
}

// The older approve is an explicit allow, also for a change of the input.
func TestS17_TheOlderApproveIsAnExplicitAllow(t *testing.T) {
	s := newSession(t, Config{Entries: before(printing("x", `{"decision":"approve","hookSpecificOutput":{"updatedInput":{"command":"pwd"}}}`))})
	j := s.bash("make")
	wantDecision(t, j, allowed)
	wantJSON(t, j.Input, `{"command":"pwd"}`)
	s = newSession(t, Config{Entries: before(printing("x", `{"hookSpecificOutput":{"updatedInput":{"command":"pwd"}}}`))})
	j = s.bash("make")
	wantDecision(t, j, asked)
	wantNote(t, j.Verdict.Runs[0], `counts only together with "permissionDecision": "allow" or the older "decision": "approve"`)
}

// For a tool of an MCP server the output that is meant for it counts.
func TestH6_OfTwoOutputsThatOfTheMCPToolCounts(t *testing.T) {
	const plain, mcp = `"updatedToolOutput":"a"`, `"updatedMCPToolOutput":"b"`
	answer := func(members string) string { return `{"hookSpecificOutput":{` + members + `}}` }
	for name, hooks := range map[string][]Handler{
		"one hook":      {printing("x", answer(plain+","+mcp))},
		"two hooks":     {printing("x", answer(plain)), printing("y", answer(mcp))},
		"the other way": {printing("y", answer(mcp)), printing("x", answer(plain))},
	} {
		t.Run(name, func(t *testing.T) {
			v := newSession(t, Config{Entries: entriesAt(PostToolUse, hooks...)}).run(PostToolUseInput{ToolName: "mcp__a__b"})
			if v.ToolOutput != nil || string(v.MCPToolOutput) != `"b"` {
				t.Errorf("output %s, of MCP %s", v.ToolOutput, v.MCPToolOutput)
			}
			for _, run := range v.Runs {
				if run.Hook == "callback x" {
					wantNote(t, run, "updatedToolOutput is ignored")
				}
			}
		})
	}
	v := newSession(t, Config{Entries: entriesAt(PostToolUse, printing("x", answer(plain+","+mcp)))}).run(PostToolUseInput{ToolName: "Bash"})
	if string(v.ToolOutput) != `"a"` || v.MCPToolOutput != nil {
		t.Errorf("another tool: output %s, of MCP %s", v.ToolOutput, v.MCPToolOutput)
	}
}
