package rule

import "strings"

// ToolName is the name of a tool as rules know it. Models do not take every character
// that the name of a server's tool may have, so in mcp__server__tool each of the others
// is an underscore: `mcp__pay__get.all` is the tool that a model calls
// mcp__pay__get_all. Names of other tools stay as they are.
func ToolName(name string) string { return underscored(name, false) }

// ToolPattern is [ToolName] for the name in a rule, where a star stands for any run.
func ToolPattern(name string) string { return underscored(name, true) }

func underscored(name string, keepStars bool) string {
	if !strings.HasPrefix(name, mcpPrefix) {
		return name
	}
	for i := range len(name) {
		if b := name[i]; !stays(rune(b)) && !(keepStars && b == '*') {
			return strings.Map(func(r rune) rune {
				if stays(r) || keepStars && r == '*' {
					return r
				}
				return '_'
			}, name)
		}
	}
	return name // as nearly every name
}

// stays: names for a model have the character. It is small enough to be inlined.
func stays(r rune) bool {
	return 'a' <= r && r <= 'z' || r == '_' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-'
}

// allowedAs narrows what allows a tool whose name had to be changed to be known to
// rules: `mcp__pay__get_all` restricts a tool that is really called mcp__pay__get.all,
// but allows only the one that has the name itself.
func (s *Set) allowedAs(name string, hits Hits) Hits {
	if hits.Allow == nil {
		return hits
	}
	if namesTool(written(hits.Allow), Allow, name) {
		return hits
	}
	hits.Allow = s.rule(s.tools.find(name)[Allow]) // a whole server, or a star
	return hits
}

// written is the name of the tool as the rule has it.
func written(r *Rule) string {
	name, _, _ := strings.Cut(strings.Trim(r.Text, blanks), "(")
	return name
}
