package builtin

import (
	"fmt"
	"strings"
)

// stop is why a search has not looked at everything.
type stop uint8

const (
	notStopped stop = iota
	stoppedByVisits
	stoppedByTime
)

// tally counts what a search has left out, so that nobody takes what it found for all
// there is.
type tally struct {
	visited    int
	denied     int // files that may not be read
	noText     int // names that cannot be judged
	unreadable int
	tooDeep    int // directories
	large      int
	binary     int
	unheeded   int // rules of .gitignore files
	stopped    stop
}

// notes are the sentences about it, one on each line.
func (t *tally) notes() []string {
	var notes []string
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			notes = append(notes, "1 "+one)
		case n > 1:
			notes = append(notes, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(t.denied, "name was left out: a rule denies reading it.", "names were left out: rules deny reading them.")
	add(t.noText, "name was left out: it is no UTF-8 text, so nobody can tell whether a rule denies it.",
		"names were left out: they are no UTF-8 text, so nobody can tell whether a rule denies them.")
	add(t.unreadable, "name could not be opened.", "names could not be opened.")
	add(t.tooDeep, "directory was too deep to enter.", "directories were too deep to enter.")
	add(t.large, "file was too large to search: use a command for it.", "files were too large to search: use a command for them.")
	add(t.binary, "binary file was not searched.", "binary files were not searched.")
	add(t.unheeded, "rule of a .gitignore file was one too many and was not heeded.", "rules of .gitignore files were too many and were not heeded.")
	switch t.stopped {
	case notStopped:
	case stoppedByVisits:
		notes = append(notes, "The search stopped at its limit of names to look at and is not complete: narrow it with path.")
	case stoppedByTime:
		notes = append(notes, "The search stopped at its time limit and is not complete: narrow it with path or glob, or search for something simpler.")
	}
	return notes
}

// withNotes puts the notes behind a text.
func withNotes(text string, notes []string) string {
	if len(notes) == 0 {
		return text
	}
	return strings.TrimSuffix(text, "\n") + "\n\n(" + strings.Join(notes, " ") + ")"
}
