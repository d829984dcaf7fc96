package agent_test

import (
	"errors"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// Whoever writes a log is told which of the calls that wait has stopped a session, and by an error
// why: the words of the result may hold what the call contains.
func TestA3_WhichCallStopsASessionAndWhy(t *testing.T) {
	yes := agent.Word{Kind: agent.Yes, By: "ann"}
	for name, tt := range map[string]struct {
		desk  *counterDesk
		began string // a call that is on record as begun
		hooks []string
		tools func(*agent.Config)
		calls []string
		err   error
	}{
		"begun, by the transcript":       {desk: &counterDesk{}, began: "c2", hooks: []string{hookAllows}, calls: []string{"c2"}, err: agent.ErrOutcomeUnknown},
		"begun, by the desk":             {desk: &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.OutcomeUnknown}, "c2": yes}}, hooks: []string{hookDefers}, calls: []string{"c1"}, err: agent.ErrOutcomeUnknown},
		"the desk cannot be read":        {desk: &counterDesk{fault: errDesk}, hooks: []string{hookAllows}, calls: []string{"c1", "c2"}, err: errDesk},
		"it cannot be claimed":           {desk: &counterDesk{words: map[string]agent.Word{"c2": yes}, taken: errDesk}, hooks: []string{hookDefers}, calls: []string{"c2"}, err: errDesk},
		"the answer changes each time":   {desk: &counterDesk{words: map[string]agent.Word{"c2": yes}, taken: agent.ErrAnswered}, hooks: []string{hookDefers}, calls: []string{"c2"}, err: agent.ErrAnswered},
		"a hook makes something else":    {desk: &counterDesk{words: map[string]agent.Word{"c2": yes}}, hooks: []string{hookDefers, hookEdits}, calls: []string{"c2"}, err: agent.ErrWaitsOn},
		"the tool is gone":               {desk: &counterDesk{}, hooks: []string{hookAllows}, tools: func(c *agent.Config) { c.Tools = c.Tools[1:] }, calls: []string{"c1", "c2"}, err: agent.ErrToolGone},
		"nothing keeps it from going on": {desk: &counterDesk{words: map[string]agent.Word{"c1": yes, "c2": yes}}, hooks: []string{hookDefers}},
		"only an answer is missing":      {desk: &counterDesk{}, hooks: []string{hookDefers}},
	} {
		t.Run(name, func(t *testing.T) {
			first := parkedBatch(t, 2, nil)
			if tt.began != "" {
				if err := first.transcript.Append(session.Began, session.Beginning{ToolUseID: tt.began, Input: strictjson.Raw(`{}`)}); err != nil {
					t.Fatal(err)
				}
			}
			w := first.again(t, tt.desk, config{hooks: decides(tt.hooks...), turns: []reply{{text: "finished"}}, change: func(c *agent.Config) {
				inBatches(c)
				if tt.tools != nil {
					tt.tools(c)
				}
			}})
			result := w.agent.Resume(t.Context())
			troubles := w.agent.Troubles()
			if result.IsError != (tt.err != nil) || len(troubles) != len(tt.calls) {
				t.Fatalf("%v, %+v", troubles, result)
			}
			for i, trouble := range troubles {
				if trouble.ToolUseID != tt.calls[i] || !errors.Is(trouble.Err, tt.err) {
					t.Errorf("%v, want %s: %v", trouble, tt.calls[i], tt.err)
				}
			}
		})
	}
}

// What has stopped a run is not told of the next one.
func TestA3_TroublesArePast(t *testing.T) {
	desk := &counterDesk{fault: errDesk}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: decides(hookAllows), turns: []reply{{text: "finished"}}})
	if w.agent.Resume(t.Context()); len(w.agent.Troubles()) != 1 {
		t.Errorf("%v", w.agent.Troubles())
	}
	desk.fault = nil
	if result := w.agent.Resume(t.Context()); result.Text != "finished" || len(w.agent.Troubles()) != 0 {
		t.Errorf("%v, %+v", w.agent.Troubles(), result)
	}
}
