package shell

import (
	"iter"
	"slices"
	"strings"
)

// Where a command goes to a directory that is not known, the script often spells it all the same:
// in set --, in an array, or in what a search lists. Then what follows may run there, too.

// move is a change to a directory that is not known, as cd "$1" is.
type move struct {
	command int // it, or one near it
	target  Word
	from    []string
}

// mostMoves bounds those that are kept, mostLed the directories that they may lead to. What has
// more of them may lead to the worst.
const (
	mostMoves = 64
	mostLed   = 64
)

func (w *walker) movesTo(target Word) {
	if w.folding || target.Span == (Span{}) || len(w.s.moves) > mostMoves {
		return
	}
	w.s.moves = append(w.s.moves, move{command: max(0, len(w.s.Commands)-1), target: target, from: w.dirs})
}

// followMoves gives the commands that may run anywhere the directories that moves may lead to.
func (s *Script) followMoves() {
	if len(s.moves) == 0 {
		return
	}
	j := inspect(s)
	defer j.release()
	led := j.ledTo()
	if len(led) == 0 {
		return
	}
	var before, after []string
	for i := range s.Commands {
		c := &s.Commands[i]
		if !slices.ContainsFunc(c.Dirs, startsUnknown) {
			continue
		}
		if !same(before, c.Dirs) {
			before, after = c.Dirs, leadingTo(led, c.Dirs)
		}
		c.Dirs = after
	}
}

// leadingTo adds the directories behind those that are not known.
func leadingTo(led, dirs []string) []string {
	all := slices.Clone(dirs)
	for _, dir := range dirs {
		if !startsUnknown(dir) {
			continue
		}
		for _, first := range led {
			if path := behind(first, behindUnknown(dir)); !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	return all
}

func startsUnknown(path string) bool { return path != "" && path[0] == Unknown }

// behindUnknown is a path without the directories in front that are not known.
func behindUnknown(path string) string {
	for startsUnknown(path) {
		path = strings.TrimPrefix(path[1:], "/")
	}
	return path
}

// ledTo are the directories that all moves may lead to, as far as it matters what happens there.
func (s *inspection) ledTo() []string {
	var led []string
	found := func(path string) bool {
		matters := rooted(path) || strings.Contains(path, "..") || !namesNone(path)
		if matters && !startsUnknown(path) && !slices.Contains(led, path) {
			led = append(led, path)
		}
		return len(led) > mostLed
	}
	for k := range s.moves {
		s.leads(&s.moves[k], found)
	}
	if len(led) > mostLed || len(s.moves) > mostMoves {
		return []string{worstValue}
	}
	return led
}

// leads finds the directories that one move may lead to.
func (s *inspection) leads(m *move, found func(path string) bool) {
	from := m.from
	if len(from) == 0 {
		from = startDir
	}
	keep := func(text string) bool {
		text = strings.ReplaceAll(m.target.Text, unknownMark, text)
		return slices.ContainsFunc(from, func(dir string) bool { return found(behind(behindUnknown(dir), text)) })
	}
	s.valuesOf(m.command, m.target.Span, keep, func(j int) bool {
		for path := range s.listedBy(j) {
			if keep(path) {
				return true
			}
		}
		return false
	})
}

// listedBy yields directories that command j may list.
func (s *inspection) listedBy(j int) iter.Seq[string] {
	return func(yield func(string) bool) {
		if path := s.listedProtected(j); path != "" && !yield(path) {
			return
		}
		c := &s.Commands[j]
		up := ""
		switch c.Program() {
		case "find", "gfind":
			narrowed := readExpression(c.Words).narrowed
			for _, path := range c.startingPoints {
				if narrowed || !yield(path) {
					return
				}
			}
			return
		case "dirname":
			up = ".."
		case "ls", "realpath", "readlink":
		default:
			return
		}
		a := c.arguments(&plainGrammar)
		for a.next() {
			if a.operand && !yield(behind(pathOf(c.Words[a.valueAt], true), up)) {
				return
			}
		}
	}
}
