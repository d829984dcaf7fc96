package script_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/modeltest"
	"github.com/assent-dev/assent/model/script"
)

func TestInputKeepsItsOrderAndTypes(t *testing.T) {
	p, err := script.New("s.yaml", []byte(`
turns:
  - call:
      Bash:
        z: text
        a: 0x10
        f: 1.5
        yes: true
        "no": ~
        date: 2026-01-02
        "quoted": "7"
        list: [1, {b: 2, a: [ ]}]
        block: |
          two
          lines
`))
	if err != nil {
		t.Fatal(err)
	}
	turn, err := p.Ask(t.Context(), modeltest.Ask(), nil)
	want := `{"z":"text","a":16,"f":1.5,"yes":true,"no":null,"date":"2026-01-02","quoted":"7","list":[1,{"b":2,"a":[]}],"block":"two\nlines\n"}`
	if err != nil || string(turn.Content[0].Input) != want {
		t.Errorf("got %s, %v", turn.Content[0].Input, err)
	}
}

// Every fault names its line and says what to do.
func TestFaultsAreExplained(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "is empty"},
		{"only a comment", "# nothing\n", "is empty"},
		{"not YAML", "turns: [", "not YAML"},
		{"two documents", "afterwards: x\n---\nafterwards: y\n", "second document"},
		{"a list", "- say: x\n", "s.yaml:1:1: a script is a mapping with afterwards, turns"},
		{"no turns", "turns: []\n", "there are no turns"},
		{"unknown key", "turns:\n  - sya: x\n", `s.yaml:2:5: a turn has no key "sya"; it has call, calls, delay`},
		{"a key twice", "turns:\n  - say: x\n    say: y\n", `s.yaml:3:5: the key "say" occurs twice`},
		{"a key twice at the top", "afterwards: x\nafterwards: y\n", `s.yaml:2:1: the key "afterwards" occurs twice`},
		{"a key twice in an input", "turns:\n  - call: {Bash: {a: 1, a: 2}}\n", `s.yaml:2:25: the key "a" occurs twice; to play such a model`},
		{"a number for a text", "turns:\n  - say: 7\n", "s.yaml:2:10: want a text, got the number 7; put it in quotes"},
		{"true for a text", "turns:\n  - say: true\n", "want a text, got true"},
		{"nothing for a text", "turns:\n  - say:\n", "want a text, got nothing"},
		{"turns that are no list", "turns: {say: x}\n", "turns must be a list"},
		{"a turn that is a text", "turns: [x]\n", "a turn is a mapping"},
		{"a turn that does nothing", "turns:\n  - delay: 1s\n", "does nothing"},
		{"an error that answers", "turns:\n  - say: x\n    error: {status: 500}\n", "an error or an answer"},
		{"an error without status", "turns:\n  - error: {message: x}\n", "status from 400 to 599"},
		{"an error that is none", "turns:\n  - error: {status: 200}\n", "status from 400 to 599"},
		{"no unit", "turns:\n  - say: x\n    delay: 5\n", "s.yaml:3:12: want a time with its unit"},
		{"backwards", "turns:\n  - say: x\n    delay: -5s\n", "want a time"},
		{"never", "turns:\n  - say: x\n    repeat: 0\n", "repeat must be 1 or more"},
		{"repeated ids", "turns:\n  - call: {tool: Bash, id: x}\n    repeat: 2\n", "cannot name the ids"},
		{"an id without end", "turns:\n  - call: {tool: Bash, id: " + strings.Repeat("x", 257) + "}\n", `s.yaml:2:11: the id of a call has 257 bytes`},
		{"an id that cannot be seen", "turns:\n  - call: {tool: Bash, id: \"a\\e[2J\"}\n", `the id "a\x1b[2J" of a call has characters that cannot be seen`},
		{"a tool without end", "turns:\n  - call: {tool: " + strings.Repeat("x", 257) + "}\n", `the name of a tool has 257 bytes`},
		{"a tool without end, in short", "turns:\n  - call: {? " + strings.Repeat("x", 257) + " : {}}\n", `the name of a tool has 257 bytes`},
		{"an id twice", "turns:\n  - calls: [{tool: Bash, id: x}, {tool: Bash, id: x}]\n", `the id "x" occurs twice`},
		{"two tools", "turns:\n  - call: {Bash: {}, Read: {}}\n", "a call names one tool"},
		{"no tool", "turns:\n  - call: {}\n", "a call names one tool"},
		{"an input that is a text", "turns:\n  - call: {Bash: ls}\n", "such as {command: ls}, got a text; for anything else write {tool: …, raw: '…'}"},
		{"a call that is a text", "turns:\n  - call: ls\n", "a call is written {Bash:"},
		{"calls that are no list", "turns:\n  - calls: {Bash: {}}\n", "calls must be a list"},
		{"input and raw", "turns:\n  - call: {tool: Bash, input: {}, raw: '{}'}\n", "not both"},
		{"a tool without name", "turns:\n  - call: {tool: ''}\n", "names no tool"},
		{"an alias", "turns:\n  - call: {Bash: {a: &x 1, b: *x}}\n", "anchors and aliases are not supported"},
		{"an alias for a turn", "turns:\n  - &x {say: a}\n  - *x\n", "got an alias"},
		{"a merge", "turns:\n  - call: {Bash: {<<: {a: 1}}}\n", "a key must be a plain text"},
		{"a number as a key", "turns:\n  - call: {Bash: {1: a}}\n", "a key must be a plain text; put it in quotes"},
		{"infinity", "turns:\n  - call: {Bash: {a: .inf}}\n", ".inf cannot be written as JSON"},
		{"a tag", "turns:\n  - call: {Bash: {a: !!binary aGk=}}\n", "cannot be written as JSON"},
		{"a regular expression", "turns:\n  - say: x\n    expect: {matches: '('}\n", "the regular expression"},
		{"an expectation of nothing", "turns:\n  - say: x\n    expect: {}\n", "expect says nothing"},
		{"an unknown expectation", "turns:\n  - say: x\n    expect: {txt: y}\n", "it has failed, matches, text"},
		{"failed is no text", "turns:\n  - say: x\n    expect: {failed: 'yes'}\n", "want true or false"},
		{"not UTF-8", "turns:\n  - say: \xff\n", "not valid UTF-8"},
		{"too deep", "turns:\n  - call: {Bash: {a: " + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}}\n", "levels deep"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := script.New("s.yaml", []byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func results(blocks ...model.Block) model.Request {
	return modeltest.Ask(model.Message{Role: model.User, Content: blocks})
}

func TestExpect(t *testing.T) {
	fine := model.Result("t1", "3 tests passed")
	denied := model.Result("t2", "Permission denied by rule Bash(rm:*)")
	denied.IsError = true
	tests := []struct {
		name, expect string
		told         []model.Block
		want         string // of the error
	}{
		{"contained", "tests passed", []model.Block{fine}, ""},
		{"not contained", "4 tests", []model.Block{fine}, `s.yaml expects, in line 3, a result with the text "4 tests"; it got "3 tests passed"`},
		{"one of several", "denied", []model.Block{fine, denied}, ""},
		{"failed", "{failed: true, text: denied}", []model.Block{fine, denied}, ""},
		{"failed with another text", "{failed: true, text: passed}", []model.Block{fine, denied}, `a result that failed with the text "passed"; it got "3 tests passed" and "Permission denied by rule Bash(rm:*)" (failed)`},
		{"not failed", "{failed: false}", []model.Block{denied}, "a result that did not fail"},
		{"matches", `{matches: '^\d tests'}`, []model.Block{fine}, ""},
		{"does not match", `{matches: '^tests'}`, []model.Block{fine}, `that matches "^tests"`},
		{"all of a list", "[passed, {failed: true}]", []model.Block{fine, denied}, ""},
		{"not all of a list", "[passed, {failed: true}]", []model.Block{fine}, "a result that failed"},
		{"a prompt", "please", []model.Block{model.TextBlock("yes please")}, ""},
		{"nothing", "x", nil, "it got no result"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := script.New("s.yaml", []byte("turns:\n  - say: x\n    expect: "+test.expect+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Ask(t.Context(), results(test.told...), nil)
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			got, ok := errors.AsType[*model.Error](err)
			if !ok || got.Outlook() != model.Lasting || !strings.Contains(got.Error(), test.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestExhausted(t *testing.T) {
	p, err := script.New("s.yaml", []byte("turns: [{say: a, repeat: 2}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := p.Ask(t.Context(), modeltest.Ask(), nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err = p.Ask(t.Context(), modeltest.Ask(), nil)
	if got, ok := errors.AsType[*model.Error](err); !ok || got.Outlook() != model.Lasting || !strings.Contains(got.Error(), "no turn left") {
		t.Errorf("got %v", err)
	}

	p, err = script.New("s.yaml", []byte("turns: [{say: a}]\nafterwards: That is all.\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a", "That is all.", "That is all."} {
		if turn, err := p.Ask(t.Context(), modeltest.Ask(), nil); err != nil || model.PlainText(turn.Content) != want {
			t.Errorf("got %+v, %v", turn, err)
		}
	}
}

func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := script.New("s.yaml", []byte("turns: [{say: a, delay: 90s}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if _, err := p.Ask(t.Context(), modeltest.Ask(), nil); err != nil || time.Since(begin) != 90*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

// Ids are the same every time, and never those of an earlier part of a conversation
// that goes on in another process.
func TestIDs(t *testing.T) {
	text := []byte("turns: [{calls: [{Bash: {}}, {tool: Bash, id: toolu_script_1_2}, {Bash: {}}]}]\n")
	ask := func(messages ...model.Message) []model.Block {
		p, err := script.New("s.yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := p.Ask(t.Context(), modeltest.Ask(messages...), nil)
		if err != nil {
			t.Fatal(err)
		}
		return turn.Content
	}
	ids := func(blocks []model.Block) (out []string) {
		for _, b := range blocks {
			out = append(out, b.ID)
		}
		return out
	}
	first := ask()
	if got := ids(first); !reflect.DeepEqual(got, []string{"toolu_script_1_1", "toolu_script_1_2", "toolu_script_1_3"}) {
		t.Errorf("got %q", got)
	}
	if !reflect.DeepEqual(first, ask()) {
		t.Error("not the same again")
	}
	later := ids(ask(model.Message{Role: model.Assistant, Content: first}))
	if later[0] != "toolu_script_1_4" || later[2] != "toolu_script_1_5" {
		t.Errorf("later %q", later)
	}
}

func TestExample(t *testing.T) {
	p, err := script.Open(filepath.Join("testdata", "rehearsal.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	messages := modeltest.Ask().Messages
	steps := []struct {
		results []model.Block
		says    string
		calls   int
	}{
		{nil, "I run the tests and look at the notes.", 2},
		{[]model.Block{model.Result("", "ok  all 12 tests passed"), model.Result("", "nothing")}, "Now I try something that the policy should stop.", 1},
		{[]model.Block{{Kind: model.ToolResult, IsError: true, Result: []model.Block{model.TextBlock("Permission to use Bash has been denied.")}}}, "", 1},
		{[]model.Block{{Kind: model.ToolResult, IsError: true, Result: []model.Block{model.TextBlock("the key command occurs twice")}}}, "", -529},
		{nil, "The policy holds.", 0},
		{nil, "That is all I have.", 0},
	}
	for i, step := range steps {
		if step.results != nil {
			messages = append(messages, model.Message{Role: model.User, Content: step.results})
		}
		turn, err := p.Ask(t.Context(), modeltest.Ask(messages...), nil)
		if failure, ok := errors.AsType[*model.Error](err); ok && failure.Status == -step.calls {
			continue
		}
		if err != nil || model.PlainText(turn.Content) != step.says {
			t.Fatalf("step %d: %+v, %v", i, turn, err)
		}
		calls := len(turn.Content)
		if step.says != "" {
			calls--
		}
		if calls != step.calls {
			t.Errorf("step %d: %+v", i, turn.Content)
		}
	}
}

func TestOpen(t *testing.T) {
	if _, err := script.Open(filepath.Join(t.TempDir(), "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	large := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(large, make([]byte, 17<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := script.Open(large); err == nil || !strings.Contains(err.Error(), "more than the limit") {
		t.Errorf("got %v", err)
	}
	if _, err := script.Open(t.TempDir()); err == nil {
		t.Error("a directory is no script")
	}
}

// Whatever is in a file is a script that can be played or an error that names it.
func FuzzScript(f *testing.F) {
	for _, seed := range []string{
		"turns: [{say: a}]", "turns:\n - call: {Bash: {a: [1, 2.5, ~, x]}}\n", "turns: [{call: {tool: x, raw: '{'}}]",
		"turns: [{error: {status: 529, message: m, retry_after: 2s}}]", "afterwards: x", "turns: [{say: a, expect: {matches: 'a+'}}]",
		"a: &a [*a]", "? {a: b}\n: c", "turns: [{say: \"\\ud800\"}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := script.New("s.yaml", text)
		if err != nil {
			if !strings.Contains(err.Error(), "s.yaml") {
				t.Fatalf("%q names no file", err)
			}
			return
		}
		r := modeltest.Ask()
		r.Partial = true
		var events []model.Event
		turn, err := p.Ask(canceledSoon(t), r, func(e model.Event) { events = append(events, e) })
		if err != nil {
			return
		}
		if _, err := strictjson.Marshal(turn.Content); err != nil {
			t.Fatalf("%+v cannot be kept: %v", turn, err)
		}
		if got, err := modeltest.Rebuild(events); err != nil || !reflect.DeepEqual(got, turn.Content) {
			t.Fatalf("deltas make %+v, %v; want %+v", got, err, turn.Content)
		}
	})
}

// canceledSoon ends a turn with a delay, which a fuzzer likes to make long.
func canceledSoon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}
