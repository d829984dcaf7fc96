package shell

import "strings"

// answersForPerson: assent itself, told to do what is a person's to decide: to answer a
// question, to trust a workspace, to change what was recorded, or what hooks decide by. It is like
// writing below .assent/, and needs a person in every mode.
func answersForPerson(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	verb, at := "", 0
	for k := 1; k < len(c.Words); k++ {
		text := c.Words[k].Text
		switch {
		case strings.HasPrefix(text, "-"):
			continue
		case verb == "state" && isOption(c.Words[k-1].Text) && !changesValues("state "+text): // the value of --file
			continue
		case hasVerbsBelow(verb):
			verb, at = verb+" "+text, k
		case personal(text) || hasVerbsBelow(text) || !c.Words[k].Known():
			verb, at = text, k
		case isOption(c.Words[k-1].Text): // it may be the value of the option
			continue
		}
		if !hasVerbsBelow(verb) {
			break
		}
	}
	switch {
	case c.onlyShows(verb):
		return nil
	case changesValues(verb):
		if c.namesStateFile() {
			return nil // it is judged like any other file
		}
		return onFloor(s.at(kindControl, i, at, "changes the values that hooks decide by: "+verb))
	case personal(verb):
	case verb != "" && strings.IndexByte(verb, Unknown) >= 0:
		return onFloor(s.at(kindControl, i, at, "may answer questions that assent asks a person"))
	default:
		return nil
	}
	return onFloor(s.at(kindControl, i, at, "does what assent leaves to a person: "+verb))
}

// onlyShows: the options say that nothing is changed.
func (c *Command) onlyShows(verb string) bool {
	shows := false
	for k := 1; k < len(c.Words); k++ {
		text := c.Words[k].Text
		name, _, valued := strings.Cut(text, "=")
		if text == "--" || !c.Words[k].Known() {
			return false // what follows are no options, or nobody knows which
		}
		switch {
		case name != "--help" && (name != "--list" || verb != "trust") && (name != "--print" || verb != "init"):
		case valued:
			return false // it may say no, and the last one counts
		case !mayEatNext(c.Words[k-1].Text):
			shows = true
		}
	}
	return shows
}

// mayEatNext: the next word may be the value of an option, although it looks like one itself.
func mayEatNext(text string) bool {
	switch text {
	case "--yes", "--undo", "--user", "--project", "--json", "--help", "--list", "--print":
		return false
	}
	return isOption(text) && strings.IndexByte(text, '=') < 0
}

// namesStateFile: the option says which file holds the values, and not a variable, which nobody
// looks at.
func (c *Command) namesStateFile() bool {
	named := false
	for k := 1; k < len(c.Words) && c.Words[k].Text != "--"; k++ {
		path, attached := strings.CutPrefix(c.Words[k].Text, "--file=")
		switch {
		case attached:
			named = true
		case c.Words[k].Text == "--file" && k+1 < len(c.Words):
			k++
			named, path = true, c.Words[k].Text
		default:
			continue
		}
		if path == "" || !(Word{Text: path}).Known() {
			return false
		}
	}
	return named
}

// hasVerbsBelow: the next word says what is done.
func hasVerbsBelow(verb string) bool { return verb == "sessions" || verb == "state" }

func changesValues(verb string) bool {
	return verb == "state set" || verb == "state add" || verb == "state delete"
}

func personal(verb string) bool {
	switch verb {
	case "approve", "deny", "trust", "init", "serve", "worker", "people", "sessions resolve", "sessions prune", "sessions import":
		return true
	}
	return false
}
