package permission

import (
	"strconv"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// possibleRules asks where the words of a deny or ask rule stand among those of a program
// that is not known to run nothing of what it is given: choom -- npm publish.
func (s *shellCheck) possibleRules(i int) {
	c := &s.script.Commands[i]
	if s.f.rules == Ask || len(c.Assigns) == 0 && s.runsNothing(i) {
		return
	}
	for _, run := range c.Possible((*restricting)(s), &s.possibleWork) {
		r := s.restricts(run.Text)
		if r == nil || run.Faint && s.restricts(firstWord(run.Text)) == r {
			continue // a rule for every pkg, with "tk pkg list", where pkg may be a subcommand
		}
		if run.Faint && run.At > 0 && (s.partDoubt(i) == "" || s.handsOn(i, run.At)) {
			continue
		}
		detail := c.Program() + " may run " + strconv.Quote(visible(run.Text))
		s.matched(Ask, Reason{Kind: ByMaybeRule, Rule: r, Part: s.part(i), Detail: detail})
		return
	}
}

// runsNothing reports whether command i is known to only read, with all that it runs, or another one
// that is runs it.
func (s *shellCheck) runsNothing(i int) bool {
	c := &s.script.Commands[i]
	if c.Link == shell.Guess {
		return false
	}
	return c.Link == shell.Wrapped && s.partDoubt(c.Parent) == "" || s.partDoubt(i) == ""
}

// handsOn reports whether command i is known to run another one in whose words that at stands:
// env X=1 echo npm publish.
func (s *shellCheck) handsOn(i, at int) bool {
	start := s.script.Commands[i].Words[at].Span.Start
	for k := i + 1; k < len(s.script.Commands); k++ {
		c := &s.script.Commands[k]
		known := c.Link == shell.Wrapped || c.Link == shell.Transparent
		if c.Parent == i && known && len(c.Words) > 0 && c.Words[0].Span.Start <= start && start <= c.Words[len(c.Words)-1].Span.Start {
			return true
		}
	}
	return false
}

// restricting are the deny and ask rules.
type restricting shellCheck

// Starts reports whether one of them may be about commands that start with a word.
func (s *restricting) Starts(word string) bool {
	for _, behavior := range [...]rule.Behavior{rule.Deny, rule.Ask} {
		for _, set := range s.ctx.commands[behavior] {
			if set.Starts(behavior, word) {
				return true
			}
		}
	}
	return false
}

// Letters are the characters that such words begin with.
func (s *restricting) Letters() *shell.Letters {
	if s.lettersKnown {
		return &s.letters
	}
	s.lettersKnown = true
	for _, behavior := range [...]rule.Behavior{rule.Deny, rule.Ask} {
		for _, set := range s.ctx.commands[behavior] {
			for i, some := range set.Letters(behavior) {
				s.letters[i] |= some
			}
		}
	}
	return &s.letters
}

// restricts finds a deny or ask rule for the text of a command.
func (s *shellCheck) restricts(text string) *rule.Rule {
	for _, behavior := range [...]rule.Behavior{rule.Deny, rule.Ask} {
		for _, set := range s.ctx.commands[behavior] {
			for _, spelling := range [...]string{text, baseName(text, firstWord(text))} {
				if r, match := s.bashRule(set, behavior, spelling); match != rule.No {
					return r
				}
			}
		}
	}
	return nil
}

func firstWord(text string) string {
	for i := range len(text) {
		if text[i] == ' ' {
			return text[:i]
		}
	}
	return text
}
