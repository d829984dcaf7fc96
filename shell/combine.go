package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// Where variables have several values a script is walked several times, and each of these
// passes takes other values. Variables get their values independently of each other: in
// each pipeline the passes come to every combination of those that stand in it. Where a cd
// leads to in any pass is where the commands behind it may run in every pass, so that the
// values there and those that cd has got are combined as well.

// How many combinations are tried, and commands looked at for them in all. The values of
// one variable are tried in any case.
const (
	maxCombined = 32
	maxRepeated = 8192
)

// passes is what the passes over a script have found out together.
type passes struct {
	needed int // how many there must be
	// limit bounds the combinations; crowded: more would be tried in a shorter script.
	limit   int
	crowded bool
	// targets are the words with which each cd was called, by its place. They are complete
	// after one round of passes, and joined in the next.
	targets map[int32][]Word
	joined  bool
	// led: some cd has several; chosen: how many pipelines choose values; learned: a
	// variable has got another value.
	led     bool
	chosen  int
	learned bool
}

// newPasses is for a script with that many commands.
func newPasses(commands int) passes {
	return passes{needed: 1, limit: min(maxCombined, max(maxFolds, maxRepeated/max(commands, 1)))}
}

// again: another round would say more. A cd that is the only one to choose has been
// everywhere already.
func (p *passes) again() bool { return p.learned || p.led && p.chosen > 1 }

// choice is a place in a pipeline that has several values.
type choice struct {
	name string
	kind choiceKind
	step int // how many combinations there are of those before it
	of   int
}

type choiceKind uint8

const (
	chosenValue choiceKind = iota
	chosenArray
	chosenDefault // or the value
	chosenPlace
)

// choose says which of its values a variable has in this pass. Not all combinations are
// tried if there are too many.
func (w *walker) choose(name string, kind choiceKind, of int) (n int, all bool) {
	if of <= 1 {
		return 0, true
	}
	if w.passes == nil {
		return w.pass % of, false
	}
	step := 1
	for _, c := range w.choices {
		if c.name == name && c.kind == kind && c.of == of {
			return w.pass / c.step % of, true
		}
		step *= c.of
	}
	if step*of > w.passes.limit {
		w.passes.crowded = w.passes.crowded || step*of <= maxCombined
		w.passes.needed = max(w.passes.needed, min(of, maxFolds))
		return w.pass % of, false
	}
	w.choices = append(w.choices, choice{name: name, kind: kind, step: step, of: of})
	w.passes.needed = max(w.passes.needed, step*of)
	return w.pass / step % of, true
}

// apart walks a pipeline whose values have nothing to do with those of its neighbours. In
// code that stands in a word those of the word have been chosen.
func (w *walker) apart(stmt *syntax.Stmt) {
	outer := w.choices
	if w.span == nil {
		w.choices = nil
	}
	before := len(w.choices)
	w.choices = slices.Clip(w.choices)
	w.stmt(stmt)
	if len(w.choices) > before {
		w.chosen++
		w.passes.chosen = max(w.passes.chosen, w.chosen)
	}
	w.choices = outer
}

// others are the words with which the cd at this place is called in other passes.
func (w *walker) others(target Word, at int32) []Word {
	if len(w.choices) == 0 || w.passes == nil {
		return nil
	}
	p := w.passes
	all := p.targets[at]
	if !slices.Contains(all, target) {
		if p.targets == nil {
			p.targets = make(map[int32][]Word)
		}
		p.led = p.led || len(all) > 0
		all = append(all, target)
		p.targets[at] = all
	}
	if !p.joined {
		return nil
	}
	return all
}

// learn notes a value that a variable gets from others: b=$a.
func (w *walker) learn(v *variable, value Word) {
	switch {
	case w.bound != nil || slices.ContainsFunc(v.values, func(known Word) bool { return known.Text == value.Text }):
	case len(v.values) == 0:
		v.values = append(v.values, value)
		w.mayBeEmpty(v)
	case len(v.values) < maxFolds && worthFolding(value.Text):
		v.values = append(v.values, value)
		if w.passes != nil {
			w.passes.learned = true
		}
	}
}

// mayBeEmpty gives a variable that the script empties or unsets the empty value too.
func (w *walker) mayBeEmpty(v *variable) {
	if !v.emptied && !w.emptiesAny || len(v.values) == 0 || slices.ContainsFunc(v.values, func(known Word) bool { return known.Text == "" }) {
		return
	}
	v.values = slices.Insert(v.values, 1, Word{})
	if w.passes != nil {
		w.passes.learned = true
	}
}

// empties notes that the script takes the value of a variable away: unset x.
func (w *walker) empties(name Word) {
	if w.folding {
		return
	}
	if !name.Known() {
		w.emptiesAny = true
		return
	}
	w.variable(name.Text).emptied = true
}
