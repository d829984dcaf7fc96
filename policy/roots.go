package policy

import (
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Roots say what the anchors of path rules mean: "/x" under Root (under UserRoot
// in the user's settings), "./x" and "x" under Cwd, "~/x" under Home.
type Roots struct{ Root, UserRoot, Cwd, Home string }

// RootsOf are the roots of a configuration.
func RootsOf(c permission.Config) Roots {
	r := Roots{Root: c.Root, UserRoot: c.UserRoot, Cwd: c.Cwd, Home: c.Home}
	if r.Root == "" {
		r.Root = c.Cwd
	}
	if r.UserRoot == "" {
		r.UserRoot = c.Home + "/.claude"
	}
	return r
}

func (r Roots) anchors(source rule.Source) rule.Anchors {
	a := rule.Anchors{Root: r.Root, Cwd: r.Cwd, Home: r.Home}
	if source == rule.UserSettings {
		a.Root = r.UserRoot
	}
	return a
}

// Resolve is the absolute pattern that a path rule stands for; "" for a rule that
// is not about paths. A pattern without a slash matches at any depth.
func (r Roots) Resolve(have rule.Rule) string {
	if _, _, parameter := have.Parameter(); parameter || have.Bare || !aboutPaths(have.Tool) {
		return ""
	}
	dir, rest, anyDepth := r.split(have)
	if anyDepth {
		rest = "**/" + rest
	}
	return strings.TrimSuffix(dir, "/") + "/" + rest
}

// split takes a path rule apart into the directory it starts from and its pattern.
func (r Roots) split(have rule.Rule) (dir, rest string, anyDepth bool) {
	a, content := r.anchors(have.Origin.Source), have.Content
	switch {
	case strings.HasPrefix(content, "//"):
		return "/", strings.TrimLeft(content, "/"), false
	case strings.HasPrefix(content, "/"):
		return a.Root, content[1:], false
	case content == "~" || strings.HasPrefix(content, "~/"):
		return a.Home, strings.TrimPrefix(content[1:], "/"), false
	case content == "." || strings.HasPrefix(content, "./"):
		return a.Cwd, strings.TrimPrefix(content[1:], "/"), false
	}
	return a.Cwd, content, !strings.Contains(strings.TrimRight(content, "/"), "/")
}

// aboutPaths: the content of the tool's rules is a path pattern.
func aboutPaths(tool string) bool {
	switch tool {
	case "Read", "Glob", "Grep", "NotebookRead", "Edit", "MultiEdit", "NotebookEdit", "Write":
		return true
	}
	return false
}
