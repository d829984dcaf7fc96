package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// paths finds path rules whose anchor is not what their author thinks.
func (l *linter) paths(r *rule.Rule) {
	if !aboutPaths(r.Tool) {
		return
	}
	if r.Bare {
		l.everyFile(r)
		return
	}
	switch content := r.Content; {
	case windowsPath(content):
		l.add(Warning, "windows-path", r, "is written as a Windows path, which is only a name here",
			fmt.Sprintf("write %s(//c/…) with slashes", r.Tool))
	case strings.HasPrefix(content, "$"):
		l.add(Warning, "variable-in-path", r, "holds a variable, and rules expand none",
			"write ~/ for the home directory, // for an absolute path")
	case strings.HasPrefix(content, "~") && content != "~" && !strings.HasPrefix(content, "~/"):
		l.add(Warning, "tilde-name", r, "means a file of that name: only ~/ is the home directory",
			fmt.Sprintf("write %s(~/%s)", r.Tool, strings.TrimLeft(content, "~")))
	case strings.HasPrefix(content, "/") && !strings.HasPrefix(content, "//"):
		l.singleSlash(r)
	}
}

// everyFile: `Tool(*)` is the whole tool, and somebody who writes a pattern thinks
// of the project.
func (l *linter) everyFile(r *rule.Rule) {
	if r.Behavior == rule.Allow && strings.Contains(r.Text, "(") {
		l.add(Warning, "broad-allow", r, "means every file, also outside the project",
			fmt.Sprintf("write %s(**) for the project, or %s if you mean every file", r.Tool, r.Tool))
	}
}

func windowsPath(content string) bool {
	return len(content) > 2 && content[1] == ':' && (content[2] == '\\' || content[2] == '/') || strings.HasPrefix(content, `\\`)
}

// singleSlash: "/x" is under the project, or in the user's settings under their directory,
// and people mean the root of the file system.
func (l *linter) singleSlash(r *rule.Rule) {
	meant := fmt.Sprintf("did you mean %s(/%s)?", r.Tool, r.Content)
	resolved := l.anchors.Resolve(*r)
	switch {
	case l.absolute(r.Content):
		l.add(Warning, "single-slash", r, "starts with one slash, so it is about "+Visible(resolved), meant)
	case r.Origin.Source == rule.UserSettings:
		l.add(Warning, "user-anchor", r, "stands in the user's settings, so it is about "+Visible(resolved),
			fmt.Sprintf("write %s(//…) for an absolute path, %s(~/…) for the home directory, %s(.%s) for every project", r.Tool, r.Tool, r.Tool, r.Content))
	}
}

var (
	// systemDirs hardly ever are directories of a project.
	systemDirs = []string{"home", "Users", "etc", "root", "proc", "sys", "private", "Volumes", "Library", "System", "Applications", "nix"}
	// sharedDirs may be either: it depends on whether the project has one.
	sharedDirs = []string{"usr", "var", "tmp", "opt", "bin", "sbin", "lib", "lib64", "dev", "mnt", "srv", "run", "media", "boot", "data"}
)

// absolute: the content looks like a path from the root of the file system.
func (l *linter) absolute(content string) bool {
	for _, dir := range []string{l.anchors.Home, l.anchors.Root} {
		if dir != "/" && (content == dir || strings.HasPrefix(content, dir+"/")) {
			return true
		}
	}
	top, _, _ := strings.Cut(content[1:], "/")
	if !slices.Contains(systemDirs, top) && !slices.Contains(sharedDirs, top) {
		return false
	}
	return !l.Exists(strings.TrimSuffix(l.anchors.Root, "/") + "/" + top)
}
