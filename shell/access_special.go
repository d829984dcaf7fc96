package shell

import "strings"

// special is for programs with a syntax of their own.
func (l *accessList) special(s *spec) {
	switch s.operands {
	case compressor:
		l.compress(s)
	case keyEqualsPath:
		l.dd()
	case archiver:
		l.tar(s)
	case remoteCopy:
		l.remote(s)
	case cloudCopy:
		l.cloud(s)
	case transfer:
		l.transfer(s)
	case finder:
		l.find()
	case versionControl:
		l.git()
	case container:
		l.container(s)
	case editor:
		l.edit(s)
	default:
		l.each(s, Reads)
	}
}

// compress replaces its files, unless it only lists, tests or prints.
func (l *accessList) compress(s *spec) {
	mode := Writes
	a := l.c.arguments(&s.grammar)
	for a.next() {
		if a.is('c', "stdout") || a.is('t', "test") || a.is('l', "list") {
			mode = Reads
		}
	}
	l.each(s, mode)
	if mode == Writes {
		l.unpackedNames(s)
	}
}

// packedSuffixes are what programs that pack one file add to its name, and take off it again.
var packedSuffixes = []string{".gz", ".xz", ".bz2", ".zst", ".br", ".lz4", ".lzma", ".lz", ".lzo", ".Z", ".z", ".gpg", ".pgp", ".asc", ".sig"}

// unpackedNames adds the files that come out of those that are named, which have their names
// without the suffix.
func (l *accessList) unpackedNames(s *spec) {
	a := l.c.arguments(&s.grammar)
	for a.next() {
		if !a.operand {
			continue
		}
		path := l.path(l.c.Words[a.at])
		for _, suffix := range packedSuffixes {
			if len(path) > len(suffix) && strings.HasSuffix(path, suffix) {
				l.part(Writes, a.valueAt, strings.TrimSuffix(path, suffix))
			}
		}
	}
}

func (l *accessList) dd() {
	for i := 1; i < len(l.c.Words); i++ {
		switch key, path, given := strings.Cut(l.c.Words[i].Text, "="); {
		case key == "if":
			l.part(Reads, i, path)
		case key == "of":
			l.part(Writes, i, path)
		case strings.IndexByte(key, Unknown) >= 0: // it may be either
			if !given {
				path = unknownMark
			}
			l.part(Reads, i, path)
			l.part(Writes, i, path)
		}
	}
}

// tar writes the archive when it creates one and reads it otherwise. Its first
// word may be a cluster of options without a dash.
func (l *accessList) tar(s *spec) {
	creates, extracts := l.tarAction(s)
	archive, members := Reads, Reads
	if creates {
		archive = Writes
	}
	printed := extracts && (l.c.has(&s.grammar, 'O', "to-stdout") || !isOption(l.c.Words[1].Text) && strings.Contains(l.c.Words[1].Text, "O"))
	taken, dir := l.tarCluster(archive, extracts), ""
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.operand && (a.valueAt <= taken || printed):
		case a.operand && extracts:
			l.unpacked(a.valueAt, dir)
		case a.operand:
			l.value(members, &a)
		case a.is('f', "file"):
			reach := l.reach
			l.reach = OnlyPath // the archive is a file, whatever goes into it
			l.value(archive, &a)
			l.reach = reach
		case a.is('C', "directory") && !extracts:
			l.value(Reads, &a)
		case a.is(0, "transform") || a.is(0, "xform") || a.is('s', ""):
			l.part(Writes, a.at, protectedWord(a.words[a.at].Text+" "+a.value))
		default:
			if a.is('C', "directory") || a.is(0, "one-top-level") && a.valueAt > 0 {
				dir = a.value
			}
			l.option(s, &a)
		}
	}
	if extracts && !printed {
		l.unpacksHere("")
		l.unpacksPiped(dir)
	}
}

// tarCluster reads a first word without a dash: each of its letters that takes a value
// takes the next of the words that follow. It returns the index of the last of them,
// 0 if there is no such word.
func (l *accessList) tarCluster(archive AccessMode, extracts bool) int {
	first, taken := l.c.Words[1].Text, 1
	if strings.HasPrefix(first, "-") {
		return 0
	}
	reach := l.reach
	for k := 0; k < len(first) && taken+1 < len(l.c.Words); k++ {
		if strings.IndexByte("fCbTXgHKLNVFI", first[k]) < 0 {
			continue
		}
		taken++
		switch first[k] {
		case 'f':
			l.reach = OnlyPath
			l.word(archive, taken)
			l.reach = reach
		case 'C':
			mode := Reads
			if extracts {
				mode = Writes
			}
			l.word(mode, taken)
		case 'T', 'X', 'g':
			l.word(Reads, taken)
		}
	}
	return taken
}

func (l *accessList) tarAction(s *spec) (creates, extracts bool) {
	if first := l.c.Words[1].Text; !strings.HasPrefix(first, "-") {
		return strings.ContainsAny(first, "cruA"), strings.Contains(first, "x")
	}
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.is('c', "create"), a.is('r', "append"), a.is('u', "update"), a.is('A', "catenate"), a.is(0, "delete"):
			creates = true
		case a.is('x', "extract"), a.is(0, "get"):
			extracts = true
		}
	}
	return creates, extracts
}

// transfer is curl and wget: operands are URLs, files are sent with @.
func (l *accessList) transfer(s *spec) {
	u := urls{named: l.c.Program() != "curl"} // the others save under the name in the URL
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.is('O', "remote-name-all") && a.valueAt == 0:
			u.named = true
		case a.is('O', "output-document"), a.is('o', "out") && l.c.Program() != "wget":
			u.named = u.named && l.c.hasWord("--remote-name-all")
		}
		switch {
		case a.operand:
		case l.c.Program() == "curl":
			u.sends = u.sends || a.is('T', "upload-file")
			u.files = u.files || a.long && strings.HasPrefix(a.name, "proto-d")
		default:
			u.trees = u.trees || !a.long && strings.IndexByte("xrmp", a.name[0]) >= 0 || a.long && (a.name == "recursive" || a.name == "mirror" || a.name == "force-directories" || a.name == "page-requisites")
		}
	}
	a = l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.operand:
			l.url(&a, &u)
		case a.is('i', "input-file") && a.valueAt > 0 && l.c.Program() != "curl":
			l.option(s, &a)
			text, _ := l.script.fileText(l.index, a.valueAt, a.value)
			for line := range strings.FieldsSeq(text) {
				l.saved(&u, a.valueAt, line)
			}
		case a.is('K', "config") && a.valueAt > 0:
			l.option(s, &a)
			text, _ := l.script.fileText(l.index, a.valueAt, a.value)
			l.part(Writes, a.valueAt, protectedIn(text))
		case s.optionMode(&a) != 0 && a.valueAt > 0 && strings.ContainsAny(a.value, "{[#"):
			l.part(s.optionMode(&a), a.valueAt, alternatives(a.value))
			l.option(s, &a)
		case s.optionMode(&a) == 0 && a.valueAt > 0:
			l.sent(&a)
		default:
			l.option(s, &a)
		}
	}
}

// urls says what is done with the addresses among the words.
type urls struct {
	named bool // saved under the name at the end
	sends bool // written rather than read
	files bool // one without a scheme is a file
	trees bool // saved under the whole path
}

func (l *accessList) url(a *arguments, u *urls) {
	if !hasFold(a.value, "file:") && !(u.files && !strings.Contains(a.value, "://")) {
		l.saved(u, a.valueAt, a.value)
		return
	}
	mode := Reads
	if u.sends {
		mode = Writes
	}
	path := a.value
	if hasFold(path, "file:") {
		path = path[len("file:"):]
	}
	path = uriPath(path)
	l.part(mode, a.valueAt, path)
	if strings.ContainsAny(path, "{[") {
		l.part(mode, a.valueAt, alternatives(path))
	}
}

// saved adds the file that is saved for an address.
func (l *accessList) saved(u *urls, at int, url string) {
	if u.named {
		name := remoteName(url)
		l.part(Writes, at, name)
		if strings.ContainsAny(name, "{[") {
			l.part(Writes, at, protectedIn(name))
		}
	}
	if u.trees {
		l.part(Writes, at, protectedPath(url))
	}
}

// protectedPath is the path of an address, if that is protected.
func protectedPath(url string) string {
	_, path, _ := strings.Cut(url, "://")
	if _, path, _ = strings.Cut(path, "/"); Protected(path) {
		return path
	}
	return ""
}

// alternatives is a text in which curl puts one of several in the place of {a,b} and [a-b], and a
// part of the address in that of #1, as far as it is known.
func alternatives(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c == '#' && at+1 < len(text) && text[at+1] >= '0' && text[at+1] <= '9':
			at++
			b.WriteByte(Unknown)
		case c == '{' || c == '[':
			end := strings.IndexAny(text[at:], "}]")
			if end < 0 {
				end = len(text) - 1 - at
			}
			at += end
			b.WriteByte(Unknown)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// remoteName is the file name at the end of a URL; "" when there is none.
func remoteName(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	url, _, _ = strings.Cut(url, "?")
	url, _, _ = strings.Cut(url, "#")
	slash := strings.LastIndexByte(url, '/')
	if slash < 0 {
		return ""
	}
	return url[slash+1:]
}

// sent adds the file in -d @f, --data-urlencode name@f, --variable name@f, and those of -F.
func (l *accessList) sent(a *arguments) {
	name, _ := strings.CutPrefix(a.name, "expand-")
	value := a.value
	_, rest, assigns := strings.Cut(value, "=")
	switch {
	case assigns && (!a.long && name == "F" || a.long && name != "" && strings.HasPrefix("form", name)):
		l.formFiles(a.valueAt, rest)
		return
	case assigns && strings.HasPrefix(rest, "@"):
		value = rest
	}
	at := strings.IndexByte(value, '@')
	if at == 0 || at > 0 && a.long && (strings.HasPrefix("data-urlencode", name) || strings.HasPrefix("url-query", name) || strings.HasPrefix("variable", name)) {
		path, _, _ := strings.Cut(value[at+1:], ";")
		l.part(Reads, a.valueAt, path)
	}
}

// formFiles adds the files of a part of a form: @f, @f,g, <f, text;headers=@f. Names may
// stand in quotes, in which a backslash stands before some characters.
func (l *accessList) formFiles(at int, value string) {
	var field []byte
	file, quoted := false, false
	end := func() {
		if file {
			l.part(Reads, at, string(field))
		}
		field = field[:0]
	}
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quoted && c == '\\' && i+1 < len(value):
			i++
			field = append(field, value[i])
		case c == '"':
			quoted = !quoted
		case quoted:
			field = append(field, c)
		case c == ';':
			end()
			file = false
		case c == ',' && file:
			end()
		case (c == '@' || c == '<') && (len(field) == 0 || string(field) == "headers="):
			field, file = field[:0], true
		case c == ' ' && len(field) == 0:
		default:
			field = append(field, c)
		}
	}
	end()
}

// container adds files given to docker: --env-file, -v host:inside, cp.
func (l *accessList) container(s *spec) {
	copies := l.c.hasWord("cp")
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.operand:
			l.containerOperand(&a, copies)
		case a.is('v', "volume") || a.is(0, "mount") || a.is(0, "secret"):
			l.mounted(&a)
		default:
			l.option(s, &a)
		}
	}
}

func (l *accessList) containerOperand(a *arguments, copies bool) {
	switch other := onOtherHost(a.value); {
	case other && !copies: // a mount, or image:tag
		l.mountedPath(a.valueAt, a.value)
	case other && a.valueAt < len(l.c.Words)-1:
		l.fetched(len(l.c.Words)-1, a.valueAt)
	case other:
	case copies && a.valueAt == len(l.c.Words)-1:
		l.value(Writes, a)
	default:
		l.possible = !copies // most are names of images, services and the like
		l.value(Reads, a)
		l.possible = false
		l.mountedPath(a.valueAt, a.value)
	}
}

// mountedPath adds the host's side of host:inside.
func (l *accessList) mountedPath(at int, value string) {
	if path, _, found := strings.Cut(value, ":"); found {
		l.mountedTree(at, path)
	}
}

// mountedTree adds a directory of the host, all of which is seen inside. A name without a
// slash is that of a volume.
func (l *accessList) mountedTree(at int, path string) {
	reach := l.reach
	if strings.IndexByte(path, '/') >= 0 || strings.HasPrefix(path, ".") || strings.HasPrefix(path, "~") || strings.IndexByte(path, Unknown) >= 0 {
		l.reach = WholeTree
	}
	l.part(Reads, at, path)
	l.reach = reach
}

// writable adds a protected place of the host that a container may write.
func (l *accessList) writable(at int, mount, path string) {
	for option := range strings.FieldsFuncSeq(mount, func(r rune) bool { return r == ':' || r == ',' || r == '=' }) {
		if option == "ro" || option == "readonly" {
			return
		}
	}
	if Protected(path) {
		l.part(Writes, at, path)
	}
}

// mounted adds the host's side of a mount.
func (l *accessList) mounted(a *arguments) {
	value, at := a.value, a.valueAt
	switch {
	case at > 0:
	case a.cluster != "": // -v=x:y
		value, at = strings.TrimPrefix(a.cluster, "="), a.at
		a.cluster = ""
	case a.at+1 < len(a.words):
		at = a.at + 1
		value = a.words[at].Text
	}
	mount := value
	for field := range strings.SplitSeq(value, ",") {
		if source, ok := strings.CutPrefix(field, "src="); ok {
			value = source
		} else if source, ok := strings.CutPrefix(field, "source="); ok {
			value = source
		}
	}
	path, _, _ := strings.Cut(value, ":")
	if at > 0 {
		l.mountedTree(at, path)
		l.writable(at, mount, path)
	}
}

func (l *accessList) edit(s *spec) {
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case !a.operand:
			l.option(s, &a)
		case !strings.HasPrefix(a.value, "+"):
			l.value(Writes, &a)
		default:
			l.editCommand(a.valueAt, a.value[1:])
		}
		if a.is('c', "cmd") {
			l.editCommand(a.valueAt, a.value)
		}
	}
}
