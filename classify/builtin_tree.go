package classify

import (
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// deletesTree judges what deletes or moves more than one file that it names. What git
// deletes is still in its history, and what is moved is not lost; but protected files
// that lie in the tree go along.
func (j *scriptJudge) deletesTree(a shell.Access, where standing, p permission.Path) {
	shown := visible(legible(p.Given))
	rebuilt := j.place.rebuilt(p)
	switch {
	case rebuilt || j.script.Moves(a.Command) || j.script.Commands[a.Command].Program() == "git":
	case where == insideDirs && j.oneFile(a, p):
		return
	default:
		j.object(a.Command, shown+" is deleted with all that is in it, and is not known to be what a build makes")
		return
	}
	root := p.Real
	if where == patterned {
		root = root[:max(strings.LastIndexByte(root, '/'), 1)]
	}
	found, complete := permission.ProtectedBelow(j.place.links, root, mostDirs, j.counts(a, rebuilt))
	switch {
	case found != "":
		j.object(a.Command, visible(found)+" is protected, and goes with "+shown)
	case !complete && !rebuilt: // else those near the top have been looked at
		j.object(a.Command, "there is too much in "+shown+" to see whether a part of it is protected")
	}
}

// counts says what must not go with a tree. What tools have unpacked brings settings of
// editors along by the hundred, and nobody misses those: there it is repositories and the
// settings of agents.
func (j *scriptJudge) counts(a shell.Access, rebuilt bool) func(path string) bool {
	git := j.script.Commands[a.Command].Program() == "git" && !j.script.Moves(a.Command)
	return func(path string) bool {
		switch name := path[strings.LastIndexByte(path, '/')+1:]; {
		case name == ".git":
			return !git // which cannot hold it
		case rebuilt:
			return name == ".claude" || name == ".assent"
		}
		return shell.Protected(path)
	}
}

// oneFile: what is deleted with its tree is a file that is there, and no other part of the
// script can have made a directory of it.
func (j *scriptJudge) oneFile(a shell.Access, p permission.Path) bool {
	finder, ok := j.place.links.(permission.Finder)
	if !ok || p.Given != p.Real {
		return false
	}
	for _, other := range j.accesses {
		if other.Command != a.Command && other.Mode != shell.Reads {
			return false
		}
	}
	there, err := finder.Exists(p.Real)
	if err != nil || !there {
		return false
	}
	directory, err := finder.Exists(p.Real + "/.")
	return err == nil && !directory
}
