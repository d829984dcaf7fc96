package assent_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

const greets = "turns: []\nafterwards: Hello.\n"

// TestSessions_RefusedOnBothSides: the same program must not take a refused session for a
// success.
func TestSessions_RefusedOnBothSides(t *testing.T) {
	bothSides(t, func(t *testing.T, s side) {
		client := opened(t, s.with(touches("made"), assent.Allow("Bash"), assent.On("", func(context.Context, hook.SessionStartInput, hook.Invocation) (hook.Output, error) {
			return hook.Halt("not today"), nil
		}))...)
		for range 2 {
			var last error
			for _, err := range client.Query(t.Context(), "go") {
				last = err
			}
			var refused *assent.RefusedError
			if !errors.As(last, &refused) || refused.Reason != "not today" || s.exists("made") {
				t.Errorf("%v, made: %v", last, s.exists("made"))
			}
		}
	})
}

// TestK2_UpdatesThatAreNone: a change of permissions that cannot be made is told, and never
// just lost: whoever said "never" counts on it.
func TestK2_UpdatesThatAreNone(t *testing.T) {
	for name, tt := range map[string]struct {
		answer assent.Answer
		why    string
	}{
		"no destination": {assent.NoAlways("never", permission.Update{Type: permission.AddRules, Behavior: rule.Deny, Rules: []string{"Bash(touch:*)"}}), "destination"},
		"no behavior":    {assent.NoAlways("never", permission.Update{Type: permission.AddRules, Destination: rule.Session, Rules: []string{"Bash(touch:*)"}}), "behavior"},
		"no rules":       {assent.NoAlways("never", permission.Update{Type: permission.AddRules, Destination: rule.Session, Behavior: rule.Deny}), "no rules"},
		"beside a yes":   {assent.YesAlways(permission.Update{Type: permission.AddRules, Behavior: rule.Allow, Rules: []string{"Bash(touch:*)"}}), "destination"},
	} {
		t.Run(name, func(t *testing.T) {
			bothSides(t, func(t *testing.T, s side) {
				asked := 0
				result, warnings := warned(t, s.with(touches("a", "b"), assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
					if asked++; asked > 1 {
						return assent.No("once more"), nil
					}
					return tt.answer, nil
				})))
				if asked != 2 || !strings.Contains(warnings, tt.why) || strings.Count(warnings, "permission update") != 1 {
					t.Errorf("asked %d times, warned %q: %+v", asked, warnings, result.Denials)
				}
			})
		})
	}
}

// TestD_TheResultOfWhatWaited is marked, so that a program does not take it for that of its
// prompt.
func TestD_TheResultOfWhatWaited(t *testing.T) {
	bothSides(t, func(t *testing.T, s side) {
		first, err := assent.Run(t.Context(), "deploy", s.with(deploy, later(), assent.SessionID(anID))...)
		if err != nil || len(first.Deferred) != 1 || first.TakenUp {
			t.Fatalf("%+v, %v", first, err)
		}
		store, err := approval.Open(s.state)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		ticket, err := store.OfCall(t.Context(), anID, first.Deferred[0].ToolUseID)
		if err != nil || ticket == nil {
			t.Fatal(ticket, err)
		}
		if _, err := store.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil); err != nil {
			t.Fatal(err)
		}
		var marks []bool
		client := opened(t, s.with("turns:\n  - say: It is deployed.\n  - say: Hello.\n  - say: Again.\n", assent.Resume(anID))...)
		for _, prompt := range []string{"hello", "again"} {
			for m, err := range client.Query(t.Context(), prompt) {
				if err != nil {
					t.Fatal(err)
				}
				if r, ok := m.(*assent.Result); ok {
					marks = append(marks, r.TakenUp)
				}
			}
		}
		if len(marks) != 3 || !marks[0] || marks[1] || marks[2] || !s.exists("deployed") {
			t.Errorf("%v, deployed: %v", marks, s.exists("deployed"))
		}
	})
}

// What waits is all there is: its result is that of the empty prompt.
func TestD_TheResultOfAnEmptyPrompt(t *testing.T) {
	p := newPlace(t)
	parked(t, p, deploy)
	if _, result := watch(t, "", p.with("turns:\n  - say: Well.\n", says(hook.Allow(), nil), assent.Resume(anID))); result.TakenUp || result.Text != "Well." {
		t.Errorf("%+v", result)
	}
}

// TestSessions_NoneToContinue is an error of its type, on both sides.
func TestSessions_NoneToContinue(t *testing.T) {
	bothSides(t, func(t *testing.T, s side) {
		_, err := assent.Run(t.Context(), "go", s.with(greets, assent.Continue())...)
		var none *assent.NoSessionError
		if !errors.As(err, &none) || none.ID != "" || !strings.Contains(err.Error(), "no session in this directory") {
			t.Errorf("%v", err)
		}
	})
}

// TestK1_OptionsThatMakeNoSession are refused alike on both sides.
func TestK1_OptionsThatMakeNoSession(t *testing.T) {
	for name, tt := range map[string]struct {
		options func(s side) []assent.Option
		why     []string
	}{
		"two ids": {func(side) []assent.Option {
			return []assent.Option{assent.Resume(anID), assent.SessionID("11234567-89ab-4cde-8f01-23456789abcd")}
		}, []string{"assent.SessionID", "assent.Fork"}},
		"no directory": {func(s side) []assent.Option { return []assent.Option{assent.Dir(filepath.Join(s.dir, "gone"))} }, []string{"gone", "assent.Dir"}},
		"a file":       {func(s side) []assent.Option { return []assent.Option{assent.Dir(s.file("f", ""))} }, []string{"assent.Dir", "no directory"}},
		"broken words": {func(side) []assent.Option { return []assent.Option{assent.SystemPrompt("be \xff")} }, []string{"assent.SystemPrompt", "UTF-8"}},
		"more of them": {func(side) []assent.Option { return []assent.Option{assent.AppendSystemPrompt("be \x00")} }, []string{"assent.AppendSystemPrompt", "NUL"}},
	} {
		t.Run(name, func(t *testing.T) {
			bothSides(t, func(t *testing.T, s side) {
				if _, err := assent.Run(t.Context(), "hi", s.with(greets, assent.SessionID(anID))...); err != nil {
					t.Fatal(err)
				}
				_, err := assent.Run(t.Context(), "hi", s.with(greets, tt.options(s)...)...)
				for _, part := range tt.why {
					if err == nil || !strings.Contains(err.Error(), part) {
						t.Errorf("%q is not in: %v", part, err)
					}
				}
			})
		})
	}
}

// TestK1_NoModel: a session cannot go on with a model that has no name.
func TestK1_NoModel(t *testing.T) {
	bothSides(t, func(t *testing.T, s side) {
		if err := opened(t, s.with(greets)...).SetModel(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "name") {
			t.Errorf("%v", err)
		}
	})
}

// TestK1_AContextThatHasEnded changes nothing any more.
func TestK1_AContextThatHasEnded(t *testing.T) {
	bothSides(t, func(t *testing.T, s side) {
		client := opened(t, s.with(greets)...)
		reason := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(reason)
		for what, err := range map[string]error{
			"mode": client.SetPermissionMode(ctx, permission.Plan), "model": client.SetModel(ctx, "other"), "interrupt": client.Interrupt(ctx),
		} {
			if !errors.Is(err, reason) {
				t.Errorf("%s: %v", what, err)
			}
		}
		for m, err := range client.Query(t.Context(), "hi") {
			if err != nil {
				t.Fatal(err)
			}
			if init, ok := m.(*assent.Init); ok && (init.PermissionMode != "default" || init.Model == "other") {
				t.Errorf("%+v", init)
			}
		}
	})
}

// TestK1_CancelledWhileToolsAreOffered: whenever the time is up, that is what the error says.
func TestK1_CancelledWhileToolsAreOffered(t *testing.T) {
	p := newPlace(t)
	for ms := range 40 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(ms)*time.Millisecond)
		client, err := assent.Open(ctx, p.with(greets, assent.Serve("own", hello(t)))...)
		cancel()
		switch {
		case err == nil:
			if err := client.Close(); err != nil {
				t.Error(err)
			}
		case !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("after %d ms: %v", ms, err)
		}
	}
}

// TestK1_ErrorsAreTheirOwn: an error is not wrapped for a second one that is not there.
func TestK1_ErrorsAreTheirOwn(t *testing.T) {
	p := newPlace(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range assent.Query(ctx, "hi", p.with(greets)...) {
		cancel()
		last = err
	}
	if last != context.Canceled {
		t.Errorf("%T %v", last, last)
	}
}

// TestSessions_ThatExist: whoever runs a job twice under one id can tell.
func TestSessions_ThatExist(t *testing.T) {
	p := newPlace(t)
	watch(t, "hi", p.with(greets, assent.SessionID(anID)))
	if _, err := assent.Run(t.Context(), "hi", p.with(greets, assent.SessionID(anID))...); !errors.Is(err, assent.ErrSessionExists) {
		t.Errorf("%v", err)
	}
}

// TestK1_NamesOfTheResult: what a result says can be compared with names.
func TestK1_NamesOfTheResult(t *testing.T) {
	p := newPlace(t)
	if result := parked(t, p, deploy); result.StopReason != assent.StopReasonToolDeferred || result.Subtype != assent.SubtypeSuccess {
		t.Errorf("%+v", result)
	}
	if result, _ := assent.Run(t.Context(), "hi", p.with("turns:\n  - {call: {Bash: {command: ls}}, repeat: 9}\n", assent.MaxTurns(2))...); result.Subtype != assent.SubtypeErrorMaxTurns {
		t.Errorf("%+v", result)
	}
}
