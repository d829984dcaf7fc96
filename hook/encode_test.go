package hook

import (
	"bytes"
	"cmp"
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// documented has one input of each type with everything set, and the JSON that hooks
// read.
func documented() []struct {
	in   Input
	want string
} {
	base := Base{SessionID: "s-1", TranscriptPath: "/t/s-1.jsonl", Cwd: "/w", PermissionMode: "plan"}
	agent := base
	agent.AgentID, agent.AgentType = "a-1", "reviewer"
	bash := strictjson.Raw(`{"command":"ls"}`)
	custom := "be brief"
	const (
		head = `{"session_id":"s-1","transcript_path":"/t/s-1.jsonl","cwd":"/w",`
		mode = `"permission_mode":"plan",`
		sub  = `"agent_id":"a-1","agent_type":"reviewer",`
		call = `"tool_name":"Bash","tool_input":{"command":"ls"}`
	)
	return []struct {
		in   Input
		want string
	}{
		{
			PreToolUseInput{base, "Bash", bash, "toolu_1"},
			head + mode + `"hook_event_name":"PreToolUse",` + call + `,"tool_use_id":"toolu_1"}`,
		},
		{
			PreToolUseInput{agent, "Bash", bash, "toolu_1"},
			head + mode + sub + `"hook_event_name":"PreToolUse",` + call + `,"tool_use_id":"toolu_1"}`,
		},
		{
			PostToolUseInput{base, "Bash", bash, strictjson.Raw(`{"stdout":"a.txt"}`), "toolu_1"},
			head + mode + `"hook_event_name":"PostToolUse",` + call + `,"tool_response":{"stdout":"a.txt"},"tool_use_id":"toolu_1"}`,
		},
		{
			PostToolUseFailureInput{base, "Bash", bash, "toolu_1", "exit status 1", true},
			head + mode + `"hook_event_name":"PostToolUseFailure",` + call + `,"tool_use_id":"toolu_1","error":"exit status 1","is_interrupt":true}`,
		},
		{
			PermissionRequestInput{base, "Bash", bash, strictjson.Raw(`[{"type":"setMode"}]`)},
			head + mode + `"hook_event_name":"PermissionRequest",` + call + `,"permission_suggestions":[{"type":"setMode"}]}`,
		},
		{
			PermissionDeniedInput{base, "Bash", bash, "toolu_1", "too risky"},
			head + mode + `"hook_event_name":"PermissionDenied",` + call + `,"tool_use_id":"toolu_1","reason":"too risky"}`,
		},
		{
			NotificationInput{base, "done", "assent"},
			head + `"hook_event_name":"Notification","message":"done","title":"assent"}`,
		},
		{
			UserPromptSubmitInput{base, "go"},
			head + mode + `"hook_event_name":"UserPromptSubmit","prompt":"go"}`,
		},
		{
			SessionStartInput{base, "startup", "m-1"},
			head + `"hook_event_name":"SessionStart","source":"startup","model":"m-1"}`,
		},
		{
			SessionEndInput{base, "other"},
			head + `"hook_event_name":"SessionEnd","reason":"other"}`,
		},
		{
			StopInput{base, true, "bye"},
			head + mode + `"hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"bye"}`,
		},
		{
			SubagentStartInput{agent},
			head + sub + `"hook_event_name":"SubagentStart"}`,
		},
		{
			SubagentStopInput{agent, false, "/t/a-1.jsonl", "bye"},
			head + mode + sub + `"hook_event_name":"SubagentStop","stop_hook_active":false,"agent_transcript_path":"/t/a-1.jsonl","last_assistant_message":"bye"}`,
		},
		{
			PreCompactInput{base, "manual", &custom},
			head + `"hook_event_name":"PreCompact","trigger":"manual","custom_instructions":"be brief"}`,
		},
	}
}

func TestH1_InputsHaveExactlyTheDocumentedFields(t *testing.T) {
	seen := map[Event]bool{}
	for _, test := range documented() {
		seen[test.in.Event()] = true
		got, err := Encode(test.in)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", test.in.Event(), err, got, test.want)
		}
	}
	for _, event := range Events {
		if !seen[event] {
			t.Errorf("no input for %s", event)
		}
	}
}

func TestH1_WhatIsNotSetIsLeftOut(t *testing.T) {
	const base = `{"session_id":"","transcript_path":"","cwd":"","hook_event_name":`
	tests := []struct {
		in   Input
		want string
	}{
		{PreToolUseInput{ToolName: "Bash", ToolInput: strictjson.Raw("{}")}, base + `"PreToolUse","tool_name":"Bash","tool_input":{}}`},
		{NotificationInput{}, base + `"Notification","message":""}`},
		{SessionStartInput{Source: "clear"}, base + `"SessionStart","source":"clear"}`},
		{StopInput{}, base + `"Stop","stop_hook_active":false}`},
		{PreCompactInput{Trigger: "auto"}, base + `"PreCompact","trigger":"auto","custom_instructions":null}`},
	}
	for _, test := range tests {
		if got, err := Encode(test.in); err != nil || string(got) != test.want {
			t.Errorf("%T: %v\ngot  %s\nwant %s", test.in, err, got, test.want)
		}
	}
}

// What a model wrote reaches the hook in one spelling: one that looks for words in the
// text must find them. Numbers stay as they were written.
func TestH1_ToolInputHasOneSpelling(t *testing.T) {
	in := PreToolUseInput{ToolName: "Bash", ToolInput: strictjson.Raw(`{"z":1.50e3,"a":"\u0041<&>"}`)}
	got, err := Encode(in)
	if err != nil || !bytes.Contains(got, []byte(`"tool_input":{"a":"A<&>","z":1.50e3}`)) {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestH1_EncodeRefusesWhatIsNoInput(t *testing.T) {
	for _, in := range []Input{
		nil,
		&StopInput{},
		PreToolUseInput{ToolName: "Bash", ToolInput: strictjson.Raw(`{"a":1,"a":2}`)},
		PreToolUseInput{ToolName: "Bash\xff", ToolInput: strictjson.Raw(`{}`)},
	} {
		if got, err := Encode(in); err == nil {
			t.Errorf("Encode(%#v) = %s", in, got)
		}
	}
}

func TestH2_WhatAMatcherIsComparedWith(t *testing.T) {
	agent := Base{AgentType: "reviewer"}
	tests := []struct {
		in   Input
		want string
	}{
		{PreToolUseInput{Base: agent, ToolName: "Bash"}, "Bash"},
		{PostToolUseInput{ToolName: "Bash"}, "Bash"},
		{PostToolUseFailureInput{ToolName: "Bash"}, "Bash"},
		{PermissionRequestInput{ToolName: "Bash"}, "Bash"},
		{PermissionDeniedInput{ToolName: "Bash", Reason: "risky"}, "Bash"},
		{NotificationInput{Message: "m", Title: "t"}, ""},
		{UserPromptSubmitInput{Prompt: "p"}, ""},
		{SessionStartInput{Source: "resume"}, "resume"},
		{SessionEndInput{Reason: "clear"}, "clear"},
		{StopInput{Base: agent}, ""},
		{SubagentStartInput{agent}, "reviewer"},
		{SubagentStopInput{Base: agent}, "reviewer"},
		{PreCompactInput{Trigger: "auto"}, "auto"},
	}
	for _, test := range tests {
		if got := test.in.Subject(); got != test.want {
			t.Errorf("%T: subject %q, want %q", test.in, got, test.want)
		}
		if got, want := test.in.Event().HasSubject(), test.want != ""; got != want {
			t.Errorf("%s: HasSubject() = %t", test.in.Event(), got)
		}
	}
	if len(tests) != len(Events) {
		t.Errorf("%d of %d events", len(tests), len(Events))
	}
}

func TestH1_DecodeIsTheInverse(t *testing.T) {
	for _, test := range documented() {
		in, err := Decode([]byte(test.want))
		if err != nil {
			t.Errorf("%s: %v", test.want, err)
			continue
		}
		if again, err := Encode(in); err != nil || string(again) != test.want || reflect.TypeOf(in) != reflect.TypeOf(test.in) {
			t.Errorf("%T, %v\ngot  %s\nwant %s", in, err, again, test.want)
		}
	}
}

func TestH1_DecodeIgnoresKeysOfOthers(t *testing.T) {
	in, err := Decode([]byte(`{"hook_event_name":"Stop","session_id":"s","prompt_id":"p","effort":{"level":"high"},"tool_name":7,"stop_hook_active":true}`))
	if want := (StopInput{Base: Base{SessionID: "s"}, StopHookActive: true}); err != nil || in != Input(want) {
		t.Errorf("got %#v, %v", in, err)
	}
}

func TestH1_DecodeIsStrict(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"not JSON", `{"hook_event_name":"Stop"`, "the text ends before the value does"},
		{"no object", `[]`, "want an object"},
		{"a key twice", `{"hook_event_name":"PreToolUse","tool_name":"Read","tool_name":"Bash","tool_input":{}}`, "occurs twice"},
		{"a key twice inside", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"rm"}}`, "occurs twice"},
		{"two events", `{"hook_event_name":"Stop"}{"hook_event_name":"Stop"}`, "after top-level value"},
		{"wrong type", `{"hook_event_name":"PreToolUse","tool_name":["Bash"],"tool_input":{}}`, "want a string, got an array"},
		{"no tool", `{"hook_event_name":"PreToolUse","tool_input":{}}`, "has no tool_name"},
		{"tool in another letter case", `{"hook_event_name":"PreToolUse","Tool_Name":"Bash","tool_input":{}}`, "has no tool_name"},
		{"no input", `{"hook_event_name":"PostToolUse","tool_name":"Bash"}`, "has no tool_input"},
		{"null input", `{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":null}`, "has no tool_input"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in, err := Decode([]byte(test.text))
			if err == nil || in != nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %#v, %v; want an error with %q", in, err, test.want)
			}
		})
	}
}

func TestH1_UnknownEventsAreTold(t *testing.T) {
	for text, name := range map[string]string{
		`{"hook_event_name":"preToolUse"}`:  "preToolUse",
		`{"hook_event_name":"PostCompact"}`: "PostCompact",
		`{"hook_event_name":""}`:            "",
		`{"tool_name":"Bash"}`:              "",
	} {
		in, err := Decode([]byte(text))
		unknown, ok := err.(*UnknownEventError)
		if !ok || in != nil || unknown.Name != name || !strings.Contains(err.Error(), cmp.Or(name, "hook_event_name")) {
			t.Errorf("%s: got %#v, %v", text, in, err)
		}
	}
}

// The events about a tool are those whose input names one.
func TestH1_EventsAboutTools(t *testing.T) {
	for _, test := range documented() {
		if got, want := test.in.Event().AboutTool(), strings.Contains(test.want, `"tool_name"`); got != want {
			t.Errorf("%s: AboutTool() = %t", test.in.Event(), got)
		}
	}
}
