package assent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/tool"
)

// misnamed says which rules and hooks of the program name tools that are not there: a guard
// for one never runs, and nobody would miss it. It is no error, because servers may have
// more tools than anybody knows beforehand.
func (c *config) misnamed() []string {
	known := c.toolNames()
	var found []string
	for _, list := range []struct {
		option string
		rules  []string
	}{{"Allow", c.Settings.AllowedTools}, {"Ask", c.Settings.AskTools}, {"Deny", c.Settings.DisallowedTools}} {
		for _, text := range list.rules {
			r, err := rule.Parse(text)
			if err != nil || c.names(r.Tool, known) {
				continue
			}
			what := fmt.Sprintf("assent.%s(%q) names no tool", list.option, text)
			near := policy.Nearest(r.Tool, known)
			if near != "" {
				near += strings.TrimPrefix(text, r.Tool)
			}
			found = append(found, what+meant(near))
		}
	}
	for _, e := range c.hooks {
		found = append(found, c.misnamedBy(e, known)...)
	}
	return found
}

// misnamedBy looks at the names for which a hook runs. They are compared exactly; a regular
// expression has none.
func (c *config) misnamedBy(e hook.Entry, known []string) []string {
	if !e.Event.AboutTool() {
		return nil
	}
	var found []string
	for _, name := range e.Matcher.Names() {
		server, ofServer := strings.CutPrefix(name, "mcp__")
		switch {
		case ofServer && !strings.Contains(server, "__"):
			found = append(found, fmt.Sprintf("the matcher %q of a %s hook is a whole name, and no tool of a server is called that%s", name, e.Event, meant(name+"__.*")))
		case !c.names(name, known):
			found = append(found, fmt.Sprintf("the matcher %q of a %s hook names no tool, so that the hook never runs for it%s", name, e.Event, meant(policy.Nearest(name, known))))
		}
	}
	return found
}

func meant(near string) string {
	if near == "" {
		return " (a tool of a server is called mcp__SERVER__TOOL)"
	}
	return fmt.Sprintf(" (did you mean %s?)", near)
}

// toolNames are the tools that are sure to be there.
func (c *config) toolNames() []string {
	var names []string
	for _, t := range tool.Builtin() {
		names = append(names, t.Name())
	}
	for _, f := range c.functions {
		names = append(names, f.Names()...)
	}
	return names
}

// names: there is a tool of that name, or may be. Only servers of this program are known.
func (c *config) names(name string, known []string) bool {
	if slices.Contains(known, name) || strings.Contains(name, "*") || policy.FormerTool(name) != "" {
		return true
	}
	server, ofServer := strings.CutPrefix(name, "mcp__")
	if !ofServer {
		return false
	}
	server, tool, _ := strings.Cut(server, "__")
	for _, f := range c.functions {
		if f.Server() == server {
			return tool == ""
		}
	}
	return true
}
