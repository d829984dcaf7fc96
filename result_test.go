package assent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
)

// TestK5_WhatAResultHolds: what was denied, which hooks ran and how, what it cost.
func TestK5_WhatAResultHolds(t *testing.T) {
	p := newPlace(t)
	_, result := watch(t, "make them", p.with(`
turns:
  - {call: {Bash: {command: touch a}}, usage: {input: 100000, output: 100}}
  - {call: {Bash: {command: touch b}}, usage: {input: 10, output: 1}}
  - {say: Well., usage: {input: 1, output: 1}}
`, assent.Model("claude-opus-4-1"), assent.Allow("Bash(touch a)"), assent.Deny("Bash(touch b)"),
		assent.On("", func(context.Context, hook.SessionStartInput, hook.Invocation) (hook.Output, error) {
			return hook.Context("be brief"), nil
		}),
		assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
			return hook.Output{}, nil
		}),
		assent.On("Bash", func(context.Context, hook.PostToolUseInput, hook.Invocation) (hook.Output, error) {
			return hook.Output{}, errors.New("out of paper")
		}),
		assent.On("", func(context.Context, hook.StopInput, hook.Invocation) (hook.Output, error) { return hook.Output{}, nil }),
	))
	var runs []string
	for _, h := range result.Hooks {
		runs = append(runs, h.HookName+" "+h.Outcome)
	}
	lines(t, runs, []string{"SessionStart:startup success", "PreToolUse:Bash success", "PostToolUse:Bash error", "PreToolUse:Bash success", "Stop success"})
	if d := result.Denials; len(d) != 1 || d[0].ToolName != "Bash" || d[0].ToolUseID == "" || !strings.Contains(string(d[0].ToolInput), "touch b") {
		t.Errorf("%+v", d)
	}
	if u := result.Usage; u.InputTokens != 100011 || u.OutputTokens != 102 {
		t.Errorf("%+v", u)
	}
	if one := result.ModelUsage["claude-opus-4-1"]; result.TotalCostUSD < 1.5 || one.CostUSD != result.TotalCostUSD || one.InputTokens != 100011 {
		t.Errorf("%v, %+v", result.TotalCostUSD, result.ModelUsage)
	}
	if result.SessionID == "" || result.UUID == "" || result.NumTurns == 0 || result.StopReason != "end_turn" {
		t.Errorf("%+v", result)
	}
}

// Every prompt has the hooks of its own, and messages about them are for who wants them.
func TestK5_HookEvents(t *testing.T) {
	p := newPlace(t)
	looks := assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		return hook.Message("I have looked"), nil
	})
	const script = "turns:\n  - call: {Bash: {command: ls}}\nafterwards: Well.\n"
	quiet := opened(t, p.with(script, looks)...)
	all, result := ask(t, quiet, "look")
	lines(t, all, []string{"init", "call Bash", "note I have looked", "told *", "say Well.", "end success"})
	if len(result.Hooks) != 1 {
		t.Errorf("%+v", result.Hooks)
	}
	if _, result := ask(t, quiet, "well?"); len(result.Hooks) != 0 {
		t.Errorf("%+v", result.Hooks)
	}
	all, result = watch(t, "look", p.with(script, looks, assent.HookEvents()))
	lines(t, all, []string{"init", "call Bash", "*wire.HookStarted", "*wire.HookResponse", "note I have looked", "told *", "say Well.", "end success"})
	if len(result.Hooks) != 1 || result.Hooks[0].HookEvent != "PreToolUse" {
		t.Errorf("%+v", result.Hooks)
	}
}

// The pieces of an answer are for who wants them.
func TestK1_Partial(t *testing.T) {
	p := newPlace(t)
	all, _ := watch(t, "hi", p.with("turns: []\nafterwards: Hello there.\n", assent.Partial()))
	if pieces := strings.Count(strings.Join(all, "\n"), "*wire.StreamEvent"); pieces < 4 {
		t.Errorf("%q", all)
	}
}
