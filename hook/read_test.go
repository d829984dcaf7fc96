package hook

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// specific is an answer of PreToolUse with these members.
func specific(members string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PreToolUse",` + members + `}}`
}

// brokenOutput checks that a text cannot be understood, that nothing of it counts, and
// that the sentence for the author has these parts.
func brokenOutput(t *testing.T, event Event, text string, parts ...string) {
	t.Helper()
	out, _, err := ReadOutput(event, []byte(text))
	b, ok := err.(*BrokenOutput)
	if !ok || !reflect.DeepEqual(out, Output{}) {
		t.Errorf("%s: %.200q is not broken: %+v, %v", event, text, out, err)
		return
	}
	for _, part := range parts {
		if !strings.Contains(b.Error(), part) {
			t.Errorf("%.200q: the sentence %q does not say %q", text, b.Error(), part)
		}
	}
	if b.Problem == "" || b.Hint == "" {
		t.Errorf("%.200q: %+v does not say what to do", text, b)
	}
}

func TestH3_EveryKeyIsRead(t *testing.T) {
	no := false
	tests := []struct {
		event Event
		text  string
		want  Output
	}{
		{PreToolUse, `{"continue":false,"stopReason":"s","suppressOutput":true,"systemMessage":"m"}`, Output{Continue: &no, StopReason: "s", SuppressOutput: true, SystemMessage: "m"}},
		{PreToolUse, `{"decision":"approve","reason":"r"}`, Output{Decision: "approve", Reason: "r"}},
		{PreToolUse, `{"decision":"block","reason":"r"}`, Output{Decision: "block", Reason: "r"}},
		{PostToolUse, `{"decision":"block","reason":"r"}`, Output{Decision: "block", Reason: "r"}},
		{Stop, `{"async":true,"asyncTimeout":5000}`, Output{Async: true, AsyncTimeout: 5000}},
		{PreToolUse, specific(`"permissionDecision":"allow","permissionDecisionReason":"r","updatedInput":{"a":null},"announceInput":true,"additionalContext":"c"`), Output{Specific: &Specific{
			HookEventName: PreToolUse, PermissionDecision: "allow", PermissionDecisionReason: "r",
			UpdatedInput: strictjson.Raw(`{"a":null}`), AnnounceInput: true, AdditionalContext: "c",
		}}},
		{PostToolUse, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"c","updatedToolOutput":"clean","updatedMCPToolOutput":[1]}}`, Output{Specific: &Specific{
			HookEventName: PostToolUse, AdditionalContext: "c", UpdatedToolOutput: strictjson.Raw(`"clean"`), UpdatedMCPToolOutput: strictjson.Raw(`[1]`),
		}}},
		{PermissionRequest, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"a":1},"updatedPermissions":[{"type":"setMode"}]}}}`, Output{Specific: &Specific{
			HookEventName: PermissionRequest,
			Decision:      &RequestDecision{Behavior: "allow", UpdatedInput: strictjson.Raw(`{"a":1}`), UpdatedPermissions: strictjson.Raw(`[{"type":"setMode"}]`)},
		}}},
		{PermissionRequest, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"m","interrupt":true}}}`, Output{Specific: &Specific{
			HookEventName: PermissionRequest, Decision: &RequestDecision{Behavior: "deny", Message: "m", Interrupt: true},
		}}},
		{PermissionDenied, `{"hookSpecificOutput":{"hookEventName":"PermissionDenied","retry":true}}`, Output{Specific: &Specific{HookEventName: PermissionDenied, Retry: true}}},
		{SessionStart, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"c"}}`, Output{Specific: &Specific{HookEventName: SessionStart, AdditionalContext: "c"}}},
	}
	for _, test := range tests {
		got, notes, err := ReadOutput(test.event, []byte(test.text))
		if err != nil || notes != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s %s\ngot  %+v %+v, %q, %v\nwant %+v %+v", test.event, test.text, got, got.Specific, notes, err, test.want, test.want.Specific)
		}
	}
}

// The lists of known keys and the fields they are read into are the same.
func TestH3_KnownKeysHaveFields(t *testing.T) {
	var r reading
	fields := map[level]func(string) any{
		topLevel: r.topField(&Output{}), inSpecific: (&Specific{}).field, inDecision: (&RequestDecision{}).field,
	}
	types := map[level]reflect.Type{
		topLevel: reflect.TypeFor[Output](), inSpecific: reflect.TypeFor[Specific](), inDecision: reflect.TypeFor[RequestDecision](),
	}
	for p, field := range fields {
		var tags []string
		for f := range types[p].Fields() {
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			tags = append(tags, tag)
			if field(tag) == nil {
				t.Errorf("%s: %s is not read", p, tag)
			}
		}
		if got, want := slices.Sorted(slices.Values(p.keys())), slices.Sorted(slices.Values(tags)); !slices.Equal(got, want) {
			t.Errorf("%s: keys %q, fields %q", p, got, want)
		}
	}
}

func TestS19_NoOpinion(t *testing.T) {
	for _, event := range Events {
		for _, text := range []string{"", " \n\t", "{}", " {} \n", "\ufeff{}", `{"hookSpecificOutput":{}}`} {
			out, notes, err := ReadOutput(event, []byte(text))
			if err != nil || notes != nil || out.decides() || out.Specific != nil && !reflect.DeepEqual(*out.Specific, Specific{}) {
				t.Errorf("%s %q: %+v, %q, %v", event, text, out, notes, err)
			}
		}
	}
}

func TestS19_TextIsNoOpinionAndReported(t *testing.T) {
	for _, event := range Events {
		for _, text := range []string{"deny: too much", `[{"decision":"block"}]`, `"deny"`, "null", "Blocked!\n" + specific(`"permissionDecision":"deny"`)} {
			out, notes, err := ReadOutput(event, []byte(text+"\n"))
			switch {
			case err != nil:
				t.Errorf("%s %q: %v", event, text, err)
			case event == UserPromptSubmit || event == SessionStart:
				if want := (Output{Specific: &Specific{AdditionalContext: text}}); !reflect.DeepEqual(out, want) || notes != nil {
					t.Errorf("%s %q: %+v, %q", event, text, out, notes)
				}
			case len(notes) != 1 || !reflect.DeepEqual(out, Output{}):
				t.Errorf("%s %q: %+v, %q", event, text, out, notes)
			case strings.Contains(text, "{") != strings.Contains(notes[0], "does not start with {"):
				t.Errorf("%s %q: note %q", event, text, notes)
			}
		}
	}
}

func TestS19_TextForTheModelIsMadeUTF8(t *testing.T) {
	out, notes, err := ReadOutput(UserPromptSubmit, []byte("caf\xe9"))
	if err != nil || len(notes) != 1 || out.Specific.AdditionalContext != "caf\uFFFD" {
		t.Errorf("got %+v, %q, %v", out.Specific, notes, err)
	}
}

func TestS19_BlanksAndAByteOrderMarkBeforeTheAnswer(t *testing.T) {
	for _, before := range []string{" ", "\r\n\t", "\ufeff", "\u00a0", "\n\ufeff "} {
		out, _, err := ReadOutput(PreToolUse, []byte(before+specific(`"permissionDecision":"deny"`)+"\r\n"))
		if err != nil || out.Specific == nil || out.Specific.PermissionDecision != "deny" {
			t.Errorf("after %q: %+v, %v", before, out, err)
		}
	}
}

// A denial in an encoding that is not ours must not pass for text.
func TestS19_UTF16IsBroken(t *testing.T) {
	deny := specific(`"permissionDecision":"deny"`)
	var little, big []byte
	for _, b := range []byte(deny) {
		little, big = append(little, b, 0), append(big, 0, b)
	}
	for _, text := range []string{"\xff\xfe" + string(little), string(little), "\xfe\xff" + string(big), string(big)} {
		brokenOutput(t, PreToolUse, text, "UTF-")
	}
}

func TestH10_OutputThatIsNotStrictJSONIsBroken(t *testing.T) {
	allow := specific(`"permissionDecision":"allow"`)
	tests := []struct{ name, text, want string }{
		{"half of it", specific(`"permissionDecision":"deny"`)[:70], "the text ends before the value does"},
		{"only a brace", "{", "the text ends before the value does"},
		{"two objects", allow + allow, "print one JSON object and nothing else"},
		{"text after it", allow + "\ndone", "print one JSON object and nothing else"},
		{"a key twice", `{"decision":"block","decision":"approve"}`, `the key "decision" occurs twice`},
		{"a key twice, once escaped", `{"decision":"block","d\u0065cision":"approve"}`, `the key "decision" occurs twice`},
		{"a key twice inside", specific(`"permissionDecision":"deny","permissionDecision":"allow"`), `the key "permissionDecision" occurs twice`},
		{"a key twice in the changed input", specific(`"permissionDecision":"allow","updatedInput":{"a":1,"a":2}`), `the key "a" occurs twice`},
		{"invalid UTF-8", "{\"reason\":\"\xff\"}", "invalid UTF-8"},
		{"half a surrogate pair", `{"reason":"\ud800"}`, "surrogate"},
		{"single quotes", `{'decision':'block'}`, "line 1, column 2"},
		{"a trailing comma", `{"decision":"block",}`, "remove it"},
		{"a comment", `{"decision":"block"} // no`, "not strict JSON"},
		{"NaN", `{"asyncTimeout":NaN}`, "not strict JSON"},
		{"nested too deep", `{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, "levels deep"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, event := range Events {
				brokenOutput(t, event, test.text, test.want)
			}
		})
	}
}

// The three wrong returns that people write most.
func TestH10_InvalidReturnFormats(t *testing.T) {
	brokenOutput(t, PreToolUse, `{"error":"limit exceeded","blocked":true}`, `"blocked", "error"`, `"permissionDecision": "deny"`)
	brokenOutput(t, PreToolUse, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","blocked":true}}`, "hookSpecificOutput has no key that is known", `"blocked"`)
	brokenOutput(t, PreToolUse, `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`, `"d", "e", …`)
	brokenOutput(t, Stop, `{"blocked":true}`, `{"decision": "block", "reason": "why"}`)
	brokenOutput(t, PermissionRequest, `{"approved":true}`, `"behavior": "deny"`)
}

func TestH10_WrongValues(t *testing.T) {
	for _, word := range []string{"reject", "block", "cancel", "Deny", "ALLOW", " allow", "approve", "yes", "allow\u200b"} {
		brokenOutput(t, PreToolUse, specific(fmt.Sprintf(`"permissionDecision":%q`, word)), "is no permissionDecision: use allow, deny, ask or defer")
	}
	_, _, err := ReadOutput(PreToolUse, []byte(specific(`"permissionDecision":"reject"`)))
	if want := `the word "reject" is no permissionDecision: use allow, deny, ask or defer`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, event := range Events {
		for _, word := range []string{"deny", "allow", "Block", "reject"} {
			brokenOutput(t, event, fmt.Sprintf(`{"decision":%q}`, word), "is no decision: use approve or block")
		}
	}
	brokenOutput(t, PreToolUse, `{"decision":"deny","hookSpecificOutput":{"permissionDecision":"allow"}}`, `the word "deny" is no decision`)
}

func TestS19_AForeignEventNameIsBroken(t *testing.T) {
	for _, name := range []string{"PostToolUse", "pretooluse", "Nonsense", ""} {
		brokenOutput(t, PreToolUse, fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":%q,"permissionDecision":"allow"}}`, name), "hookEventName is", `write "PreToolUse"`)
	}
	brokenOutput(t, PostToolUse, specific(`"permissionDecision":"deny"`), `hookEventName is "PreToolUse" and this event is PostToolUse`)
}

func TestS19_AMissingEventNameIsThisEvents(t *testing.T) {
	out, notes, err := ReadOutput(PreToolUse, []byte(`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r"}}`))
	if err != nil || notes != nil || out.Specific.PermissionDecision != "deny" || out.Specific.PermissionDecisionReason != "r" {
		t.Errorf("got %+v, %q, %v", out.Specific, notes, err)
	}
}

func TestS19_UnknownKeysBesideKnownOnesAreIgnoredAndReported(t *testing.T) {
	out, notes, err := ReadOutput(PreToolUse, []byte(`{"note":"x","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","remark":"y","message":"z"}}`))
	want := []string{
		`the unknown key "message" in hookSpecificOutput is ignored`,
		`the unknown key "remark" in hookSpecificOutput is ignored`,
		`the unknown key "note" in the output is ignored`,
	}
	if err != nil || out.Specific.PermissionDecision != "allow" || !slices.Equal(notes, want) {
		t.Errorf("got %+v, %q, %v", out.Specific, notes, err)
	}
}

func TestS19_ManyUnknownKeysMakeFewNotes(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"suppressOutput":true`)
	for i := range 1000 {
		fmt.Fprintf(&text, `,"key %04d %s":1`, i, strings.Repeat("é", 500))
	}
	_, notes, err := ReadOutput(PreToolUse, []byte(text.String()+"}"))
	if err != nil || len(notes) != maxUnknown+1 || !strings.Contains(notes[maxUnknown], "980 more") {
		t.Errorf("%d notes, %v", len(notes), err)
	}
	for _, note := range notes {
		if len(note) > 200 {
			t.Errorf("a note has %d bytes: %.80s", len(note), note)
		}
	}
}

func TestS19_ADecisionInTheWrongPlaceOrLetterCaseIsBroken(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"continue":true,"permissionDecision":"deny"}`, "write permissionDecision inside hookSpecificOutput"},
		{`{"permissionDecision":"deny"}`, "write permissionDecision inside hookSpecificOutput"},
		{`{"suppressOutput":true,"permissionDecisionReason":"r"}`, "inside hookSpecificOutput"},
		{`{"suppressOutput":true,"updatedInput":{}}`, "inside hookSpecificOutput"},
		{`{"suppressOutput":true,"hookEventName":"PreToolUse"}`, "inside hookSpecificOutput"},
		{`{"suppressOutput":true,"retry":true}`, "inside hookSpecificOutput"},
		{`{"suppressOutput":true,"behavior":"deny"}`, "inside decision of hookSpecificOutput"},
		{`{"suppressOutput":true,"Decision":"block"}`, "write decision"},
		{`{"suppressOutput":true,"DECISION":"block"}`, "write decision"},
		{`{"suppressOutput":true,"decision ":"block"}`, "write decision"},
		{`{"suppressOutput":true,"deci\u017fion":"block"}`, "write decision"},
		{`{"suppressOutput":true,"Continue":false}`, "write continue"},
		{`{"suppressOutput":true,"continue_":false}`, "write continue"},
		{`{"suppressOutput":true,"async_":true}`, "write async"},
		{`{"suppressOutput":true,"hookspecificoutput":{}}`, "write hookSpecificOutput"},
		{`{"suppressOutput":true,"hook_specific_output":{}}`, "write hookSpecificOutput"},
		{specific(`"permissiondecision":"deny"`), "write permissionDecision"},
		{specific(`"PermissionDecision":"deny"`), "write permissionDecision"},
		{specific(`"permission_decision":"deny"`), "write permissionDecision"},
		{specific(`"permissionDecision":"allow","updatedinput":{}`), "write updatedInput"},
		{specific(`"additionalContext":"c","decision":"block"`), "at PreToolUse write permissionDecision"},
		{specific(`"decision":{"behavior":"deny"}`), "it belongs to PermissionRequest"},
		{specific(`"permissionDecision":"allow","continue":false`), "write continue at the top level"},
		{specific(`"permissionDecision":"allow","reason":"r"`), "write reason at the top level"},
		{specific(`"permissionDecision":"allow","behavior":"deny"`), "inside decision of hookSpecificOutput"},
	}
	for _, test := range tests {
		brokenOutput(t, PreToolUse, test.text, test.want)
	}
}

// A decision that was misspelt is lost as surely as one in the wrong letter case.
func TestH10_AMisspeltDecisionIsBroken(t *testing.T) {
	for _, text := range []string{
		specific(`"permisionDecision":"deny","permissionDecisionReason":"r"`),
		specific(`"permissionDescision":"deny","additionalContext":"c"`),
		specific(`"permissionDecisions":"deny","additionalContext":"c"`),
		specific(`"permissionDecision":"allow","updateInput":{"a":1}`),
		specific(`"permissionDecision":"allow","updatedInputs":{"a":1}`),
		`{"suppressOutput":true,"hookSpecificOuput":{"permissionDecision":"deny"}}`,
		`{"suppressOutput":true,"descision":"block"}`,
		`{"suppressOutput":true,"decisoin":"block"}`,
		`{"suppressOutput":true,"contine":false}`,
	} {
		brokenOutput(t, PreToolUse, text, "did you mean")
	}
	for _, key := range []string{"precision", "revision", "version", "continent", "toolInput", "input", "output", "permission"} {
		if f := misplaced(topLevel, key); f != nil {
			t.Errorf("%s is another word: %v", key, f)
		}
	}
}

func TestS19_WrongTypesAreBroken(t *testing.T) {
	top := map[string]string{
		"continue": `"false"`, "stopReason": `1`, "suppressOutput": `"yes"`, "systemMessage": `["m"]`, "decision": `true`, "reason": `{}`,
		"async": `"true"`, "asyncTimeout": `"5000"`, "hookSpecificOutput": `"PreToolUse"`,
	}
	inner := map[string]string{
		"hookEventName": `1`, "permissionDecision": `true`, "permissionDecisionReason": `["r"]`, "updatedInput": `"{}"`, "announceInput": `1`,
		"additionalContext": `["c"]`, "decision": `"block"`, "retry": `"yes"`,
	}
	for key, value := range top {
		brokenOutput(t, PreToolUse, fmt.Sprintf(`{%q:%s}`, key, value), "the value of "+key+" in the output is wrong: want ")
		brokenOutput(t, PreToolUse, fmt.Sprintf(`{%q:null}`, key), "leave the key out")
	}
	for key, value := range inner {
		brokenOutput(t, PreToolUse, fmt.Sprintf(`{"hookSpecificOutput":{%q:%s}}`, key, value), key, "want ")
		brokenOutput(t, PreToolUse, fmt.Sprintf(`{"hookSpecificOutput":{%q:null}}`, key), key, "leave the key out")
	}
	for _, members := range []string{`"behavior":true`, `"behavior":null`, `"behavior":"allow","updatedInput":[]`, `"behavior":"allow","updatedPermissions":{}`, `"behavior":"allow","interrupt":1`} {
		brokenOutput(t, PermissionRequest, `{"hookSpecificOutput":{"decision":{`+members+`}}}`, "is wrong: ")
	}
	brokenOutput(t, PostToolUse, `{"hookSpecificOutput":{"updatedToolOutput":null}}`, "leave the key out")
	for _, timeout := range []string{"1.5", "1e99", "-1"} {
		brokenOutput(t, Stop, `{"async":true,"asyncTimeout":`+timeout+`}`, "asyncTimeout")
	}
}

func TestS19_AnswersToAPermissionRequest(t *testing.T) {
	for _, decision := range []string{`{"behavior":"yes"}`, `{"behavior":"ask"}`, `{"behavior":""}`, `{}`, `{"message":"m"}`, `{"Behavior":"allow"}`, `{"behaviour":"allow"}`} {
		brokenOutput(t, PermissionRequest, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":`+decision+`}}`, "behavior")
	}
	brokenOutput(t, PermissionRequest, `{"decision":"block"}`, `does not answer a PermissionRequest`)
	brokenOutput(t, PermissionRequest, `{"decision":"approve"}`, `does not answer a PermissionRequest`)
	brokenOutput(t, PermissionRequest, `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, "it belongs to PreToolUse")
}

func TestS19_WhatHasNoMeaningAtTheEventIsIgnoredAndReported(t *testing.T) {
	values := map[string]string{
		"permissionDecisionReason": `"r"`, "updatedInput": `{}`, "announceInput": `true`, "additionalContext": `"c"`,
		"updatedToolOutput": `"o"`, "updatedMCPToolOutput": `"o"`, "retry": `true`,
	}
	meant := map[string][]Event{
		"permissionDecisionReason": {PreToolUse}, "updatedInput": {PreToolUse}, "announceInput": {PreToolUse},
		"additionalContext":    {PreToolUse, PostToolUse, PostToolUseFailure, UserPromptSubmit, SessionStart, SubagentStart},
		"updatedToolOutput":    {PostToolUse},
		"updatedMCPToolOutput": {PostToolUse},
		"retry":                {PermissionDenied},
	}
	for key, value := range values {
		for _, event := range Events {
			out, notes, err := ReadOutput(event, fmt.Appendf(nil, `{"hookSpecificOutput":{"hookEventName":%q,%q:%s}}`, event, key, value))
			ignored := reflect.DeepEqual(out.Specific, &Specific{HookEventName: event})
			told := slices.Contains(notes, fmt.Sprintf("%s has no meaning at %s and is ignored", key, event))
			if want := !slices.Contains(meant[key], event); err != nil || ignored != want || told != want {
				t.Errorf("%s at %s: ignored %t, notes %q, %v", key, event, ignored, notes, err)
			}
		}
	}
}

func TestS19_OlderDecisions(t *testing.T) {
	for _, event := range Events {
		if event == PermissionRequest {
			continue
		}
		out, notes, err := ReadOutput(event, []byte(`{"decision":"approve","systemMessage":"m"}`))
		want, told := "", 1
		if event == PreToolUse {
			want, told = "approve", 0
		}
		if err != nil || out.Decision != want || len(notes) != told || out.SystemMessage != "m" {
			t.Errorf("%s approve: %+v, %q, %v", event, out, notes, err)
		}
		out, notes, err = ReadOutput(event, []byte(`{"decision":"block"}`))
		counts := !slices.Contains([]Event{SessionStart, SessionEnd, Notification, SubagentStart, PermissionDenied}, event)
		if err != nil || (out.Decision == "block") != counts || (len(notes) == 0) != counts {
			t.Errorf("%s block: %+v, %q, %v", event, out, notes, err)
		}
	}
}

// Where a broken hook stops nothing, a mistake beside an objection must not undo it.
func TestS19_AnObjectionSurvivesAMistakeBesideIt(t *testing.T) {
	tests := []struct {
		event Event
		text  string
	}{
		{UserPromptSubmit, `{"decision":"block","additionalContext":"c"}`},
		{UserPromptSubmit, `{"decision":"block","reason":5}`},
		{UserPromptSubmit, `{"decision":"block","async":true}`},
		{PostToolUse, `{"decision":"block","permissionDecision":"deny"}`},
		{PostToolUse, `{"decision":"block","hookSpecificOutput":{"permissionDecision":"allow"}}`},
		{PostToolUse, `{"decision":"block","hookSpecificOutput":{"decision":{"behavior":"allow"}}}`},
		{Stop, `{"decision":"block","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`},
		{Stop, `{"continue":false,"Decision":"block"}`},
		{PermissionRequest, `{"hookSpecificOutput":{"decision":{"behavior":"deny","Message":"m"}}}`},
	}
	for _, test := range tests {
		out, notes, err := ReadOutput(test.event, []byte(test.text))
		if err != nil || !out.objects() || out.Async || len(notes) == 0 || !strings.HasPrefix(notes[len(notes)-1], "ignored: ") {
			t.Errorf("%s %s: %+v, %q, %v", test.event, test.text, out, notes, err)
		}
		if s := out.Specific; s != nil && (s.PermissionDecision != "" || s.Decision != nil && s.Decision.Behavior != "deny") {
			t.Errorf("%s %s: what was wrong still counts: %+v", test.event, test.text, s)
		}
	}
	brokenOutput(t, PreToolUse, `{"decision":"block","reason":5}`, "reason")
}

func TestS19_WhatCountsOnlyBesideSomethingElse(t *testing.T) {
	for text, want := range map[string]string{
		`{"reason":"too much"}`:                           "the reason counts only beside a decision",
		specific(`"permissionDecisionReason":"too much"`): "counts only beside a permissionDecision",
		`{"stopReason":"enough"}`:                         `counts only beside "continue": false`,
		`{"asyncTimeout":5}`:                              `counts only beside "async": true`,
	} {
		_, notes, err := ReadOutput(PreToolUse, []byte(text))
		if err != nil || len(notes) != 1 || !strings.Contains(notes[0], want) {
			t.Errorf("%s: %q, %v", text, notes, err)
		}
	}
}

func TestH15_TheShortFormOfRetry(t *testing.T) {
	out, notes, err := ReadOutput(PermissionDenied, []byte(`{"retry":true}`))
	if err != nil || notes != nil || out.Specific == nil || !out.Specific.Retry {
		t.Errorf("got %+v, %q, %v", out, notes, err)
	}
	brokenOutput(t, PermissionDenied, `{"retry":"yes"}`, "retry")
	brokenOutput(t, PreToolUse, `{"retry":true}`, "retry")
}

// Sentences go to terminals and to the model: a hook must not write into them.
func TestH10_SentencesAreSafeToShow(t *testing.T) {
	for _, text := range []string{
		specific(`"permissionDecision":"` + strings.Repeat("x", 10_000) + `"`),
		specific(`"permissionDecision":"\u001b[2J\n\u202eallow"`),
		`{"\u001b[2J\n":1,"` + strings.Repeat("é", 5000) + `":2}`,
	} {
		_, _, err := ReadOutput(PreToolUse, []byte(text))
		if err == nil || len(err.Error()) > 500 || strings.ContainsAny(err.Error(), "\x1b\n\u202e") {
			t.Errorf("%.100q: %.200q", text, err)
		}
	}
}
