package shell

import "strings"

// outputs adds the files that a sed script or an awk program reads or writes by itself. It
// may name more than the program would really write, which only ever makes the
// answer stricter.
func (l *accessList) outputs(at int, program string) {
	switch l.c.Program() {
	case "sed", "gsed":
		script := readSed(program)
		for _, file := range script.files {
			l.part(file.mode, at, file.path)
		}
		if script.lost { // what follows may name any file
			l.part(Reads, at, unknownMark)
			l.part(Writes, at, unknownMark)
		}
	case "yq":
		if yqReadsFiles(program) {
			l.part(Reads, at, unknownMark)
		}
	case "awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "frawk":
		names := readAwkNames(l.c, program)
		for _, path := range names.writes {
			l.part(Writes, at, path)
			if text, ok := l.script.constantInput(l.index); ok && firstMark(path) >= 0 { // a field of what it reads
				l.part(Writes, at, protectedIn(text))
			}
		}
		if names.runsUnknown {
			l.part(Reads, at, unknownMark)
			l.part(Writes, at, unknownMark)
		}
		for _, path := range append(names.reads, awkReads(program)...) {
			l.part(Reads, at, path)
		}
	}
}

// awkFiles are the strings behind ">" or "<". One that another value is put to, or that spells
// characters by their numbers, is only known as far as that.
func awkFiles(program string, operator byte) []string {
	var out []string
	for i := 0; i < len(program); i++ {
		if program[i] != operator {
			continue
		}
		rest := strings.TrimLeft(program[i+1:], ">( \t")
		text, ok := strings.CutPrefix(rest, `"`)
		if !ok {
			continue
		}
		path, behind, _ := strings.Cut(text, `"`)
		if escaped := strings.IndexByte(path, '\\'); escaped >= 0 {
			path = path[:escaped] + unknownMark
		} else if awkGoesOn(behind) {
			path += unknownMark
		}
		out = append(out, path)
	}
	return out
}

// awkGoesOn: a value follows, which is put to the one before it.
func awkGoesOn(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return text != "" && (isNameByte(text[0]) || strings.IndexByte(`"($`, text[0]) >= 0)
}

// formatsInPlace: formatters write the files they are given, some only if told so.
func (c *Command) formatsInPlace() bool {
	switch c.Program() {
	case "black", "isort", "rustfmt", "dos2unix", "unix2dos":
		return !c.has(&plainGrammar, 0, "check") && !c.has(&plainGrammar, 0, "diff")
	case "gofmt", "gofumpt", "goimports", "shfmt", "prettier":
		return c.has(&plainGrammar, 'w', "write")
	case "clang-format", "autopep8", "yapf", "yq", "jsonlint":
		return c.has(&plainGrammar, 'i', "in-place")
	case "eslint", "stylelint", "ruff", "rubocop", "biome":
		return c.has(&plainGrammar, 'a', "fix") || c.has(&plainGrammar, 0, "fix-only") || c.has(&plainGrammar, 0, "write") || c.hasWord("format")
	}
	return false
}
