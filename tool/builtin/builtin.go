// Package builtin is the built-in tools at work: it runs commands, reads and
// writes files, searches them and fetches pages. What may run is decided
// elsewhere, before; a tool of this package does what it was told and no more.
//
// Start with [New]. Every tool has its own file, and the text the model reads
// about it stands in description/NAME.md.
//
// The promises: what was judged is what is touched. A file is opened at the place
// the engine has looked at, without following a link that somebody put there since.
// Whatever a tool starts has ended when it returns, except for processes that have
// left the group of their command (setsid), which are out of reach: the result says so
// where it can be seen. No input makes a tool use more memory than its limits say.
package builtin

import (
	"net/http"

	"github.com/assent-dev/assent/tool"
)

// Options are what the tools of one session need to know.
type Options struct {
	// Home is the user's home directory: "~" in paths.
	Home string
	// Env is added to the environment of commands: "NAME=value".
	Env []string
	// Secrets are the names of variables that no command gets, wherever they come from;
	// nil means those that hold the keys of the models. What opens the inbox is never handed on.
	Secrets []string
	// Files remembers what the model has seen of files; nil means a new memory.
	Files *Files
	// Tasks is the list of tasks; nil means a new one.
	Tasks *Tasks
	// HTTP fetches pages; nil means a client with the package's limits.
	HTTP *http.Client
}

// New makes the tools of a session.
func New(o Options) []tool.Runner {
	if o.Files == nil {
		o.Files = NewFiles()
	}
	if o.Tasks == nil {
		o.Tasks = NewTasks()
	}
	return append([]tool.Runner{
		newBash(o), newRead(o), newWrite(o), newEdit(o), newNotebookEdit(o), newGlob(o), newGrep(o), newWebFetch(o),
		newTodoWrite(), newAskUserQuestion(), newEnterPlanMode(), newExitPlanMode(),
	}, newTaskTools(o.Tasks)...)
}

// base is what all tools have in common: what package tool knows about them, and
// their description.
type base struct{ *tool.Definition }

// newBase finds the definition of a tool. A name without one is a mistake in this
// package, which every test would meet.
func newBase(name string) base {
	for _, d := range tool.Builtin() {
		if d.Name() == name {
			return base{d}
		}
	}
	panic("builtin: no definition of the tool " + name)
}

// Description is the text in description/NAME.md.
func (b base) Description() string { return description(b.Name()) }
