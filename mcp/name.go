package mcp

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// maxToolName is what the Messages API takes.
const maxToolName = 128

// toolName is the name of a server's tool for the model and for rules.
func toolName(server, tool string) string { return rule.ToolName("mcp__" + server + "__" + tool) }

// named gives every tool of a list its name; "" and a note for those that are left out.
// A name that had to be changed never takes the place of one that is written so: a rule
// means the tool that really has the name. Two that become the same by the change are
// both left out, as nobody could tell which one a rule means.
func named(server string, tools []string) (names, notes []string) {
	names = make([]string, len(tools))
	exact, changed := map[string]bool{}, map[string]int{}
	leaveOut := func(i int, why string) {
		names[i] = ""
		notes = append(notes, fmt.Sprintf("the tool %s is left out: %s", quoted(tools[i]), why))
	}
	for i, tool := range tools {
		names[i] = toolName(server, tool)
		if strings.HasSuffix(names[i], "__"+tool) {
			continue
		}
		changed[names[i]]++
	}
	for i, tool := range tools {
		name, isExact := names[i], strings.HasSuffix(names[i], "__"+tool)
		switch {
		case tool == "":
			leaveOut(i, "it has no name")
		case len(name) > maxToolName:
			leaveOut(i, fmt.Sprintf("the name %s… has %d characters, more than %d", name[:40], len(name), maxToolName))
		case isExact && exact[name]:
			leaveOut(i, "the server lists it twice")
		case isExact:
			exact[name] = true
		}
	}
	for i, tool := range tools {
		name := names[i]
		if name == "" || strings.HasSuffix(name, "__"+tool) {
			continue
		}
		if exact[name] || changed[name] > 1 {
			leaveOut(i, "another one has the name "+name+", too")
		}
	}
	return names, notes
}

// quoted shows a text of a server to a person: on one line, not too long.
func quoted(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
