package shell

import (
	"strings"
	"sync"
)

// What is known about programs stands in tables that cost nothing until they are
// asked: a guard is started for one call, and would otherwise spend more time on
// preparing them than on its decision.

// wordSet is a set of words, separated by blanks.
type wordSet struct {
	list string
	once sync.Once
	// slots hold the words, at most every second one: each in the first free one from its place on.
	// These words are short and few, and a map would take several times as long.
	slots []string
}

func (s *wordSet) has(word string) bool {
	s.once.Do(s.fill)
	for at := slotOf(word); ; at++ {
		switch s.slots[at&(len(s.slots)-1)] {
		case "":
			return false
		case word:
			return true
		}
	}
}

func (s *wordSet) fill() {
	size := 2
	for size < 2*(1+strings.Count(s.list, " ")) {
		size *= 2
	}
	s.slots = make([]string, size)
	for word := range strings.FieldsSeq(s.list) {
		at := slotOf(word) & (size - 1)
		for s.slots[at] != "" {
			at = (at + 1) & (size - 1)
		}
		s.slots[at] = word
	}
}

func slotOf(word string) int {
	n := len(word)
	if n == 0 {
		return 0
	}
	return 61*n + 31*int(word[0]) + 17*int(word[n/2]) + 5*int(word[n-1])
}

// listed reports whether a list of words separated by blanks holds a word. It is
// for lists that are asked once for each program.
func listed(list, word string) bool {
	for from := 0; ; {
		i := strings.Index(list[from:], word)
		if i < 0 || word == "" {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || list[i-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		from = i + 1
	}
}

// optionTable says for programs, or for the subcommands of one, which options only
// read.
type optionTable []struct {
	name string
	spec *optionSpec // a pointer, so that what several programs share is not copied at the start
}

// find returns nil for a name that is not in the table.
func (t optionTable) find(name string) *optionSpec {
	for i := range t {
		if t[i].name == name {
			return t[i].spec
		}
	}
	return nil
}

// of is find for callers that need some spec: one without options, which doubts
// all of them.
func (t optionTable) of(name string) *optionSpec {
	if spec := t.find(name); spec != nil {
		return spec
	}
	return &optionSpec{}
}
