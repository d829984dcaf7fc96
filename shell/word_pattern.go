package shell

import (
	"bytes"
	"strings"
)

// patternOptions is what the options of the shell, which a script may set, make of a pattern.
type patternOptions uint8

const (
	// findsHidden: hidden files too.
	findsHidden patternOptions = 1 << iota
	// findsBelow: those further down.
	findsBelow
	// anyCase: names that differ from it in upper and lower case, or in ways not known.
	anyCase
	// mayVanish: it is no word at all if it finds nothing.
	mayVanish

	anyOption = findsHidden | findsBelow | anyCase | mayVanish
	// otherNames: a pattern finds names that it would not find without the option.
	otherNames = findsHidden | findsBelow | anyCase
)

// patternOptions looks for what sets such options. It looks at the commands that were found,
// so that quotes and constants in them hide nothing. Where in the script one is set does not
// matter: loops and functions come back to what stands before.
func (s *Script) patternOptions() (options patternOptions) {
	if s.anyName || namesPatternVariable(s.Source) {
		options = anyOption
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		for k := range c.Assigns {
			if namesPatternVariable(c.Assigns[k].Name) {
				options = anyOption
			}
		}
		for k := range c.Words {
			if namesPatternVariable(c.Words[k].Text) {
				options = anyOption
			}
		}
		switch c.Program() {
		case "shopt":
			options |= shoptOptions(c.Args())
		case "bash", "rbash", "sh":
			for _, word := range c.Args() { // -O and +O set what shopt does
				if text := word.Text; len(text) > 1 && (text[0] == '-' || text[0] == '+') && text[1] != '-' && strings.IndexByte(text, 'O') > 0 {
					options = anyOption
				}
			}
		}
	}
	return options
}

// namesPatternVariable: a value of GLOBIGNORE switches hidden files on, and BASHOPTS is a list
// of options for a shell that is started.
func namesPatternVariable(text string) bool {
	return strings.Contains(text, "GLOBIGNORE") || strings.Contains(text, "BASHOPTS")
}

// shoptOptions is what the arguments of shopt set.
func shoptOptions(args []Word) (options patternOptions) {
	changes := false
	for _, word := range args {
		text := word.Text
		switch {
		case !word.Known():
			return anyOption
		case strings.HasPrefix(text, "-"):
			changes = changes || strings.ContainsAny(text, "su")
			continue
		}
		switch text {
		case "nullglob":
			options |= mayVanish
		case "dotglob", "globskipdots": // without the last .* finds . and ..
			options |= findsHidden
		case "globstar":
			options |= findsBelow
		case "nocaseglob":
			options |= anyCase
		case "failglob", "expand_aliases", "inherit_errexit", "lastpipe", "extglob", "globasciiranges", "nocasematch":
		default:
			options |= anyOption
		}
	}
	if !changes {
		return 0
	}
	return options
}

// glob appends the mark for a pattern. Where an option makes it find other names nothing is known
// of them, except in a guess: what the pattern finds by itself is among them in any case.
func (b *builder) glob() {
	b.w.s.globs = true
	switch {
	case b.w.s.patterns&otherNames == 0:
		b.mark(Glob)
	case b.w.folding && b.w.bound == nil:
		b.w.folded = true
		b.mark(Glob)
	default:
		b.w.foldable = true
		b.mark(Unknown)
		b.several = true
	}
}

// spread makes each name with a pattern in it one of which nothing is known: with nocaseglob
// not even its letters are. In a guess it puts the dot of a hidden file before patterns that find
// such; one for all files of a directory is left as it is, and judged as that.
func (b *builder) spread() {
	guess := b.w.folding && b.w.bound == nil
	switch {
	case guess && b.w.s.patterns&findsHidden != 0 && bytes.IndexByte(b.buf, Glob) >= 0:
	case guess || b.w.s.patterns&anyCase == 0 || !b.several:
		return
	}
	names := strings.Split(string(b.buf), "/")
	for i, name := range names {
		switch {
		case guess && strings.HasPrefix(name, globMark) && (len(name) > 1 || i+1 < len(names)):
			names[i] = "." + name
		case !guess && strings.IndexByte(name, Unknown) >= 0:
			names[i] = unknownMark
		}
	}
	b.buf = append(b.buf[:0], strings.Join(names, "/")...)
}
