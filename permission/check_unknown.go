package permission

import (
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// anyFile: command i may read or change any file, so a rule that speaks against one asks.
func (s *shellCheck) anyFile(sets []*rule.Set, i int, why string) {
	for _, set := range sets {
		hits := s.hits(set, anywhere[0], maybe)
		for _, r := range [...]*rule.Rule{hits.Read.Deny, hits.Edit.Deny, hits.Read.Ask, hits.Edit.Ask} {
			if r != nil {
				s.matched(Ask, Reason{Kind: ByMaybeRule, Rule: r, Part: s.part(i), Detail: why})
				return
			}
		}
	}
}

// unknownFile says why nobody knows which file is meant, and what helps.
func (s *shellCheck) unknownFile(a *fileAccess, path string) string {
	switch {
	case a.Hidden && !s.alsoFile(a):
		return s.hiddenBehind(a)
	case (a.Reach == shell.VisibleTree || a.Reach == shell.WholeTree) && a.Mode == shell.Reads && !hasMarks(path):
		return "it reads what lies below the directory"
	}
	return "the file is only known when it runs"
}

// alsoFile: the word behind which a file may hide is a file itself, so that it is not known
// in any case.
func (s *shellCheck) alsoFile(a *fileAccess) bool {
	for k := range s.accessesOf(a.Command) {
		if other := &s.accesses[k]; other.Span == a.Span && !other.Hidden && !other.Possible {
			return true
		}
	}
	return false
}

// hiddenBehind names the word behind which a file may hide, and the way out.
func (s *shellCheck) hiddenBehind(a *fileAccess) string {
	word := "a word"
	if source := s.script.Source; a.Span.Start < a.Span.End && int(a.Span.End) <= len(source) && a.Span.End-a.Span.Start <= mostShown {
		word = source[a.Span.Start:a.Span.End]
	}
	advice := "put it in quotes, as a word of its own, behind -e or --"
	if strings.HasPrefix(word, `"`) || !strings.ContainsAny(word, "$`") && word != "a word" {
		advice = "put it behind -e or --"
	}
	return word + " is only known when it runs: it may be an option or several words, and name files (" + advice + ")"
}

// mostShown bounds how long a word is that a reason shows.
const mostShown = 40
