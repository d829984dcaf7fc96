package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/tool"
)

// errLateAgents: the model has been told which kinds there are.
var errLateAgents = errors.New("agents can only be added before the first prompt")

// AddAgents adds kinds of sub-agents, as those of a host. One takes the place of another
// that has its name. It must happen before the first prompt.
func (a *Agent) AddAgents(more []Definition) error {
	for i, d := range more {
		if d.Name == "" || d.Prompt == "" {
			return errors.New("an agent needs a name and a prompt")
		}
		if slices.ContainsFunc(more[:i], func(other Definition) bool { return other.Name == d.Name }) {
			return fmt.Errorf("two agents are called %s", d.Name)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.prompted {
		return errLateAgents
	}
	kept := slices.DeleteFunc(slices.Clone(a.config.Agents), func(d Definition) bool {
		return slices.ContainsFunc(more, func(other Definition) bool { return other.Name == d.Name })
	})
	a.config.Agents = append(kept, more...)
	listed := slices.Clone(a.config.Environment.Agents)
	for _, d := range more {
		if !slices.Contains(listed, d.Name) {
			listed = append(listed, d.Name)
		}
	}
	a.config.Environment.Agents = listed
	return nil
}

// has: agents of this kind have the tool, if their parent does.
func (d Definition) has(tool string) bool {
	names := func(list []string) bool {
		return slices.ContainsFunc(list, func(entry string) bool { return namesTool(entry, tool) })
	}
	return (d.Tools == nil || names(d.Tools)) && !names(d.Disallowed)
}

// namesTool: an entry of a list of tools means this one. A name is the tool that has it;
// "mcp__server" is all tools of a server, and * stands for anything.
func namesTool(entry, tool string) bool {
	if entry == "Agent" { // another name for the tool that starts agents
		entry = "Task"
	}
	entry = rule.ToolPattern(entry)
	server, remote := strings.CutPrefix(entry, "mcp__")
	switch {
	case strings.Contains(entry, "*"):
		return fits(entry, tool) || tool == "Task" && fits(entry, "Agent")
	case remote && !strings.Contains(server, "__"):
		return strings.HasPrefix(tool, entry+"__")
	}
	return entry == tool
}

// fits: the name is what the pattern says; * stands for anything.
func fits(pattern, name string) bool {
	pieces := strings.Split(pattern, "*")
	first, last := pieces[0], pieces[len(pieces)-1]
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		_, after, found := strings.Cut(name, piece)
		if !found {
			return false
		}
		name = after
	}
	return true
}

// Unknown are the entries of Disallowed that mean no tool at all. Nobody knows what was
// to be taken away by them. Tools of servers may come later, so a name of one is known.
func (d Definition) Unknown() []string {
	return slices.DeleteFunc(slices.Clone(d.Disallowed), func(entry string) bool {
		if rest, remote := strings.CutPrefix(entry, "mcp__"); remote {
			return rest != ""
		}
		return slices.ContainsFunc(tool.Builtin(), func(b *tool.Definition) bool { return namesTool(entry, b.Name()) })
	})
}

// modelFor is the first model of the names that is one, else the agent's own.
func (a *Agent) modelFor(names ...string) string {
	for _, name := range names {
		switch {
		case name == "" || name == "inherit":
		case a.config.ResolveModel != nil:
			return a.config.ResolveModel(name)
		default:
			return name
		}
	}
	return a.Model()
}
