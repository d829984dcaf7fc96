package shell

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

// foldsFirst: the variable in front of a word is not empty, because the script
// starts by assigning it a constant. The reading with that value is a command of
// its own and judged as such.
func (s *inspection) foldsFirst(i, at int) bool {
	c := &s.Commands[i]
	if len(s.Commands[0].Assigns) == 0 || len(s.Commands[0].Words) > 0 || len(s.Commands[0].Via) > 0 {
		return false
	}
	for j := i + 1; j < len(s.Commands); j++ {
		g := &s.Commands[j]
		if g.Link == Guess && g.Span == c.Span && len(g.Words) == len(c.Words) && g.Words[at].Text != "" && g.Words[at].Text[0] < Glob {
			return true
		}
	}
	return false
}
