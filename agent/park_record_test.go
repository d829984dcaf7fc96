package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
)

// began is what the transcript says about calls that were about to run.
func (w *world) began() []string {
	w.t.Helper()
	var list []string
	for r, err := range w.transcript.Records() {
		if err != nil {
			w.t.Fatal(err)
		}
		var b session.Beginning
		if r.Kind != session.Began {
			continue
		}
		if err := strictjson.Unmarshal(r.Body, &b); err != nil {
			w.t.Fatal(err)
		}
		list = append(list, b.ToolUseID+" "+b.Input.String())
	}
	return list
}

// Before a parked call runs the transcript says with which input. Whoever finds that
// without a result has to know what may have happened.
func TestS27_TheIntentNamesWhatRuns(t *testing.T) {
	for name, tt := range map[string]struct {
		hook string
		word agent.Word
		want string
	}{
		"as it was parked":            {hookAllows, agent.Word{}, `c1 {"command":"make"}`},
		"a hook edits it":             {hookEdits, agent.Word{}, `c1 {"command":"make slowly"}`},
		"approved":                    {hookDefers, agent.Word{Kind: agent.Yes, By: "ann"}, `c1 {"command":"make"}`},
		"approved with another input": {hookDefers, yesTo("make slowly"), `c1 {"command":"make slowly"}`},
		"the end of its time":         {hookDefers, agent.Word{Kind: agent.Lapsed}, `c1 {"command":"make"}`},
		"refused":                     {hookDenies, agent.Word{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{words: map[string]agent.Word{"c1": tt.word}}
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: decides(tt.hook), turns: []reply{{text: "finished"}}})
			before := ""
			w.tools.run = func(context.Context, tool.Job) tool.Result {
				before = strings.Join(w.began(), ", ")
				return tool.Succeed("done")
			}
			w.agent.Resume(t.Context())
			if got := strings.Join(w.began(), ", "); got != tt.want || before != tt.want {
				t.Errorf("the record said %q when the call ran, and %q in the end, want %q", before, got, tt.want)
			}
		})
	}
}

// The desk is told how a call ended, also if that was badly.
func TestS27_AToolThatFails(t *testing.T) {
	for name, result := range map[string]tool.Result{"failed": tool.Fail("no compiler"), "succeeded": tool.Succeed("made")} {
		desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}}}
		w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "finished"}}})
		w.tools.run = func(context.Context, tool.Job) tool.Result { return result }
		end := w.agent.Resume(t.Context())
		want := map[string]string{"failed": "claim c1, finish c1 false", "succeeded": "claim c1, finish c1 true"}[name]
		if got := strings.Join(desk.notes, ", "); got != want || end.Text != "finished" || len(end.Denials) > 0 || !strings.Contains(w.model.last(), result.Text) {
			t.Errorf("%s: the desk was told %q, %+v", name, got, end)
		}
	}
}

// What came of a parked call is in the audit log, also if it did not run.
func TestS27_TheAuditLogOfParkedCalls(t *testing.T) {
	resume := func(w *world) { w.agent.Resume(t.Context()) }
	for name, tt := range map[string]struct {
		hook    string
		desk    *counterDesk
		do      func(w *world)
		want    string
		last    string // part of the last reason
		who     string
		trusted permission.Trust
	}{
		"a prompt takes its place": {hook: hookDefers, desk: &counterDesk{}, do: func(w *world) { w.prompt("more") }, want: "deny", last: "a new request came before there was one"},
		"it cannot be claimed":     {hook: hookAllows, desk: &counterDesk{taken: errDesk}, do: resume, want: "allow error", last: "Not run: " + errDesk.Error()},
		"approved":                 {hook: hookDefers, desk: &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}}}, do: resume, want: "allow", who: "ann", trusted: permission.TrustPerson},
		"denied":                   {hook: hookDefers, desk: &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.No, By: "ann", Message: "not today"}}}, do: resume, want: "deny", last: "not today", who: "ann", trusted: permission.TrustPerson},
		"a hook stops the session": {hook: hookHalts, desk: &counterDesk{}, do: resume, want: "deny", last: "freeze"},
	} {
		t.Run(name, func(t *testing.T) {
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, tt.desk, config{hooks: decides(tt.hook), turns: []reply{{text: "finished"}}})
			tt.do(w)
			if got := w.audit.decisions(); got != tt.want {
				t.Fatalf("on record: %s, want %s", got, tt.want)
			}
			r := w.audit.records[len(w.audit.records)-1]
			if r.ToolUseID != "c1" || r.Tool != "Bash" || !strings.Contains(r.Summary, "make") || !strings.Contains(r.Reason, tt.last) || r.Who != tt.who {
				t.Errorf("%+v", r)
			}
			if tt.who != "" && (r.Trust != tt.trusted.String() || r.Stage != permission.StageResolve.String()) {
				t.Errorf("%+v", r)
			}
		})
	}
}

// A call is put on the desk with all that whoever decides must know: what it is, why it
// waits, by which rules it was judged, and when its time ends.
func TestS27_WhatLiesOnTheDesk(t *testing.T) {
	desk := &counterDesk{}
	parked(t, desk, config{hooks: decides(hookDefers), change: func(c *agent.Config) {
		c.Terms = agent.Terms{Policy: "sha256:p1", Lasts: time.Hour, Outcome: permission.Allow}
	}})
	c := desk.parked["c1"]
	if c.Session == "" || c.Tool != "Bash" || c.Input.String() != `{"command":"make"}` || c.Cwd != "/project" || c.Why != "ask ann, says hook function decides" || c.Policy != "sha256:p1" {
		t.Errorf("%+v", c)
	}
	if c.Until.Sub(c.Since) != time.Hour || c.Outcome != permission.Allow {
		t.Errorf("%+v", c)
	}
	parked(t, desk, config{hooks: decides(hookDefers), change: func(c *agent.Config) { c.Terms = agent.Terms{Lasts: time.Minute} }})
	if c := desk.parked["c1"]; c.Outcome != permission.Deny || c.Until.Sub(c.Since) != time.Minute {
		t.Errorf("without an outcome it is denied: %+v", c)
	}
}
