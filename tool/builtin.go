package tool

import (
	"embed"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/permission"
)

//go:embed schema/*.json
var schemas embed.FS

// builtin lists the tools in the order in which they are shown.
var builtin = []*Definition{
	define("Bash", permission.Shell, "command"),
	define("Read", permission.Read, "file_path"),
	define("Write", permission.Edit, "file_path"),
	define("Edit", permission.Edit, "file_path"),
	define("NotebookEdit", permission.Edit, "notebook_path"),
	define("Glob", permission.Search, "path"),
	define("Grep", permission.Search, "path"),
	define("WebFetch", permission.Fetch, "url"),
	define("WebSearch", permission.Lookup, "query"),
	define("Task", permission.Agent, "subagent_type"),
	define("Agent", permission.Agent, "subagent_type"),
	define("Skill", permission.Other, "skill"),
	define("SlashCommand", permission.Other, "command"),
	define("AskUserQuestion", permission.Person, ""),
	define("ExitPlanMode", permission.Person, ""),
	define("EnterPlanMode", permission.Session, ""),
	define("TodoWrite", permission.Session, ""),
	define("TaskCreate", permission.Session, ""),
	define("TaskGet", permission.Session, ""),
	define("TaskList", permission.Session, ""),
	define("TaskUpdate", permission.Session, ""),
	define("TaskOutput", permission.Session, ""),
	define("TaskStop", permission.Process, ""),
	define("BashOutput", permission.Session, ""),
	define("KillShell", permission.Process, ""),
	define("ListMcpResourcesTool", permission.Other, ""),
	define("ReadMcpResourceTool", permission.Other, "uri"),
}

// Builtin returns the built-in tools.
func Builtin() []*Definition {
	return slices.Clone(builtin)
}

func define(name string, kind permission.Kind, subject string) *Definition {
	return &Definition{name: name, kind: kind, subject: subject}
}

var _ permission.Tools = (*Set)(nil)

// Set is a collection of tools, looked up by their exact names.
type Set struct {
	byName map[string]*Definition
}

// NewSet makes a set. Two tools of one name are a mistake of the caller's that
// would make it a matter of luck which schema holds.
func NewSet(tools ...*Definition) (*Set, error) {
	s := &Set{byName: make(map[string]*Definition, len(tools))}
	for _, t := range tools {
		if _, twice := s.byName[t.name]; twice {
			return nil, fmt.Errorf("tool %q is defined twice", t.name)
		}
		s.byName[t.name] = t
	}
	return s, nil
}

// Lookup finds a tool. Names are exact: "bash" is no tool.
func (s *Set) Lookup(name string) (permission.Tool, bool) {
	t, ok := s.byName[name]
	if !ok {
		return nil, false // not a nil *Definition, which would be a tool
	}
	return t, true
}
