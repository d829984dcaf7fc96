package rule

import (
	"math"
	"slices"
	"strings"
)

// pathIndex finds the path rules that can match a path without trying them all.
// Rules hang on the literal directory they start with; those that match at any
// depth and start with a literal name hang on that name. Looking up a path costs
// at most two map accesses for each of its components.
type pathIndex struct {
	entries []pathEntry
	// dirs has the first entry of each chain, and `end` for the directories above
	// those with rules: where a directory is missing, nothing hangs below it.
	dirs     map[string]int32
	shortest int // length of the shortest directory with rules
	names    map[string]int32
	// namesBelow is the directory that all rules in names have in common.
	namesBelow string
	// spanning are the rules that are tried at each component of a path, and roaming those of them
	// that hang on no name.
	spanning, roaming int
}

// grow makes room for the rules that are about paths.
func (x *pathIndex) grow(rules *store) {
	n := 0
	for _, r := range rules.each {
		if !r.Bare && pathKind(r.Tool) != 0 {
			n++
		}
	}
	x.entries = make([]pathEntry, 0, n)
}

func (x *pathIndex) add(e pathEntry) { x.entries = append(x.entries, e) }

// build makes the chains, from the last entry to the first so that each is in
// list order.
func (x *pathIndex) build() {
	x.dirs = make(map[string]int32, len(x.entries))
	x.names = make(map[string]int32)
	x.shortest = math.MaxInt
	for i := len(x.entries) - 1; i >= 0; i-- {
		e := &x.entries[i]
		spans := e.anyDepth || slices.ContainsFunc(e.parts, func(p part) bool { return p.kind == spanPart })
		if spans {
			x.spanning++
		}
		if e.anyDepth && e.parts[0].kind == literalPart {
			x.hangOnName(e, int32(i))
			continue
		}
		x.hangOnDir(e, int32(i))
		if spans {
			x.roaming++
		}
	}
}

func (x *pathIndex) hangOnName(e *pathEntry, i int32) {
	if len(x.names) == 0 {
		x.namesBelow = e.base
	}
	for !inside(e.base, x.namesBelow) {
		x.namesBelow = x.namesBelow[:strings.LastIndexByte(x.namesBelow, '/')]
	}
	e.next = chain(x.names, e.parts[0].text, i)
}

func (x *pathIndex) hangOnDir(e *pathEntry, i int32) {
	x.shortest = min(x.shortest, len(e.base))
	e.next = chain(x.dirs, e.base, i)
	for dir := e.base; dir != ""; {
		dir = dir[:strings.LastIndexByte(dir, '/')]
		if _, ok := x.dirs[dir]; ok {
			return
		}
		x.dirs[dir] = end
	}
}

// inside reports whether a path is a directory or below it.
func inside(path, dir string) bool {
	return strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == '/')
}

// pathFirsts holds the first hits of each kind of path rule.
type pathFirsts [WriteRule + 1]firsts

func (x *pathIndex) find(path string, found *pathFirsts) {
	if path == "/" {
		path = ""
	}
	x.findByDir(path, found)
	if len(x.names) > 0 && inside(path, x.namesBelow) {
		x.findByName(path, found)
	}
}

// findByDir tries the rules that hang on the directories of the path.
func (x *pathIndex) findByDir(path string, found *pathFirsts) {
	for at := 0; ; at = nextSlash(path, at+1) {
		if at >= x.shortest {
			i, ok := x.dirs[path[:at]]
			if !ok {
				return
			}
			for ; i != end; i = x.entries[i].next {
				e := &x.entries[i]
				if found.wants(e) && e.alignBelow(path[at:], e.anyDepth, plain) == matched {
					found.put(e)
				}
			}
		}
		if at == len(path) {
			return
		}
	}
}

// findByName tries the rules that hang on the names of components, at the depth
// where the name stands.
func (x *pathIndex) findByName(path string, found *pathFirsts) {
	for at := len(x.namesBelow); at < len(path); {
		next := nextSlash(path, at+1)
		i, ok := x.names[path[at+1:next]]
		for ; ok && i != end; i = x.entries[i].next {
			e := &x.entries[i]
			if found.wants(e) && inside(path[:at], e.base) && e.alignBelow(path[at:], false, plain) == matched {
				found.put(e)
			}
		}
		at = next
	}
}

func nextSlash(path string, from int) int {
	if i := strings.IndexByte(path[from:], '/'); i >= 0 {
		return from + i
	}
	return len(path)
}

// wants reports whether a hit of this entry would come before what is found.
func (f *pathFirsts) wants(e *pathEntry) bool {
	had := f[e.kind][e.behavior]
	return had == 0 || e.rule < had-1
}

func (f *pathFirsts) put(e *pathEntry) { f[e.kind].put(e.behavior, e.rule) }
