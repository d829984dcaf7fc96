package shell

import "strings"

// verbRule is a subcommand that destroys something. Verb is the words of the
// subcommand, none for a program that has no other purpose; "|" separates
// alternatives, "**" stands for any words between, ":x" for a word that ends so and
// "x-" for one that begins so. With options, one of them must be there as well: a
// letter or a long name each.
type verbRule struct {
	verb    string
	options string
	text    string
}

// tool is a set of programs with the same rules.
type tool struct {
	names string
	rules []verbRule
}

// destroys judges programs with subcommands by the table.
func destroys(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	rules := c.knowledge().verbs
	for k := range rules {
		r := &rules[k]
		at := c.matchesVerb(r.verb)
		if at < 0 || r.options != "" && !c.hasAny(r.options) {
			continue
		}
		if c.asksForHelp() || c.rehearses() {
			return nil
		}
		return s.at(kindInfra, i, at, r.text)
	}
	return nil
}

// rehearses: the command only shows what it would do. --dry-run=none does not.
func (c *Command) rehearses() bool {
	for _, word := range c.Args() {
		name, value, _ := strings.Cut(strings.TrimLeft(word.Text, "-"), "=")
		switch name {
		case "dry-run", "dryrun", "dry_run", "what-if", "preview-only":
			if strings.HasPrefix(word.Text, "-") && value != "none" && value != "false" {
				return true
			}
		}
	}
	return false
}

// looseOptions reads -auto-approve and --auto-approve alike.
var looseOptions = grammar{single: true}

// hasAny: one of the options is there, written with one dash or two.
func (c *Command) hasAny(options string) bool {
	for option := range strings.FieldsSeq(options) {
		if len(option) == 1 && c.has(&plainGrammar, option[0], "") {
			return true
		}
		a := c.arguments(&looseOptions)
		for a.next() {
			if len(option) > 1 && !a.operand && a.name == option && a.value != "false" {
				return true
			}
		}
	}
	return false
}

// matchesVerb finds the subcommand and returns the index of its last word, or -1.
// Options may stand before and between its words; which of them take a value is
// not known, so both readings are tried.
func (c *Command) matchesVerb(verb string) int {
	if verb == "" {
		return 0
	}
	for at := 1; at < len(c.Words); at++ {
		if isOption(c.Words[at].Text) {
			continue
		}
		if end := c.matchFrom(at, verb); end > 0 {
			return end
		}
		if !maybeValue(c.Words, at) {
			break
		}
	}
	return -1
}

func (c *Command) matchFrom(at int, verb string) int {
	step, rest, more := strings.Cut(verb, " ")
	if step == "**" {
		for ; at < len(c.Words); at++ {
			switch text := c.Words[at].Text; {
			case isOption(text):
			case oneOf(rest, text):
				return at
			case oneOf(readingVerbs, text):
				return -1
			}
		}
		return -1
	}
	for ; at < len(c.Words); at++ {
		text := c.Words[at].Text
		switch {
		case isOption(text):
		case oneOf(step, text):
			if !more {
				return at
			}
			return c.matchFrom(at+1, rest)
		case !maybeValue(c.Words, at):
			return -1
		}
	}
	return -1
}

// readingVerbs end the search for a verb: what follows are names.
const readingVerbs = "describe|show|list|get|create|view|logs|ls|info|status|add|update|describe-instances"

func isOption(text string) bool { return len(text) > 1 && text[0] == '-' }

// maybeValue: the word follows an option and could be its value.
func maybeValue(words []Word, at int) bool {
	before := words[at-1].Text
	return at > 1 && isOption(before) && strings.IndexByte(before, '=') < 0
}

// oneOf compares with each alternative.
func oneOf(alternatives, text string) bool {
	for alternatives != "" {
		var one string
		one, alternatives, _ = strings.Cut(alternatives, "|")
		if text == one || len(one) > 1 && one[0] == ':' && strings.HasSuffix(text, one) || strings.HasSuffix(one, "-") && strings.HasPrefix(text, one) {
			return true
		}
	}
	return false
}

// toolRules are the verbs of a tool that destroy something.
func toolRules(program string) []verbRule {
	var rules []verbRule
	for _, table := range [][]tool{clusterTools, cloudTools, containerTools, databaseTools, publishTools} {
		for i := range table {
			if listed(table[i].names, program) {
				rules = append(rules, table[i].rules...)
			}
		}
	}
	return rules
}
