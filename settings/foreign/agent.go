package foreign

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/assent-dev/assent/settings"
)

// Agent is a program whose tool calls the guard can judge.
type Agent int

// The agents.
const (
	Claude Agent = iota + 1
	Codex
	Gemini
	Cursor
	Copilot
)

// Agents lists all of them.
var Agents = []Agent{Claude, Codex, Gemini, Cursor, Copilot}

// String is the name on the command line.
func (a Agent) String() string {
	switch a {
	case Claude:
		return "claude"
	case Codex:
		return "codex"
	case Gemini:
		return "gemini"
	case Cursor:
		return "cursor"
	case Copilot:
		return "copilot"
	}
	return fmt.Sprintf("Agent(%d)", int(a))
}

// Name is what people call it.
func (a Agent) Name() string {
	switch a {
	case Claude:
		return "Claude Code"
	case Codex:
		return "Codex"
	case Gemini:
		return "Gemini CLI"
	case Cursor:
		return "Cursor"
	case Copilot:
		return "Copilot CLI"
	}
	return a.String()
}

// Asks: the agent's hooks can put a question to its person. Where they cannot, the
// guard denies what it would ask about.
func (a Agent) Asks() bool { return a != Codex && a != Cursor }

// ParseAgent reads a name of the command line.
func ParseAgent(name string) (Agent, error) {
	var names []string
	for _, a := range Agents {
		if a.String() == name {
			return a, nil
		}
		names = append(names, a.String())
	}
	return 0, fmt.Errorf("there is no agent %q: want %s", name, strings.Join(names, ", "))
}

// Scope is for whom the guard is added.
type Scope int

// The scopes. A user's files hold in every project, a project's files for everybody
// who works on it.
const (
	User Scope = iota
	Project
)

// Places say where files are.
type Places struct {
	// Home and Dir are the home directory and the project, absolute.
	Home, Dir string
	// Getenv finds the variables by which some agents move their directory; nil
	// means that none is set.
	Getenv func(string) string
}

// file is the file that holds the hooks of an agent.
func (p Places) file(a Agent, s Scope) string {
	if s == Project {
		switch a {
		case Claude:
			return filepath.Join(p.Dir, ".claude", "settings.json")
		case Codex:
			return filepath.Join(p.Dir, ".codex", "hooks.json")
		case Gemini:
			return filepath.Join(p.Dir, ".gemini", "settings.json")
		case Cursor:
			return filepath.Join(p.Dir, ".cursor", "hooks.json")
		case Copilot:
			return filepath.Join(p.Dir, ".github", "hooks", "assent.json")
		}
	}
	dir := p.home(a)
	switch a {
	case Codex, Cursor:
		return filepath.Join(dir, "hooks.json")
	case Copilot:
		return filepath.Join(dir, "hooks", "assent.json")
	default:
		return filepath.Join(dir, "settings.json")
	}
}

// home is the directory of an agent below the home directory, or where a variable
// has moved it.
func (p Places) home(a Agent) string {
	if _, dir := p.moved(a); dir != "" {
		return dir
	}
	return filepath.Join(p.Home, "."+a.String())
}

// moved is where a variable has moved the directory of an agent; empty where none has.
func (p Places) moved(a Agent) (variable, dir string) {
	switch a {
	case Claude:
		variable = settings.ConfigDirVariable
	case Codex:
		variable = "CODEX_HOME"
	default:
	}
	if variable == "" || p.Getenv == nil {
		return variable, ""
	}
	return variable, p.Getenv(variable)
}

// checkMoved refuses a relative directory: an agent would look for it wherever it works,
// and find no guard and no policy there.
func (p Places) checkMoved(agents ...Agent) error {
	for _, a := range agents {
		if variable, dir := p.moved(a); dir != "" && !filepath.IsAbs(dir) {
			return fmt.Errorf("%s must be an absolute path without a tilde, not %q (set or unset it)", variable, dir)
		}
	}
	return nil
}

// policyFile is where assent itself reads the policy, whatever agent it guards.
func (p Places) policyFile(s Scope) string { return p.file(Claude, s) }

func (p Places) testFile(s Scope) string {
	return filepath.Join(filepath.Dir(p.policyFile(s)), "policy.test.json")
}
