package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// formerTools are names that agents no longer have; rules on them still count for
// the tool that took over.
var formerTools = map[string]string{"MultiEdit": "Edit", "NotebookRead": "Read", "LS": "Read"}

// FormerTool is the tool that took over from one which agents no longer have; "" for any
// other name.
func FormerTool(name string) string { return formerTools[name] }

// tool finds rules on tools that do not exist.
func (l *linter) tool(r *rule.Rule) {
	switch {
	case strings.HasPrefix(r.Tool, "mcp__"):
	case strings.HasPrefix(strings.ToLower(r.Tool), "mcp_"):
		l.add(Warning, "unknown-tool", r, "names no tool: MCP tools are called mcp__server__tool, with two underscores each",
			"write mcp__server, mcp__server__* or mcp__server__tool")
	case strings.Contains(r.Tool, "*"):
	case formerTools[r.Tool] != "":
		l.add(Info, "former-tool", r, "names a tool that agents no longer have", "write it for "+formerTools[r.Tool])
	case !slices.Contains(l.Tools, r.Tool):
		l.unknownTool(r)
	}
}

func (l *linter) unknownTool(r *rule.Rule) {
	if near := Nearest(r.Tool, l.Tools); near != "" {
		l.add(Warning, "unknown-tool", r, "names no tool that exists", didYouMean(near, r))
		return
	}
	l.add(Info, "unknown-tool", r, "names no built-in tool", "keep it if a program of yours has such a tool; MCP tools are called mcp__server__tool")
}

// didYouMean suggests the same rule on another tool, unless that tool would not
// take it.
func didYouMean(tool string, r *rule.Rule) string {
	text := tool + strings.TrimPrefix(r.String(), r.Tool)
	if _, _, err := rule.Read(text, r.List, r.Origin); err != nil {
		return fmt.Sprintf("did you mean %s? Its rules are written another way: %s", tool, err.Hint)
	}
	return fmt.Sprintf("did you mean %s?", text)
}

// writeOnly: Write(path) governs Write; Edit(path) governs every tool that writes.
func (l *linter) writeOnly(r *rule.Rule) {
	if r.Tool != "Write" || r.Behavior == rule.Allow {
		return
	}
	if _, _, ok := r.Parameter(); ok {
		return
	}
	edit := "Edit" + strings.TrimPrefix(r.String(), "Write")
	covered := slices.ContainsFunc(l.rules, func(other rule.Rule) bool {
		return other.Tool == "Edit" && other.Behavior >= r.Behavior && (other.Bare || other.Content == r.Content)
	})
	if !covered {
		l.add(Warning, "write-only", r, "is about the tool Write alone: Edit and NotebookEdit can still change the file",
			fmt.Sprintf("write %s, which covers every tool that writes", edit))
	}
}

// Nearest finds the name that a misspelt one was meant to be, at most two letters
// away; "" when there is none.
func Nearest(name string, names []string) string {
	best, at := "", 3
	for _, known := range names {
		if d := Distance(strings.ToLower(name), strings.ToLower(known)); d < at && d < len(known)/2+1 {
			best, at = known, d
		}
	}
	return best
}

// Distance is how many letters must be added, removed or replaced to get from one text to
// the other.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
