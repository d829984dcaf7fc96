package builtin

import (
	"errors"
	"os"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// scope is where a search starts: as the call names it and with links followed.
type scope struct{ given, real string }

// judgedScope is the one that the engine has looked at.
func judgedScope(call *permission.Call) (scope, error) {
	p := call.Path()
	if p.Problem != "" {
		return scope{}, errors.New(p.Problem)
	}
	if p.Given == "" || p.Real == "" {
		return scope{}, errors.New("the path was not judged")
	}
	return scope{p.Given, p.Real}, nil
}

// splitLast takes the last name off a clean absolute path. The root has no name, and is
// its own parent.
func splitLast(real string) (parent, name string) {
	dir, name := path.Split(real)
	return path.Clean(dir), name
}

// shown is a path below it in the words of the call.
func (p scope) shown(below []string) string { return plainName(joined(p.given, below)) }

// plainName is a name that stands on one line and is what it seems: one that holds
// control characters or broken UTF-8 is quoted.
func plainName(path string) string {
	hidden := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	if strings.IndexFunc(path, hidden) >= 0 {
		return strconv.Quote(path)
	}
	return path
}

// mayRead asks about a path by both its names, and counts one that is left out. A name
// that is no text is one that nobody can ask about.
func (p scope) mayRead(job *tool.Job, below []string, left *tally) bool {
	if job.MayRead == nil {
		return true
	}
	given, real := joined(p.given, below), joined(p.real, below)
	switch {
	case !utf8.ValidString(given) || !utf8.ValidString(real):
		left.noText++
		return false
	case !job.MayRead(given) || real != given && !job.MayRead(real):
		left.denied++
		return false
	}
	return true
}

func joined(dir string, below []string) string {
	if len(below) == 0 {
		return dir
	}
	return strings.TrimSuffix(dir, "/") + "/" + strings.Join(below, "/")
}

// diskLinks reads the links of the file system.
type diskLinks struct{}

func (diskLinks) Readlink(path string) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case info.Mode()&os.ModeSymlink == 0:
		return "", nil
	}
	return os.Readlink(path)
}
