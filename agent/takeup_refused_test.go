package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// A refusal that was decided before an answer came uses that up as little as a run would:
// the call is looked at again.
func TestS27_AnAnswerThatComesBeforeTheRefusal(t *testing.T) {
	for name, tt := range map[string]struct {
		hooks []hook.Entry
		asker agent.Asker
		rules []string
		word  agent.Word
		ran   string
		told  string
		desk  string
	}{
		"a hook refuses what was not approved": {decides(hookDenies, hookDefers), nil, nil, yesTo("make slowly"), `Bash {"command":"make slowly"}`, "done: c1", "claim c1, finish c1 true"},
		"a rule refuses what was not approved": {decides(silence), nil, []string{"deny Bash(make)"}, yesTo("make slowly"), `Bash {"command":"make slowly"}`, "done: c1", "claim c1, finish c1 true"},
		"what refuses it still does":           {decides(hookDenies), nil, nil, yesTo("make slowly"), "", "never", "refuse c1"},
		"a person says no as well":             {decides(hookDenies), nil, nil, agent.Word{Kind: agent.No, By: "ann", Message: "not today"}, "", "not today", "refuse c1"},
		"the no of who was asked holds":        {decides(hookAsks), says(permission.Deny), nil, yesTo("make"), "", "", "refuse c1"},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{meanwhile: func(words map[string]agent.Word) { words["c1"] = tt.word }}
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: tt.hooks, rules: tt.rules, asker: tt.asker, turns: []reply{{text: "finished"}}})
			if result := w.agent.Resume(t.Context()); result.Text != "finished" || result.IsError {
				t.Errorf("%+v", result)
			}
			if ran := strings.Join(w.tools.list(), "; "); ran != tt.ran || !strings.Contains(w.model.last(), tt.told) {
				t.Errorf("ran %q, the model was told %s", ran, w.model.last())
			}
			if got := strings.Join(desk.notes, ", "); got != tt.desk {
				t.Errorf("the desk was told %q", got)
			}
		})
	}
}

// The refusal is claimed before it is on record, as a run is.
func TestS27_ARefusalIsClaimedFirst(t *testing.T) {
	desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.No, By: "ann", Message: "not today"}}}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "finished"}}})
	waiting := -1
	desk.meanwhile = func(map[string]agent.Word) {
		kept, err := w.transcript.Conversation()
		if err != nil {
			t.Error(err)
		}
		waiting = len(kept.Pending.Calls)
	}
	w.agent.Resume(t.Context())
	if waiting != 1 {
		t.Errorf("%d calls waited when the desk was told", waiting)
	}
}

// An approved call that does not run is said to be: in words, and in the result.
func TestD2_AnApprovedCallThatIsRefusedIsSaid(t *testing.T) {
	lapsed := agent.Word{Kind: agent.Lapsed}
	for name, tt := range map[string]struct {
		rules []string
		word  agent.Word
		warns string
	}{
		"a rule denies it":        {[]string{"deny Bash(make:*)"}, yesTo("make"), "The approved call c1 of Bash was not run: "},
		"its tool is taken away":  {[]string{"deny Bash"}, yesTo("make"), "The approved call c1 of Bash was not run: no such tool"},
		"nobody answered in time": {[]string{"ask Bash(make:*)"}, lapsed, "The call c1 of Bash, which nobody answered in time, was not run: "},
		"a person said no":        {nil, agent.Word{Kind: agent.No, By: "ann"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{words: map[string]agent.Word{"c1": tt.word}}
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: decides(hookDefers), rules: tt.rules, turns: []reply{{text: "finished"}}})
			result := w.agent.Resume(t.Context())
			if len(result.Denials) != 1 || result.Denials[0].ToolUseID != "c1" || len(w.tools.list()) > 0 {
				t.Errorf("%+v, ran %v", result, w.tools.list())
			}
			if warned := w.warnings(); !strings.Contains(warned, tt.warns) || tt.warns == "" && strings.Contains(warned, "was not run") {
				t.Errorf("warned %q", warned)
			}
		})
	}
}

// The end of its time stands in for the hook that wanted a call to wait. What another hook
// makes of the input holds, as it would if that hook had allowed the call.
func TestD7_TheEndOfTimeKeepsWhatOtherHooksMakeOfACall(t *testing.T) {
	for name, tt := range map[string]struct {
		edits string
		rules []string
		ran   string
	}{
		"it runs as changed":         {hookEdits, nil, `Bash {"command":"make slowly"}`},
		"rules judge what was made":  {hookEdits, []string{"deny Bash(make slowly)"}, ""},
		"nothing is made of it":      {hookAllows, nil, `Bash {"command":"make"}`},
		"what is made of it is none": {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":7}}}`, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Lapsed}}}
			both := append(decides(hookDefers), decides(tt.edits)...)
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: both, rules: tt.rules, turns: []reply{{text: "finished"}}})
			w.agent.Resume(t.Context())
			if ran := strings.Join(w.tools.list(), "; "); ran != tt.ran {
				t.Errorf("ran %q, warned %q", ran, w.warnings())
			}
		})
	}
}

// nices is a hook that puts a word before the command, each time.
func nices() []hook.Entry {
	return []hook.Entry{{Event: hook.PreToolUse, Handler: hook.Function{Label: "nices", Func: func(_ context.Context, i hook.Invocation) (hook.Output, error) {
		var in struct {
			Command string `json:"command"`
		}
		if err := strictjson.Unmarshal(i.Input.(hook.PreToolUseInput).ToolInput, &in); err != nil {
			return hook.Output{}, err
		}
		out, _, err := hook.ReadOutput(hook.PreToolUse, []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"nice `+in.Command+`"}}}`))
		return out, err
	}}}}
}

// Somebody approves what a hook makes of a call. That runs, also if the hook would make
// something else of its own work; the advice is what can be typed.
func TestA2_WhatAHookMakesOfTheCallCanBeApproved(t *testing.T) {
	word := yesTo("make")
	word.Ticket = "k3ticket"
	for approved, tt := range map[string]struct{ ran, fails string }{
		"make":           {"", `assent approve k3ticket --input '{"command":"nice make"}'`},
		"nice make":      {`Bash {"command":"nice make"}`, ""},
		"nice nice make": {"", `to {"command":"nice nice nice make"}`},
		"rm 'x'":         {"", `--input '{"command":"nice rm '\''x'\''"}'`},
	} {
		t.Run(approved, func(t *testing.T) {
			word.Input = strictjson.Raw(`{"command":"` + approved + `"}`)
			desk := &counterDesk{words: map[string]agent.Word{"c1": word}}
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: nices(), turns: []reply{{text: "finished"}}})
			result := w.agent.Resume(t.Context())
			if ran := strings.Join(w.tools.list(), "; "); ran != tt.ran || !strings.Contains(strings.Join(result.Errors, ""), tt.fails) {
				t.Errorf("ran %q, %q", ran, result.Errors)
			}
		})
	}
	desk := &counterDesk{words: map[string]agent.Word{"c1": yesTo("nice make")}}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: nices(), rules: []string{"deny Bash(nice make)"}, turns: []reply{{text: "finished"}}})
	if result := w.agent.Resume(t.Context()); len(w.tools.list()) > 0 || len(result.Denials) != 1 {
		t.Errorf("a rule denies it: %+v, ran %v", result, w.tools.list())
	}
}

// The way out of plan mode is one that can be gone while the call waits.
func TestS26_TheWayOutOfPlanMode(t *testing.T) {
	desk := &counterDesk{words: map[string]agent.Word{"c1": yesTo("make")}}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: decides(hookDefers), mode: permission.Plan})
	w.agent.Resume(t.Context())
	if warned := w.warnings(); !strings.Contains(warned, "--permission-mode default") || strings.Contains(warned, "ExitPlanMode") {
		t.Errorf("warned %q", warned)
	}
}

// What is parked now has the end of its time on its ticket; what is laid out again later
// has not been parked now.
func TestS41_OnlyACallThatIsParkedNowIsNew(t *testing.T) {
	desk := &counterDesk{}
	w := parked(t, desk, config{hooks: decides(hookDefers)})
	if !desk.parked["c1"].New {
		t.Error("it was parked now")
	}
	w.again(t, desk, config{hooks: decides(hookDefers)}).agent.Resume(t.Context())
	if desk.parked["c1"].New {
		t.Error("it was parked before")
	}
}
