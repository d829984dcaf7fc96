package shell

import (
	"slices"
	"strings"
)

// values tries what the unknown beginning of an operand may stand for, as far as
// the script itself says: $HOME through another variable, the arguments of the
// function or of the shell that the command stands in.
func (r *removal) values(rest, dir string, at int) {
	s := r.s
	s.gather()
	for _, value := range s.homes[:min(len(s.homes), lookAround/8)] {
		r.try(pathOf(value, true)+rest, dir, at)
	}
	for k := range s.Functions {
		if f := &s.Functions[k]; r.i >= f.From && r.i < f.To && (r.worst == nil || !r.worst.Floor) {
			r.calls(f, rest, dir, at)
		}
	}
	r.positional(rest, dir, at)
	s.valuesOf(r.i, r.s.Commands[r.i].Words[at].Span, func(text string) bool {
		r.try(text+rest, dir, at)
		return r.worst != nil && r.worst.Floor
	}, nil)
}

// try judges one reading; only a ruinous one counts, it is a guess.
func (r *removal) try(path, dir string, at int) {
	if r.worst != nil && r.worst.Floor {
		return
	}
	if !r.affords(1, at) {
		return
	}
	path = asPattern(path)
	if loc := locate(path, dir); loc.place.ruinous() {
		r.judge(loc, path, at)
	}
}

// affords counts what is looked at. What would take too long is not told from the worst.
func (r *removal) affords(n, at int) bool {
	if r.s.tries += n; r.s.tries <= maxTries {
		return true
	}
	r.worst = onFloor(r.s.at(kindRemove, r.i, at, "deletes what has too many values to be judged"))
	return false
}

func (r *removal) calls(f *Function, rest, dir string, at int) {
	if !r.affords((f.To-f.From)/lookAround, at) {
		return
	}
	for j := max(0, f.From-lookAround); j < min(len(r.s.Commands), f.To+lookAround); j++ {
		if c := &r.s.Commands[j]; len(c.Words) > 1 && c.Words[0].Text == f.Name {
			for _, word := range c.Args() {
				r.try(pathOf(word, true)+rest, dir, at)
			}
		}
	}
}

// positional: the words of set --, and those that follow the code of sh -c.
func (r *removal) positional(rest, dir string, at int) {
	for j := max(0, r.i-lookAround); j < r.i; j++ {
		c := &r.s.Commands[j]
		if c.Program() != "set" && j != r.s.Commands[r.i].Parent {
			continue
		}
		for k := 2; k < len(c.Words); k++ {
			r.try(pathOf(c.Words[k], true)+rest, dir, at)
		}
	}
}

// foldsFirst reports whether a word begins with a variable that is not empty: the script surely
// assigns it a constant. The reading with that value is a command of its own and judged as such.
func (s *inspection) foldsFirst(i, at int) bool {
	names := s.namesIn(s.Commands[i].Words[at].Span)
	return len(names) > 0 && s.ofThisShell(i) && s.holdsSomething(names[0], i) && s.foldsTo(i, at, func(text string) bool {
		return text != "" && text[0] < Glob
	})
}

// filled reports whether no variable in a word can be empty: it says so (${x:?}), or the script
// surely assigns constants to them, or they are those of loops around the command.
func (s *inspection) filled(i, at int) bool {
	word := &s.Commands[i].Words[at]
	if word.filled {
		return true
	}
	names := s.namesIn(word.Span)
	for _, name := range names {
		if !s.holdsSomething(name, i) && !s.countsThrough(name, i) {
			return false
		}
	}
	return len(names) > 0 && s.ofThisShell(i) && s.foldsTo(i, at, func(text string) bool { return strings.IndexByte(text, Unknown) < 0 })
}

// ofThisShell reports whether command i is code of this shell, and not of one that it starts, which
// may not know the variables.
func (s *inspection) ofThisShell(i int) bool {
	for ; i >= 0; i = s.Commands[i].Parent {
		if s.Commands[i].Link == Code {
			return false
		}
	}
	return true
}

// foldsTo reports whether a word of command i is such a text with the values of its variables.
func (s *inspection) foldsTo(i, at int, such func(text string) bool) bool {
	c := &s.Commands[i]
	for j := i + 1; j < len(s.Commands); j++ {
		g := &s.Commands[j]
		if g.Link == Guess && g.Span == c.Span && len(g.Words) == len(c.Words) && such(g.Words[at].Text) {
			return true
		}
	}
	return false
}

// namesIn are the variables that stand in a piece of the source.
func (s *inspection) namesIn(span Span) []string {
	if span.Start < 0 || span.Start >= span.End || int(span.End) > len(s.Source) {
		return nil
	}
	var names []string
	for name := range variablesIn(s.Source[span.Start:span.End]) {
		if names = append(names, name); len(names) == lookAround {
			return nil
		}
	}
	return names
}

// holdsSomething reports whether one of the commands with which the script begins, and which surely
// run, assigns a constant to the variable, and none reads something else into it. The shell does so
// with PWD.
func (s *inspection) holdsSomething(name string, i int) bool {
	assigned, end := name == "PWD", int32(0)
	for j := range s.Commands[:i] {
		c := &s.Commands[j]
		if c.Parent >= 0 || c.Span.Start < end || strings.Trim(s.Source[end:c.Span.Start], " \t\n&") != "" {
			break
		}
		if end = c.Span.End; !endsHere(s.Source[c.Span.Start:end], s.Source[end:]) {
			break
		}
		for k := range c.Assigns {
			if a := &c.Assigns[k]; a.Name == name && len(c.Words) == 0 {
				assigned = a.Value.Text != "" && a.Value.Known()
			}
		}
	}
	return assigned && !s.readsInto(name)
}

// endsHere reports whether a command is one of this shell by itself, as far as what follows it says:
// no part of a pipe, of a choice or of what runs in the background.
func endsHere(command, rest string) bool {
	if strings.HasSuffix(command, ";") {
		return true
	}
	rest, _, _ = strings.Cut(strings.TrimLeft(rest, " \t"), "\n")
	if rest, and := strings.CutPrefix(rest, "&&"); and {
		rest, _, _ = strings.Cut(rest, ";")
		return !strings.Contains(strings.ReplaceAll(rest, "&&", ""), "&")
	}
	return rest == "" && !strings.HasSuffix(command, "&")
}

// readsInto reports whether a command may give the variable a value that the script does not spell.
func (s *inspection) readsInto(name string) bool {
	for j := range s.Commands {
		c := &s.Commands[j]
		if c.Link == Direct && slices.ContainsFunc(c.Assigns, func(a Assign) bool { return a.Name == name && !a.Value.Known() }) {
			return true
		}
		switch c.Program() {
		case "read", "mapfile", "readarray", "getopts", "printf", "eval", "source", ".":
			if c.hasWord(name) || c.Program() == "eval" {
				return true
			}
		}
	}
	return false
}

// countsThrough reports whether the variable is that of a loop around command i, over words that
// are not empty, and nothing else gives it a value.
func (s *inspection) countsThrough(name string, i int) bool {
	around := false
	for k := range s.loops {
		l := &s.loops[k]
		if l.name != name {
			continue
		}
		if l.all || slices.ContainsFunc(l.words, func(word Word) bool { return onlyMarks(word.Text) }) {
			return false
		}
		around = around || l.from <= i && i < l.to
	}
	if !around || s.readsInto(name) {
		return false
	}
	for j := range s.Commands[:i] {
		c := &s.Commands[j]
		if c.Link == Direct && slices.ContainsFunc(c.Assigns, func(a Assign) bool { return a.Name == name }) || c.Program() == "unset" && c.hasWord(name) {
			return false
		}
	}
	return true
}
