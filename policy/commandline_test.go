package policy

import (
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

func cliRule(t *testing.T, text string, b rule.Behavior) rule.Rule {
	t.Helper()
	r, _, err := rule.Read(text, b, rule.Origin{Source: rule.CLIArg})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What the command line says holds beside permissions that a query brings.
func TestCommandLineHoldsBesideGivenPermissions(t *testing.T) {
	for _, c := range []struct {
		name, call string
		flags      func(*Checker)
		query      permission.Mode
		p          Permissions
		want       permission.Behavior
	}{
		{"nothing", "Bash(make)", func(*Checker) {}, 0, Permissions{}, permission.Ask},
		{"--deny", "Bash(make)", func(c *Checker) { c.Rules = []rule.Rule{cliRule(t, "Bash(make)", rule.Deny)} }, 0, Permissions{Allow: []string{"Bash"}}, permission.Deny},
		{"--ask", "Bash(make)", func(c *Checker) { c.Rules = []rule.Rule{cliRule(t, "Bash(make)", rule.Ask)} }, 0, Permissions{Allow: []string{"Bash"}}, permission.Ask},
		{"--allow", "Bash(make)", func(c *Checker) { c.Rules = []rule.Rule{cliRule(t, "Bash(make)", rule.Allow)} }, 0, Permissions{}, permission.Allow},
		{"--allow does not beat a deny", "Bash(make)", func(c *Checker) { c.Rules = []rule.Rule{cliRule(t, "Bash(make)", rule.Allow)} }, 0, Permissions{Deny: []string{"Bash"}}, permission.Deny},
		{"--disallowedTools", "Bash(make)", func(c *Checker) { c.Settings.DisallowedTools = []string{"Read(x), Bash(make)"} }, 0, Permissions{Allow: []string{"Bash"}}, permission.Deny},
		{"--allowedTools", "Bash(make)", func(c *Checker) { c.Settings.AllowedTools = []string{"Read(x) Bash(make)"} }, 0, Permissions{}, permission.Allow},
		{"--mode", "Bash(make)", func(c *Checker) { c.Settings.Mode = permission.Plan }, 0, Permissions{}, permission.Deny},
		{"the query's own mode", "Bash(make)", func(c *Checker) { c.Settings.Mode = permission.BypassPermissions }, permission.Plan, Permissions{}, permission.Deny},
		{"without --add-dir", "Read(/opt/x)", func(*Checker) {}, 0, Permissions{}, permission.Ask},
		{"--add-dir", "Read(/opt/x)", func(c *Checker) { c.Settings.AddDirs = []string{"/opt"} }, 0, Permissions{}, permission.Allow},
		{"a relative --add-dir", "Read(../other/x)", func(c *Checker) { c.Settings.AddDirs = []string{"", "../other"} }, 0, Permissions{}, permission.Allow},
	} {
		t.Run(c.name, func(t *testing.T) {
			checker := newTestChecker(t)
			c.flags(checker)
			call, err := ParseCall(c.call)
			if err != nil {
				t.Fatal(err)
			}
			j := judged(t, checker, Query{Tool: call.Tool, Input: call.Input, Mode: c.query, Permissions: &c.p})
			if j.Decision.Behavior != c.want {
				t.Errorf("got %v because %s, want %v", j.Decision.Behavior, j.Decision.Message(), c.want)
			}
		})
	}
}

// A malformed rule of the command line asks for its tool here, too, and is told
// once.
func TestMalformedCommandLineBesideGivenPermissions(t *testing.T) {
	c := newTestChecker(t)
	c.Settings.DisallowedTools = []string{"Bash(make"}
	var told []settings.Report
	c.Notice = func(reports []settings.Report) { told = append(told, reports...) }
	for _, p := range []Permissions{{Allow: []string{"Bash"}}, {Allow: []string{"Bash", "Read"}}} {
		if j := judged(t, c, Query{Tool: "Bash", Input: []byte(`{"command":"make"}`), Permissions: &p}); j.Decision.Behavior != permission.Ask {
			t.Errorf("got %v", j.Decision.Behavior)
		}
	}
	if len(told) != 1 || told[0].Kind != settings.MalformedRule {
		t.Errorf("told %v", told)
	}
}

func TestMalformedRuleNotes(t *testing.T) {
	for text, want := range map[string]string{
		"":         `deny rule "" is malformed: it is empty; write Tool or Tool(content), for example Bash(npm test), so every call of every tool asks`,
		"Bash(x":   `deny rule "Bash(x" is malformed: the ")" is missing; did you mean Bash(x)?, so every Bash call asks`,
		"Bash(ok)": "",
	} {
		if _, note, _ := readRule(text, rule.Deny, rule.ProjectSettings); note != want {
			t.Errorf("%q: got %q, want %q", text, note, want)
		}
	}
}
