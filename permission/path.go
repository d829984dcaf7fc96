package permission

import (
	"errors"
	"strings"
)

// Links reads symbolic links. It stands between this package and the file system.
type Links interface {
	// Readlink returns the target of path if path is a symbolic link, "" if it is
	// anything else or does not exist, and an error if that cannot be found out.
	Readlink(path string) (target string, err error)
}

// Lister is implemented by [Links] that can also look into a directory. It is how a
// pattern of the shell (cat doc*) is followed to the links that it finds; without it
// every pattern may find a link to anywhere.
type Lister interface {
	// List reads a directory of at most so many names. A directory that does not
	// exist, or is none, is empty.
	List(dir string, most int) (Listing, error)
}

// Listing is what matters about the names in a directory.
type Listing struct {
	Links, Dirs []string // names of symbolic links, and of directories
	Hidden      []string // names of other files, if they start with a dot
	Read        int      // how many names were read in all
	// Partial: there are more names than were read.
	Partial bool
}

// NoLinks is a file system without symbolic links.
type NoLinks struct{}

// Readlink says that nothing is a link.
func (NoLinks) Readlink(string) (string, error) { return "", nil }

// List finds no links, and nothing that would lead to one.
func (NoLinks) List(string, int) (Listing, error) { return Listing{}, nil }

// Path is a file as a call names it and as the kernel would find it. Deny and ask
// rules look at both, allow rules and working directories need both.
type Path struct {
	Given string // absolute, cleaned as text
	Real  string // links followed before ".."; "" when that failed
	// Problem says why the path cannot be judged: a link loop, a control character.
	Problem string
}

// maxLinks is how many links the kernel follows.
const maxLinks = 40

var errLoop = errors.New("too many levels of symbolic links")

// maxPath is how long a path may be for the kernel, and maxComponents how many names it may have
// here: each is looked up, by its whole path.
const (
	maxPath       = 4096
	maxComponents = 256
)

// tooLong reports whether the links of such a path are not followed.
func tooLong(path string) bool {
	return len(path) > maxComponents && (len(path) > maxPath || strings.Count(path, "/") > maxComponents)
}

// ResolvePath makes a path absolute and follows its links as the kernel does. "~" and
// "~/x" are the home directory.
func ResolvePath(links Links, path, cwd, home string) Path {
	if hasControl(path) {
		return Path{Given: absolute(path, cwd, home), Problem: "the path holds a control character"}
	}
	if path == "" {
		return Path{Problem: "the path is empty"}
	}
	raw := absoluteRaw(path, cwd, home)
	p := Path{Given: clean(raw)}
	if tooLong(path) {
		p.Problem = "the path is too long to be followed"
		return p
	}
	if _, none := links.(NoLinks); none && !mayBeProcess(raw, p.Given) {
		p.Real = p.Given
		return p
	}
	real, err := follow(links, raw, cwd)
	if err != nil {
		p.Problem = "the path cannot be resolved: " + err.Error()
		return p
	}
	p.Real = real
	if p.Real == p.Given {
		p.Real = p.Given // one string, so that comparing them is cheap
	}
	return p
}

// mayBeProcess: the path may go through a link of a process, which needs no link of
// the file system. cleaned is the same path without "..".
func mayBeProcess(path, cleaned string) bool {
	if path == cleaned {
		return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/fd/")
	}
	return strings.Contains(path, "/proc/") || strings.Contains(path, "/dev/fd/")
}

func hasControl(path string) bool {
	for i := range len(path) {
		if path[i] < 0x20 || path[i] == 0x7f {
			return true
		}
	}
	return false
}

func absolute(path, cwd, home string) string { return clean(absoluteRaw(path, cwd, home)) }

func absoluteRaw(path, cwd, home string) string {
	switch {
	case path == "~":
		return home
	case strings.HasPrefix(path, "~/"):
		return home + path[1:]
	case strings.HasPrefix(path, "/"):
		return path
	}
	for strings.HasPrefix(path, "./") {
		path = path[2:]
	}
	if path == "" || path == "." {
		return cwd
	}
	return cwd + "/" + path
}

// clean removes "." and empty components and resolves ".." as text.
func clean(path string) string {
	if isClean(path) {
		return path
	}
	out := make([]string, 0, 16)
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		default:
			out = append(out, part)
		}
	}
	return "/" + strings.Join(out, "/")
}

func isClean(path string) bool {
	if path == "/" {
		return true
	}
	for rest := path; rest != ""; {
		if rest[0] != '/' {
			return false
		}
		part := rest[1:]
		if i := strings.IndexByte(part, '/'); i >= 0 {
			part = part[:i]
		}
		if part == "" || part == "." || part == ".." {
			return false
		}
		rest = rest[1+len(part):]
	}
	return path != ""
}

// follow resolves links component by component; what does not exist is taken as
// it is written, because a write may create it.
func follow(links Links, path, cwd string) (string, error) {
	done := ""
	todo := strings.Split(path, "/")
	for budget := maxLinks; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			done = done[:max(strings.LastIndexByte(done, '/'), 0)]
			continue
		}
		next := done + "/" + part
		target, err := processLink(next, cwd)
		if err == nil && target == "" {
			target, err = links.Readlink(next)
		}
		if err != nil {
			return "", err
		}
		if target == "" {
			done = next
			continue
		}
		if budget--; budget < 0 {
			return "", errLoop
		}
		if strings.HasPrefix(target, "/") {
			done = ""
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	if done == "" {
		return "/", nil
	}
	return done, nil
}

var errProcess = errors.New("a link into a process, which leads where that process says")

// processLink is where a link below /proc leads for the process that will run the
// call, which is not the one that asks here.
func processLink(path, cwd string) (string, error) {
	if path == "/dev/fd" {
		return "/proc/self/fd", nil
	}
	rest, ok := strings.CutPrefix(path, "/proc/")
	if !ok {
		return "", nil
	}
	process, name, ok := strings.Cut(rest, "/")
	switch {
	case !ok || process != "self" && process != "thread-self" && strings.Trim(process, "0123456789") != "":
		return "", nil
	case name == "cwd" && process != "self" && process != "thread-self", strings.HasPrefix(name, "fd/"), name == "exe", strings.HasPrefix(name, "task"):
		return "", errProcess
	case name == "cwd":
		return cwd, nil
	case name == "root":
		return "/", nil
	}
	return "", nil
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	if dir == "/" {
		return path != ""
	}
	return strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == '/')
}
