package shell

import (
	"slices"
	"strings"
)

// RunsAnything is the first command of which nobody knows which program it runs, and with it
// which files: $CMD x, eval "$X", timeout $T x, whose value may be "5 cat secret". It is -1
// if there is none. Values that the script itself gives are known.
func (s *Script) RunsAnything() int {
	var readings []*Script
	spelled := false // there is code for what is evaluated, so far as that was asked
	for i, asked := 0, false; i < len(s.Commands); i++ {
		c := &s.Commands[i]
		if c.Evaluated && !asked {
			spelled, asked = s.spellsCode(), true
		}
		switch {
		case c.Link == Guess:
			continue
		case c.Evaluated && spelled:
			return i
		case !c.runsAnything():
			continue
		}
		if s.settled {
			return i
		}
		if readings == nil {
			if readings = s.Bounded(); len(readings) == 0 {
				return i
			}
		}
		if slices.ContainsFunc(readings, func(reading *Script) bool { return reading.runsAnythingAt(c.Span) }) {
			return i
		}
	}
	return -1
}

// spellsCode reports whether some text of the script holds a substitution that is not run where it
// stands, so that it may be what is evaluated elsewhere: x='a[$(cmd)]'.
func (s *Script) spellsCode() bool {
	dollar, parenthesis := false, false // in two pieces
	spells := func(word Word) bool {
		dollar, parenthesis = dollar || strings.HasSuffix(word.Text, "$"), parenthesis || strings.HasPrefix(word.Text, "(")
		return dollar && parenthesis || strings.Contains(word.Text, "$(") || strings.IndexByte(word.Text, '`') >= 0
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		if slices.ContainsFunc(c.Words, spells) || spells(Word{Text: c.Stdin.Text}) ||
			slices.ContainsFunc(c.Assigns, func(a Assign) bool { return spells(a.Value) || slices.ContainsFunc(a.elements, spells) }) {
			return true
		}
	}
	return false
}

// runsAnythingAt is the same question about the command that stands in this place.
func (s *Script) runsAnythingAt(span Span) bool {
	found := false
	for i := range s.Commands {
		if c := &s.Commands[i]; c.Span == span { // a reading as a whole is a guess
			found = true
			if c.runsAnything() {
				return true
			}
		}
	}
	return !found
}

func (c *Command) runsAnything() bool {
	switch {
	case c.Evaluated || len(c.Words) == 0:
		return false
	case c.Opaque == OpaqueShell:
		return true
	case !slices.ContainsFunc(c.Words[1:], func(word Word) bool { return word.Named || strings.IndexByte(word.Text, Unknown) >= 0 }):
		return false
	}
	spec := c.runs()
	if spec == nil {
		return false
	}
	if _, ok := spec.start(c.Words, nil); ok {
		return false
	}
	single := 0 // words that may be the program
	for k := 1; k < len(c.Words); k++ {
		word := &c.Words[k]
		switch text := word.Text; {
		case splitsUnknown(word):
			return true
		case beginsUnknown(word), word.Named:
			single++
		case spec.operands < 0 || text == "" || isOption(text) || isOption(c.Words[k-1].Text) || isAssignment(text) || text[0] >= '0' && text[0] <= '9':
		default: // what it runs
			return single > spec.operands
		}
	}
	return spec.operands >= 0 && single > spec.operands
}

// runs is how the program finds the command that it runs among its words, nil if it runs none.
func (c *Command) runs() *wrapper {
	switch c.Program() {
	case "env", "genv":
		return &envOptions
	case "sudo", "doas":
		return &sudoOptions
	case "watch":
		return &watchOptions
	case "xargs", "gxargs":
		return &xargsOptions
	case "su", "runuser", "sg", "script", "flock", "nix-shell", "parallel", "busybox", "toybox":
		return &loose
	}
	return c.knowledge().wrapper
}
