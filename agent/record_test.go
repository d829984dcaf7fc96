package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// answers is a person who allows a call with another input.
func answers(input string) *person {
	return &person{answer: func(context.Context, agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: permission.Allow, UpdatedInput: []byte(input)}, nil
	}}
}

// rewrites is a hook that lets git push run as another command.
func rewrites(t *testing.T, command string, more func(hook.Output) hook.Output) hook.Entry {
	return handler(hook.PreToolUse, func(told string) (hook.Output, error) {
		if !strings.Contains(told, "git push") {
			return hook.Output{}, nil
		}
		out, err := hook.AllowWith(map[string]string{"command": command})
		if err != nil {
			t.Error(err)
		}
		if more != nil {
			out = more(out)
		}
		return out, nil
	})
}

// A rule that denies what an answer has allowed is who denied it.
func TestP6_TheRecordNamesWhoDenied(t *testing.T) {
	w := newWorld(t, config{asker: answers(`{"command":"rm x"}`), rules: []string{"deny Bash(rm:*)"}, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}})
	w.prompt("go")
	r := w.audit.records[0]
	if r.Decision != "deny" || r.Stage != permission.StageRules.String() || r.Rule != "Bash(rm:*)" || r.Who != "" || r.Trust != "" {
		t.Errorf("%+v", r)
	}
	if !slices.Equal(r.Losers, []string{"person: allow"}) {
		t.Errorf("whose answer did not count: %v", r.Losers)
	}
}

// Who gives back the input as it was has changed nothing.
func TestS23_WhoChangesNothingIsNotNamed(t *testing.T) {
	p := &person{answer: func(_ context.Context, q agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: permission.Allow, UpdatedInput: append([]byte(" "), q.Input...)}, nil
	}}
	w := newWorld(t, config{asker: p, rules: []string{"ask Bash"}, hooks: []hook.Entry{rewrites(t, "echo hi", nil)}, turns: []reply{
		{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"},
	}})
	w.prompt("go")
	changes := w.changes()
	if len(changes) != 1 || !slices.Equal(changes[0].By, []string{"function handler"}) {
		t.Errorf("%+v", changes)
	}
}

// changes are the inputs on record that somebody has changed.
func (w *world) changes() []session.Change {
	w.t.Helper()
	var list []session.Change
	for r, err := range w.transcript.Records() {
		if err != nil {
			w.t.Fatal(err)
		}
		if r.Kind != session.Changed {
			continue
		}
		var c session.Change
		if err := strictjson.Unmarshal(r.Body, &c); err != nil {
			w.t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func TestS23_OnlyWhatRanIsAnnounced(t *testing.T) {
	for name, tt := range map[string]struct {
		asker *person
		want  string
	}{
		"denied":        {says(permission.Deny), ""},
		"allowed":       {says(permission.Allow), `{\"command\":\"echo hi\"}`},
		"changed again": {answers(`{"command":"echo there"}`), `{\"command\":\"echo there\"}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, config{asker: tt.asker, rules: []string{"ask Bash"}, hooks: []hook.Entry{rewrites(t, "echo hi", hook.Output.Announced)}, turns: []reply{
				{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"},
			}})
			w.prompt("go")
			_, told, announced := strings.Cut(w.model.last(), "It ran with: ")
			if announced != (tt.want != "") || !strings.HasPrefix(told, tt.want) {
				t.Errorf("told %q, want %q", told, tt.want)
			}
		})
	}
}

// The conversation of a sub-agent is its own; what its calls ran with is the session's.
func TestS23_WhatSubAgentsRanIsOnRecord(t *testing.T) {
	long := "echo " + strings.Repeat("x", 300) + " end"
	change := rewrites(t, long, func(out hook.Output) hook.Output {
		out.SystemMessage = "a word to the person"
		return out
	})
	replace := handler(hook.PostToolUse, func(told string) (hook.Output, error) {
		if !strings.Contains(told, `"Bash"`) {
			return hook.Output{}, nil
		}
		return hook.ReplaceResult("nothing to see")
	})
	w := newWorld(t, config{mode: permission.BypassPermissions, hooks: []hook.Entry{change, replace}, turns: []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}}, {calls: []model.Block{use("s1", "Bash", push)}}, {text: "sub"}, {text: "done"},
	}})
	w.prompt("go")
	changes := w.changes()
	if len(changes) != 1 || !strings.Contains(string(changes[0].Input), long) || !strings.HasPrefix(changes[0].Agent, "a") {
		t.Errorf("%+v", changes)
	}
	var kinds []session.Kind
	for r, err := range w.transcript.Records() {
		if err != nil {
			t.Fatal(err)
		}
		body := string(r.Body)
		if r.Kind == session.Ran && !strings.Contains(body, "done: s1") || r.Kind == session.Noted && !strings.Contains(body, "a word to the person") {
			t.Errorf("%s %s", r.Kind, body)
		}
		kinds = append(kinds, r.Kind)
	}
	for _, want := range []session.Kind{session.Ran, session.Noted} {
		if !slices.Contains(kinds, want) {
			t.Errorf("no %q in %v", want, kinds)
		}
	}
	before, err := w.transcript.Conversation()
	if err != nil || len(before.Messages) != 4 {
		t.Errorf("the conversation has %d messages: %v", len(before.Messages), err)
	}
}

// Hooks and the record are told the mode in which a sub-agent works.
func TestS6_ThePlanModeOfASubAgentIsTold(t *testing.T) {
	var told []string
	note := handler(hook.PreToolUse, func(in string) (hook.Output, error) {
		_, mode, _ := strings.Cut(in, `"permission_mode":"`)
		mode, _, _ = strings.Cut(mode, `"`)
		told = append(told, mode)
		return hook.Output{}, nil
	})
	w := newWorld(t, config{mode: permission.AcceptEdits, asker: says(permission.Allow), hooks: []hook.Entry{note}, turns: []reply{
		{calls: []model.Block{use("t1", "Task", `{"description":"d","prompt":"do it","mode":"plan"}`)}},
		{calls: []model.Block{use("s1", "Bash", push)}},
		{text: "sub"},
		{calls: []model.Block{use("t2", "Task", subtask)}},
		{calls: []model.Block{use("s2", "Bash", push)}},
		{text: "sub"},
		{text: "done"},
	}})
	w.prompt("go")
	if want := []string{"acceptEdits", "plan", "acceptEdits", "acceptEdits"}; !slices.Equal(told, want) {
		t.Errorf("hooks were told %v, want %v", told, want)
	}
	for i, want := range told {
		if got := w.audit.records[i].Mode; got != want {
			t.Errorf("record %d: mode %s, want %s", i, got, want)
		}
	}
}

// An error has to wait for the hooks that were asked, as a denial does: they are on
// record.
func TestTheRecordOfAnErrorHasTheHooksThatWereAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := handler(hook.PermissionRequest, func(string) (hook.Output, error) {
			time.Sleep(time.Second)
			return hook.Output{}, nil
		})
		w := newWorld(t, config{asker: answers(`{"nonsense":1}`), hooks: []hook.Entry{slow}, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}})
		w.prompt("go")
		if r := w.audit.records[0]; r.Decision != "error" || len(r.Hooks) != 1 || r.Who != "" {
			t.Errorf("%+v", r)
		}
	})
}

// What a classifier may not judge any more when its answer counts is asked again.
func TestS9_AClassifierThatIsNotInChargeAnyMore(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, a *agent.Agent){
		"mode": func(t *testing.T, a *agent.Agent) {
			if err := a.SetMode(permission.Default); err != nil {
				t.Error(err)
			}
		},
		"ask rule": func(t *testing.T, a *agent.Agent) {
			settings, err := permission.NewContext(permission.Config{Cwd: "/project", Home: "/home/dev", Mode: permission.Auto, Rules: readRules(t, []string{"ask Bash(git push:*)"})})
			if err != nil {
				t.Error(err)
			}
			a.Rebase(settings)
		},
	} {
		for who, asker := range map[string]*person{"nobody": nil, "person": says(permission.Allow)} {
			t.Run(name+" "+who, func(t *testing.T) {
				var w *world
				thinks := &thinker{think: func(context.Context, classify.Question) (classify.Verdict, error) {
					change(t, w.agent)
					return classify.Verdict{Outcome: classify.Approve}, nil
				}}
				w = newWorld(t, config{mode: permission.Auto, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}, change: func(c *agent.Config) {
					c.Classifier = thinks
					if asker != nil {
						c.Asker = asker
					}
				}})
				w.prompt("go")
				if ran := len(w.tools.list()); ran != disturbed(asker) {
					t.Errorf("%d ran, the person was asked %d times", ran, disturbed(asker))
				}
				if asker != nil && w.audit.records[0].Who != "person" {
					t.Errorf("%+v", w.audit.records[0])
				}
			})
		}
	}
}
