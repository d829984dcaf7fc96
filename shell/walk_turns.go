package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Some code runs more than once, or not where it stands: the body of a loop goes on where
// its last turn has ended, a function runs where it is called, a trap wherever the script
// is by then. Such code is walked once, as if it started in a directory "", and its
// commands get the directories in which it may start afterwards.

// anywhere is a directory that nobody knows. It is never changed.
var anywhere = []string{unknownMark}

// turn is the state of the walk before code that may run again.
type turn struct {
	dirs []string
	from int // its first command
	// What was known by then, as in walker.
	moving int
	astray stray
}

// turn starts code that may run again.
func (w *walker) turn() turn {
	t := turn{dirs: w.dirs, from: len(w.s.Commands), moving: w.moving, astray: w.astray}
	if w.dirs != nil {
		w.dirs = startDir
	}
	w.turns++
	return t
}

// turned ends it. The directories it has led to are those from which it may run again.
func (w *walker) turned(t turn) {
	w.either()
	w.turns--
	end := w.dirs
	w.dirs = t.dirs
	if !isStart(end) {
		w.dirs = repeated(end, t.dirs)
		w.visits(w.dirs)
		if w.turns == 0 {
			w.visited = union(w.visited, w.dirs)
		}
	}
	unsure := w.unsure(t)
	if isStart(w.dirs) && !unsure {
		return
	}
	var seen, out []string // most commands run where the one before does
	for i := t.from; i < len(w.s.Commands); i++ {
		c := &w.s.Commands[i]
		if i == t.from || !same(seen, c.Dirs) {
			seen, out = c.Dirs, startingFrom(c.Dirs, w.dirs)
			if unsure {
				out = union(out, anywhere)
			}
		}
		c.Dirs = out
	}
}

// looped is turned for code that surely runs where it stands: what the last turn has set
// holds for what follows.
func (w *walker) looped(t turn) {
	w.turned(t)
	if w.unsure(t) {
		w.dirs = union(w.dirs, anywhere)
		w.visits(w.dirs)
	}
}

// unsure: the turn has set what is only followed where it is known already.
func (w *walker) unsure(t turn) bool {
	return w.moving > t.moving || w.misleads(w.astray&^t.astray)
}

// same: they are one and the same list.
func same(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// repeated is where code may be after any number of turns that each end in one of the
// directories of end, as seen from where the turn starts. A directory that is not
// absolute leads further with each turn.
func repeated(end, start []string) []string {
	all := union(start, startingFrom(end, start))
	if leadsOn(end) {
		return union(all, anywhere)
	}
	return all
}

// leadsOn: one of the directories is not absolute.
func leadsOn(dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return dir != "" && !rooted(dir) })
}

func isStart(dirs []string) bool { return dirs == nil || slices.Equal(dirs, startDir) }

// startingFrom is a set of directories as seen from others.
func startingFrom(dirs, start []string) []string {
	switch {
	case isStart(start):
		return dirs
	case isStart(dirs):
		return start
	}
	var out []string
	for _, dir := range dirs {
		if rooted(dir) || strings.HasPrefix(dir, unknownMark) {
			out = append(out, dir)
			continue
		}
		for _, from := range start {
			if !strings.HasPrefix(from, unknownMark) {
				from = behind(from, dir)
			}
			out = append(out, from)
		}
	}
	return union(out[:1], out[1:])
}

// laterRun is code that does not run where it stands: the body of a function, or a trap.
type laterRun struct {
	from int
	dirs [][]string // of its commands, as seen from where it starts
	trap bool
	last bool // nothing runs after it: a trap for the end of the script
}

// later walks such code. It returns where the code may have led to, nil if nowhere.
func (w *walker) later(trap bool, walk func()) []string {
	n := len(w.laters)
	w.laters = append(w.laters, laterRun{from: len(w.s.Commands), trap: trap})
	w.traps = w.traps || trap
	t := w.turn()
	walk()
	w.either()
	end := w.dirs
	run := &w.laters[n]
	for i := run.from; i < len(w.s.Commands); i++ {
		run.dirs = append(run.dirs, w.s.Commands[i].Dirs)
	}
	w.turned(t)
	if isStart(end) {
		return nil
	}
	return end
}

// visits notes the directories in which a trap may run.
func (w *walker) visits(dirs []string) {
	if !w.traps {
		return
	}
	w.places = union(w.places, dirs)
	if w.turns > 0 { // they are seen from where the turn starts
		w.places = union(w.places, anywhere)
	}
}

// calls: the command may be a call of a function.
func (w *walker) calls(name Word) bool {
	_, ok := w.rebound[name.Text]
	return ok || w.anyCall || !name.Known()
}

// wander follows a call of a function while some function changes the directory: by which
// others that one is called is not looked at.
func (w *walker) wander(name Word) {
	if w.calls(name) {
		w.dirs = repeated(w.wanders, w.dirs)
		w.visits(w.dirs)
	}
}

// callers are the directories in which functions are called.
func (w *walker) callers() []string {
	var places []string
	for i := range w.s.Commands {
		if c := &w.s.Commands[i]; len(c.Words) > 0 && w.calls(c.Words[0]) {
			places = union(places, c.Dirs)
		}
	}
	for _, run := range w.laters {
		for i, dirs := range run.dirs {
			c := &w.s.Commands[run.from+i]
			if len(c.Words) > 0 && w.calls(c.Words[0]) && leadsOn(dirs) { // one calls another after a cd
				return union(places, anywhere)
			}
		}
	}
	return places
}

// trapsMove: a trap calls a function, and one of the functions changes the directory, so
// that each command may run elsewhere.
func (w *walker) trapsMove() bool {
	if !w.traps || w.moving == 0 {
		return false
	}
	for _, run := range w.laters {
		for i := range run.dirs {
			if c := &w.s.Commands[run.from+i]; run.trap && !run.last && len(c.Words) > 0 && w.calls(c.Words[0]) {
				return true
			}
		}
	}
	return false
}

// whole walks the statements of a whole text.
func (w *walker) whole(stmts []*syntax.Stmt) {
	if w.language() == Zsh {
		w.strays(byPipe)
	}
	w.list(stmts)
	if len(w.laters) == 0 {
		return
	}
	if w.trapsMove() {
		for i := range w.s.Commands {
			w.s.Commands[i].Dirs = union(w.s.Commands[i].Dirs, anywhere)
		}
	}
	w.starts(true, w.places) // and so do the functions that traps call
	w.starts(false, w.callers())
}

// starts gives the commands of traps, or of functions, the directories in which they may
// start.
func (w *walker) starts(trap bool, places []string) {
	unsure := w.moving > 0 || w.misleads(w.astray)
	for _, run := range w.laters {
		if run.trap != trap {
			continue
		}
		var before, seen, out []string
		for i, dirs := range run.dirs {
			c := &w.s.Commands[run.from+i]
			if i == 0 || !same(before, c.Dirs) || !same(seen, dirs) {
				before, seen, out = c.Dirs, dirs, c.Dirs
				if !isStart(places) {
					out = union(out, startingFrom(dirs, places))
				}
				if unsure {
					out = union(out, anywhere)
				}
			}
			c.Dirs = out
		}
	}
}
