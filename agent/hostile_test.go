package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// Whatever a model writes, nothing that is denied runs, every call gets exactly one
// result before the model is asked again, and every call is on record. A turn in which two
// calls have one id is none: the prompt ends with it.
func FuzzPrompt(f *testing.F) {
	// What to deny, the mode, then for each turn how many calls it has besides one, and for
	// each call the tool, its input and its id.
	f.Add([]byte{0, 3, 0, 0, 0, 0, 0, 0, 2, 0}, "git push", "")                                  // runs, and is denied
	f.Add([]byte{0, 3, 2, 2, 1, 0, 1, 3, 0, 2, 3, 0}, "key", "")                                 // files, one of them secret
	f.Add([]byte{1, 3, 3, 0, 0, 0, 1, 3, 0, 2, 3, 0, 7, 4, 0}, "ls", `{"todos":[]}`)             // all is denied
	f.Add([]byte{0, 3, 1, 0, 4, 0, 0, 4, 0}, "", `{"command":"ls","command":"rm x"}`)            // a key twice
	f.Add([]byte{0, 3, 1, 0, 4, 0, 0, 0, 0}, "ls", `[`)                                          // no JSON
	f.Add([]byte{0, 0, 2, 8, 0, 7, 9, 0, 7, 10, 0, 7, 1}, "env rm x; $(rm y)", "")               // no such tools, one id
	f.Add([]byte{0, 2, 1, 5, 4, 0, 6, 4, 0, 0, 2, 3, 0}, "", `{}`)                               // into plan mode and out
	f.Add([]byte{0, 4, 0, 4, 4, 0, 0, 0, 0, 0}, "sh -c 'rm x'", "{\"questions\":\"\xff\"}")      // a question of no kind
	f.Add([]byte{0, 1, 0, 0, 4, 0}, "", strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)) // too deep
	f.Fuzz(func(t *testing.T, plan []byte, command, input string) {
		h := hostile{plan: plan, command: command, input: input}
		denied := []string{"deny Bash(rm:*)", "deny Write(//project/secret/**)", "deny Read(//project/secret/**)", "deny Edit(//project/secret/**)"}
		all := h.next()%2 == 1
		if all {
			denied = append(denied, "deny Bash", "deny Read", "deny Write", "deny Edit", "deny AskUserQuestion", "deny EnterPlanMode", "deny ExitPlanMode", "deny TodoWrite")
		}
		c := config{rules: denied, mode: h.mode(), turns: h.turns()}
		if h.next()%2 == 1 {
			c.asker = says(permission.Allow)
		}
		w := newWorld(t, c)
		result := w.prompt("go")
		if result == nil || result.IsError != h.ends {
			t.Errorf("result %+v", result)
		}
		if ran := w.tools.list(); all && len(ran) > 0 {
			t.Errorf("everything is denied, and %q ran", ran)
		}
		for _, ran := range w.tools.list() {
			if h.forbidden(ran) {
				t.Errorf("%q ran", ran)
			}
		}
		w.everyCallHasOneResult()
		if len(w.audit.records) != h.calls {
			t.Errorf("%d records for %d calls", len(w.audit.records), h.calls)
		}
	})
}

// hostile is a model that says what the fuzzer wants.
type hostile struct {
	plan           []byte
	command, input string
	calls          int  // before a turn that is none
	ends           bool // there is such a turn
}

// next is the next choice; a plan that is used up chooses 0.
func (h *hostile) next() int {
	if len(h.plan) == 0 {
		return 0
	}
	n := int(h.plan[0])
	h.plan = h.plan[1:]
	return n
}

func (h *hostile) mode() permission.Mode {
	modes := []permission.Mode{permission.Default, permission.AcceptEdits, permission.Plan, permission.BypassPermissions, permission.DontAsk}
	return modes[h.next()%len(modes)]
}

// turns are at most eight turns, with calls, and one at the end that has none.
func (h *hostile) turns() []reply {
	var list []reply
	for i := 0; i < 8 && len(h.plan) > 0; i++ {
		turn := reply{}
		for j := range 1 + h.next()%6 {
			turn.calls = append(turn.calls, h.call(fmt.Sprintf("t%d_%d", i, j)))
		}
		list = append(list, turn)
		ids := map[string]bool{}
		for _, c := range turn.calls {
			h.ends = h.ends || ids[c.ID]
			ids[c.ID] = true
		}
		if !h.ends {
			h.calls += len(turn.calls)
		}
	}
	return append(list, reply{text: "ok"})
}

func (h *hostile) call(id string) model.Block {
	tools := []string{"Bash", "Read", "Write", "Edit", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "TodoWrite", "bash", "Rm", ""}
	name, input := tools[h.next()%len(tools)], h.input
	switch h.next() % 5 {
	case 0:
		input = marshal(map[string]string{"command": strings.ToValidUTF8(h.command, "?")})
	case 1:
		input = marshal(map[string]string{"file_path": "/project/secret/" + strings.ToValidUTF8(h.command, "?"), "content": "x"})
	case 2:
		input = `{"command":"rm -rf x"}`
	case 3:
		input = `{"file_path":"/project/a","content":"x"}`
	}
	if h.next()%8 == 7 {
		id = "the same"
	}
	return model.Call(id, name, input)
}

func marshal(v any) string {
	text, err := strictjson.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// forbidden finds, without the help of the engine, calls that no reading of the rules
// lets through.
func (h *hostile) forbidden(ran string) bool {
	for _, text := range []string{`{"command":"rm `, `"file_path":"/project/secret/key"`} {
		if strings.Contains(ran, text) {
			return true
		}
	}
	return false
}

// everyCallHasOneResult looks at everything that the model was told.
func (w *world) everyCallHasOneResult() {
	w.t.Helper()
	for _, request := range w.model.requests {
		for i, m := range request.Messages {
			calls := idsOf(m, model.ToolUse)
			if len(calls) == 0 {
				continue
			}
			if i+1 == len(request.Messages) {
				w.t.Fatalf("the calls %q have no results", calls)
			}
			if results := idsOf(request.Messages[i+1], model.ToolResult); !slices.Equal(calls, results) {
				w.t.Errorf("calls %q, results %q", calls, results)
			}
		}
	}
}

func idsOf(m model.Message, kind model.Kind) []string {
	var ids []string
	for _, b := range m.Content {
		switch {
		case b.Kind != kind:
		case kind == model.ToolUse:
			ids = append(ids, b.ID)
		default:
			ids = append(ids, b.ToolUseID)
		}
	}
	return ids
}
