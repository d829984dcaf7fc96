package foreign

import (
	"os"
	"path/filepath"
)

// Found is an agent that seems to be in use, and the sign of it.
type Found struct {
	Agent Agent
	Sign  string // a directory, or a program
}

// Detect looks for agents: their directories in the home directory and the project,
// and their programs, which find looks up.
func (p Places) Detect(find func(program string) (string, error)) []Found {
	var all []Found
	for _, a := range Agents {
		if sign := p.sign(a, find); sign != "" {
			all = append(all, Found{Agent: a, Sign: sign})
		}
	}
	return all
}

func (p Places) sign(a Agent, find func(string) (string, error)) string {
	for _, dir := range []string{p.home(a), p.projectDir(a)} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	for _, program := range a.programs() {
		if path, err := find(program); err == nil {
			return path
		}
	}
	return ""
}

// projectDir is a directory in a project that only this agent has.
func (p Places) projectDir(a Agent) string {
	if a == Copilot {
		return filepath.Join(p.Dir, ".github", "hooks")
	}
	return filepath.Join(p.Dir, "."+a.String())
}

func (a Agent) programs() []string {
	if a == Cursor {
		return []string{"cursor", "cursor-agent"}
	}
	return []string{a.String()}
}
