package shell

import "strings"

// answersForPerson: assent itself, told to do what is a person's to decide: to answer a
// question, to trust a workspace, to change what was recorded. It is like writing below
// .assent/, and needs a person in every mode.
func answersForPerson(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	verb, at := "", 0
	for k := 1; k < len(c.Words); k++ {
		text := c.Words[k].Text
		switch {
		case strings.HasPrefix(text, "-"):
			continue
		case verb == "sessions":
			verb, at = "sessions "+text, k
		case personal(text) || text == "sessions" || !c.Words[k].Known():
			verb, at = text, k
		case isOption(c.Words[k-1].Text): // it may be the value of the option
			continue
		}
		if verb != "sessions" {
			break
		}
	}
	switch {
	case c.onlyShows(verb):
		return nil
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
	if c.hasWord("--") {
		return false // what follows are no options
	}
	return c.hasWord("--help") || verb == "trust" && c.hasWord("--list") || verb == "init" && c.hasWord("--print")
}

func personal(verb string) bool {
	switch verb {
	case "approve", "deny", "trust", "init", "serve", "worker", "people", "sessions resolve", "sessions prune", "sessions import":
		return true
	}
	return false
}
