package settings

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Options say where settings come from.
type Options struct {
	// Dir is the project directory, which is the working directory: absolute.
	Dir string
	// Home is the user's home directory; empty means that there is no user.
	Home string
	// ConfigDir is the user's directory of settings, commands and agents, absolute; empty
	// means Home/.claude. Programs take it from [ConfigDirVariable], together with Home.
	ConfigDir string
	// LoginShell is the program in which other agents run their commands, unless the
	// settings name another one: the path of $SHELL.
	LoginShell string
	// StateDir is where trust and locks are kept; empty means Home/.assent.
	StateDir string
	// ManagedFiles are the administrator's files; nil means [DefaultManagedFiles]. Those of
	// [ManagedPlaces] beside them are read as well.
	ManagedFiles []string
	// Flag is the --settings argument: JSON if it starts with "{", else a file.
	Flag string
	// Sources lists which of user, project and local settings are read; nil means
	// all. Managed settings and the flag are always read.
	Sources []rule.Source

	// AllowedTools, AskTools and DisallowedTools are rule lists of the command
	// line. Each element may be a list itself, separated by commas or blanks.
	AllowedTools, AskTools, DisallowedTools []string
	// AddDirs are additional working directories, relative to Dir.
	AddDirs []string
	// Mode is the --permission-mode argument; zero means none was given.
	Mode permission.Mode
	// ForgoBypass: a defaultMode of bypassPermissions does not count. A session that goes
	// on was in that mode, and it is not restored.
	ForgoBypass bool
	// AllowBypass: the flag that permits switching to bypassPermissions was given.
	AllowBypass bool
	// TrustWorkspace: the --trust-workspace flag was given.
	TrustWorkspace bool
	// KeepsLimits: the vendor's own agent runs the tools and keeps the limits itself that
	// assent does not know, or no tool runs at all. Otherwise a file with such a limit is
	// broken: nothing starts with it.
	KeepsLimits bool
	// StartsServers: whoever loads the settings starts the MCP servers, and asks
	// [Settings.ServerRefused] about each. Otherwise only the names of their tools are known.
	StartsServers bool
	// Everywhere: what holds in every workspace is wanted, and nothing of one. Of the sources the user's
	// is left, and relative directories are left out.
	Everywhere bool
	// Real is where directories really are, for a caller that has just followed the links on the way
	// to them: Dir and Home need not be looked for again.
	Real map[string]string
}

// flagName stands where a file name would, for JSON on the command line.
const flagName = "--settings"

// places are the options with every path settled.
type places struct {
	Options
	realDir  string // Dir as the kernel names it
	realHome string
}

func locate(o Options) (*places, error) {
	if !filepath.IsAbs(o.Dir) {
		return nil, fmt.Errorf("the project directory must be an absolute path, not %q", o.Dir)
	}
	// A relative home would put the user's settings into the workspace.
	if o.Home != "" && !filepath.IsAbs(o.Home) {
		return nil, fmt.Errorf("the home directory must be an absolute path, not %q (set HOME)", o.Home)
	}
	if err := o.checkConfigDir(); err != nil {
		return nil, err
	}
	if o.StateDir != "" && !filepath.IsAbs(o.StateDir) {
		return nil, fmt.Errorf("the state directory must be an absolute path, not %q (set ASSENT_HOME)", o.StateDir)
	}
	real, known := o.Real[o.Dir]
	if !known {
		var err error
		if real, err = filepath.EvalSymlinks(o.Dir); err != nil {
			return nil, fmt.Errorf("project directory: %w", err)
		}
	}
	realHome, known := o.Real[o.Home]
	if !known {
		realHome = resolved(o.Home)
	}
	o.Dir = filepath.Clean(o.Dir)
	if o.StateDir == "" && o.Home != "" {
		o.StateDir = filepath.Join(o.Home, ".assent")
	}
	if o.ManagedFiles == nil {
		o.ManagedFiles = DefaultManagedFiles
	}
	return &places{Options: o, realDir: real, realHome: realHome}, nil
}

var errNoHome = errors.New("there is no home directory (set HOME)")

// path is the file behind a destination that updates can be written to.
func (p *places) path(s rule.Source) (string, error) {
	switch file := p.File(s); {
	case file != "":
		return file, nil
	case s == rule.UserSettings:
		return "", errNoHome
	default:
		return "", fmt.Errorf("%v is not kept in a file that can be written", s)
	}
}

func (p *places) mcpPath() string { return filepath.Join(p.Dir, ".mcp.json") }

// atHome: the project's settings file is the user's. The project is the home directory
// itself, unless the user's settings lie elsewhere.
func (p *places) atHome() bool {
	if p.ConfigDir != "" {
		return resolved(p.ConfigDir) == filepath.Join(p.realDir, ".claude")
	}
	return p.Home != "" && p.realDir == p.realHome
}

func (o Options) reads(s rule.Source) bool {
	if o.Everywhere && fromWorkspace(s) {
		return false
	}
	return o.Sources == nil || slices.Contains(o.Sources, s)
}

// slots lists the files to look for, nearest source first.
func (p *places) slots(l looked) []slot {
	var all []slot
	for _, f := range p.ManagedFiles {
		all = append(all, managedSlots(f, l)...)
	}
	if p.Flag != "" {
		all = append(all, p.flagSlot())
	}
	for _, s := range []rule.Source{rule.LocalSettings, rule.ProjectSettings, rule.UserSettings} {
		path, err := p.path(s)
		selected := p.reads(s)
		sameAsUser := s == rule.ProjectSettings && p.atHome() && p.reads(rule.UserSettings)
		// What the workspace would grant is known only from both of its files, so they
		// are read even when they do not count.
		if err != nil || sameAsUser || !selected && (s == rule.UserSettings || p.Everywhere) {
			continue
		}
		all = append(all, slot{source: s, path: path, selected: selected})
	}
	return all
}

func (p *places) flagSlot() slot {
	if text := strings.TrimSpace(p.Flag); strings.HasPrefix(text, "{") {
		return slot{source: rule.FlagSettings, path: flagName, inline: p.Flag, selected: true}
	}
	return slot{source: rule.FlagSettings, path: p.absolute(p.Flag), required: true, selected: true}
}

// absolute reads a path of a settings file or of the command line: "~/x" is under
// home and a relative one under the project, and the kernel's names of those two
// stand in for them. Links further down are not followed.
func (p *places) absolute(path string) string {
	switch {
	case p.Home != "" && (path == "~" || strings.HasPrefix(path, "~/")):
		return filepath.Join(p.realHome, path[1:])
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	}
	return filepath.Join(p.realDir, path)
}
