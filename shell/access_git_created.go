package shell

import "strings"

// gitCreates adds what git bundle create and git submodule add write.
func (l *accessList) gitCreates(sub int, dir string) {
	inner := Command{Words: l.c.Words[sub:]}
	verb, first, last := "", 0, 0
	a := inner.arguments(&gitClones)
	for a.next() {
		switch {
		case !a.operand:
		case verb == "":
			verb = a.value
		case first == 0:
			first = a.valueAt + sub
		default:
			last = a.valueAt + sub
		}
	}
	switch {
	case verb == "create" && first > 0:
		l.gitPath(Writes, first, dir, l.c.Words[first].Text)
	case verb == "add" && first > 0 && last == 0:
		l.part(Writes, first, clonedName(l.c.Words[first].Text))
	case verb == "add" && last > 0:
		l.gitPath(Writes, last, dir, l.c.Words[last].Text)
	}
}

// gitClones adds the directory that git clone names after the repository, if that is protected, and where
// the hooks of a template go.
func (l *accessList) gitClones(sub int, dir string) {
	inner := Command{Words: l.c.Words[sub:]}
	if verb := l.c.Words[sub].Text; verb != "worktree" && inner.has(&gitClones, 0, "template") { // hooks are copied from there
		l.part(Writes, sub, behind(dir, ".git/hooks"))
	}
	if l.c.Words[sub].Text != "clone" {
		return
	}
	first, count := 0, 0
	a := inner.arguments(&gitClones)
	for a.next() {
		if a.operand {
			first = a.valueAt + sub
			count++
		}
	}
	if count == 1 {
		if name := clonedName(l.c.Words[first].Text); name != "" {
			l.gitPath(Writes, first, dir, name)
		}
	}
}

// clonedName is the name that git gives the clone of a repository, "" if it is not protected.
func clonedName(url string) string {
	url = strings.TrimRight(url, "/")
	url = strings.TrimSuffix(strings.TrimSuffix(url, "/.git"), ".git")
	name := url[strings.LastIndexAny(url, "/:")+1:]
	if !Protected(name) {
		return ""
	}
	return name
}

// gitWorkTree adds the directory in which git --work-tree writes.
func (l *accessList) gitWorkTree(sub int) {
	for at := 1; at < sub; at++ {
		switch text := l.c.Words[at].Text; {
		case text == "--work-tree" && at+1 < sub:
			l.word(Writes, at+1)
		case strings.HasPrefix(text, "--work-tree="):
			l.part(Writes, at, text[len("--work-tree="):])
		}
	}
}
