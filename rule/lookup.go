package rule

import (
	"math"

	"github.com/assent-dev/assent/shell"
)

// Tool finds the rules without content for a tool: `Read`; for an MCP tool also
// `mcp__server`, and names with stars such as `mcp__server__get_*`. The name `*` is
// every tool.
func (s *Set) Tool(name string) Hits {
	if !s.tools.present {
		return Hits{}
	}
	known := ToolName(name)
	hits := s.sureHits(s.tools.find(known))
	if known != name {
		return s.allowedAs(name, hits)
	}
	return hits
}

// Path finds the rules with content for an absolute, clean path.
func (s *Set) Path(path string) PathHits {
	if path == "" || path[0] != '/' {
		return s.search(nowhere())
	}
	var sure pathFirsts
	s.pathRules().find(path, &sure)
	return s.pathHits(&sure, &pathFirsts{})
}

// Effort is about how many comparisons a question about a path takes: [Set.Path], or if search is
// set [Set.PathMay] or [Set.Below]. A caller with many such questions can tell when to stop.
func (s *Set) Effort(path string, search bool) int {
	x := s.pathRules()
	components := 1 + len(path)/16
	if search {
		return len(x.entries) + x.spanning*components
	}
	return x.roaming * components
}

// Bash finds the first rule with content, of one behaviour, for the text of one
// simple command: its words after quote removal, joined with one blank. Marks in
// the text stand for what is not known. For Allow the answer is Yes or No.
func (s *Set) Bash(b Behavior, text string) (*Rule, Match) {
	var work int
	return s.BashCounted(b, text, &work)
}

// BashCounted is [Set.Bash] for many texts: it adds to work about how many comparisons it took, so
// that the caller can tell when to stop.
func (s *Set) BashCounted(b Behavior, text string, work *int) (*Rule, Match) {
	if b < Allow || b > Deny {
		return nil, No
	}
	x := &s.bash[b]
	if i := x.find(text, work); i != end {
		return s.at(i), Yes
	}
	if b != Allow && hasMarks(text) {
		if i := x.findMay(text, work); i != end {
			return s.at(i), Maybe
		}
	}
	return nil, No
}

// MayStart is the quick answer for most commands: false if no rule with content, of
// one behaviour, is about commands whose first word is this one.
func (s *Set) MayStart(b Behavior, word string) bool {
	return b >= Allow && b <= Deny && s.bash[b].mayStart(word)
}

// Starts is MayStart for words that hardly ever start a rule: it looks at the rules where
// there is no index yet, rather than leaving that to the search.
func (s *Set) Starts(b Behavior, word string) bool {
	return s.MayStart(b, word) && s.bash[b].startsOne(word)
}

// Letters are the characters that words begin with for which Starts may be true.
func (s *Set) Letters(b Behavior) shell.Letters {
	x := &s.bash[b]
	switch {
	case !x.present:
		return shell.Letters{}
	case !x.indexed.Load() || x.anyword:
		return shell.Letters{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
	}
	all := x.letters
	all[shell.Glob/64] |= 1<<(shell.Unknown%64) | 1<<(shell.Glob%64)
	return all
}

// HasBash reports whether there is any rule on Bash, with content or without.
func (s *Set) HasBash(b Behavior) bool {
	return b >= Allow && b <= Deny && s.hasBash[b]
}

// Domain finds the WebFetch rules for a host, in any letter case, with or without
// a final dot.
func (s *Set) Domain(host string) Hits {
	domains, _ := s.textRules()
	return s.sureHits(domains.find(host))
}

// Content finds the rules of another tool for a text that says what the call is
// about: the agent of a Task, the name of a Skill.
func (s *Set) Content(tool, text string) Hits {
	_, contents := s.textRules()
	return s.sureHits(contents.find(ToolName(tool), text))
}

func (s *Set) rule(n int32) *Rule {
	if n == 0 {
		return nil
	}
	return s.at(n - 1)
}

func (s *Set) sureHits(sure firsts) Hits { return s.hits(&sure, &firsts{}) }

// hits prefers a rule that surely matches to one that only may.
func (s *Set) hits(sure, possible *firsts) (h Hits) {
	if *sure == (firsts{}) && *possible == (firsts{}) {
		return h // the common case
	}
	h.Allow = s.rule(sure[Allow])
	h.Deny, h.DenyMatch = s.surest(sure[Deny], possible[Deny])
	h.Ask, h.AskMatch = s.surest(sure[Ask], possible[Ask])
	return h
}

func (s *Set) surest(sure, possible int32) (*Rule, Match) {
	switch {
	case sure != 0:
		return s.rule(sure), Yes
	case possible != 0:
		return s.rule(possible), Maybe
	}
	return nil, No
}

func (s *Set) pathHits(sure, possible *pathFirsts) PathHits {
	return PathHits{
		Read:  s.hits(&sure[ReadRule], &possible[ReadRule]),
		Edit:  s.hits(&sure[EditRule], &possible[EditRule]),
		Write: s.hits(&sure[WriteRule], &possible[WriteRule]),
	}
}
