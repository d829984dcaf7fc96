package rule

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// meetsCommand reads the text of a simple command. Besides their values, two
// things about marks in words are taken into account:
//
//   - an expansion may leave no word at all: `rm $X -rf` can be `rm -rf`;
//   - a glob may become several words that share what stands around it:
//     `rm src/*` can be `rm src/a src/b`.
func (a *automaton) meetsCommand(text string) bool {
	globs := globRange{strings.IndexByte(text, shell.Glob), strings.LastIndexByte(text, shell.Glob)}
	for {
		a.readings++
		grew := a.readWords(text, globs)
		if a.now.meets(a.final) {
			return true
		}
		if !grew {
			return false
		}
	}
}

// globRange is where the first and the last glob of a text stand; -1 for none.
type globRange struct{ first, last int }

// readWords reads the text once. What could follow a repeated word is collected
// in `back` and enters at the words up to the last glob on the next reading; it
// reports whether there is more of it than before.
func (a *automaton) readWords(text string, globs globRange) (grew bool) {
	clear(a.now)
	clear(a.before)
	a.now.add(0)
	a.now.join(a.back)
	leading := true // every word so far may be none
	for start := 0; ; {
		end := wordEnd(text, start)
		for i := start; i < end; i++ {
			a.readByte(text, i)
		}
		none := vanishes(text[start:end])
		if none {
			a.now.join(a.before)
		}
		if globs.first >= 0 && end > globs.first {
			a.step(a.spare, a.now, ' ')
			grew = a.back.join(a.spare) || grew
		}
		if end == len(text) {
			return grew
		}
		copy(a.before, a.now)
		a.step(a.now, a.now, ' ')
		if leading = leading && none; leading {
			a.now.add(0)
		}
		if end < globs.last {
			a.now.join(a.back)
		}
		start = end + 1
	}
}

func wordEnd(text string, start int) int {
	if i := strings.IndexByte(text[start:], ' '); i >= 0 {
		return start + i
	}
	return len(text)
}

// vanishes reports whether a word is nothing but expansions.
func vanishes(word string) bool {
	return word != "" && madeOf(word, shell.Unknown)
}

func (a *automaton) readByte(text string, i int) {
	switch b := text[i]; {
	case !marked(b):
		a.step(a.now, a.now, b)
	case i > 0 && text[i-1] == b: // the mark before says it all
	case b == shell.Unknown:
		a.anything(a.now)
	default:
		a.name(a.now, i == 0 || text[i-1] == '/' || text[i-1] == ' ')
	}
}
