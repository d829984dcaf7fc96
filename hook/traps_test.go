package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// The mistakes that authors of hooks make, and what becomes of each.

// A hook that prints "Blocked!" and returns {} does not block, and its author can see
// why.
func TestEmptyReturnInsteadOfDeny(t *testing.T) {
	s := newSession(t, Config{Entries: before(exiting(0, "Blocked delete_account!\n{}", ""))}, textRule(t, rule.Allow, "mcp__crm__delete_account"))
	j := s.judge("mcp__crm__delete_account", `{}`)
	wantDecision(t, j, allowed)
	wantNote(t, j.Verdict.Runs[0], "decides nothing")
	if run := j.Verdict.Runs[0]; run.Decision != permission.Pass || !strings.Contains(run.Stdout, "Blocked") {
		t.Errorf("on record: %+v", run)
	}
	s = newSession(t, Config{Entries: before(printing("block_delete", "{}"))}, textRule(t, rule.Allow, "mcp__crm__delete_account"))
	if j := s.judge("mcp__crm__delete_account", `{}`); len(j.Verdict.Runs[0].Notes) != 0 || j.Decision.Behavior != allowed {
		t.Errorf("{} is no opinion: %+v", j.Verdict.Runs[0])
	}
}

func TestUpdatedInputRequiresAllow(t *testing.T) {
	s := newSession(t, Config{Entries: before(printing("sandbox", `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"file_path": "/sandbox/main.py"}}}`))})
	j := s.judge("Write", `{"file_path": "/src/main.py", "content": "x"}`)
	wantJSON(t, j.Input, `{"file_path": "/src/main.py", "content": "x"}`)
	wantNote(t, j.Verdict.Runs[0], `updatedInput is ignored: it counts only together with "permissionDecision": "allow"`)
}

func TestUpdatedInputIsPartial(t *testing.T) {
	s := newSession(t, Config{Entries: before(printing("sandbox",
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"file_path": "/sandbox/src/main.py"}}}`))})
	j := s.judge("Write", `{"file_path": "/src/main.py", "content": "x"}`)
	wantDecision(t, j, allowed)
	wantJSON(t, j.Input, `{"file_path": "/sandbox/src/main.py", "content": "x"}`)
	if path := j.Call.Path().Given; path != "/sandbox/src/main.py" {
		t.Errorf("what would run writes to %s", path)
	}
}

// Keys that nobody knows say something that nobody heard.
func TestCustomJSONIsBroken(t *testing.T) {
	for _, text := range []string{`{"error": "too much", "blocked": true}`, `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "blocked": true}}`, `{"permission": "deny"}`} {
		s := newSession(t, Config{Entries: before(printing("custom", text))}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("ls"), denied, "hook broken: callback custom", "no key that is known")
	}
}

func TestWrongValuesAreBroken(t *testing.T) {
	for _, word := range []string{"reject", "block", "cancel", "Deny", "DENY", "", "allow "} {
		text := fmt.Sprintf(`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": %q}}`, word)
		s := newSession(t, Config{Entries: before(printing("words", text))}, textRule(t, rule.Allow, "Bash"))
		if word == "" {
			continue // says nothing
		}
		wantDecision(t, s.bash("ls"), denied, "hook broken: callback words", "allow, deny, ask or defer")
	}
	// The decision in the wrong place or letter case is none, and the call does not run.
	for _, text := range []string{`{"permissionDecision": "deny"}`, `{"hookSpecificOutput": {"permissiondecision": "deny"}}`, `{"decision": "deny"}`, `{"hookSpecificOutput": {"decision": "deny"}}`} {
		s := newSession(t, Config{Entries: before(printing("words", text))}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("ls"), denied, "hook broken: callback words")
	}
}

func TestExceptionDoesNotAllow(t *testing.T) {
	for name, f := range map[string]Func{
		"error": func(context.Context, Invocation) (Output, error) {
			return Allow(), errors.New("ValueError: bad amount")
		},
		"panic": func(context.Context, Invocation) (Output, error) { panic("ValueError: bad amount") },
	} {
		s := newSession(t, Config{Entries: before(Function{Label: "check", Func: f})}, textRule(t, rule.Allow, "Bash")).inMode(permission.BypassPermissions)
		j := s.bash("ls")
		wantDecision(t, j, denied, "hook broken: function check", "ValueError: bad amount")
		if strings.Contains(j.Decision.Message(), "user") {
			t.Errorf("%s: it sounds as if a person had refused: %s", name, j.Decision.Message())
		}
	}
}

func TestDenyGuidesTheModel(t *testing.T) {
	const guide = "Refund exceeds $500 limit. Please use the escalate_to_human tool instead, including customer ID, order ID, refund amount, and reason."
	j := newSession(t, Config{Entries: before(saying("limit", Deny(guide)))}).judge("process_refund", `{"amount": 700}`)
	if j.Decision.Behavior != denied || j.Decision.Message() != guide {
		t.Errorf("the model reads %q", j.Decision.Message())
	}
}

func TestMCPNamePrefixTrap(t *testing.T) {
	for matcher, want := range map[string][2]bool{
		"process_refund":   {true, false},
		".*process_refund": {true, true},
		"process_refund|mcp__payments__process_refund": {true, true},
	} {
		s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Matcher: mustMatcher(t, matcher), Handler: saying("limit", Deny("no"))}}})
		for i, name := range []string{"process_refund", "mcp__payments__process_refund"} {
			if got := s.judge(name, `{}`).Decision.Behavior == denied; got != want[i] {
				t.Errorf("%s catches %s: %v, want %v", matcher, name, got, want[i])
			}
		}
	}
}

func TestTwoDenialsBothReachTheModel(t *testing.T) {
	s := newSession(t, Config{Entries: before(saying("verified", Deny("Customer not verified")), saying("limit", Deny("Refund exceeds limit")))})
	j := s.judge("process_refund", `{}`)
	if want := "1. Customer not verified\n2. Refund exceeds limit"; j.Decision.Message() != want {
		t.Errorf("the model reads %q, want %q", j.Decision.Message(), want)
	}
	if len(j.Verdict.Denials) != 2 {
		t.Errorf("denials %q", j.Verdict.Denials)
	}
}

func TestSilentModificationIsOnRecord(t *testing.T) {
	out, err := AllowWith(map[string]string{"classification": "confidential"})
	if err != nil {
		t.Fatal(err)
	}
	j := newSession(t, Config{Entries: before(saying("tag", out))}).judge("mcp__docs__extract", `{"page": 1}`)
	if len(j.Verdict.Changes) != 1 || j.Verdict.Changes[0].Hook != "function tag" || j.Verdict.Changes[0].Keys[0] != "classification" ||
		j.Verdict.Changes[0].Before == j.Verdict.Changes[0].After || j.Verdict.Announce {
		t.Errorf("changes %+v, announced %v", j.Verdict.Changes, j.Verdict.Announce)
	}
	if j = newSession(t, Config{Entries: before(saying("tag", out.Announced()))}).judge("mcp__docs__extract", `{"page": 1}`); !j.Verdict.Announce {
		t.Error("the hook asked for the change to be shown")
	}
}

// One hook learns how long somebody has been a customer, the other one decides by it.
func TestH12_SharedStateForGraduatedPolicies(t *testing.T) {
	limits := map[string]int{"new": 100, "regular": 300, "vip": 1000}
	learn := Typed("tenure", func(_ context.Context, in PostToolUseInput, call Invocation) (Output, error) {
		var customer struct{ Tenure string }
		if err := json.Unmarshal(in.ToolResponse, &customer); err != nil {
			return Output{}, err
		}
		return Output{}, call.State.Merge([]byte(fmt.Sprintf(`{"tenure": %q}`, customer.Tenure)))
	})
	limit := Typed("limit", func(_ context.Context, in PreToolUseInput, call Invocation) (Output, error) {
		var refund struct{ Amount int }
		if err := json.Unmarshal(in.ToolInput, &refund); err != nil {
			return Output{}, err
		}
		value, err := call.State.Get("tenure")
		if err != nil {
			return Output{}, err
		}
		var tenure string
		if value == nil {
			return Deny("look the customer up first, with get_customer"), nil
		}
		if err := json.Unmarshal(value, &tenure); err != nil {
			return Output{}, err
		}
		if refund.Amount > limits[tenure] {
			return Deny(fmt.Sprintf("a %s customer gets at most $%d", tenure, limits[tenure])), nil
		}
		return Allow(), nil
	})
	for tenure, most := range limits {
		s := newSession(t, Config{State: MemoryState(), Entries: []Entry{
			{Event: PostToolUse, Matcher: mustMatcher(t, "get_customer"), Handler: learn},
			{Event: PreToolUse, Matcher: mustMatcher(t, ".*process_refund"), Handler: limit},
		}})
		wantDecision(t, s.judge("process_refund", `{"amount": 1}`), denied, "look the customer up first")
		s.run(PostToolUseInput{ToolName: "get_customer", ToolResponse: strictjson.Raw(fmt.Sprintf(`{"tenure": %q}`, tenure))})
		wantDecision(t, s.judge("process_refund", fmt.Sprintf(`{"amount": %d}`, most)), allowed)
		wantDecision(t, s.judge("process_refund", fmt.Sprintf(`{"amount": %d}`, most+1)), denied, tenure)
	}
}

// What ran cannot be undone: a block at PostToolUse is news for the model, and a
// decision about the call is the mistake of its author.
func TestPostToolUseCannotBlockWhatRan(t *testing.T) {
	s := newSession(t, Config{Entries: entriesAt(PostToolUse, saying("late", Block("that domain is off limits")))})
	v := s.run(PostToolUseInput{ToolName: "WebFetch"})
	if v.Permission.Behavior != permission.Pass || v.Denials != nil || !v.Block || fmt.Sprint(v.Feedback) != "[that domain is off limits]" {
		t.Errorf("%+v", v)
	}
	v = newSession(t, Config{Entries: entriesAt(PostToolUse, saying("late", Deny("no")))}).run(PostToolUseInput{ToolName: "WebFetch"})
	if v.Permission.Behavior != permission.Pass || v.Runs[0].Outcome != Broken || !strings.Contains(fmt.Sprint(v.Messages), "permissionDecision has no meaning at PostToolUse") {
		t.Errorf("%+v", v)
	}
}

// Before the tool has run there is no result to change.
func TestPreToolUseCannotChangeAResult(t *testing.T) {
	out, _ := ReplaceResult("2026-01-01")
	v := newSession(t, Config{Entries: before(saying("early", out))}).run(bashInput("date"))
	if v.ToolOutput != nil {
		t.Error("a result is replaced that does not exist")
	}
	wantNote(t, v.Runs[0], "updatedToolOutput has no meaning at PreToolUse")
}

// A hook for known threats and a prompt for the rest: the hook does its half in every
// mode.
func TestHookCatchesKnownThreatsInEveryMode(t *testing.T) {
	guard := Typed("threats", func(_ context.Context, in PreToolUseInput, _ Invocation) (Output, error) {
		if strings.Contains(string(in.ToolInput), "drop database") {
			return Deny("destructive"), nil
		}
		return Output{}, nil
	})
	s := newSession(t, Config{Entries: before(guard)}, textRule(t, rule.Allow, "Bash"))
	for mode := permission.Default; mode < permission.Bubble; mode++ {
		wantDecision(t, s.inMode(mode).bash("psql -c 'drop database x'"), denied, "destructive")
	}
}
