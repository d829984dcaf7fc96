package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
)

// stopping is a desk that ends the work at a moment: while a call is claimed, when it is.
type stopping struct {
	*counterDesk
	claiming, claimed func()
}

func (d stopping) Claim(ctx context.Context, c agent.ParkedCall, runs strictjson.Raw, seen agent.Word) (agent.Claim, error) {
	d.claiming()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	claim, err := d.counterDesk.Claim(ctx, c, runs, seen)
	d.claimed()
	return claim, err
}

// Somebody ends the work after a call was claimed, and before it has done anything: it goes back to
// what it was, nothing is said to the model, and the next process runs it once.
func TestS27_ACallThatHasDoneNothingIsGivenBack(t *testing.T) {
	nothing := func() {}
	for name, tt := range map[string]struct {
		claiming, claimed, running bool
		outcome                    tool.Outcome
		released                   bool
	}{
		"while it is claimed":              {claiming: true, released: true},
		"when it is claimed":               {claimed: true, released: true},
		"the tool has done nothing":        {running: true, outcome: tool.NothingDone, released: true},
		"the tool was ended in the middle": {running: true, outcome: tool.Interrupted},
		"nobody has ended the work":        {outcome: tool.NothingDone},
	} {
		t.Run(name, func(t *testing.T) {
			yes := map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			at := func(here bool) func() {
				if here {
					return cancel
				}
				return nothing
			}
			desk := &counterDesk{words: yes}
			first := parked(t, nil, config{hooks: decides(hookDefers)})
			w := first.again(t, stopping{desk, at(tt.claiming), at(tt.claimed)}, config{hooks: decides(hookDefers), turns: []reply{{text: "other"}}})
			w.tools.run = func(context.Context, tool.Job) tool.Result {
				at(tt.running)()
				return tool.Result{Text: "nothing", Outcome: tt.outcome}
			}
			w.agent.Resume(ctx)
			if want := map[bool]string{true: "claim c1, release c1", false: "claim c1, finish c1 false"}[tt.released]; strings.Join(desk.notes, ", ") != want {
				t.Errorf("the desk was told %v, want %s", desk.notes, want)
			}
			if len(w.results()) > 0 == tt.released || w.agent.Pending() != tt.released {
				t.Errorf("told %v, waits: %t", w.results(), w.agent.Pending())
			}
			if !tt.released {
				return
			}
			before, err := w.transcript.Conversation()
			if err != nil || len(before.Pending.Calls) != 1 || before.Pending.Calls[0].Stage != session.Waiting {
				t.Fatalf("%+v, %v", before.Pending, err)
			}
			again := w.again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "finished"}}})
			if result := again.agent.Resume(t.Context()); result.Text != "finished" || len(again.tools.list()) != 1 || !strings.HasSuffix(strings.Join(desk.notes, ", "), "claim c1, finish c1 true") {
				t.Errorf("%+v, ran %v, the desk was told %v", result, again.tools.list(), desk.notes)
			}
		})
	}
}

// The desk could not be told: somebody is, and nothing else is wrong with the session.
func TestS27_ACallThatCannotBeGivenBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}}, unreleased: errors.New("the database is away")}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, stopping{desk, func() {}, cancel}, config{hooks: decides(hookDefers)})
	w.agent.Resume(ctx)
	if !strings.Contains(w.warnings(), "the database is away") || !w.agent.Pending() || w.agent.Broken() != nil || len(w.tools.list()) > 0 {
		t.Errorf("warned %q, ran %v", w.warnings(), w.tools.list())
	}
}
