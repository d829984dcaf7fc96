package assent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
)

// warned runs a prompt and returns what a person was told.
func warned(t *testing.T, options []assent.Option) (*assent.Result, string) {
	t.Helper()
	var all []string
	result, err := assent.Run(t.Context(), "go", append(slices.Clone(options), assent.Warn(func(text string) { all = append(all, text) }))...)
	if err != nil {
		t.Fatal(err)
	}
	return result, strings.Join(all, "\n")
}

// TestK1_APersonSeesWhy: whatever keeps a call from running is on the result of the prompt,
// and a hook that does not work is worth a warning.
func TestK1_APersonSeesWhy(t *testing.T) {
	panics := assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		panic("out of paper")
	})
	for name, tt := range map[string]struct {
		option  assent.Option
		why     string
		outcome string // of the hook; "" if there is none
		warns   bool
	}{
		"a hook fails":   {says(hook.Output{}, errors.New("the database is gone")), "the database is gone", "error", true},
		"a hook panics":  {panics, "out of paper", "error", true},
		"a hook denies":  {says(hook.Deny("not on a Friday"), nil), "not on a Friday", "success", false},
		"a rule denies":  {assent.Deny("Bash(touch:*)"), "Bash(touch:*)", "", false},
		"somebody does":  {always(assent.No("no, thank you")), "no, thank you", "", false},
		"nobody is here": {assent.MaxTurns(9), "nobody", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			bothSides(t, func(t *testing.T, s side) {
				result, warnings := warned(t, s.with(touches("made"), tt.option))
				if len(result.Denials) != 1 || !strings.Contains(result.Denials[0].Reason, tt.why) {
					t.Errorf("%+v", result.Denials)
				}
				if warns := strings.Contains(warnings, tt.why); warns != tt.warns {
					t.Errorf("warned: %q", warnings)
				}
				if (len(result.Hooks) > 0) != (tt.outcome != "") {
					t.Fatalf("%+v", result.Hooks)
				}
				for _, h := range result.Hooks {
					if h.Outcome != tt.outcome || !strings.Contains(h.Output, tt.why) || strings.Contains(h.Stderr, tt.why) != (tt.outcome == "error") {
						t.Errorf("%+v", h)
					}
				}
			})
		})
	}
}

// TestK1_WhyOfASubAgent: its calls are those of the prompt, too.
func TestK1_WhyOfASubAgent(t *testing.T) {
	bothSides(t, func(t *testing.T, s side) {
		result, _ := warned(t, s.with(`
turns:
  - call: {Task: {description: d, prompt: p, subagent_type: general-purpose}}
  - call: {Bash: {command: touch made}}
afterwards: Well.
`, assent.Deny("Bash(touch:*)")))
		if len(result.Denials) != 1 || !strings.Contains(result.Denials[0].Reason, "Bash(touch:*)") {
			t.Errorf("%+v", result.Denials)
		}
	})
}

// TestK1_AHookInTheBackgroundThatFails is no reason to stop, and one to say something.
func TestK1_AHookInTheBackgroundThatFails(t *testing.T) {
	bothSides(t, func(t *testing.T, s side) {
		fails := hook.Typed("report", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
			return hook.Output{}, errors.New("the dashboard is gone")
		})
		result, warnings := warned(t, s.with(touches("made"), assent.Allow("Bash"), assent.Hooks(hook.Entry{Event: hook.PreToolUse, Handler: fails, Async: true})))
		if !s.exists("made") || len(result.Denials) > 0 || strings.Count(warnings, "the dashboard is gone") != 1 {
			t.Errorf("%+v, warned: %q", result, warnings)
		}
	})
}

// TestK1_WhatAFunctionAnswered is on the result, as it is for other hooks.
func TestK1_WhatAFunctionAnswered(t *testing.T) {
	bothSides(t, func(t *testing.T, s side) {
		result, _ := warned(t, s.with(touches("made"), assent.Allow("Bash"), says(hook.Context("the moon is full"), nil)))
		if len(result.Hooks) != 1 || !strings.Contains(result.Hooks[0].Output, "the moon is full") || !strings.HasPrefix(result.Hooks[0].Stdout, "{") || result.Hooks[0].Stderr != "" {
			t.Errorf("%+v", result.Hooks)
		}
	})
}
