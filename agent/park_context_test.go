package agent_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// withContext is a PreToolUse hook's word with something that the model is to know.
func withContext(decision, context string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + decision + `","additionalContext":"` + context + `"}}`
}

// What hooks want the model to know is in the request after the pause as it would have
// been without: what those say that decide, behind the results, in the order of the calls.
func TestS25_WhatHooksAddIsTheSame(t *testing.T) {
	afterwards := func(entries []hook.Entry) []hook.Entry {
		return append(entries, function(hook.PostToolUse, func() hook.Output {
			out, _, err := hook.ReadOutput(hook.PostToolUse, []byte(`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"it took long"}}`))
			if err != nil {
				t.Error(err)
			}
			return out
		}))
	}
	three := makes(3)
	refund := reply{calls: []model.Block{use("c1", "mcp__pay__refund", `{"order":17}`)}}
	yes := agent.Word{Kind: agent.Yes, By: "ann"}
	for name, tt := range map[string]struct {
		turn     reply
		straight []hook.Entry
		asker    agent.Asker // of the session without a pause
		before   []hook.Entry
		resumed  []hook.Entry
		word     agent.Word
		has      []string
	}{
		"a call": {
			turn: makeIt, straight: decides(withContext("allow", "mind the gap")), before: decides(withContext("defer", "not yet")),
			resumed: decides(withContext("allow", "mind the gap")), has: []string{"mind the gap"},
		},
		"a denied call": {
			turn: makeIt, straight: decides(withContext("deny", "mind the gap")), before: decides(hookDefers),
			resumed: decides(withContext("deny", "mind the gap")), has: []string{"mind the gap"},
		},
		"hooks afterwards": {
			turn: makeIt, straight: afterwards(decides(withContext("allow", "mind the gap"))), before: afterwards(decides(hookDefers)),
			resumed: afterwards(decides(withContext("allow", "mind the gap"))), has: []string{"mind the gap", "it took long"},
		},
		"a tool of a server": {
			turn: refund, straight: afterwards(decides(withContext("allow", "mind the gap"))), before: afterwards(decides(hookDefers)),
			resumed: afterwards(decides(withContext("allow", "mind the gap"))), has: []string{"mcp__pay__refund has run c1", "mind the gap", "it took long"},
		},
		"a ticket": {
			turn: makeIt, straight: decides(withContext("ask", "mind the gap")), asker: says(permission.Allow), before: decides(withContext("defer", "not yet")),
			resumed: decides(withContext("defer", "mind the gap")), word: yes, has: []string{"mind the gap"},
		},
		"a batch": {
			turn: three, straight: afterwards(decides(withContext("allow", "one"), withContext("allow", "two"), withContext("deny", "three"))),
			before:  afterwards(decides(withContext("defer", "not yet"), withContext("allow", "two"), withContext("defer", "not yet"))),
			resumed: afterwards(decides(withContext("allow", "one"), withContext("deny", "three"))), has: []string{`"one"`, `"two"`, `"three"`, "it took long"},
		},
		"a batch that settled its first before": {
			turn: three, straight: decides(withContext("allow", "one"), withContext("allow", "two"), withContext("allow", "three")),
			before:  decides(withContext("allow", "one"), hookDefers, withContext("allow", "three")),
			resumed: decides(withContext("allow", "two")), has: []string{`"one"`, `"two"`, `"three"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			change := func(c *agent.Config) {
				c.Parking = agent.ParkBatch
				c.Tools = append(c.Tools, remote{tool.Named("mcp__pay__refund")})
			}
			straight := newWorld(t, config{hooks: tt.straight, asker: tt.asker, turns: []reply{tt.turn, {text: "finished"}}, change: change})
			if result := straight.prompt("go"); result.Text != "finished" {
				t.Fatalf("%+v", result)
			}
			first := newWorld(t, config{hooks: tt.before, turns: []reply{tt.turn}, change: change})
			if result := first.prompt("go"); result.StopReason != "tool_deferred" {
				t.Fatalf("%+v", result)
			}
			desk := &counterDesk{words: map[string]agent.Word{"c1": tt.word}}
			paused := first.again(t, desk, config{hooks: tt.resumed, turns: []reply{{text: "finished"}}, change: change})
			if result := paused.agent.Resume(t.Context()); result.Text != "finished" {
				t.Fatalf("%+v", result)
			}
			if want, got := straight.model.requests[1], paused.model.requests[0]; !reflect.DeepEqual(want.Messages, got.Messages) {
				t.Errorf("the model was told %s\nand without a pause %s", told(got.Messages[2]), told(want.Messages[2]))
			}
			for _, text := range tt.has {
				if !strings.Contains(paused.model.last(), text) {
					t.Errorf("no %s in %s", text, paused.model.last())
				}
			}
			if strings.Contains(paused.model.last(), "not yet") {
				t.Error("the model was told what a hook said that only deferred")
			}
		})
	}
}
