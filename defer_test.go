package assent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/permission"
)

// says is a hook about commands that says always the same.
func says(output hook.Output, err error) assent.Option {
	return assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) { return output, err })
}

func later() assent.Option { return says(hook.Defer("somebody has to look at it"), nil) }

// parked is a session with a call that waits.
func parked(t *testing.T, p *place, script string, more ...assent.Option) *assent.Result {
	t.Helper()
	_, result := watch(t, "deploy", p.with(script, append(more, later(), assent.SessionID(anID))...))
	if result.StopReason != "tool_deferred" || result.Err() != nil || len(result.Deferred) == 0 {
		t.Fatalf("%+v", result)
	}
	return result
}

const deploy = "turns:\n  - {say: I deploy., call: {Bash: {command: touch deployed}}}\n"

// TestK5_ACallThatWaits is on the result, with all that somebody needs to decide.
func TestK5_ACallThatWaits(t *testing.T) {
	p := newPlace(t)
	result := parked(t, p, deploy)
	if d := result.Deferred[0]; len(result.Deferred) != 1 || d.ToolName != "Bash" || d.ToolUseID == "" || !strings.Contains(string(d.ToolInput), "touch deployed") {
		t.Errorf("%+v", result.Deferred)
	}
	if p.exists("deployed") || len(result.Denials) > 0 {
		t.Errorf("%+v", result)
	}
}

// TestD_ResumeThroughAHook: a session that goes on asks its hooks again.
func TestD_ResumeThroughAHook(t *testing.T) {
	for name, tt := range map[string]struct {
		hook   assent.Option
		expect string // of what the model is told
		made   string
		stop   string
		denied int
	}{
		"allows":              {says(hook.Allow(), nil), "(no output)", "deployed", "end_turn", 0},
		"allows another":      {says(hook.AllowWith(map[string]string{"command": "touch rehearsed"})), "(no output)", "rehearsed", "end_turn", 0},
		"denies":              {says(hook.Deny("not on a Friday"), nil), "not on a Friday", "", "end_turn", 1},
		"defers again":        {later(), "", "", "tool_deferred", 0},
		"breaks":              {says(hook.Output{}, context.DeadlineExceeded), "waits on", "", "tool_deferred", 0},
		"has nothing to say":  {says(hook.Output{}, nil), "", "", "tool_deferred", 0},
		"is gone":             {assent.MaxTurns(9), "", "", "tool_deferred", 0},
		"somebody is at hand": {always(assent.Yes()), "(no output)", "deployed", "end_turn", 0},
		"and says no":         {always(assent.No("no")), "no", "", "end_turn", 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			parked(t, p, deploy)
			all, result := watch(t, "", p.with("turns:\n  - {say: Well.}\n", tt.hook, assent.Resume(anID)))
			if result.StopReason != tt.stop || len(result.Denials) != tt.denied || (len(result.Deferred) > 0) != (tt.stop == "tool_deferred") {
				t.Errorf("%q: %+v", all, result)
			}
			if !strings.Contains(strings.Join(all, "\n"), tt.expect) {
				t.Errorf("%q", all)
			}
			for _, file := range []string{"deployed", "rehearsed"} {
				if p.exists(file) != (file == tt.made) {
					t.Errorf("%s: %v", file, p.exists(file))
				}
			}
		})
	}
}

// TestS45_WhatFailsInTheProgramIsNoAnswer: a call that waits waits on, with its ticket, and runs
// when somebody has approved it.
func TestS45_WhatFailsInTheProgramIsNoAnswer(t *testing.T) {
	external := assent.External(buildAssent(t))
	for name, answer := range map[string]func() (assent.Answer, error){
		"an error":    func() (assent.Answer, error) { return assent.Yes(), errors.New("the database is down") },
		"a panic":     func() (assent.Answer, error) { panic("oh") },
		"an exit":     func() (assent.Answer, error) { runtime.Goexit(); return assent.Yes(), nil },
		"no decision": func() (assent.Answer, error) { return assent.Answer{}, nil },
		"no input": func() (assent.Answer, error) {
			return assent.Answer{Behavior: permission.Allow, UpdatedInput: []byte("null")}, nil
		},
		"another word": func() (assent.Answer, error) { return assent.Answer{Behavior: permission.Defer}, nil },
	} {
		for where, more := range map[string][]assent.Option{"in this process": nil, "external": {external}} {
			t.Run(name+", "+where, func(t *testing.T) {
				dir, home := t.TempDir(), t.TempDir()
				t.Setenv("HOME", home)
				t.Setenv("ASSENT_HOME", filepath.Join(home, "state"))
				with := func(turns string, own ...assent.Option) []assent.Option {
					model := assent.Model("script:" + put(t, filepath.Join(home, "script.yaml"), turns))
					return append(append([]assent.Option{assent.Dir(dir), model}, own...), more...)
				}
				_, result := watch(t, "deploy", with(deploy, later(), assent.SessionID(anID)))
				if len(result.Deferred) != 1 {
					t.Fatalf("%+v", result)
				}
				var asked atomic.Int32
				fails := assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
					asked.Add(1)
					return answer()
				})
				all, result := watch(t, "", with("turns:\n  - {say: Well.}\n", fails, says(hook.Ask("is it right?"), nil), assent.Resume(anID)))
				if asked.Load() != 1 || result.StopReason != "tool_deferred" || len(result.Deferred) != 1 || len(result.Denials) != 0 {
					t.Fatalf("asked %d times, %q: %+v", asked.Load(), all, result)
				}
				store, err := approval.Open(filepath.Join(home, "state"))
				if err != nil {
					t.Fatal(err)
				}
				defer store.Close()
				ticket, err := store.OfCall(t.Context(), anID, result.Deferred[0].ToolUseID)
				if err != nil || ticket == nil || ticket.State != approval.Pending {
					t.Fatal(ticket, err)
				}
				if _, err := store.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "go ahead", nil); err != nil {
					t.Fatal(err)
				}
				watch(t, "", with("turns:\n  - {say: Well.}\n", assent.Resume(anID)))
				if _, err := os.Stat(filepath.Join(dir, "deployed")); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestD_ResumeThroughATicket: a person answers while no process runs.
func TestD_ResumeThroughATicket(t *testing.T) {
	for name, tt := range map[string]struct {
		answer func(*approval.Store, approval.Ticket) (approval.Ticket, error)
		expect string
		made   string
		denied int
	}{
		"approved": {func(s *approval.Store, ticket approval.Ticket) (approval.Ticket, error) {
			return s.Approve(context.Background(), ticket.ID, ticket.Digest, "ann", "go ahead", nil)
		}, "(no output)", "deployed", 0},
		"changed": {func(s *approval.Store, ticket approval.Ticket) (approval.Ticket, error) {
			return s.Approve(context.Background(), ticket.ID, ticket.Digest, "ann", "first try", []byte(`{"command":"touch rehearsed"}`))
		}, "(no output)", "rehearsed", 0},
		"denied": {func(s *approval.Store, ticket approval.Ticket) (approval.Ticket, error) {
			return s.Deny(context.Background(), ticket.ID, ticket.Digest, "ann", "not on a Friday")
		}, "not on a Friday", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			waiting := parked(t, p, deploy).Deferred[0]
			store, err := approval.Open(p.state)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			ticket, err := store.OfCall(t.Context(), anID, waiting.ToolUseID)
			if err != nil || ticket == nil {
				t.Fatal(ticket, err)
			}
			if _, err := tt.answer(store, *ticket); err != nil {
				t.Fatal(err)
			}
			all, result := watch(t, "", p.with("turns:\n  - {say: Well.}\n", assent.Resume(anID)))
			if result.Text != "Well." || len(result.Denials) != tt.denied || !strings.Contains(strings.Join(all, "\n"), tt.expect) {
				t.Errorf("%q: %+v", all, result)
			}
			for _, file := range []string{"deployed", "rehearsed"} {
				if p.exists(file) != (file == tt.made) {
					t.Errorf("%s: %v", file, p.exists(file))
				}
			}
			if after, err := store.Find(t.Context(), ticket.ID); err != nil || !after.State.Over() {
				t.Errorf("%v, %v", after.State, err)
			}
		})
	}
}

// A rule of today holds for what was parked yesterday.
func TestD_ADenyRuleMeanwhile(t *testing.T) {
	p := newPlace(t)
	parked(t, p, deploy)
	all, result := watch(t, "", p.with("turns:\n  - {say: Well.}\n", assent.Resume(anID), says(hook.Allow(), nil), assent.Deny("Bash(touch:*)")))
	if p.exists("deployed") || len(result.Denials) != 1 {
		t.Errorf("%q: %+v", all, result)
	}
}

// A new prompt takes the place of a call that nobody has answered.
func TestD_APromptInPlaceOfACall(t *testing.T) {
	p := newPlace(t)
	parked(t, p, deploy)
	client := opened(t, p.with("turns:\n  - {expect: Not run, say: Well.}\nafterwards: Hello.\n", assent.Resume(anID))...)
	if client.SessionID() != anID {
		t.Error(client.SessionID())
	}
	all, result := ask(t, client, "leave it")
	lines(t, all, []string{"init", "say Well.", "end success"})
	if p.exists("deployed") || result.Err() != nil {
		t.Errorf("%+v", result)
	}
}

// One client can park a call and go on with it.
func TestD_GoOnInTheSameClient(t *testing.T) {
	p := newPlace(t)
	decided := hook.Defer("somebody has to look at it")
	client := opened(t, p.with(deploy+"  - {say: Well.}\n", assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		return decided, nil
	}))...)
	if _, result := ask(t, client, "deploy"); result.StopReason != "tool_deferred" || p.exists("deployed") {
		t.Errorf("%+v", result)
	}
	if _, result := ask(t, client, ""); result.StopReason != "tool_deferred" || p.exists("deployed") {
		t.Errorf("%+v", result)
	}
	decided = hook.Allow()
	if _, result := ask(t, client, ""); result.Text != "Well." || !p.exists("deployed") {
		t.Errorf("%+v", result)
	}
}

// Hooks have had their say about a call that began to wait in this client: a later prompt
// takes its place, whatever they would say now.
func TestD2_ALaterPromptAsksNoHooks(t *testing.T) {
	p := newPlace(t)
	var asked int
	client := opened(t, p.with(deploy+"  - {expect: Not run, say: Well.}\n", assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		if asked++; asked > 1 {
			return hook.Allow(), nil
		}
		return hook.Defer("somebody has to look at it"), nil
	}))...)
	ask(t, client, "deploy")
	all, result := ask(t, client, "leave it")
	lines(t, all, []string{"init", "say Well.", "end success"})
	if result.Err() != nil || asked != 1 || p.exists("deployed") {
		t.Errorf("%+v, asked %d times", result, asked)
	}
}

const batch = "turns:\n  - calls: [{Bash: {command: touch a}}, {Bash: {command: touch b}}]\nafterwards: Well.\n"

// TestD_Batch: several calls of one turn wait only if somebody has said that they may.
func TestD_Batch(t *testing.T) {
	p := newPlace(t)
	all, result := watch(t, "make them", p.with(batch, later()))
	if len(result.Denials) != 2 || len(result.Deferred) != 0 {
		t.Errorf("%q: %+v", all, result)
	}
	if result := parked(t, p, batch, assent.DeferBatch()); len(result.Deferred) != 2 {
		t.Errorf("%+v", result)
	}
	_, result = watch(t, "", p.with("turns:\n  - {say: Well.}\n", says(hook.Allow(), nil), assent.Resume(anID)))
	if !p.exists("a") || !p.exists("b") || result.Text != "Well." {
		t.Errorf("%+v", result)
	}
}

// A session that is forgotten cannot wait: the call is a question, and nobody is there.
func TestD_NothingWaitsWithoutATranscript(t *testing.T) {
	p := newPlace(t)
	all, result := watch(t, "deploy", p.with(deploy+"  - {say: Well.}\n", later(), assent.Forget()))
	if len(result.Deferred) > 0 || len(result.Denials) != 1 || result.Text != "Well." || p.exists("deployed") {
		t.Errorf("%q: %+v", all, result)
	}
}
