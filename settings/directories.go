package settings

import (
	"os"
	"strings"

	"github.com/assent-dev/assent/permission"
)

// directory reads one additional directory. One that does not exist yet counts,
// because it may be made later; something that is no directory does not.
func (a *assembly) directory(e entry, t text) (permission.Directory, bool) {
	problem := Report{Kind: DirectoryMissing, File: t.path, Line: e.line}
	if strings.TrimSpace(e.text) == "" || strings.ContainsRune(e.text, 0) {
		problem.Text = "additional directory " + visible(`"`+e.text+`"`) + " is no path; it is ignored"
		problem.Hint = "write an absolute path, one under ~/, or one relative to the project"
		a.report(problem)
		return permission.Directory{}, false
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
		return permission.Directory{}, false
	}
	return permission.Directory{Path: path, Source: t.source}, true
}
