package shell

import "strings"

// place is what part of the machine a path lies in, as far as the text tells.
type place uint8

// The places, from those where deleting is ordinary work to those where it is a
// catastrophe.
const (
	nowhere    place = iota // the path is not known at all
	inProject               // below the directory where the script starts
	temporary               // below /tmp and its like
	cache                   // what programs make again: /var/lib/apt/lists, ~/.cache
	elsewhere               // some absolute path that says nothing
	belowHome               // somewhere below a home directory
	beside                  // ../x
	systemPath              // below a system directory
	topLevel                // /data: a directory of the root that is not the system's
	tooLong                 // more names than can be judged: it may lead anywhere
	here                    // the directory where the script starts
	parent                  // .. and above
	systemTop               // /etc, /usr, /home
	home                    // the whole of somebody's home
	root
)

// ruinous places are those whose deletion is on the danger floor.
func (p place) ruinous() bool { return p >= tooLong }

var placeNames = [...]string{
	nowhere: "an unknown path", inProject: "a path of the project", temporary: "a temporary directory",
	cache: "a cache", elsewhere: "a path outside the project", belowHome: "files in a home directory",
	beside: "a path outside the project", systemPath: "a system path", topLevel: "a directory of the root",
	tooLong: "a path too long to be judged",
	here:    "everything in the working directory", parent: "a parent directory", systemTop: "a system directory",
	home: "a home directory", root: "the root directory",
}

func (p place) String() string { return placeNames[p] }

// location is a path taken apart.
type location struct {
	place place
	// contents: the path ends in a pattern that stands for everything inside
	// (x/*), not for the directory itself.
	contents bool
	// ours: the path, wherever the command runs, is all of its own directory.
	ours bool
}

// maxDepthOfPath bounds the names of a path that are looked at.
const maxDepthOfPath = 40

// trail is the resolved form of a path: a starting point and names below it.
type trail struct {
	names [maxDepthOfPath]string
	n     int
	ups   int  // how far above the starting point, for a relative path
	from  byte // '/' the root, '~' a home, 0 where the script starts
	// contents: a pattern for everything inside was taken off the end.
	contents bool
	cut      bool // there were more names than are kept
}

// locate says where a path lies when the command runs in dir. A variable counts
// as empty: that is the value that turns "$DIR"/* into /*.
func locate(path, dir string) location {
	open := strings.HasSuffix(path, unknownMark)
	path = withoutUnknown(path)
	if path == "" {
		return location{}
	}
	var t trail
	t.contents = open && strings.HasSuffix(path, "/") // x/$Y is something in x
	relative := path[0] != '/' && path[0] != '~'
	if relative && dir != "" {
		t.walk(withoutUnknown(dir))
	}
	start, up := t.n, t.ups
	t.walk(path)
	t.dropEverything()
	return location{place: t.place(), contents: t.contents, ours: relative && t.n == start && t.ups == up}
}

// The marks as text.
const (
	unknownMark = "\xff"
	globMark    = "\xfe"
)

func withoutUnknown(path string) string {
	if strings.IndexByte(path, Unknown) < 0 {
		return path
	}
	return strings.ReplaceAll(path, unknownMark, "")
}

// walk follows a path from where the trail stands. Links are not known here, so
// ".." goes back in the text.
func (t *trail) walk(path string) {
	switch path0(path) {
	case '/':
		t.n, t.ups, t.from = 0, 0, '/'
	case '~':
		old := path == "~-" || strings.HasPrefix(path, "~-/")
		_, path, _ = strings.Cut(path, "/") // ~ or ~user: a home is a home
		if old {                            // where the script was before, which is most often where it started
			t.n, t.ups, t.from = 0, 0, 0
			break
		}
		t.n, t.ups, t.from = 0, 0, '~'
	}
	for path != "" && !t.cut {
		var name string
		name, path, _ = strings.Cut(path, "/")
		t.step(name)
	}
}

func path0(path string) byte {
	if path == "" {
		return 0
	}
	return path[0]
}

func (t *trail) step(name string) {
	switch {
	case name == "" || name == ".":
	case name != "..":
		if t.n == len(t.names) {
			t.cut = true
			return
		}
		t.names[t.n] = name
		t.n++
	case t.n > 0:
		t.n--
	case t.from == '~': // the parent of a home is the directory of all homes
		t.from, t.n, t.names[0] = '/', 1, "home"
	case t.from == 0:
		t.ups++
	}
}

// dropEverything takes patterns that stand for all names off the end.
func (t *trail) dropEverything() {
	for t.n > 0 && everything(t.names[t.n-1]) {
		t.n--
		t.contents = true
	}
}

// everything: "*", ".*", "*.*", "**".
func everything(name string) bool {
	glob := false
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case Glob:
			glob = true
		case '.':
		default:
			return false
		}
	}
	return glob
}

func (t *trail) place() place {
	if t.cut {
		return tooLong
	}
	switch t.from {
	case '/':
		return t.absolute()
	case '~':
		return t.inHome(0)
	}
	switch {
	case t.ups > 0 && t.n == 0:
		return parent
	case t.ups > 0:
		return beside
	case t.n == 0:
		return here
	case len(t.names[0]) == 2 && t.names[0][1] == ':' && t.n == 1:
		return root // a drive of Windows
	}
	return inProject
}

// inHome judges the names from the index on, which are below a home directory.
func (t *trail) inHome(from int) place {
	if t.n <= from {
		return home
	}
	if t.anyName(from, &buildOutput) {
		return cache
	}
	return belowHome
}

func (t *trail) absolute() place {
	if t.n == 0 {
		return root
	}
	if strings.IndexByte(t.names[0], Glob) >= 0 {
		return t.anyOfRoot(t.names[0])
	}
	first := strings.ToLower(t.names[0])
	switch first {
	case "tmp":
		return t.temporary(1)
	case "home", "users":
		if t.n == 1 {
			return systemTop
		}
		return t.inHome(2)
	case "root":
		return t.inHome(1)
	case "proc":
		if t.n == 3 && t.names[2] == "cwd" {
			return here
		}
	}
	if systemDirectories.has(first) {
		return t.system(first)
	}
	switch {
	case t.n == 1:
		return topLevel
	case t.anyName(1, &buildOutput):
		return cache
	}
	return elsewhere
}

// anyOfRoot is the worst of the places below the root that a pattern may mean:
// /us? is /usr.
func (t *trail) anyOfRoot(pattern string) place {
	worst := elsewhere
	if t.n == 1 {
		worst = topLevel
	}
	for name := range strings.FieldsSeq(systemDirectories.list + " home users root") {
		if spans(pattern, name) {
			one := *t
			one.names[0] = name
			worst = max(worst, one.absolute())
		}
	}
	return worst
}

// Ruinous reports whether deleting an absolute path is on the danger floor: the root,
// a system directory, somebody's home. The path may hold marks.
func Ruinous(path string) bool { return locate(path, "").place.ruinous() }

func (t *trail) system(first string) place {
	if t.n == 1 {
		return systemTop
	}
	for _, dir := range temporaryBelowSystem {
		if n := t.under(dir); n > 0 {
			return t.temporary(n)
		}
	}
	for _, dir := range cachesBelowSystem {
		if t.under(dir) > 0 {
			return cache
		}
	}
	if holdsUserData(first) && t.anyName(1, &buildOutput) {
		return cache
	}
	if first == "private" && t.n == 2 { // /private/etc is the real /etc of a Mac
		return systemTop
	}
	return systemPath
}

func (t *trail) temporary(depth int) place {
	if t.n <= depth && !t.contents {
		return topLevel
	}
	return temporary
}

// under is the number of names in dir when the trail starts with them, else 0.
func (t *trail) under(dir string) int {
	n := 0
	for dir != "" {
		var name string
		name, dir, _ = strings.Cut(dir, "/")
		if n >= t.n || t.names[n] != name {
			return 0
		}
		n++
	}
	return n
}

func (t *trail) anyName(from int, set *wordSet) bool {
	for _, name := range t.names[from:t.n] {
		if set.has(name) {
			return true
		}
	}
	return false
}

var systemDirectories = wordSet{list: "bin boot dev efi etc lib lib32 lib64 libx32 lost+found media mnt nix opt proc run sbin snap srv sys usr var applications cores " +
	"library network private system volumes"}

var temporaryBelowSystem = []string{"var/tmp", "private/tmp", "private/var/tmp", "private/var/folders", "var/folders", "dev/shm"}

var cachesBelowSystem = []string{"var/cache", "var/lib/apt/lists", "usr/src/app", "var/www/html/cache"}

// buildOutput are names of directories that tools make again.
var buildOutput = wordSet{list: "build dist out target node_modules coverage .nyc_output .cache cache Caches __pycache__ .pytest_cache .mypy_cache .ruff_cache " +
	".next .nuxt .turbo .parcel-cache .gradle .tox .venv venv tmp temp .tmp obj .eggs .svelte-kit .angular .output htmlcov " +
	"DerivedData _build .npm .yarn _cacache .terraform tmpdir go-build"}

// holdsUserData: system directories in which people keep their own.
func holdsUserData(first string) bool {
	switch first {
	case "opt", "srv", "mnt", "media", "volumes":
		return true
	}
	return false
}
