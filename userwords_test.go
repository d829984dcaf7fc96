package assent_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// TestK1_WordsOfTheUserStay: rules, paths and messages of others hold words that look like
// flags. Whoever copies a rule out of a warning must get the rule.
func TestK1_WordsOfTheUserStay(t *testing.T) {
	t.Run("a broken rule", func(t *testing.T) {
		p := newPlace(t)
		_, warnings := warned(t, p.with(greets, assent.Settings(`{"permissions": {"deny": ["Bash(train --model big --settings: x"]}}`)))
		if !strings.Contains(warnings, "Bash(train --model big --settings: x)") || !strings.HasPrefix(warnings, "assent.Settings:") || strings.Count(warnings, "assent.") != 1 {
			t.Errorf("%q", warnings)
		}
	})
	t.Run("a rule that is held back", func(t *testing.T) {
		p := newPlace(t)
		put(t, filepath.Join(p.dir, ".claude", "settings.json"), `{"permissions": {"allow": ["Bash(train --model big --resume --settings-file x:*)"]}}`)
		_, warnings := warned(t, p.with(greets, assent.SettingSources(rule.ProjectSettings)))
		if !strings.Contains(warnings, "Bash(train --model big --resume --settings-file x:*)") {
			t.Errorf("%q", warnings)
		}
	})
	t.Run("a path", func(t *testing.T) {
		p := newPlace(t)
		for _, name := range []string{"x--model-y", "a --settings b", "--agents: "} {
			path := filepath.Join(p.dir, name, "missing.json")
			for _, option := range []assent.Option{assent.Settings(path), assent.MCPConfig(path)} {
				if _, err := assent.Open(t.Context(), p.with(greets, option)...); err == nil || !strings.Contains(err.Error(), path) {
					t.Errorf("%v", err)
				}
			}
		}
	})
	t.Run("a hook", func(t *testing.T) {
		p := newPlace(t)
		_, warnings := warned(t, p.with(touches("a"), says(hook.Output{}, errors.New("unknown flag --model, did you mean --tools?"))))
		if !strings.Contains(warnings, "unknown flag --model, did you mean --tools?") {
			t.Errorf("%q", warnings)
		}
	})
}

// TestK2_WarningsOfTheAgentNameOptions: it is the same who says it, the start of the session
// or the agent at work.
func TestK2_WarningsOfTheAgentNameOptions(t *testing.T) {
	p := newPlace(t)
	_, warnings := warned(t, p.with(touches("a"), assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
		return assent.YesAlways(permission.Update{Type: permission.SetMode, Destination: rule.Session, Mode: permission.BypassPermissions}), nil
	})))
	if !strings.Contains(warnings, "assent.AllowBypass") || strings.Contains(warnings, "--") {
		t.Errorf("%q", warnings)
	}
}

// TestK1_EndsAreTold: of a hook at the end of a session that did not work, or has something
// to say, a person learns on both sides.
func TestK1_EndsAreTold(t *testing.T) {
	for name, tt := range map[string]struct {
		hook hook.Func
		want string
	}{
		"fails": {func(context.Context, hook.Invocation) (hook.Output, error) {
			return hook.Output{}, errors.New("no disk")
		}, "no disk"},
		"panics": {func(context.Context, hook.Invocation) (hook.Output, error) { panic("out of paper") }, "out of paper"},
		"speaks": {func(context.Context, hook.Invocation) (hook.Output, error) {
			return hook.Output{SystemMessage: "well done"}, nil
		}, "well done"},
	} {
		t.Run(name, func(t *testing.T) {
			bothSides(t, func(t *testing.T, s side) {
				_, warnings := warned(t, s.with(greets, assent.OnEvent(hook.SessionEnd, "", tt.hook)))
				if strings.Count(warnings, tt.want) != 1 {
					t.Errorf("%q", warnings)
				}
			})
		})
	}
}

// TestK1_TheStartIsCutOnBothSides: a hook at the start of a session hears at once that
// nobody waits for it any more, and is asked again with the next prompt.
func TestK1_TheStartIsCutOnBothSides(t *testing.T) {
	for name, tt := range map[string]struct{ cancels, goesOn bool }{
		"cancelled": {true, false}, "interrupted": {false, false}, "cancelled, going on": {true, true}, "interrupted, going on": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			bothSides(t, func(t *testing.T, s side) {
				var more []assent.Option
				if tt.goesOn {
					if _, err := assent.Run(t.Context(), "hi", s.with(greets, assent.SessionID(anID))...); err != nil {
						t.Fatal(err)
					}
					more = append(more, assent.Resume(anID))
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var client *assent.Client
				var asked atomic.Int32
				more = append(more, assent.OnEvent(hook.SessionStart, "", func(ctx context.Context, _ hook.Invocation) (hook.Output, error) {
					if asked.Add(1) > 1 {
						return hook.Output{}, nil
					}
					if tt.cancels {
						cancel()
					} else if err := client.Interrupt(t.Context()); err != nil {
						t.Error(err)
					}
					select {
					case <-ctx.Done():
					case <-time.After(2 * time.Second):
						t.Error("the hook does not hear of it")
					}
					return hook.Output{}, ctx.Err()
				}))
				client = opened(t, s.with(greets, more...)...)
				var last *assent.Result
				var errs []error
				soon(t, "the end", func() {
					for m, err := range client.Query(ctx, "hi") {
						if err != nil {
							errs = append(errs, err)
						}
						if r, ok := m.(*assent.Result); ok {
							last = r
						}
					}
				})
				if last == nil || !last.IsError || tt.cancels != (len(errs) == 1 && errors.Is(errs[0], context.Canceled)) {
					t.Fatalf("%+v, %v", last, errs)
				}
				if _, result := ask(t, client, "hi"); result.Text != "Hello." || asked.Load() != 2 {
					t.Errorf("asked %d times: %+v", asked.Load(), result)
				}
			})
		})
	}
}

// TestK1_MisnamedIsToldOnBothSides: a guard that never runs is missed by nobody.
func TestK1_MisnamedIsToldOnBothSides(t *testing.T) {
	bothSides(t, func(t *testing.T, s side) {
		_, warnings := warned(t, s.with(greets, assent.Deny("Bsah"), assent.On("Wirte", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
			return hook.Output{}, nil
		})))
		if strings.Count(warnings, `assent.Deny("Bsah")`) != 1 || strings.Count(warnings, `"Wirte"`) != 1 {
			t.Errorf("%q", warnings)
		}
	})
}
