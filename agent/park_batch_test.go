package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
)

// inBatches lets every call wait that a hook wants to.
func inBatches(c *agent.Config) { c.Parking = agent.ParkBatch }

// makes is a turn with several calls: make 1, make 2 and so on.
func makes(n int) reply {
	var r reply
	for i := 1; i <= n; i++ {
		r.calls = append(r.calls, use(fmt.Sprintf("c%d", i), "Bash", fmt.Sprintf(`{"command":"make %d"}`, i)))
	}
	return r
}

// parkedBatch is a world in which several calls of one turn wait.
func parkedBatch(t *testing.T, n int, desk agent.Desk) *world {
	t.Helper()
	w := newWorld(t, config{hooks: decides(hookDefers), turns: []reply{makes(n)}, change: func(c *agent.Config) {
		c.Parking, c.Desk = agent.ParkBatch, desk
	}})
	if result := w.prompt("go"); result.StopReason != "tool_deferred" || len(result.Deferred) != n {
		t.Fatalf("%+v", result)
	}
	return w
}

// told are the blocks of a message, results with their call.
func told(m model.Message) string {
	var list []string
	for _, b := range m.Content {
		list = append(list, strings.TrimSpace(b.ToolUseID+" "+b.Text+said(b)))
	}
	return strings.Join(list, "; ")
}

// news is what the desk was told, without what it is told again in case that it missed it.
func (d *counterDesk) news() []string {
	return slices.DeleteFunc(slices.Clone(d.notes), func(n string) bool { return strings.HasPrefix(n, "settle") })
}

// orders are all orders of some numbers.
func orders(of []int) [][]int {
	if len(of) == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i, first := range of {
		rest := slices.Delete(slices.Clone(of), i, i+1)
		for _, order := range orders(rest) {
			all = append(all, append([]int{first}, order...))
		}
	}
	return all
}

// Three calls of one turn are answered one after the other, in every order and with every
// mixture of yes and no, each in a process of its own. Each that was approved runs exactly
// once, when its answer is there, and the model is told all in the order of the calls.
func TestS24_EveryOrderOfAnswers(t *testing.T) {
	for _, order := range orders([]int{1, 2, 3}) {
		for approved := range 8 { // a bit for each call
			name := fmt.Sprintf("%v, approved %03b", order, approved)
			desk := &counterDesk{words: map[string]agent.Word{}}
			w := parkedBatch(t, 3, desk)
			var ran, notes []string
			for step, n := range order {
				id, left := fmt.Sprintf("c%d", n), len(order)-step-1
				before, noted := len(ran), len(notes)
				if approved&(1<<(n-1)) != 0 {
					desk.words[id] = agent.Word{Kind: agent.Yes, By: "ann"}
					ran = append(ran, fmt.Sprintf(`Bash {"command":"make %d"}`, n))
					notes = append(notes, "claim "+id, "finish "+id+" true")
				} else {
					desk.words[id] = agent.Word{Kind: agent.No, By: "ann", Message: "no to " + id}
					notes = append(notes, "refuse "+id)
				}
				desk.notes = nil
				w = w.again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "finished"}}, change: inBatches})
				result := w.agent.Resume(t.Context())
				if got := w.tools.list(); !slices.Equal(got, ran[before:]) {
					t.Errorf("%s: after the answer to %s ran %q, want %q", name, id, got, ran[before:])
				}
				if news := desk.news(); !slices.Equal(news, notes[noted:]) {
					t.Errorf("%s: after the answer to %s the desk was told %q, want %q", name, id, news, notes[noted:])
				}
				if waiting := len(result.Deferred); waiting != left || (left > 0) != (result.StopReason == "tool_deferred") || (left == 0) != (result.Text == "finished") {
					t.Errorf("%s: %+v", name, result)
				}
			}
			var want []string
			for n := 1; n <= 3; n++ {
				word := "no to c%[1]d"
				if approved&(1<<(n-1)) != 0 {
					word = "done: c%[1]d"
				}
				want = append(want, fmt.Sprintf("c%[1]d "+word, n))
			}
			if len(w.model.requests) != 1 || told(w.model.requests[0].Messages[2]) != strings.Join(want, "; ") {
				t.Errorf("%s: the model was told %s", name, w.model.last())
			}
		}
	}
}

// Half of a batch is answered, and then a prompt comes: what was answered runs, once, and
// what was not is cancelled. The model is told both, and then the prompt.
func TestS40_APromptAfterHalfABatch(t *testing.T) {
	const gone = "Not run: this call waited for somebody's answer, and a new request came before there was one."
	yes, no := agent.Word{Kind: agent.Yes, By: "ann"}, agent.Word{Kind: agent.No, By: "ann", Message: "not this one"}
	for name, tt := range map[string]struct {
		words   map[string]agent.Word
		resumed bool // first without the prompt
		ran     int
		desk    string
		told    string
	}{
		"the first was approved":  {map[string]agent.Word{"c1": yes}, true, 1, "claim c1, finish c1 true, cancel c2", "c1 done: c1; c2 " + gone + "; more"},
		"the second was approved": {map[string]agent.Word{"c2": yes}, true, 1, "claim c2, finish c2 true, cancel c1", "c1 " + gone + "; c2 done: c2; more"},
		"the first was denied":    {map[string]agent.Word{"c1": no}, true, 0, "refuse c1, cancel c2", "c1 not this one; c2 " + gone + "; more"},
		"nobody looked before":    {map[string]agent.Word{"c1": yes}, false, 1, "claim c1, finish c1 true, cancel c2", "c1 done: c1; c2 " + gone + "; more"},
		"nothing was answered":    {nil, false, 0, "cancel c1, cancel c2", "c1 " + gone + "; c2 " + gone + "; more"},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{words: tt.words}
			w := parkedBatch(t, 2, nil).again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "other"}}, change: inBatches})
			if tt.resumed {
				if result := w.agent.Resume(t.Context()); result.StopReason != "tool_deferred" || len(result.Deferred) != 1 {
					t.Fatalf("%+v", result)
				}
			}
			result := w.prompt("more")
			if result.Text != "other" || result.IsError || len(w.tools.list()) != tt.ran || w.agent.Unfinished() {
				t.Errorf("%+v, ran %v", result, w.tools.list())
			}
			if got := strings.Join(desk.news(), ", "); got != tt.desk {
				t.Errorf("the desk was told %q, want %q", got, tt.desk)
			}
			if got := told(w.model.requests[0].Messages[2]); got != tt.told || len(w.model.requests) != 1 {
				t.Errorf("the model was told %q, want %q", got, tt.told)
			}
		})
	}
}
