package policy

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// Checker judges calls without running them. What it has read from disk or
// compiled it keeps, so that thousands of calls cost little; it therefore serves
// one question after the other, and is not safe for concurrent use.
type Checker struct {
	// Tools that exist.
	Tools permission.Tools
	// Links of the real file system.
	Links permission.Links
	// Settings say where the settings on disk are found. Dir and Home also stand in
	// for the cwd and home that a query does not name.
	Settings settings.Options
	// Rules are further rules of the command line.
	Rules []rule.Rule
	// ToolNames are the names of the tools, for hints; nil means that none is given.
	ToolNames []string
	// Notice is told what settings on disk have to say about themselves, once for
	// each place and again when that changes; nil means that nobody listens.
	Notice func([]settings.Report)

	environments map[string]kept
	// loaded are the settings last read in a place: what they said stays in force
	// when a file breaks.
	loaded map[string]*settings.Settings
	// administrators are the managed settings last read, for queries that bring
	// permissions.
	administrators *settings.Settings
	// given are the command line's rules, for queries that bring permissions.
	given *commandLine
}

// kept is an environment and the files it was read from.
type kept struct {
	*environment
	files snapshot
}

// Query is one call and what is to hold for it.
type Query struct {
	Tool  string
	Input []byte // JSON
	Cwd   string // absolute; empty: the checker's
	Home  string // absolute; empty: the checker's
	Mode  permission.Mode
	// Permissions stand in for the settings on disk; nil: those are read. What the
	// administrator's settings restrict holds beside them.
	Permissions *Permissions
	// Symlinks stand in for the file system; nil: that is used.
	Symlinks map[string]string
}

// Judge decides one call.
func (c *Checker) Judge(q Query) (*Judgement, error) {
	env, err := c.settled(&q)
	if err != nil {
		return nil, err
	}
	links := c.Links
	if q.Symlinks != nil {
		links = newMapLinks(q.Symlinks)
	}
	return env.judge(c.Tools, links, permission.Request{Tool: q.Tool, Input: q.Input})
}

// settled fills in what a query leaves open, and finds what decides over it.
func (c *Checker) settled(q *Query) (*environment, error) {
	if q.Cwd == "" {
		q.Cwd = c.Settings.Dir
	}
	if q.Home == "" {
		q.Home = c.Settings.Home
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	return c.environment(*q)
}

func (q *Query) check() error {
	switch {
	case q.Tool == "":
		return fmt.Errorf("the name of the tool is missing")
	case !filepath.IsAbs(q.Cwd):
		return fmt.Errorf("cwd %q is not an absolute path", q.Cwd)
	case q.Home == "":
		return fmt.Errorf("there is no home directory (set HOME or name one)")
	case !filepath.IsAbs(q.Home):
		return fmt.Errorf("home %q is not an absolute path", q.Home)
	}
	return nil
}

// maxEnvironments bounds what is kept; a stream rarely has more policies.
const maxEnvironments = 512

// environment finds or makes what decides over a query.
func (c *Checker) environment(q Query) (*environment, error) {
	key, err := q.key()
	if err != nil {
		return nil, err
	}
	if have, ok := c.environments[key]; ok && have.files.current() {
		return have.environment, nil
	}
	made, err := c.newEnvironment(q)
	if err != nil {
		return nil, err
	}
	if c.environments == nil || len(c.environments) >= maxEnvironments {
		c.environments = make(map[string]kept)
	}
	c.environments[key] = made
	return made.environment, nil
}

func (q *Query) key() (string, error) {
	var text []byte
	if q.Permissions != nil {
		var err error
		if text, err = strictjson.Marshal(q.Permissions); err != nil {
			return "", err
		}
	}
	world := "real"
	if q.Symlinks != nil {
		world = "map"
	}
	return strings.Join([]string{q.Cwd, q.Home, q.Mode.String(), world, string(text)}, "\x00"), nil
}

func (c *Checker) newEnvironment(q Query) (kept, error) {
	if q.Permissions == nil {
		return c.fromDisk(q)
	}
	at := place{cwd: q.Cwd, home: q.Home, mode: q.Mode}
	if at.mode == 0 {
		at.mode = c.Settings.Mode
	}
	if q.Symlinks == nil {
		// Links lead to where they lead: the kernel knows the directory by that name.
		if real := permission.ResolvePath(c.Links, q.Cwd, "/", q.Home); real.Problem == "" {
			at.cwd = real.Real
		}
	}
	line, err := c.commandLine()
	if err != nil {
		return kept{}, err
	}
	limits, files, err := c.managed(at.mode)
	if err != nil {
		return kept{}, err
	}
	env, err := newEnvironment(*q.Permissions, at, line, limits)
	return kept{env, files}, err
}
