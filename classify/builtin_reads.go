package classify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// reads objects to what a script that only reads may show of keys and passwords. What a
// command prints becomes part of the conversation, and goes wherever that goes. What
// cannot be known may be a secret.
func (j *scriptJudge) reads() {
	for _, a := range j.accesses {
		for _, name := range j.script.Paths(a) {
			if why := j.shows(a, name); why != "" {
				j.object(a.Command, why)
			}
		}
	}
	j.repositories()
}

// repositories judges where each git of the script runs.
func (j *scriptJudge) repositories() {
	for i := range j.script.Commands {
		if c := &j.script.Commands[i]; c.Program() == "git" && c.Link != shell.Guess {
			j.repository(i)
		}
	}
}

// shows says what speaks against reading a file, or all that is below it.
func (j *scriptJudge) shows(a shell.Access, name string) string {
	if a.Pathspec == shell.WholePathspec || a.Pathspec == shell.MaybePathspec { // files of the repository
		return ""
	}
	where, p := j.place.stands(name)
	shown := visible(legible(p.Given))
	switch {
	case where == insideDirs || where == patterned || where == protected && inside(j.place.ctx, p):
		return ""
	case j.place.keepsSecrets(p.Given) || j.place.keepsSecrets(p.Real):
		return "it reads " + shown + ", where keys and passwords may be kept"
	case !j.showsContent(a):
		return ""
	case isDevice(p.Given) || isDevice(p.Real):
		return shown + " is a device, and may show what others have written"
	case where == unknown:
		if j.settled(a) {
			return ""
		}
		return "what it reads is only known when it runs, and may be where keys and passwords are kept"
	case strings.IndexByte(name, shell.Glob) >= 0:
		return "what " + shown + " finds is not known, and may be where keys and passwords are kept"
	}
	if whole, tree := j.readsTree(a); tree && (j.place.treeKeepsSecrets(p.Given, whole) || j.place.treeKeepsSecrets(p.Real, whole)) {
		return "it reads all that is below " + shown + ", where keys and passwords may be kept"
	}
	return ""
}

// readsTree: the command reads what is below the path, and whether hidden files too.
func (j *scriptJudge) readsTree(a shell.Access) (whole, tree bool) {
	if j.script.Commands[a.Command].Program() == "git" { // it compares directories
		return true, j.script.ComparesFiles(a.Command)
	}
	whole = a.Reach == shell.WholeTree || len(j.script.Picks(a.Command)) > 0
	return whole, whole || a.Reach == shell.VisibleTree
}

// showsContent: the command may show what is in the file. Others show that it is there,
// and what it is called.
func (j *scriptJudge) showsContent(a shell.Access) bool {
	c := &j.script.Commands[a.Command]
	if a.Redirect {
		return true
	}
	switch c.Program() {
	case "test", "[", "[[", "ls", "dir", "vdir", "tree", "find", "fd", "fdfind", "df", "stat", "basename", "dirname", "realpath", "readlink", "cd", "pushd", "which", "type", "lsblk":
		return false
	case "git": // branches, and files of the repository
		return j.script.ComparesFiles(a.Command)
	}
	return !a.Possible && c.Link != shell.Guess // a guess has a command that is none
}

// repository objects to git in a repository outside the working directories, and in one
// that a checkout has brought along: what stands in its configuration can run.
func (j *scriptJudge) repository(i int) {
	for _, dir := range j.script.RepositoryDirs(i) {
		if why := permission.ForeignRepository(j.place.links, dir, j.place.cwd, j.place.ctx.Home()); why != "" {
			j.object(i, visible(legible(why)))
		}
		if where, p := j.place.stands(dir); where == outside || where == unknown {
			j.object(i, "git runs in "+visible(legible(p.Given))+", whose configuration nobody has looked at")
		}
	}
}

// settled: the script itself says which files those are whose names are only known when
// it runs, and none of them can be a secret.
func (j *scriptJudge) settled(a shell.Access) bool {
	return j.allSettled(a, func(where standing, p permission.Path) bool {
		return where == insideDirs || where == patterned ||
			where == outside && strings.IndexByte(p.Given, shell.Glob) < 0 && !j.place.treeKeepsSecrets(p.Given, true) && !j.place.treeKeepsSecrets(p.Real, true)
	})
}

// settledInside is settled with all of them inside the working directories.
func (j *scriptJudge) settledInside(a shell.Access) bool {
	return j.allSettled(a, func(where standing, _ permission.Path) bool { return where == insideDirs || where == patterned })
}

func (j *scriptJudge) allSettled(a shell.Access, good func(standing, permission.Path) bool) bool {
	found := false
	if j.bounds == nil {
		j.bounds = j.script.Bounded()
	}
	for _, script := range j.bounds {
		for _, b := range script.SureAccesses() {
			if b.Span != a.Span || b.Mode != a.Mode || b.Redirect != a.Redirect {
				continue
			}
			roots, listed, known := bounds(script, b)
			links := anything
			if below, pattern := j.foundBy(a.Command); len(below) > 0 {
				roots, links, listed, known = below, pattern, true, true
			}
			if !known {
				return false
			}
			found = true
			for _, root := range roots {
				where, p := j.place.stands(root)
				if !good(where, p) || listed && j.treeHasLinks(p.Real, links) {
					return false
				}
			}
		}
	}
	return found
}

// anything is the pattern that finds all names.
var anything = string([]byte{shell.Glob})

// foundBy are the directories below which find looks for the files on which it runs the
// command, and the pattern that the names of links must fit; "" finds no links.
func (j *scriptJudge) foundBy(i int) (roots []string, pattern string) {
	c := &j.script.Commands[i]
	if c.Link != shell.Wrapped || j.script.Commands[c.Parent].Program() != "find" {
		return nil, anything
	}
	for _, a := range j.accesses {
		if a.Command == c.Parent && a.Mode == shell.Reads && !a.Redirect {
			roots = append(roots, j.script.Paths(a)...)
		}
	}
	return roots, findPattern(j.script.Commands[c.Parent].Args())
}

// findPattern is the pattern of find -name, if that is a condition for all that it finds.
func findPattern(args []shell.Word) string {
	pattern := anything
	for k, w := range args {
		value := ""
		if k+1 < len(args) && args[k+1].Known() {
			value = args[k+1].Text
		}
		switch w.Text {
		case "-o", "-or", "!", "-not", ",", "(", "-L", "-follow":
			return anything
		case "-type":
			if value == "f" {
				pattern = ""
			}
		case "-name":
			if value != "" && !strings.ContainsAny(value, `?[\`) && pattern != "" {
				pattern = strings.ReplaceAll(value, "*", anything)
			}
		}
	}
	return pattern
}

// bounds are the files that an access means, or if they are listed the directories below
// which they lie.
func bounds(script *shell.Script, b shell.Access) (paths []string, listed, known bool) {
	at := strings.IndexByte(b.Path, shell.Unknown)
	if b.Loose || at >= 0 && b.Listed == 0 {
		return nil, false, false
	}
	roots := []string{b.Path}
	if at == 0 {
		roots = script.Listing(b.Listed)
	} else if at > 0 {
		roots = []string{b.Path[:at]}
	}
	for _, root := range roots {
		paths = append(paths, script.Paths(shell.Access{Path: root, Command: b.Command})...)
	}
	return paths, at >= 0, len(paths) > 0
}

// mostDirs is how many directories of a tree are looked at.
const mostDirs = 1000

// treeHasLinks is that of the place, looked up once.
func (j *scriptJudge) treeHasLinks(root, pattern string) bool {
	key := root + "\x00" + pattern
	found, known := j.trees[key]
	if !known {
		found = j.place.treeHasLinks(root, pattern)
		if j.trees == nil {
			j.trees = map[string]bool{}
		}
		j.trees[key] = found
	}
	return found
}

// treeHasLinks: below the directory there may be a link that fits the pattern and leads
// out, or a name that falls apart at its blanks, so that a listing of it can name files
// elsewhere.
func (w *place) treeHasLinks(root, pattern string) bool {
	lister, ok := w.links.(permission.Lister)
	if !ok || root == "" {
		return true
	}
	todo := []string{root}
	for looks := 0; len(todo) > 0; looks++ {
		dir := strings.TrimSuffix(todo[len(todo)-1], "/")
		todo = todo[:len(todo)-1]
		found, err := lister.List(cmp.Or(dir, "/"), mostNames)
		if err != nil || found.Partial || looks == mostDirs || slices.ContainsFunc(found.Dirs, func(name string) bool { return strings.ContainsAny(name, " \t\n") }) {
			return true
		}
		for _, name := range found.Links {
			if p := permission.ResolvePath(w.links, dir+"/"+name, w.cwd, w.ctx.Home()); couldBe(pattern, name) && !inside(w.ctx, p) {
				return true
			}
		}
		for _, name := range found.Dirs {
			todo = append(todo, dir+"/"+name)
		}
	}
	return false
}
