package tool_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/tool"
)

func lookup(t testing.TB, name string) *tool.Definition {
	t.Helper()
	set, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	d, ok := set.Lookup(name)
	if !ok {
		t.Fatalf("no tool %q", name)
	}
	return d.(*tool.Definition)
}

func TestValidInputs(t *testing.T) {
	tests := []struct{ tool, input string }{
		{"Bash", `{"command":"ls"}`},
		{"Bash", `{"command":"npm test","description":"run the tests","timeout":600000,"run_in_background":true}`},
		{"Bash", `{"command":"ls","timeout":0,"dangerouslyDisableSandbox":false}`},
		{"Bash", `{"command":"\u0000"}`},
		{"Read", `{"file_path":"/w/a.go","offset":0,"limit":10}`},
		{"Read", `{"file_path":"/w/a.pdf","pages":"1-5"}`},
		{"Write", `{"file_path":"/w/a","content":""}`},
		{"Edit", `{"file_path":"/w/a","old_string":"","new_string":"x","replace_all":false}`},
		{"NotebookEdit", `{"notebook_path":"/w/a.ipynb","cell_id":"c1","new_source":"1","cell_type":"code","edit_mode":"insert"}`},
		{"Glob", `{"pattern":"**/*.go"}`},
		{"Grep", `{"pattern":"x","-A":1,"-B":2.0,"-C":0,"-n":true,"-i":false,"output_mode":"count","type":"go","head_limit":0,"multiline":true}`},
		{"WebFetch", `{"url":"https://example.com/a?b#c","prompt":"title"}`},
		{"WebSearch", `{"query":"go","allowed_domains":["go.dev"],"blocked_domains":[]}`},
		{"TodoWrite", `{"todos":[]}`},
		{"TodoWrite", `{"todos":[{"content":"a","status":"in_progress","activeForm":"doing a"}]}`},
		{"AskUserQuestion", `{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":"a"},{"label":"B","description":""}],"multiSelect":false}]}`},
		{"AskUserQuestion", `{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":"a","preview":"p"},{"label":"B","description":"b"}]}],"answers":{"Which?":"A"},"annotations":{"Which?":{"notes":"n"}},"metadata":{"source":"s"}}`},
		{"EnterPlanMode", `{}`},
		{"ExitPlanMode", `{}`},
		{"ExitPlanMode", `{"plan":"do it","allowedPrompts":[{"tool":"Bash","prompt":"run the tests"}]}`},
		{"Task", `{"description":"look","prompt":"look around","subagent_type":"general-purpose","run_in_background":false}`},
		{"Agent", `{"description":"look","prompt":"look around","mode":"plan","isolation":"worktree"}`},
		{"TaskCreate", `{"subject":"s","description":"d","metadata":{"any":[1,{"x":null}]}}`},
		{"TaskUpdate", `{"taskId":"1","status":"deleted","addBlocks":["2"]}`},
		{"TaskGet", `{"taskId":"1"}`},
		{"TaskList", `{}`},
		{"TaskOutput", `{"task_id":"b1","block":true,"timeout":1000}`},
		{"TaskStop", `{"task_id":"b1"}`},
		{"TaskStop", `{"shell_id":"b1"}`},
		{"BashOutput", `{"bash_id":"b1","filter":"^err"}`},
		{"KillShell", `{"shell_id":"b1"}`},
		{"Skill", `{"skill":"pdf","args":"a b"}`},
		{"SlashCommand", `{"command":"/review 12"}`},
		{"ListMcpResourcesTool", `{}`},
		{"ReadMcpResourceTool", `{"server":"pay","uri":"doc://1"}`},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		seen[test.tool] = true
		if err := lookup(t, test.tool).Validate([]byte(test.input)); err != nil {
			t.Errorf("%s: %v", test.input, err)
		}
	}
	for _, d := range tool.Builtin() {
		if !seen[d.Name()] {
			t.Errorf("no valid input of %s is tested", d.Name())
		}
	}
}

func TestEveryProblemIsNamed(t *testing.T) {
	tests := []struct{ tool, input, want string }{
		{"Bash", `{"cmd":"x"}`, `Bash input: missing required property "command"; unknown property "cmd"`},
		{"Bash", `{"COMMAND":"x"}`, `Bash input: missing required property "command"; unknown property "COMMAND" (did you mean "command"?)`},
		{"Bash", `{"command":["tk","one"]}`, `Bash input: /command: want string, got array`},
		{"Bash", `{"command":5,"timeout":-1,"x":1}`, `Bash input: /command: want string, got number; /timeout: want at least 0, got -1; unknown property "x"`},
		{"Bash", `{"command":"ls","timeout":600001}`, `Bash input: /timeout: want at most 600000, got 600001`},
		{"Bash", `{"command":"ls","timeout":"5"}`, `Bash input: /timeout: want number, got string`},
		{"Bash", `{"command":""}`, `Bash input: /command: must not be empty`},
		{"Bash", `{"command":null}`, `Bash input: /command: want string, got null`},
		{"Bash", `{"command":"ls","command":"rm"}`, `Bash input: /command: the key "command" occurs twice`},
		{"Bash", `{"command":"ls","\u0063ommand":"rm"}`, `Bash input: /command: the key "command" occurs twice`},
		{"Bash", `{"command":"\ud800"}`, "Bash input: /command: invalid surrogate pair `\\ud800\"}` in string"},
		{"Bash", `null`, `Bash input: want object, got null`},
		{"Bash", `[]`, `Bash input: want object, got array`},
		{"Bash", `"ls"`, `Bash input: want object, got string`},
		{"Bash", ``, `Bash input: the text is empty`},
		{"Bash", `{"command":"ls"`, `Bash input: the text ends before the value does`},
		{"Bash", `{"command":"ls"} x`, `Bash input: invalid character 'x' after top-level value`},
		{"Write", `{"file_path":5,"content":"x"}`, `Write input: /file_path: want string, got number`},
		{"Write", `{"file_path":""}`, `Write input: missing required property "content"; /file_path: must not be empty`},
		{"Read", `{"file_path":"a","offset":1.5,"limit":0}`, `Read input: /limit: want at least 1, got 0; /offset: want a whole number, got 1.5`},
		{"Edit", `{"file_path":"a","old_string":"x","new_string":"y","replace_all":"yes"}`, `Edit input: /replace_all: want boolean, got string`},
		{"NotebookEdit", `{"notebook_path":"a","new_source":"","edit_mode":"erase"}`, `NotebookEdit input: /edit_mode: want "replace" or "insert" or "delete", got "erase"`},
		{"WebFetch", `{"url":"example.com","prompt":"p"}`, `WebFetch input: /url: want an absolute URL, got "example.com"`},
		{"WebFetch", `{"url":"https://good.example\\@evil.example/","prompt":"p"}`, `WebFetch input: /url: want an absolute URL, got "https://good.example\\@evil.example/"`},
		{"WebSearch", `{"query":"x"}`, `WebSearch input: /query: want at least 2 characters, got "x"`},
		{
			"TodoWrite", `{"todos":[{"content":"a","status":"pending","activeForm":"b"},{"status":"done","a/b~c":1}]}`,
			`TodoWrite input: /todos/1: missing required property "content"; /todos/1: missing required property "activeForm"; /todos/1/status: want "pending" or "in_progress" or "completed", got "done"; /todos/1: unknown property "a/b~c"`,
		},
		{"AskUserQuestion", `{"questions":[]}`, `AskUserQuestion input: /questions: want at least 1 items, got 0`},
		{
			"AskUserQuestion", `{"questions":[{"question":"q","header":"h","options":[{"label":"a","description":""}]}],"answers":{"a/q":5}}`,
			`AskUserQuestion input: /answers/a~1q: want string, got number; /questions/0/options: want at least 2 items, got 1`,
		},
		{"EnterPlanMode", `{"a":1}`, `EnterPlanMode input: unknown property "a"`},
		{"Task", `{"description":"d","prompt":"p","mode":"bypassPermissions"}`, `Task input: /mode: want "default" or "plan", got "bypassPermissions"`},
	}
	for _, test := range tests {
		t.Run(test.tool+test.input, func(t *testing.T) {
			err := lookup(t, test.tool).Validate([]byte(test.input))
			invalid, ok := errors.AsType[*tool.InvalidError](err)
			if !ok {
				t.Fatalf("error is %v (%T), want *InvalidError", err, err)
			}
			if got := invalid.Error(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	var input strings.Builder
	input.WriteString(`{"command":"ls"`)
	for i := range 1000 {
		input.WriteString(`,"x` + strings.Repeat("y", i) + `":1`)
	}
	input.WriteString("}")
	err := lookup(t, "Bash").Validate([]byte(input.String()))
	invalid, ok := errors.AsType[*tool.InvalidError](err)
	if !ok || len(invalid.Problems) != 1000 {
		t.Fatalf("%v does not hold all 1000 problems", err)
	}
	if text := err.Error(); len(text) > 3000 || !strings.HasSuffix(text, "; and 988 more") {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}

func TestDecodeReturnsWhatWasJudged(t *testing.T) {
	input, err := lookup(t, "Bash").Decode([]byte(`{"command":"ls","timeout":5}`))
	if err != nil || input["command"] != "ls" || input["timeout"] != 5.0 {
		t.Errorf("got %v, %v", input, err)
	}
	if input, err := lookup(t, "Bash").Decode([]byte(`{"command":"ls","x":5}`)); err == nil || input != nil {
		t.Errorf("an invalid input gave %v, %v", input, err)
	}
}
