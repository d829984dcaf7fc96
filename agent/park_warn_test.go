package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// aloneNext is what tells the model how a call can be deferred.
const aloneNext = "alone in its turn: make it by itself"

// A defer that cannot be followed is said to be ignored, with the reason, once for each
// call; it counts as a question.
func TestD4_ADeferThatIsIgnoredIsSaid(t *testing.T) {
	yes := says(permission.Allow)
	for name, tt := range map[string]struct {
		config
		parking agent.Parking
		warns   []string
		asked   int
		ran     int
		denied  int
		alone   bool // the model is told to make the call by itself
	}{
		"D3: a person is at hand": {
			config: config{asker: yes, hooks: decides(hookDefers), turns: []reply{makeIt, {text: "ok"}}},
			warns:  []string{"the call c1 of Bash: a person is at hand"}, asked: 1, ran: 1,
		},
		"several calls, and a person": {
			config: config{asker: yes, hooks: decides(hookDefers), turns: []reply{makes(2), {text: "ok"}}}, parking: agent.ParkAlone,
			warns: []string{"the call c1 of Bash: it is not alone in its turn", "the call c2 of Bash: it is not alone in its turn"}, asked: 2, ran: 2,
		},
		"several calls, and a person who says no": {
			config: config{asker: says(permission.Deny), hooks: decides(hookDefers), turns: []reply{makes(2), {text: "ok"}}}, parking: agent.ParkAlone,
			warns: []string{"the call c1", "the call c2"}, asked: 2, denied: 2,
		},
		"several calls, and nobody": {
			config: config{hooks: decides(hookDefers), turns: []reply{makes(2), {text: "ok"}}}, parking: agent.ParkAlone,
			warns: []string{"the call c1", "the call c2"}, denied: 2, alone: true,
		},
		"one of several": {
			config: config{hooks: decides(hookAllows, hookDefers), turns: []reply{makes(2), {text: "ok"}}}, parking: agent.ParkAlone,
			warns: []string{"the call c2 of Bash: it is not alone in its turn"}, ran: 1, denied: 1, alone: true,
		},
		"an allow rule lets none through": {
			config: config{rules: []string{"allow Bash"}, hooks: decides(hookDefers), turns: []reply{makes(2), {text: "ok"}}}, parking: agent.ParkAlone,
			warns: []string{"the call c1", "the call c2"}, denied: 2, alone: true,
		},
		"bypassPermissions lets none through": {
			config: config{mode: permission.BypassPermissions, hooks: decides(hookDefers), turns: []reply{makes(2), {text: "ok"}}}, parking: agent.ParkAlone,
			warns: []string{"the call c1", "the call c2"}, denied: 2, alone: true,
		},
		"a sub-agent": {
			config: config{hooks: decides(hookAllows, hookDefers), turns: []reply{{calls: []model.Block{use("t1", "Task", subtask)}}, makeIt, {text: "sub"}, {text: "ok"}}}, parking: agent.ParkBatch,
			warns: []string{"the call c1 of Bash: a sub-agent cannot wait beyond the end of the process"}, denied: 1,
		},
		"a question is no defer": {
			config: config{hooks: decides(hookAsks), turns: []reply{makes(2), {text: "ok"}}}, parking: agent.ParkAlone, denied: 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.change = func(c *agent.Config) { c.Parking = tt.parking }
			p, there := tt.asker.(*person)
			if there {
				p = &person{answer: p.answer}
				tt.asker = p
			}
			w := newWorld(t, tt.config)
			result := w.prompt("go")
			if result.Text != "ok" || result.IsError || len(result.Deferred) > 0 || w.agent.Pending() || len(result.Denials) != tt.denied || len(w.tools.list()) != tt.ran {
				t.Errorf("%+v, ran %v", result, w.tools.list())
			}
			if there && len(p.asked) != tt.asked {
				t.Errorf("asked %d times", len(p.asked))
			}
			warned := w.warnings()
			if got := strings.Count(warned, "A hook wants to defer"); got != len(tt.warns) || got != strings.Count(warned, ", so that counts as a question.") {
				t.Errorf("%d warnings: %s", got, warned)
			}
			for _, want := range tt.warns {
				if !strings.Contains(warned, "A hook wants to defer "+want) {
					t.Errorf("no word of %q in %q", want, warned)
				}
			}
			if got := strings.Contains(w.model.last(), aloneNext); got != tt.alone {
				t.Errorf("the model was told %s", w.model.last())
			}
		})
	}
}

// A model that makes the call by itself, as it was told, gets it parked.
func TestD4_MadeByItselfItWaits(t *testing.T) {
	w := newWorld(t, config{hooks: decides(hookDefers), turns: []reply{makes(2), makeIt}, change: func(c *agent.Config) { c.Parking = agent.ParkAlone }})
	result := w.prompt("go")
	if result.StopReason != "tool_deferred" || len(result.Deferred) != 1 || result.Deferred[0].ToolInput.String() != `{"command":"make"}` || len(w.tools.list()) > 0 {
		t.Errorf("%+v, ran %v", result, w.tools.list())
	}
}

// fullDesk is one on which nothing more can be put, and nothing more be written.
type fullDesk struct{ *counterDesk }

func (fullDesk) Park(context.Context, agent.ParkedCall) error { return errDesk }

func (fullDesk) Refuse(context.Context, agent.ParkedCall, agent.Word, string) error { return errDesk }

// A call waits also if nobody could make a ticket for it. That is said, for nobody sees
// such a call among those that wait for an answer.
func TestS27_ATicketThatCannotBeWrittenIsSaid(t *testing.T) {
	desk := fullDesk{&counterDesk{}}
	w := parked(t, desk, config{hooks: decides(hookDefers)})
	if want := "The call c1 waits, but there is no ticket for it: " + errDesk.Error(); !strings.Contains(w.warnings(), want) {
		t.Errorf("warned %q", w.warnings())
	}
	again := w.again(t, desk, config{hooks: decides(hookDenies), turns: []reply{{text: "finished"}}})
	if result := again.agent.Resume(t.Context()); result.Text != "finished" {
		t.Errorf("%+v", result)
	}
	if want := "The ticket of the call c1 does not say what became of it: " + errDesk.Error(); !strings.Contains(again.warnings(), want) {
		t.Errorf("warned %q", again.warnings())
	}
}
