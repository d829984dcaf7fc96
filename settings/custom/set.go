package custom

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Set is what one ".claude" directory holds.
type Set struct {
	Commands []Command
	Agents   []Agent
	// Faults are about what is left out. A command with a fault of its own is none of
	// them: it is there to be refused.
	Faults []Fault
}

// Empty: there is nothing at all.
func (s Set) Empty() bool { return len(s.Commands) == 0 && len(s.Agents) == 0 && len(s.Faults) == 0 }

// Read reads the directories commands and agents of dir. They may be links: dir is the
// reader's own.
func Read(dir string) Set {
	return read(func(name string) (*os.Root, error) { return os.OpenRoot(inside(dir, name)) }, dir)
}

// ReadBelow is Read for the ".claude" directory of a workspace. No link leads out of the
// workspace: what a stranger wrote must not name other directories.
func ReadBelow(workspace string) Set {
	at := filepath.Join(workspace, ".claude")
	top, err := os.OpenRoot(workspace)
	if err != nil {
		return Set{Faults: []Fault{{File: workspace, Text: "the directory cannot be read: " + cause(err).Error()}}}
	}
	defer top.Close()
	return read(func(name string) (*os.Root, error) { return top.OpenRoot(inside(".claude", name)) }, at)
}

// inside is the name of a directory that is one: its last element is looked for in the
// directory, so that anything else is an error. To open a named pipe would wait for
// somebody who writes to it.
func inside(dir, name string) string {
	return filepath.Join(dir, name) + string(filepath.Separator) + "."
}

func read(open func(string) (*os.Root, error), at string) Set {
	var s Set
	each := func(name string, take func(file)) {
		root, err := open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		dir := filepath.Join(at, name)
		if err != nil {
			s.Faults = append(s.Faults, Fault{File: dir, Text: "the directory cannot be read: " + cause(err).Error()})
			return
		}
		defer root.Close()
		files, faults := gather(root, dir)
		s.Faults = append(s.Faults, faults...)
		for _, f := range files {
			take(f)
		}
	}
	each("commands", func(f file) { s.Commands = append(s.Commands, readCommand(f)) })
	each("agents", func(f file) { s.Agents = append(s.Agents, readAgent(f)) })
	refuseTwins(s.Agents)
	return s
}

// refuseTwins: of two agents with one name the first counts, and the other has a fault.
// Who wrote both means something by each of them.
func refuseTwins(agents []Agent) {
	first := map[string]string{}
	for i := range agents {
		a := &agents[i]
		switch file, taken := first[a.Name]; {
		case a.Fault != nil:
		case taken:
			a.Fault = &Fault{File: a.File, Line: 1, Text: "the agent of " + file + " is called " + shown(a.Name) + " as well, and counts (give one of them another name)"}
		default:
			first[a.Name] = a.File
		}
	}
}

// sum stands for the text of a file.
func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}
