package permission

import (
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// programRules: a command of which nobody knows what it runs may read or change any file,
// so a rule that speaks against one asks. i is such a command.
func (s *shellCheck) programRules(sets []*rule.Set, i int) {
	for _, set := range sets {
		hits := set.PathMay(string([]byte{shell.Unknown}))
		for _, r := range [...]*rule.Rule{hits.Read.Deny, hits.Edit.Deny, hits.Read.Ask, hits.Edit.Ask} {
			if r != nil {
				s.matched(Ask, Reason{Kind: ByMaybeRule, Rule: r, Part: s.part(i), Detail: "what it runs is only known when it runs"})
				return
			}
		}
	}
}

// unknownFile says why nobody knows which file is meant, and what helps.
func (s *shellCheck) unknownFile(a *fileAccess) string {
	if !a.Hidden {
		return "the file is only known when it runs"
	}
	return s.hiddenBehind(a)
}

// hiddenBehind names the word behind which a file may hide, and the way out.
func (s *shellCheck) hiddenBehind(a *fileAccess) string {
	word := "a word"
	if source := s.script.Source; a.Span.Start < a.Span.End && int(a.Span.End) <= len(source) && a.Span.End-a.Span.Start <= mostShown {
		word = source[a.Span.Start:a.Span.End]
	}
	return word + " is only known when it runs: it may be an option or several words, and name files (put it in quotes, as a word of its own, behind -e or --)"
}

// mostShown bounds how long a word is that a reason shows.
const mostShown = 40
