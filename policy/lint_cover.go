package policy

import (
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// A rule covers another if it matches everything the other matches. That is asked
// of the compiled rules themselves: the other rule is turned into texts in which a
// mark stands for "whatever is here", and a match must hold for every value of it.

// anything is the mark.
var anything = string([]byte{shell.Unknown})

// commandTexts are texts that stand for everything the content of a Bash rule
// matches.
func commandTexts(content string) []string {
	prefix, open := openEnd(content)
	if !open {
		return []string{markStars(content)}
	}
	if prefix == "" {
		return []string{anything}
	}
	head := markStars(prefix)
	return []string{head, head + " " + anything}
}

// openEnd cuts `:*` or ` *` from the end of a content.
func openEnd(content string) (prefix string, open bool) {
	head := strings.TrimRight(content, "*")
	backslashes := len(head) - len(strings.TrimRight(head, `\`))
	if head == content || backslashes%2 == 1 {
		if backslashes%2 == 0 || len(content)-len(head) < 2 {
			return content, false
		}
		head = content[:len(head)+1] // the first star is escaped, the others are not
	}
	if prefix, ok := strings.CutSuffix(head, ":"); ok {
		return strings.TrimRight(prefix, blanks), true
	}
	if prefix := strings.TrimRight(head, blanks); prefix != head {
		return prefix, true
	}
	return content, false
}

const blanks = " \t\r\n"

// markStars is a content with its escapes resolved and every star a mark.
func markStars(content string) string {
	var b strings.Builder
	for i := 0; i < len(content); i++ {
		c := content[i]
		switch {
		case c == '\\' && escapes(content, i):
			i++
			b.WriteByte(content[i])
		case c == '*':
			b.WriteString(anything)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escapes: a backslash stands for the next byte alone before a star, a backslash,
// and a blank at the very ends.
func escapes(content string, i int) bool {
	if i+1 >= len(content) {
		return false
	}
	next := content[i+1]
	edge := i == 0 || i+2 == len(content)
	return next == '*' || next == '\\' || edge && strings.IndexByte(blanks, next) >= 0
}

// ruleSets are the compiled rules to ask, one set for each meaning of "/".
type ruleSets []*rule.Set

// covering finds a rule of a behaviour that covers r, nil if none surely does.
func (sets ruleSets) covering(r *rule.Rule, b rule.Behavior, roots Roots) *rule.Rule {
	for _, set := range sets {
		if found := pick(set.Tool(strings.ReplaceAll(r.Tool, "*", anything)), b); found != nil {
			return found
		}
		if r.Bare {
			continue
		}
		if found := content(set, r, b, roots); found != nil {
			return found
		}
	}
	return nil
}

func content(set *rule.Set, r *rule.Rule, b rule.Behavior, roots Roots) *rule.Rule {
	if _, _, parameter := r.Parameter(); parameter {
		return nil // what another rule on it covers is not looked at
	}
	switch {
	case r.Tool == "Bash":
		return commands(set, r.Content, b)
	case aboutPaths(r.Tool):
		return paths(set, r, b, roots)
	case r.Tool == "WebFetch":
		host := strings.TrimSpace(strings.TrimPrefix(r.Content, "domain:"))
		return pick(set.Domain(strings.Replace(host, "*", "any", 1)), b)
	}
	return pick(set.Content(r.Tool, markStars(r.Content)), b)
}

// commands: every text must be matched; the rule named is the last one found.
func commands(set *rule.Set, content string, b rule.Behavior) *rule.Rule {
	var found *rule.Rule
	for _, text := range commandTexts(content) {
		r, match := set.Bash(b, text)
		if match != rule.Yes {
			return nil
		}
		found = r
	}
	return found
}

// paths asks about the literal directory that everything the rule matches is
// below: what covers that covers the rule. A deny or ask rule that matches a
// directory covers what is in it; an allow rule need not.
func paths(set *rule.Set, r *rule.Rule, b rule.Behavior, roots Roots) *rule.Rule {
	dir, whole := roots.literal(*r)
	at, below := governing(set.Path(dir), r.Tool, b), governing(set.Below(dir), r.Tool, b)
	switch {
	case b != rule.Allow && at != nil:
		return at
	case whole && at == nil:
		return nil
	}
	return below
}

// literal is the directory part of a path rule without wildcards; whole: the rule
// is about that path itself.
func (r Roots) literal(have rule.Rule) (dir string, whole bool) {
	dir, rest, anyDepth := r.split(have)
	dir = strings.TrimSuffix(dir, "/")
	if anyDepth {
		return orRoot(dir), false
	}
	whole = !strings.HasSuffix(rest, "/")
	for name := range strings.SplitSeq(strings.Trim(rest, "/"), "/") {
		if strings.ContainsAny(name, `*?[\`) {
			return orRoot(dir), false
		}
		if name != "" && name != "." {
			dir += "/" + name
		}
	}
	return orRoot(dir), whole
}

func orRoot(dir string) string {
	if dir == "" {
		return "/"
	}
	return dir
}

// governing picks the rule that decides over a tool: a Read deny also stops
// edits, an Edit rule also governs Write.
func governing(hits rule.PathHits, tool string, b rule.Behavior) *rule.Rule {
	var kinds []rule.Hits
	switch tool {
	case "Read", "Glob", "Grep", "NotebookRead":
		kinds = []rule.Hits{hits.Read}
	case "Write":
		kinds = []rule.Hits{hits.Edit, hits.Write}
	default:
		kinds = []rule.Hits{hits.Edit}
	}
	if b == rule.Deny {
		kinds = append(kinds, hits.Read)
	}
	for _, h := range kinds {
		if found := pick(h, b); found != nil {
			return found
		}
	}
	return nil
}

// pick is the rule of a behaviour that surely matches.
func pick(h rule.Hits, b rule.Behavior) *rule.Rule {
	switch {
	case b == rule.Allow:
		return h.Allow
	case b == rule.Ask && h.AskMatch != rule.Maybe:
		return h.Ask
	case b == rule.Deny && h.DenyMatch != rule.Maybe:
		return h.Deny
	}
	return nil
}
