package assent_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
)

// TestK1_NamesOfNoTool: a guard for a tool that is not there never runs, and nobody would
// miss it.
func TestK1_NamesOfNoTool(t *testing.T) {
	hears := func(event hook.Event, matcher string) assent.Option {
		return assent.OnEvent(event, matcher, noteTo(new([]string)))
	}
	for name, tt := range map[string]struct {
		option assent.Option
		warns  []string // all of them; none for no warning
	}{
		"a rule":               {assent.Deny("Bsah"), []string{`assent.Deny("Bsah")`, "did you mean Bash?"}},
		"a rule with content":  {assent.Deny("Bsah(rm:*)"), []string{`assent.Deny("Bsah(rm:*)")`, "did you mean Bash(rm:*)?"}},
		"an allow rule":        {assent.Allow("Raed"), []string{"assent.Allow", "Read"}},
		"an ask rule":          {assent.Ask("Wirte(x)"), []string{"assent.Ask", "Write"}},
		"a rule far off":       {assent.Deny("Frobnicate"), []string{"Frobnicate", "names no tool"}},
		"a matcher":            {hears(hook.PreToolUse, "Bsah"), []string{"PreToolUse", `"Bsah"`, "did you mean Bash?"}},
		"one of a list":        {hears(hook.PostToolUse, "Edit|Wirte"), []string{"PostToolUse", `"Wirte"`, "Write"}},
		"an MCP matcher":       {hears(hook.PreToolUse, "mcp__own"), []string{`"mcp__own"`, "mcp__own__.*"}},
		"a rule of a server":   {assent.Deny("mcp__own__helo"), []string{"mcp__own__helo", "mcp__own__hello"}},
		"a matcher of it":      {hears(hook.PreToolUse, "mcp__own__helo"), []string{"mcp__own__helo", "mcp__own__hello"}},
		"what is there":        {assent.Options(assent.Deny("Bash(rm:*)", "mcp__own", "mcp__own__hello", "mcp__own__*"), hears(hook.PreToolUse, "Edit|Write|mcp__own__hello")), nil},
		"what may come":        {assent.Options(assent.Deny("mcp__far__away"), hears(hook.PreToolUse, "mcp__far__away")), nil},
		"both names of a tool": {assent.Options(assent.Deny("Agent(x)"), hears(hook.PreToolUse, "Agent|Task")), nil},
		"an expression":        {hears(hook.PreToolUse, "Bsa.*"), nil},
		"another event":        {hears(hook.SessionStart, "startup"), nil},
		"everything":           {hears(hook.PreToolUse, ""), nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			_, warnings := warned(t, p.with("turns: []\nafterwards: Hello.\n", tt.option, assent.Serve("own", hello(t))))
			if tt.warns == nil && warnings != "" {
				t.Errorf("warned: %q", warnings)
			}
			for _, part := range tt.warns {
				if !strings.Contains(warnings, part) {
					t.Errorf("%q is not in %q", part, warnings)
				}
			}
		})
	}
}
