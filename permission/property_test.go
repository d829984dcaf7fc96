package permission_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Generators of rules and commands that overlap often enough to be interesting. Whatever
// stands around a command leaves it that command: "sudo ! rm" would be a program called
// "!", so the exclamation mark comes with braces, which nothing takes for words.
var (
	programs = rapid.SampledFrom([]string{"rm", "git", "npm", "make", "echo", "cat", "ls"})
	argument = rapid.SampledFrom([]string{"push", "test", "x", "-rf", "--force", "$X", "*", "'a b'", "\"$(git push)\"", "src/a.go"})
	wrap     = rapid.SampledFrom([]string{"%s", "sudo %s", "timeout 5 %s", "(%s)", "env A=1 %s", "bash -c '%s'", "%s && ls", "true | %s", "{ ! %s; }", "command %s", "xargs %s", "{ %s; }"})
)

func drawCommand(t *rapid.T) string {
	text := programs.Draw(t, "program")
	for range rapid.IntRange(0, 2).Draw(t, "arguments") {
		text += " " + argument.Draw(t, "argument")
	}
	for range rapid.IntRange(0, 2).Draw(t, "wrappers") {
		text = fmt.Sprintf(wrap.Draw(t, "wrapper"), text)
	}
	return text
}

func drawRule(t *rapid.T) string {
	program := programs.Draw(t, "rule program")
	return rapid.SampledFrom([]string{
		"Bash", "Bash(" + program + ":*)", "Bash(" + program + " *)", "Bash(" + program + " push:*)", "Bash(" + program + " test)",
		"Bash(* --force)", "Bash(" + program + "*)", "Read(/src/**)", "Edit(x)", "Read(*.go)", "Bash(malformed",
	}).Draw(t, "rule")
}

func drawRules(t *rapid.T, name string) []string {
	return rapid.SliceOfN(rapid.Custom(drawRule), 0, 3).Draw(t, name)
}

// strictness orders behaviours: a larger one lets less through.
func strictness(b permission.Behavior) int {
	switch b {
	case permission.Allow:
		return 0
	case permission.Ask, permission.Defer:
		return 1
	}
	return 2
}

func drawMode(t *rapid.T) permission.Mode {
	return rapid.SampledFrom([]permission.Mode{permission.Default, permission.AcceptEdits, permission.Plan, permission.Auto, permission.BypassPermissions, permission.DontAsk}).Draw(t, "mode")
}

func TestPropertyRestrictingNeverLoosens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := lists{Allow: drawRules(rt, "allow"), Ask: drawRules(rt, "ask"), Deny: drawRules(rt, "deny")}
		mode := drawMode(rt)
		command := drawCommand(rt)
		source := rapid.SampledFrom(rule.Sources[:]).Draw(rt, "source")
		extra := drawRule(rt)
		before := newWorld(t, rules, inMode(mode)).bash(command)
		for _, behavior := range []rule.Behavior{rule.Deny, rule.Ask} {
			after := newWorld(t, rules, inMode(mode), func(c *permission.Config) {
				more := lists{Deny: []string{extra}}
				if behavior == rule.Ask {
					more = lists{Ask: []string{extra}}
				}
				c.Rules = append(c.Rules, read(t, source, more)...)
			}).bash(command)
			if strictness(after.Behavior) < strictness(before.Behavior) {
				rt.Fatalf("%v %s of %v loosens %q from %v to %v (%s)", behavior, extra, source, command, before.Behavior, after.Behavior, after.Message())
			}
		}
	})
}

// Ask is a floor: an allow rule, from wherever, never turns it into an allow.
func TestPropertyAskIsAFloor(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := lists{Ask: drawRules(rt, "ask"), Deny: drawRules(rt, "deny")}
		mode := drawMode(rt)
		command := drawCommand(rt)
		before := newWorld(t, rules, inMode(mode)).bash(command)
		if before.Reason.Kind != permission.ByRule && before.Reason.Kind != permission.ByMaybeRule && before.Reason.Kind != permission.BySafety {
			return
		}
		rules.Allow = append(drawRules(rt, "allow"), "Bash")
		after := newWorld(t, rules, inMode(mode)).bash(command)
		if strictness(after.Behavior) < strictness(before.Behavior) {
			rt.Fatalf("allow rules loosen %q from %v (%s) to %v", command, before.Behavior, before.Message(), after.Behavior)
		}
	})
}

// Wrapping a command never lets more through.
func TestPropertyWrappingNeverLoosens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := lists{Allow: drawRules(rt, "allow"), Ask: drawRules(rt, "ask"), Deny: drawRules(rt, "deny")}
		w := newWorld(t, rules, inMode(drawMode(rt)))
		command := drawCommand(rt)
		before := w.bash(command)
		if before.Behavior != permission.Deny || before.Reason.Kind != permission.ByRule {
			return
		}
		wrapped := fmt.Sprintf(wrap.Draw(rt, "outer"), command)
		if after := w.bash(wrapped); after.Behavior == permission.Allow {
			rt.Fatalf("%q is denied (%s) but %q is allowed (%s)", command, before.Message(), wrapped, after.Message())
		}
	})
}
