package settings

import (
	"fmt"
	"slices"
)

// Reload reads the settings again while a session runs. It never fails: a file
// that cannot be read any more keeps the content that last had in force, a file
// that is gone says nothing. Where there is no such content nothing is lost either: a
// file that comes back broken restricts what it did before it was gone, and one that
// is broken when it first appears denies every call, because nothing could start
// with it. The reports are those that last did not have.
func Reload(o Options, last *Settings) (*Settings, []Report) {
	p, err := locate(o)
	if err != nil {
		return last.unreachable(err)
	}
	texts := p.read()
	for i := range texts {
		if t := &texts[i]; t.broken != nil {
			t.said, t.broken.instead = standInFor(t, last)
		}
	}
	s := assemble(p, texts, p.readMCP())
	s.Reports = append(standing(texts, last), s.Reports...)
	for i := range s.texts {
		if t := &s.texts[i]; !t.exists { // it says nothing; this is for the day it comes back broken
			t.said = last.found(t).said
		}
	}
	return s, news(s.Reports, last)
}

// unreachable are the same settings when not even the project can be found.
func (s *Settings) unreachable(err error) (*Settings, []Report) {
	r := Report{Kind: BrokenFile, Text: fmt.Sprintf("the settings cannot be read again and stay as they are: %v", err)}
	fresh := news([]Report{r}, s)
	same := *s
	same.Reports = slices.Concat(s.Reports, fresh)
	return &same, fresh
}

// found is what the place of t held before; zero when nothing is known about it.
func (s *Settings) found(t *text) text {
	for _, old := range s.texts {
		if old.source == t.source && old.path == t.path {
			return old
		}
	}
	return text{}
}

// standing tells about files that are broken now, and those that no longer are.
func standing(texts []text, last *Settings) []Report {
	var all []Report
	for i := range texts {
		t := &texts[i]
		switch {
		case !t.selected:
		case t.broken != nil:
			all = append(all, Report{
				Kind: BrokenFile, File: t.path, Line: t.broken.Line, Hint: t.broken.Hint,
				Text: "the file is broken and " + t.broken.instead.String() + ": " + t.broken.Problem,
			})
		case last.found(t).broken != nil && t.exists:
			all = append(all, Report{Kind: MendedFile, File: t.path, Text: "the file can be read again and is in force"})
		case last.found(t).broken != nil:
			all = append(all, Report{Kind: MendedFile, File: t.path, Text: "the broken file is gone, and nothing stands in for it any more"})
		}
	}
	return all
}

// news are the reports that last did not have.
func news(reports []Report, last *Settings) []Report {
	return slices.DeleteFunc(slices.Clone(reports), func(r Report) bool {
		return slices.ContainsFunc(last.Reports, r.same)
	})
}

// unchanged: the files say what they said before, to the byte, and are trusted as
// before.
func (s *Settings) unchanged(last *Settings) bool {
	sameText := func(a, b text) bool {
		return a.source == b.source && a.path == b.path && a.exists == b.exists && a.data == b.data &&
			(a.broken == nil) == (b.broken == nil)
	}
	return slices.EqualFunc(s.texts, last.texts, sameText) && sameText(s.mcp, last.mcp) &&
		s.trust.Status == last.trust.Status && s.trust.By == last.trust.By
}
