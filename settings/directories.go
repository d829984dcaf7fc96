package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// target is where a directory leads and the links on the way, which belong
// together: both come from one look.
type target struct {
	path  string
	links []string
}

// targets remembers where directories lead, so that the place that is trusted is
// the place that is used.
type targets map[string]target

func (t targets) of(path string) target {
	known, ok := t[path]
	if !ok {
		known.path, known.links = follow(path)
		t[path] = known
	}
	return known
}

// describe names a directory and, if that is another place, where it leads.
func (t targets) describe(path string) string {
	if end := t.of(path).path; end != path {
		return strconv.Quote(path) + " that leads to " + strconv.Quote(end)
	}
	return strconv.Quote(path)
}

// directories settles the paths of additional directories.
func (a *assembly) directories(list []entry, t text) []permission.Directory {
	var all []permission.Directory
	for _, e := range list {
		for _, d := range a.directory(e, t) {
			if !slices.Contains(all, d) {
				all = append(all, d)
			}
		}
	}
	return all
}

// directory reads one additional directory. One that does not exist yet counts,
// because it may be made later; something that is no directory does not.
func (a *assembly) directory(e entry, t text) []permission.Directory {
	problem := Report{Kind: DirectoryMissing, File: t.path, Line: e.line}
	if strings.TrimSpace(e.text) == "" || strings.ContainsRune(e.text, 0) {
		problem.Text = "additional directory " + visible(`"`+e.text+`"`) + " is no path; it is ignored"
		problem.Hint = "write an absolute path, one under ~/, or one relative to the project"
		a.report(problem)
		return nil
	}
	if a.Everywhere && !filepath.IsAbs(e.text) && e.text != "~" && !strings.HasPrefix(e.text, "~/") {
		return nil
	}
	path := a.absolute(e.text)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		problem.Text = "additional directory " + visible(path) + " does not exist"
		problem.Hint = "create it or remove the entry"
		a.report(problem)
	case !info.IsDir():
		problem.Text = "additional directory " + visible(path) + " is not a directory; it is ignored"
		problem.Hint = "name the directory it is in, or allow the file with a Read or Edit rule"
		a.report(problem)
		return nil
	}
	if link := a.steered(path, t.source); link != "" {
		problem.Text = "additional directory " + visible(path) + " leads to " + visible(a.targets.of(path).path) +
			" by a link of the workspace, " + visible(link) + "; what is there is not included"
		problem.Hint = "name that directory itself if you mean it"
		a.report(problem)
	}
	return a.bothNames(path, t.source)
}

// bothNames are the directory as it was named and the place it leads to: a file is
// inside only when its own name and the kernel's name of it both are.
func (a *assembly) bothNames(path string, source rule.Source) []permission.Directory {
	given := permission.Directory{Path: path, Source: source}
	end := a.targets.of(path).path
	if end == path || a.steered(path, source) != "" {
		return []permission.Directory{given}
	}
	return []permission.Directory{given, {Path: end, Source: source, Given: path}}
}

// steered finds the link with which a workspace would turn somebody else's
// directory into another place outside of it: "docs" in user settings must not
// become whatever a checkout says it is. Trust covers the workspace's own entries
// with their targets, but not these.
func (a *assembly) steered(path string, source rule.Source) string {
	to := a.targets.of(path)
	if fromWorkspace(source) || a.aboveHome() || within(a.realDir, to.path) {
		return ""
	}
	for _, link := range to.links {
		if within(a.realDir, link) {
			return link
		}
	}
	return ""
}
