package shell

import "strings"

// patches adds the files that the constant patch on the input of the current command, or in
// a file that the script has written, names. strip is how many names are taken off them, -1
// for the patch program's own choice.
func (l *accessList) patches(at int, dir string, strip int, files ...string) {
	text, _ := l.script.constantInput(l.index)
	for _, file := range files {
		if written, ok := l.script.writtenText(l.index, file); ok {
			text += "\n" + written
		}
	}
	for line := range strings.Lines(text) {
		for _, path := range patchedFiles(line) {
			l.part(Writes, at, behind(dir, stripped(path, strip)))
			if Protected(path) {
				l.part(Writes, at, behind(dir, path))
			}
		}
	}
	l.unpacksHere(dir)
}

// patchHeads start the lines of a patch that name a file.
var patchHeads = []string{"+++ ", "--- ", "*** ", "Index: ", "rename to ", "rename from ", "copy to "}

// patchedFiles are the files that a line of a patch names.
func patchedFiles(line string) []string {
	line = strings.Trim(line, " \t\r\n") // a whole patch may be indented
	if strings.Contains(line, `"`) {
		line = ansi(line) // names in quotes have escapes
	}
	if pair, ok := strings.CutPrefix(line, "diff --git "); ok {
		return strings.Fields(strings.ReplaceAll(pair, `"`, ""))
	}
	for _, head := range patchHeads {
		if name, ok := strings.CutPrefix(line, head); ok {
			name, _, _ = strings.Cut(name, "\t")
			if name = strings.Trim(name, `" `); name != "" && name != "/dev/null" {
				return []string{name}
			}
		}
	}
	return nil
}

// stripped is a path without its first names, of which patch takes off a/ and b/ unasked.
func stripped(path string, strip int) string {
	if strip < 0 {
		strip = 0
		if strings.HasPrefix(path, "a/") || strings.HasPrefix(path, "b/") {
			strip = 1
		}
	}
	for range strip {
		_, rest, ok := strings.Cut(path, "/")
		if !ok {
			return path
		}
		path = rest
	}
	return path
}

// patch is the patch program: the file, then the patch.
func (l *accessList) patch(s *spec) {
	strip, dir := -1, ""
	var files []string
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.is('p', "strip"):
			strip = oneDigit(a.value)
		case a.is('d', "directory"):
			dir = a.value
		case a.operand, a.is('i', "input"):
			files = append(files, a.value)
		}
	}
	l.sequence(s, Writes, Reads)
	l.patches(0, dir, strip, files...)
}

// gitApplies is git apply and git am.
func (l *accessList) gitApplies(sub int, dir string) {
	strip := 1
	var files []string
	inner := Command{Words: l.c.Words[sub:]}
	a := inner.arguments(&gitOutputs)
	for a.next() {
		switch {
		case a.is('p', ""):
			strip = oneDigit(a.value)
		case a.is(0, "directory"):
			dir = behind(dir, a.value)
		case a.operand:
			files = append(files, a.value)
		case a.is(0, "stat"), a.is(0, "numstat"), a.is(0, "summary"), a.is(0, "check"), a.is(0, "cached"):
			return
		}
	}
	l.patches(sub, dir, strip, files...)
}

// oneDigit reads a number of one digit; 0 for anything else.
func oneDigit(text string) int {
	if len(text) == 1 && text[0] >= '0' && text[0] <= '9' {
		return int(text[0] - '0')
	}
	return 0
}
