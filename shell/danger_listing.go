package shell

import (
	"slices"
	"strings"
)

// namesHere: the command prints the working directory or the top of the project.
func (s *inspection) namesHere(j int) bool {
	c := &s.Commands[j]
	switch c.Program() {
	case "pwd":
		return true
	case "git":
		return c.hasWord("--show-toplevel")
	}
	return false
}

// listing says how much of the files a list names.
type listing uint8

const (
	listsUnknown listing = iota
	listsSome
	listsAll
)

// listed judges what comes through a pipe as a list of files.
func (s *inspection) listed(in Stdin) listing {
	if in.Kind != StdinPipe {
		return listsUnknown
	}
	result := listsUnknown
	for j := max(in.From, in.To-lookAround); j < in.To && j < len(s.Commands); j++ {
		switch s.Commands[j].Program() {
		case "find", "gfind", "ls", "fd", "fdfind", "git", "tree", "locate", "du":
			if s.listsEverything(j) {
				result = listsAll
			} else {
				result = max(result, listsSome)
			}
		case "echo", "printf":
			if !s.listsEverything(j) {
				return listsSome
			}
			result = listsAll
		case "grep", "egrep", "fgrep", "rg", "ag", "awk", "gawk", "head", "tail", "fzf", "sk", "peco", "comm", "jq", "cut":
			return listsSome
		}
	}
	return result
}

// listsEverything: a listing without anything that narrows it.
func (s *inspection) listsEverything(j int) bool {
	c := &s.Commands[j]
	switch c.Program() {
	case "find", "gfind":
		e := readExpression(c.Words)
		return !e.narrowed && c.startsAtRuin()
	case "fd", "fdfind":
		return !fdNarrows(c)
	case "ls":
		for a := c.arguments(&plainGrammar); a.next(); {
			if a.operand && !locate(pathOf(c.Words[a.valueAt], false), firstDir(c)).place.ruinous() {
				return false
			}
		}
		return true
	case "echo", "printf": // ~/*
		return slices.ContainsFunc(c.Args(), func(word Word) bool {
			return strings.IndexByte(word.Text, Glob) >= 0 && locate(pathOf(word, false), firstDir(c)).place.ruinous()
		})
	case "git":
		if len(c.Words) < 2 || c.Words[1].Text != "ls-files" {
			return false
		}
		for _, word := range c.Words[2:] {
			if word.Text != "-z" && word.Text != "-c" && word.Text != "--cached" {
				return false
			}
		}
		return true
	}
	return false
}

func firstDir(c *Command) string {
	if len(c.Dirs) == 0 {
		return ""
	}
	return c.Dirs[0]
}

// loopsOverEverything: command i stands in a loop over $(ls) or the like.
func (s *inspection) loopsOverEverything(i int) bool {
	if !slices.Contains(s.Commands[i].Via, "for") {
		return false
	}
	for j := max(0, i-lookAround); j < i; j++ {
		via := s.Commands[j].Via
		if slices.Contains(via, "for") && slices.Contains(via, "$(…)") && s.listsEverything(j) {
			return true
		}
	}
	return false
}

// inside yields the commands near i that stand inside a span: the substitutions
// of a word. Code in a string has the span of its word, so there everything before
// counts.
func (s *inspection) inside(span Span, i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for j := max(0, i-lookAround); j < min(len(s.Commands), i+lookAround); j++ {
			if j != i && s.within(j, span) && s.Commands[j].Parent != i && !yield(j) {
				return
			}
		}
	}
}

func (s *inspection) within(j int, span Span) bool {
	at := s.Commands[j].Span
	return at.Start >= span.Start && at.End <= span.End
}

// parallels judges parallel, which gives each line it reads to its command.
func parallels(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	for at := 1; at < len(c.Words); at++ {
		switch baseName(firstField(c.Words[at].Text)) {
		case "rm", "unlink", "shred", "grm":
			if s.listed(c.Stdin) == listsAll {
				return onFloor(s.at(kindRemove, i, at, "deletes everything that is listed, unfiltered"))
			}
		}
	}
	if c.Opaque == OpaqueShell { // the lines are the commands
		return s.fedBy(i)
	}
	return nil
}
