package permission

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/shell"
)

// How much of the file system is looked at.
const (
	// mostNames is the size of the largest directory that is read.
	mostNames = 16384
	// mostLooks bounds, for one file, the links that are read and the directories
	// that are listed, which count for more the larger they are.
	mostLooks  = 8192
	namesALook = 32
	// allLooks is the same for all files of a command.
	allLooks = 2 * mostLooks
)

// search follows one name of a file to every place that it may lead to: a pattern
// stands for several names, and a link that the script makes may be there or not.
type search struct {
	s      *shellCheck
	a      *fileAccess
	looks  int
	stride int // what one step costs: more if there are many links to compare with
	// pattern: the name has marks, so that what it means without links is judged by
	// the marks, and only what lies behind a link is noted here.
	pattern bool
}

// waypoint is a point on the way.
type waypoint struct {
	given  string   // the name so far, with names instead of patterns
	dir    string   // where that is; "" is the root
	target []string // what is left of the target of a link
	rest   []string // what is left of the name
	links  int      // how many have been followed
	made   bool     // one of those is the script's own
}

// places looks for a name as [ResolvePath] does, but everywhere.
func (s *shellCheck) places(a *fileAccess, path string) {
	if tooLong(path) {
		a.adrift = true
		return
	}
	w := search{s: s, a: a, looks: mostLooks, stride: 1 + len(s.made)/16, pattern: hasMarks(path)}
	w.from(waypoint{rest: components(absoluteRaw(path, s.cwd, s.ctx.config.Home))})
}

func (w *search) from(p waypoint) {
	for {
		part, ofName, more := p.next()
		switch {
		case !more:
			w.arrived(p)
			return
		case !w.look(w.stride):
			return
		case part == "..":
			p.dir = p.dir[:max(strings.LastIndexByte(p.dir, '/'), 0)]
			p.name(part, ofName)
			continue
		case strings.IndexByte(part, shell.Unknown) >= 0:
			w.marked(p, part)
			return
		case strings.IndexByte(part, shell.Glob) >= 0:
			w.choices(p, part, ofName)
			return
		}
		p.name(part, ofName)
		next := p.dir + "/" + part
		for i := range w.s.made {
			if m := &w.s.made[i]; m.name == next || hasMarks(m.name) && fits(m.name, next) {
				w.made(p, m)
			}
		}
		target, err := processLink(next, w.s.cwd)
		if err == nil && target == "" {
			target, err = w.s.links.Readlink(next)
		}
		if err == nil && target != "" && p.links == maxLinks {
			err = errLoop
		}
		switch {
		case err != nil:
			w.failed(p, err)
			return
		case target == "":
			p.dir = next
		default:
			p.follow(target)
		}
	}
}

// next takes the next component: of the target of a link first.
func (p *waypoint) next() (part string, ofName, more bool) {
	switch {
	case len(p.target) > 0:
		part, p.target = p.target[0], p.target[1:]
		return part, false, true
	case len(p.rest) > 0:
		part, p.rest = p.rest[0], p.rest[1:]
		return part, true, true
	}
	return "", false, false
}

func (p *waypoint) name(part string, ofName bool) {
	if ofName {
		p.given += "/" + part
	}
}

func (p *waypoint) follow(target string) {
	p.links++
	if target[0] == '/' {
		p.dir = ""
	}
	p.target = append(components(target), p.target...)
}

// made goes on through a link of the script. A way that never ends, which the kernel
// refuses, is no place.
func (w *search) made(p waypoint, m *madeLink) {
	if p.links == maxLinks {
		return
	}
	p.made = true
	if m.target[0] == shell.Unknown {
		p.dir = ""
	}
	p.follow(m.target)
	w.from(p)
}

// choices goes on through every link, and on the way to one through every directory,
// that the pattern finds.
func (w *search) choices(p waypoint, pattern string, ofName bool) {
	last := len(p.target) == 0 && len(p.rest) == 0
	if p.links > 0 {
		w.marked(p, pattern) // what it finds there that is no link
	}
	found, complete := list(w.s.links, orRoot(p.dir))
	if !complete {
		w.a.adrift = true
		return
	}
	if !w.look(found.Read / namesALook) {
		return
	}
	if w.a.Splits {
		w.apart(p, pattern, found)
	}
	names := found.Links
	if !last {
		names = append(slices.Clip(names), found.Dirs...)
	}
	for _, name := range names {
		if fits(pattern, name) && (!w.a.Number || strings.Trim(name, "-0123456789") == "") {
			w.from(p.chosen(name, ofName))
		}
	}
	for i := range w.s.made {
		m := &w.s.made[i]
		if !within(m.name, orRoot(p.dir)) || len(m.name) <= len(p.dir)+1 {
			continue
		}
		name, below, _ := strings.Cut(m.name[len(p.dir)+1:], "/")
		switch {
		case slices.Contains(names, name) || below != "" && last:
		case hasMarks(name):
			if below == "" {
				w.made(p.named(pattern, ofName), m)
			}
		case fits(pattern, name):
			w.from(p.chosen(name, ofName))
		}
	}
}

// apart notes the directories of which somebody makes other paths who takes what the
// pattern finds apart at blanks.
func (w *search) apart(p waypoint, pattern string, found Listing) {
	for _, names := range [...][]string{found.Dirs, found.Links} {
		for _, name := range names {
			if fits(pattern, name) && fallsApart(name) {
				w.a.paths = append(w.a.paths, Path{Given: p.dir + "/" + name, Problem: "the name falls apart at its blanks"})
			}
		}
	}
}

// chosen is the place with a name instead of the pattern just taken.
func (p waypoint) chosen(name string, ofName bool) waypoint {
	if ofName {
		p.rest = append([]string{name}, p.rest...)
	} else {
		p.target = append([]string{name}, p.target...)
	}
	return p
}

func (p waypoint) named(name string, ofName bool) waypoint {
	p.name(name, ofName)
	return p
}

func (w *search) arrived(p waypoint) {
	if w.pattern && p.links == 0 {
		return
	}
	found := Path{Given: clean(p.given), Real: orRoot(p.dir)}
	if w.pattern || !slices.Contains(w.a.paths, found) {
		w.a.paths = append(w.a.paths, found)
	}
}

// marked notes a name that holds marks behind a link.
func (w *search) marked(p waypoint, part string) {
	if p.links == 0 {
		return
	}
	if p.dir == "" && part[0] == shell.Unknown {
		w.a.note(part) // it may be anywhere
		return
	}
	parts := append(append([]string{p.dir, part}, p.target...), p.rest...)
	w.a.note(clean(strings.Join(parts, "/")))
}

func (w *search) failed(p waypoint, err error) {
	if p.made && err == errLoop {
		return
	}
	given := strings.Join(append([]string{p.given}, p.rest...), "/")
	w.a.paths = append(w.a.paths, Path{Given: clean(given), Problem: "the path cannot be resolved: " + err.Error()})
}

// look takes from what may be looked at.
func (w *search) look(n int) bool {
	w.looks -= n
	w.s.looks += n
	if w.looks < 0 || w.s.looks > allLooks {
		w.a.adrift = true
		return false
	}
	return true
}

// tree finds where the links lead that a command follows on its way through a tree.
func (s *shellCheck) tree(a *fileAccess) {
	if _, none := s.links.(NoLinks); none && len(s.made) == 0 {
		return
	}
	w := search{s: s, a: a, looks: mostLooks, stride: 1 + len(s.made)/16}
	var roots []string
	for _, p := range a.paths {
		if p.Real != "" {
			roots = append(roots, p.Real)
		}
	}
	for _, name := range a.unknown {
		if dir := literalDir(name); dir != "" {
			roots = append(roots, dir)
		}
	}
	w.below(roots)
}

func (w *search) below(roots []string) {
	for n := 0; n < len(roots) && !w.a.adrift; n++ {
		todo := []string{roots[n]}
		seen := len(w.a.paths)
		for len(todo) > 0 && !w.a.adrift {
			dir := strings.TrimSuffix(todo[len(todo)-1], "/")
			todo = todo[:len(todo)-1]
			found, complete := list(w.s.links, orRoot(dir))
			if !complete {
				w.a.adrift = true
				return
			}
			if !w.look(1 + found.Read/namesALook) {
				return
			}
			for _, name := range found.Links {
				if !w.passesOver(name) {
					w.from(waypoint{rest: components(dir + "/" + name)})
				}
			}
			for _, name := range found.Dirs {
				if w.a.Listed > 0 && fallsApart(name) {
					w.a.paths = append(w.a.paths, Path{Given: dir + "/" + name, Problem: "the name falls apart at its blanks"})
				}
				if !w.passesOver(name) {
					todo = append(todo, dir+"/"+name)
				}
			}
		}
		for i := range w.s.made {
			if m := &w.s.made[i]; within(m.name, roots[n]) {
				w.made(waypoint{given: m.name, dir: m.name[:strings.LastIndexByte(m.name, '/')]}, m)
			}
		}
		for _, p := range w.a.paths[seen:] {
			if p.Real != "" && !slices.ContainsFunc(roots, func(root string) bool { return within(p.Real, root) }) {
				roots = append(roots, p.Real)
			}
		}
	}
}

func (w *search) passesOver(name string) bool {
	return w.a.Reach == shell.VisibleTree && name[0] == '.'
}

// note adds a name with marks, once.
func (a *fileAccess) note(name string) {
	switch {
	case a.unknown == nil && name == anywhere[0]:
		a.unknown = anywhere
	case !slices.Contains(a.unknown, name):
		a.unknown = append(a.unknown, name)
	}
}

// anywhere is a name of which nothing is known, the mark [shell.Unknown] alone, as most of
// them are. It is never changed, and needs no code when a program starts.
var anywhere = []string{"\xff"}

// list reads a directory. complete is false if there may be links that are not in
// the listing.
func list(links Links, dir string) (found Listing, complete bool) {
	lister, ok := links.(Lister)
	if !ok {
		return Listing{}, false
	}
	found, err := lister.List(dir, mostNames)
	return found, err == nil && !found.Partial
}

// components are the names in a path, without those that mean nothing.
func components(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(part string) bool { return part == "" || part == "." })
}

func orRoot(dir string) string {
	if dir == "" {
		return "/"
	}
	return dir
}

func hasMarks(text string) bool { return knownPart(text) < len(text) }

// fits reports whether a pattern may stand for a name. A mark is any run of
// characters; a pattern of the shell finds no name that starts with a dot unless it
// starts with one itself.
func fits(pattern, name string) bool {
	if pattern != "" && pattern[0] == shell.Glob && strings.HasPrefix(name, ".") {
		return false
	}
	p, n := 0, 0
	mark, tried := -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && (pattern[p] == shell.Glob || pattern[p] == shell.Unknown):
			mark, tried = p, n
			p++
		case p < len(pattern) && pattern[p] == name[n]:
			p++
			n++
		case mark >= 0:
			tried++
			p, n = mark+1, tried
		default:
			return false
		}
	}
	for p < len(pattern) && (pattern[p] == shell.Glob || pattern[p] == shell.Unknown) {
		p++
	}
	return p == len(pattern)
}
