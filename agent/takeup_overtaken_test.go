package agent_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// Whoever was asked here has seen another call than the one that runs, or said something
// else than what counts: they are told who was faster, and what runs.
func TestS27_AnAnswerThatIsOvertakenIsSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		word  agent.Word
		ran   string
		warns string
	}{
		"approved with another input": {yesTo("make slowly"), `Bash {"command":"make slowly"}`, `ann has approved it meanwhile, and what was decided here does not count; the input is {"command":"make slowly"}`},
		"denied":                      {agent.Word{Kind: agent.No, By: "ann", Message: "not today"}, "", "ann has denied it meanwhile"},
		"its time is over":            {agent.Word{Kind: agent.No, Message: "Nobody answered in time."}, "", "looked at again: the time to answer it has ended meanwhile"},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{meanwhile: func(words map[string]agent.Word) { words["c1"] = tt.word }}
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{
				hooks: decides(hookDefers), asker: says(permission.Allow), turns: []reply{{text: "finished"}}, change: func(c *agent.Config) { c.Parking = agent.NoParking },
			})
			w.agent.Resume(t.Context())
			if ran := strings.Join(w.tools.list(), "; "); ran != tt.ran || !strings.Contains(w.warnings(), tt.warns) {
				t.Errorf("ran %q, warned %q", ran, w.warnings())
			}
		})
	}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, &counterDesk{}, config{hooks: decides(hookAllows), turns: []reply{{text: "finished"}}})
	if w.agent.Resume(t.Context()); strings.Contains(w.warnings(), "meanwhile") {
		t.Errorf("nobody was overtaken: %q", w.warnings())
	}
}

// There is one record of what becomes of a call. A refusal that somebody has overtaken is
// none: nothing was refused.
func TestA3_AnOvertakenRefusalIsNotOnRecord(t *testing.T) {
	for name, tt := range map[string]struct {
		hooks []hook.Entry
		rules []string
		word  agent.Word
		want  string
	}{
		"a hook refuses":             {decides(hookDenies, hookDefers), nil, yesTo("make slowly"), "allow"},
		"a rule refuses":             {decides(silence), []string{"deny Bash(make)"}, yesTo("make slowly"), "allow"},
		"what refuses it still does": {decides(hookDenies), nil, yesTo("make slowly"), "deny"},
		"a person says no as well":   {decides(hookDenies), nil, agent.Word{Kind: agent.No, By: "ann"}, "deny"},
	} {
		desk := &counterDesk{}
		w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: tt.hooks, rules: tt.rules, turns: []reply{{text: "finished"}}})
		desk.meanwhile = func(words map[string]agent.Word) {
			if got := w.audit.decisions(); got != "" {
				t.Errorf("%s: %q was on record before the refusal was claimed", name, got)
			}
			words["c1"] = tt.word
		}
		w.agent.Resume(t.Context())
		if got := w.audit.decisions(); got != tt.want {
			t.Errorf("%s: %q is on record, want %q", name, got, tt.want)
		}
	}
	// Without a desk there is nothing to claim, and what cannot be recorded stops the session.
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, nil, config{hooks: decides(hookDenies), turns: []reply{{text: "finished"}}})
	if w.agent.Resume(t.Context()); w.audit.decisions() != "deny" {
		t.Errorf("%q is on record", w.audit.decisions())
	}
	w = parked(t, nil, config{hooks: decides(hookDefers)}).again(t, &counterDesk{}, config{hooks: decides(hookDenies)})
	w.audit.fail(errDesk)
	if result := w.agent.Resume(t.Context()); !result.IsError || w.agent.Broken() == nil || !w.agent.Pending() {
		t.Errorf("%+v", result)
	}
}

// A process died between the refusal at the desk and its record. The model reads why the
// call was refused, and who had approved it is told.
func TestS27_ARefusalThatWasCutShort(t *testing.T) {
	for by, warns := range map[string]bool{"ann": true, "": false} {
		desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Ended, By: by, Message: "the rule says no"}}}
		for _, there := range []bool{true, false} {
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: decides(hookAllows), turns: []reply{{text: "finished"}}, change: func(c *agent.Config) {
				if !there {
					c.Tools = c.Tools[1:] // Bash
				}
			}})
			result := w.agent.Resume(t.Context())
			if result.Text != "finished" || len(w.tools.list()) > 0 || len(result.Denials) != 1 || !strings.Contains(w.model.last(), "the rule says no") {
				t.Errorf("%+v, ran %v", result, w.tools.list())
			}
			if got := strings.Contains(w.warnings(), "The approved call c1 of Bash was not run: the rule says no"); got != warns {
				t.Errorf("by %q: warned %q", by, w.warnings())
			}
			if r := w.audit.records[0]; r.Decision != "deny" || r.Who != "" || (strings.Join(r.Losers, "") == "ann: allow") != warns {
				t.Errorf("by %q: %+v", by, r)
			}
		}
	}
}

// The desk is told how a call ended whose process died before it could: a result that is an
// error may be that of a run, or a refusal.
func TestS27_WhatTheDeskIsToldLater(t *testing.T) {
	began := session.Beginning{ToolUseID: "c1", Input: strictjson.Raw(`{}`)}
	for name, tt := range map[string]struct {
		began, failed bool
		want          string
	}{
		"it ran":        {true, false, "settle c1 ran well"},
		"it ran, badly": {true, true, "settle c1 ran badly"},
		"it did not":    {false, true, "settle c1 not run"},
	} {
		first := parked(t, nil, config{hooks: decides(hookDefers)})
		var err error
		if tt.began {
			err = first.transcript.Append(session.Began, began)
		}
		result := model.Block{Kind: model.ToolResult, ToolUseID: "c1", IsError: tt.failed, Result: []model.Block{model.TextBlock("x")}}
		if err := errors.Join(err, first.transcript.Append(session.Settled, session.Settlement{ToolUseID: "c1", Result: result})); err != nil {
			t.Fatal(err)
		}
		desk := &counterDesk{}
		first.again(t, desk, config{turns: []reply{{text: "finished"}}}).agent.Resume(t.Context())
		if got := strings.Join(desk.notes, ", "); got != tt.want {
			t.Errorf("%s: the desk was told %q", name, got)
		}
	}
}

// The desk learns which sessions a session is a fork of.
func TestS34_TheDeskKnowsWhatAForkComesFrom(t *testing.T) {
	first, desk := parked(t, nil, config{hooks: decides(hookDefers)}), &counterDesk{}
	before, err := first.transcript.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	before.Start.Parent, before.Start.Before = "p1", []string{"p2"}
	w := newWorld(t, config{hooks: decides(hookDefers), change: func(c *agent.Config) { c.Parking, c.Desk = agent.ParkAlone, desk }})
	if err := w.agent.Restore(before); err != nil {
		t.Fatal(err)
	}
	w.agent.Resume(t.Context())
	if got := desk.parked["c1"].Forks; !reflect.DeepEqual(got, []string{"p1", "p2"}) {
		t.Errorf("%v", got)
	}
}
