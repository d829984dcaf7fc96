package classify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// inside: the path lies in a working directory under both its names.
func inside(ctx *permission.Context, p permission.Path) bool {
	return p.Problem == "" && below(ctx, p.Given) && below(ctx, p.Real)
}

func below(ctx *permission.Context, path string) bool {
	if _, ok := withinDir(path, ctx.Cwd()); ok {
		return true
	}
	for _, d := range ctx.Directories() {
		if _, ok := withinDir(path, d.Path); ok {
			return true
		}
	}
	return false
}

// withinDir is what of a path lies below a directory.
func withinDir(path, dir string) (rest string, ok bool) {
	if path == dir {
		return "", true
	}
	return strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// place judges the paths of a script from where it runs.
type place struct {
	ctx   *permission.Context
	cwd   string
	links permission.Links
}

// standing is where a path stands.
type standing uint8

const (
	outside    standing = iota
	unknown             // it is only known when the command runs
	protected           // it needs a person
	patterned           // names that a pattern finds in one directory inside
	insideDirs          // inside the working directories
)

// stands says where a path of a script stands, and how the file is called there.
func (w *place) stands(path string) (standing, permission.Path) {
	switch {
	case path == "" || path[0] == shell.Unknown || path[0] == '~' && len(path) > 1 && path[1] != '/':
		return unknown, permission.Path{Given: path}
	case strings.IndexByte(path, shell.Unknown) >= 0:
		return unknown, permission.Path{Given: path}
	case strings.IndexByte(path, shell.Glob) >= 0:
		return w.pattern(path)
	}
	p := permission.ResolvePath(w.links, path, w.cwd, w.ctx.Home())
	return w.of(p), p
}

func (w *place) of(p permission.Path) standing {
	switch {
	case p.Problem != "":
		return unknown
	case shell.Protected(p.Given) || shell.Protected(p.Real):
		return protected
	case !inside(w.ctx, p):
		return outside
	}
	return insideDirs
}

// pattern is stands for a path whose last name is a pattern. One further up may find a
// link to anywhere.
func (w *place) pattern(path string) (standing, permission.Path) {
	slash := strings.LastIndexByte(path, '/')
	dir, name := path[:max(slash, 0)], path[slash+1:]
	switch {
	case strings.IndexByte(dir, shell.Glob) >= 0:
		return unknown, permission.Path{Given: path}
	case slash == 0:
		dir = "/"
	case slash < 0:
		dir = "."
	}
	where, p := w.stands(dir)
	p.Given, p.Real = strings.TrimSuffix(p.Given, "/")+"/"+name, strings.TrimSuffix(p.Real, "/")+"/"+name
	switch {
	case where != insideDirs:
		return where, p
	case shell.Protected(p.Given) || shell.Protected(p.Real):
		return protected, p
	case w.findsLinks(p.Real[:strings.LastIndexByte(p.Real, '/')], name):
		return unknown, p
	}
	return patterned, p
}

// mostNames is how many names of a directory are looked at.
const mostNames = 2000

// findsLinks: in a directory a pattern may find a link that leads elsewhere.
func (w *place) findsLinks(dir, pattern string) bool {
	lister, ok := w.links.(permission.Lister)
	if !ok {
		return true
	}
	found, err := lister.List(cmp.Or(dir, "/"), mostNames)
	return err != nil || found.Partial || slices.ContainsFunc(found.Links, func(name string) bool {
		return couldBe(pattern, name) && w.of(permission.ResolvePath(w.links, dir+"/"+name, w.cwd, w.ctx.Home())) != insideDirs
	})
}

// holdsWork: the path is, or holds, a working directory, the home directory or the
// directory in which the call runs.
func (w *place) holdsWork(p permission.Path) bool {
	dirs := []string{w.cwd, w.ctx.Cwd(), w.ctx.Home()}
	for _, d := range w.ctx.Directories() {
		dirs = append(dirs, d.Path)
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		_, given := withinDir(dir, p.Given)
		_, real := withinDir(dir, p.Real)
		return given || real
	})
}

// rebuilt: the path is, or lies below, a directory that is known to hold what tools
// make and can make again. Deleting any other directory may lose work.
func (w *place) rebuilt(p permission.Path) bool {
	return w.output(p.Given) && w.output(p.Real)
}

func (w *place) output(path string) bool {
	dirs := w.ctx.Directories()
	for i := -1; i < len(dirs); i++ {
		dir := w.ctx.Cwd()
		if i >= 0 {
			dir = dirs[i].Path
		}
		rest, ok := withinDir(path, dir)
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(rest, "/") {
			if isOutput(name) {
				return true
			}
		}
	}
	return false
}

// isOutput: a directory of this name holds what a tool has made.
func isOutput(name string) bool {
	switch name {
	case "build", "_build", "dist", "out", "target", "coverage", "htmlcov", "node_modules",
		".nyc_output", ".cache", ".parcel-cache", ".turbo", ".next", ".nuxt", ".svelte-kit", ".angular", ".output", ".gradle",
		"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".eggs", ".dart_tool", ".build", "DerivedData", ".tsbuildinfo":
		return true
	}
	return strings.HasSuffix(name, ".egg-info")
}
