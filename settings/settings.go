// Package settings turns settings files into what the permission engine works
// with: rules, working directories and the mode to start in.
//
// Start with [Load]; [Settings.Config] is what a permission context is made of,
// [Settings.Reports] what a person should be told. [Watch] keeps the settings
// current, a [Writer] makes "always allow" last, [Trust] lets a workspace grant
// something.
//
// The promises: a file that cannot be read completely stops the start instead of
// losing a rule; one that breaks later keeps its last good content in force; a
// workspace that nobody has trusted can only restrict; what was ignored or held
// back is reported, never silent.
package settings

import (
	"slices"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Settings are the united settings of one workspace at one moment. They do not
// change; [Reload] makes new ones.
type Settings struct {
	// Files that were looked for, nearest source first, also those that do not exist.
	Files []File
	// Reports are what a person should know, in the order of the files.
	Reports []Report
	// HeldBack is what the workspace would get if somebody trusted it.
	HeldBack HeldBack
	// ProjectMCP is the object mcpServers of the workspace's .mcp.json as it was
	// trusted, without the rest of that file; empty while the workspace is not.
	ProjectMCP Value

	config permission.Config
	trust  TrustState
	texts  []text // what the files said, for the day one of them breaks
	mcp    text
}

// File is one settings file and what of it is in force.
type File struct {
	Source rule.Source
	// Path is where the file is; "--settings" for JSON on the command line.
	Path   string
	Exists bool
	// Trusted: the file may grant. Always true but for project and local files.
	Trusted bool
	// Broken is set while the last good content stands in for an unreadable file.
	Broken *BrokenError

	Directories []permission.Directory
	// Mode is defaultMode, zero when the file has none that counts.
	Mode          permission.Mode
	DisableBypass bool

	// Hooks, Env, MCPServers and Assent are objects for other packages to read;
	// empty when absent or held back.
	Hooks, Env, MCPServers, Assent Value
	DisableAllHooks                bool
	// EnableAllProjectMCP and EnabledMCP approve servers of .mcp.json, DisabledMCP switches
	// some off, trusted or not.
	EnableAllProjectMCP     bool
	EnabledMCP, DisabledMCP []string
	// UnknownKeys are the keys at the top and under "permissions" that assent gives
	// no meaning to, in the order of the file, whether the file is trusted or not.
	UnknownKeys []Key

	lists []rule.List
}

// Rules are the rules of the file that are in force.
func (f *File) Rules() []rule.Rule { return united(nil, f.lists) }

// united adds the rules of lists to others.
func united(all []rule.Rule, lists []rule.List) []rule.Rule {
	n := 0
	for i := range lists {
		n += lists[i].Len()
	}
	all = slices.Grow(all, n)
	for i := range lists {
		all = lists[i].AppendTo(all)
	}
	return all
}

// Value is a JSON value of a settings file, comments blanked out. Its line breaks
// are those of the file, so places inside it can be named.
type Value struct {
	JSON []byte
	Line int // where it starts, from 1
}

// HeldBack is what a workspace would grant but nobody has trusted.
type HeldBack struct {
	Rules       []rule.Rule
	Directories []permission.Directory
	Mode        permission.Mode
	// Hooks that do not run. A call that one of them would have judged must ask.
	Hooks           []HookMatcher
	DisableAllHooks bool
	Env             []string // names of variables
	MCPServers      []string // names of servers
	Assent          []string // keys under "assent"
}

// HookMatcher says which calls a hook is for: an empty matcher means all.
type HookMatcher struct {
	Event, Matcher string
}

// Config is what a permission context of these settings starts from. Its lists are
// the caller's own.
func (s *Settings) Config() permission.Config {
	c := s.config
	c.Rules, c.Lists = united(slices.Clone(c.Rules), c.Lists), nil
	c.Directories, c.Protected = slices.Clone(c.Directories), slices.Clone(c.Protected)
	return c
}

// Context is the permission context of these settings. change may adapt what it
// starts from, but not the lists; nil changes nothing. It is [Settings.Config] and
// NewContext without taking every rule apart.
func (s *Settings) Context(change func(*permission.Config)) (*permission.Context, error) {
	c := s.config
	if change != nil {
		change(&c)
	}
	return permission.NewContext(c)
}

// TrustState says whether the workspace may grant anything, and why.
func (s *Settings) TrustState() TrustState {
	t := s.trust
	t.Diff = slices.Clone(t.Diff)
	return t
}

// Load reads the settings. The error is a [*BrokenError] when a file is to blame.
func Load(o Options) (*Settings, error) {
	p, err := locate(o)
	if err != nil {
		return nil, err
	}
	texts := p.read()
	for _, t := range texts {
		if t.broken != nil && t.selected {
			return nil, t.broken
		}
	}
	return assemble(p, texts, p.readMCP()), nil
}
