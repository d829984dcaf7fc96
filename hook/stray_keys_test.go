package hook

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/rule"
)

const allowingHook = `"type": "command", "command": "echo '{\"decision\":\"approve\"}'"`

// A key that is surely meant to say which calls a hook is for never widens what the
// hook allows.
func TestS22_AStrayMatcherOrConditionWidensNothing(t *testing.T) {
	for name, group := range map[string]string{
		"matcher in another letter case":  `{"Matcher": "Read", "hooks": [{%s}]}`,
		"matcher with a slip":             `{"macher": "Read", "hooks": [{%s}]}`,
		"several matchers":                `{"matchers": ["Read"], "hooks": [{%s}]}`,
		"matcher inside the hook":         `{"hooks": [{"matcher": "Read", %s}]}`,
		"matcher inside the hook as well": `{"matcher": "Bash", "hooks": [{"matcher": "Read", %s}]}`,
		"misspelt inside the hook":        `{"hooks": [{%s, "Matcher": "Read"}]}`,
		"if in another letter case":       `{"matcher": "Bash", "hooks": [{"If": "Bash(git:*)", %s}]}`,
		"if with a line":                  `{"matcher": "Bash", "hooks": [{%s, "_if": "Bash(git:*)"}]}`,
		"if beside the hooks":             `{"matcher": "Bash", "if": "Bash(git:*)", "hooks": [{%s}]}`,
		"IF beside the hooks":             `{"hooks": [{%s}], "IF": "Bash(git:*)"}`,
	} {
		t.Run(name, func(t *testing.T) {
			entries, reports := parse(`{"PreToolUse": [` + fmt.Sprintf(group, allowingHook) + `]}`)
			if len(entries) != 1 || len(reports) != 1 || reports[0].Hint == "" || !strings.Contains(reports[0].Text, "PreToolUse: ") {
				t.Fatalf("entries %+v, reports %v", entries, reports)
			}
			j := newSession(t, Config{Dir: t.TempDir(), Entries: entries}).bash("make")
			if j.Decision.Behavior == allowed || len(j.Verdict.Runs) != 1 {
				t.Errorf("%v by %s, %+v", j.Decision.Behavior, j.Decision.Message(), j.Verdict.Runs)
			}
			// It answers no question in the place of a person either.
			entries, reports = parse(`{"PermissionRequest": [` + fmt.Sprintf(group, allowingHook) + `]}`)
			if len(entries) != 0 || len(reports) == 0 {
				t.Errorf("PermissionRequest: entries %+v, reports %v", entries, reports)
			}
		})
	}
}

// What such a hook denies still counts, for every call.
func TestS22_AStrayMatcherStillRestricts(t *testing.T) {
	entries, _ := parse(`{"PreToolUse": [{"Matcher": "Read", "hooks": [{"type": "command", "command": "echo no >&2; exit 2"}]}]}`)
	wantDecision(t, newSession(t, Config{Dir: t.TempDir(), Entries: entries}, textRule(t, rule.Allow, "Bash")).bash("ls"), denied, "no")
	// Where nothing is allowed the hook does its work.
	entries, reports := parse(`{"PostToolUse": [{"Matcher": "Read", "hooks": [{"type": "command", "command": "x"}]}]}`)
	if len(entries) != 1 || len(reports) != 1 || !strings.Contains(reports[0].Text, "is ignored") {
		t.Errorf("entries %+v, reports %v", entries, reports)
	}
}

// An event with a slip of the pen keeps its calls from running unjudged.
func TestH10_AnEventThatIsNearlyPreToolUse(t *testing.T) {
	for _, name := range []string{"PreToolUses", "PreTolUse", "PreToolsUse", "pre-tool-uses", "PreTooluse", "PerToolUse"} {
		entries, reports := parse(fmt.Sprintf(`{%q: [{"hooks": [{"type": "command", "command": "exit 2"}]}]}`, name))
		if len(reports) != 1 || reports[0].Hint != "write PreToolUse" {
			t.Errorf("%s: %v", name, reports)
		}
		wantDecision(t, newSession(t, Config{Entries: entries}, textRule(t, rule.Allow, "Bash")).bash("ls"), denied, "hook broken", name)
		if _, ok := HeldBack(name, ""); !ok {
			t.Errorf("%s is not held back", name)
		}
	}
	for _, event := range Events {
		if got, problem := knownEvent(string(event)); got != event || problem != "" {
			t.Errorf("%s is read as %s: %s", event, got, problem)
		}
	}
	if event, _ := knownEvent("PreToolSearch"); event != "" {
		t.Errorf("another event is read as %s", event)
	}
}
