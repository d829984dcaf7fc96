package permission

import (
	"strings"
	"sync/atomic"

	"github.com/assent-dev/assent/rule"
)

// ledRules remembers where the links lead that deny and ask rules name: Read(conf/**),
// where conf is a link to config/prod, also stops reading config/prod. The links are
// read when the first file is judged, and hold for as long as the rules do: making a
// link point elsewhere does not lift a rule.
type ledRules struct{ found atomic.Pointer[ledSets] }

type ledSets struct {
	engine *Engine // whose links were read
	sets   []*rule.Set
}

// pathSets are the sets with rules about files, nearest source first, each followed
// by its rules at the places where their links lead.
func (e *Engine) pathSets(ctx *Context) []*rule.Set {
	if _, none := e.links.(NoLinks); none || len(ctx.paths) == 0 {
		return ctx.paths
	}
	if led := ctx.led.found.Load(); led != nil && led.engine == e {
		return led.sets
	}
	led := &ledSets{engine: e, sets: make([]*rule.Set, 0, len(ctx.paths))}
	for _, set := range ctx.paths {
		led.sets = append(led.sets, set)
		if bases := set.Bases(); len(bases) > 0 {
			if other := set.Elsewhere(leading(e.links, bases)); other != nil {
				led.sets = append(led.sets, other)
			}
		}
	}
	ctx.led.found.Store(led)
	return led.sets
}

const (
	// manyNames in one directory are looked up by listing it.
	manyNames = 16
	// mostRuleLooks bounds the links that are read for the sake of rules. Rules beyond
	// that hold under the names they are written with.
	mostRuleLooks = 65536
)

// leading finds those of the paths that lead elsewhere, and where.
func leading(links Links, paths []string) map[string]string {
	f := linkFinder{links: links, real: make(map[string]string), names: make(map[string]int), looks: mostRuleLooks}
	for _, path := range paths {
		f.names[parent(path)]++
	}
	var out map[string]string
	for _, path := range paths {
		if real := f.find(path); real != path {
			if out == nil {
				out = make(map[string]string)
			}
			out[path] = real
		}
	}
	return out
}

// linkFinder follows many paths that have most of their directories in common.
type linkFinder struct {
	links  Links
	real   map[string]string              // what has been followed
	names  map[string]int                 // how many paths there are in a directory
	listed map[string]map[string]struct{} // the links in directories with many
	looks  int
}

func (f *linkFinder) find(path string) string {
	switch {
	case path == "/" || path == "":
		return "/"
	case tooLong(path):
		return path
	}
	if real, known := f.real[path]; known {
		return real
	}
	above := parent(path)
	dir := strings.TrimSuffix(f.find(above), "/")
	real := dir + path[strings.LastIndexByte(path, '/'):]
	if f.mayBeLink(above, dir, real) {
		f.looks--
		if target, err := f.links.Readlink(real); err == nil && target != "" {
			if followed, err := follow(f.links, real, dir); err == nil {
				real = followed
			}
		}
	}
	f.real[path] = real
	return real
}

// mayBeLink: the listing of a directory with many names saves asking for each.
func (f *linkFinder) mayBeLink(above, dir, path string) bool {
	if f.looks <= 0 {
		return false
	}
	if f.names[above] < manyNames {
		return true
	}
	names, had := f.listed[above]
	if !had {
		if found, complete := list(f.links, orRoot(dir)); complete {
			names = make(map[string]struct{}, len(found.Links))
			for _, name := range found.Links {
				names[name] = struct{}{}
			}
		}
		if f.listed == nil {
			f.listed = make(map[string]map[string]struct{})
		}
		f.listed[above] = names
	}
	if names == nil {
		return true
	}
	_, isLink := names[path[strings.LastIndexByte(path, '/')+1:]]
	return isLink
}

func parent(path string) string { return orRoot(path[:strings.LastIndexByte(path, '/')]) }
