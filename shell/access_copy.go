package shell

import "strings"

// intoLast is cp, mv, install and ln: the last operand, or the value of -t, is
// written; the mode is for the others.
func (l *accessList) intoLast(s *spec, mode AccessMode) {
	last, directory := l.target(s)
	if s.operands == linkLast && last < 0 {
		directory = "." // ln -s /x/y makes ./y
	}
	creates := l.c.Program() == "install" && l.c.has(&s.grammar, 'd', "directory")
	reach := MaybeInside
	if l.copiesContent(s, last) {
		reach = l.reach
	}
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case !a.operand:
			l.option(s, &a)
		case creates || a.valueAt == last:
			usual := l.reach
			l.reach = reach
			l.value(Writes, &a)
			l.reach = usual
		default:
			l.value(mode, &a)
			if l.patterns&mayVanish != 0 && last > a.valueAt && strings.IndexByte(l.c.Words[last].Text, Glob) >= 0 {
				l.word(Writes, a.valueAt) // it is the last one if the pattern finds nothing
			}
			l.landing(directory, a.valueAt)
			if directory == "" && last >= 0 && (becomesProtected(l.c.Words[a.valueAt].Text, l.path(l.c.Words[last])) || l.keeps(&copyGrammar, 0, "parents")) && mayBeDirectory(l.path(l.c.Words[last])) {
				l.landing(l.path(l.c.Words[last]), a.valueAt)
			}
		}
	}
}

// copiesContent reports whether a source is dir/. or the like: what lies in it gets its own names at the target.
func (l *accessList) copiesContent(s *spec, last int) bool {
	a := l.c.arguments(&s.grammar)
	for a.next() {
		if name := baseName(a.value); a.operand && a.valueAt != last && (name == "." || name == "..") {
			return true
		}
	}
	return false
}

// becomesProtected: a copy of the path would be a protected one in some directory, or in this one.
func becomesProtected(path, directory string) bool {
	name := baseName(path)
	return !harmless(name) && Protected(name) || !harmless(directory) && Protected(behind(directory, name))
}

// mayBeDirectory: the target may be a directory where it matters. A name with an
// extension hardly is one, and a copy among temporary files decides over nothing.
func mayBeDirectory(path string) bool {
	return strings.LastIndexByte(baseName(path), '.') <= 0 && locate(path, "").place != temporary
}

// target is the index of the operand that is written, or -1, and the directory
// into which the files go when it is one.
func (l *accessList) target(s *spec) (last int, directory string) {
	last, count := -1, 0
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.operand:
			last = a.valueAt
			count++
		case a.is('t', "target-directory") && a.valueAt > 0:
			directory = a.value
		}
	}
	switch {
	case directory != "":
		return -1, directory
	case count < 2:
		return -1, ""
	}
	path := l.path(l.c.Words[last])
	if count > 2 || isDirectory(path) {
		return last, path
	}
	return last, ""
}

// isDirectory: the text alone says that the path is a directory.
func isDirectory(path string) bool {
	if strings.HasSuffix(path, "/") {
		return true
	}
	switch path[strings.LastIndexByte(path, '/')+1:] {
	case ".", "..":
		return true
	}
	return locate(path, "").place.ruinous()
}

// landing adds the file that appears in a directory when the word is copied there.
func (l *accessList) landing(directory string, source int) {
	name := baseName(l.c.Words[source].Text)
	if l.c.Program() != "rsync" && l.keeps(&copyGrammar, 0, "parents") && !strings.HasSuffix(name, "..") {
		name = strings.TrimLeft(l.c.Words[source].Text, "/") // cp --parents keeps the directories
	}
	if directory == "" || name == "" || name == "." || name == ".." {
		return
	}
	l.part(Writes, source, behind(directory, name))
}

func baseName(path string) string {
	path = strings.TrimRight(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// remote is scp and rsync: what stands behind "host:" is elsewhere.
func (l *accessList) remote(s *spec) {
	mode := Reads
	last, replaces := -1, false
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.operand:
			last = a.valueAt
		case a.is(0, "remove-source-files"):
			mode = Deletes
		case a.long && (a.name == "del" || strings.HasPrefix(a.name, "delete")):
			replaces = true
		}
	}
	a = l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case !a.operand:
			l.option(s, &a)
		case onOtherHost(a.value):
			if a.valueAt != last {
				l.fetched(last, a.valueAt)
			}
		case a.valueAt == last:
			word := l.c.Words[last]
			l.put(&Access{Path: l.path(word), Mode: Writes, Span: word.Span, Replaces: replaces && !l.c.has(&s.grammar, 'n', "dry-run")})
		default:
			l.value(mode, &a)
			l.arriving(last, a.valueAt)
		}
	}
}

// arriving adds the file that a local source becomes in the target directory. With a
// slash at its end only its content is copied.
func (l *accessList) arriving(target, source int) {
	path, file := l.path(l.c.Words[target]), l.c.Words[source].Text
	if onOtherHost(path) || strings.HasSuffix(file, "/") {
		return
	}
	if l.keeps(&about("rsync").spec.grammar, 'R', "relative") {
		l.part(Writes, source, behind(path, strings.TrimLeft(file, "/")))
		return
	}
	if isDirectory(path) || becomesProtected(file, path) && mayBeDirectory(path) {
		l.landing(path, source)
	}
}

// fetched adds the file that a remote source becomes in the target directory.
func (l *accessList) fetched(target, source int) {
	path := l.path(l.c.Words[target])
	_, file, _ := strings.Cut(l.c.Words[source].Text, ":")
	if name := baseName(file); name != "" && !onOtherHost(path) && (isDirectory(path) || becomesProtected(name, path) && mayBeDirectory(path)) {
		l.part(Writes, source, behind(path, name))
	}
}

// onOtherHost: host:path, user@host:path, scheme://…; a colon behind a slash
// belongs to a file name.
func onOtherHost(text string) bool {
	colon := strings.IndexByte(text, ':')
	return colon > 0 && strings.IndexByte(text[:colon], '/') < 0
}

// cloud is aws s3 cp and its kind.
func (l *accessList) cloud(s *spec) {
	copies := false
	for _, word := range l.c.Args() {
		switch word.Text {
		case "cp", "mv", "sync", "copy", "move", "rsync", "get", "put", "mirror", "copyto", "moveto", "copyurl", "get-object", "download":
			copies = true
		}
	}
	last := -1
	a := l.c.arguments(&s.grammar)
	for a.next() {
		if a.operand {
			last = a.valueAt
		}
	}
	a = l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case !a.operand:
		case onOtherHost(a.value):
			if copies && a.valueAt != last {
				l.fetched(last, a.valueAt)
			}
		case copies && a.valueAt == last:
			l.value(Writes, &a)
		case copies:
			l.value(Reads, &a)
			l.arriving(last, a.valueAt)
		default:
			l.value(Reads, &a)
			l.inner(a.valueAt)
		}
	}
}
