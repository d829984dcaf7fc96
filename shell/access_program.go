package shell

import "strings"

// outputs adds the files that a sed script or an awk program reads or writes by itself. It
// may name more than the program would really write, which only ever makes the
// answer stricter.
func (l *accessList) outputs(at int, program string) {
	switch l.c.Program() {
	case "sed", "gsed":
		for line := range strings.Lines(program) {
			line = strings.TrimRight(line, "\n")
			if path := sedFile(line, "wW"); path != "" {
				l.part(Writes, at, path)
			}
			if path := sedFile(line, "rR"); path != "" {
				l.part(Reads, at, path)
			}
		}
	case "awk", "gawk", "mawk", "nawk":
		for _, path := range awkFiles(program, '>') {
			l.part(Writes, at, path)
		}
		for _, path := range awkFiles(program, '<') {
			l.part(Reads, at, path)
		}
	}
}

// sedFile is the file of one of the commands, or of the w flag of s: its name is the
// rest of the line.
func sedFile(line, commands string) string {
	for i := 0; i+1 < len(line); i++ {
		if strings.IndexByte(commands, line[i]) < 0 || commands == "rR" && line[i+1] != ' ' {
			continue
		}
		if i == 0 || !isName(line[i-1:i]) || line[i+1] == ' ' && strings.IndexByte("gpIMe", line[i-1]) >= 0 {
			return strings.TrimSpace(line[i+1:])
		}
	}
	return ""
}

// awkFiles are the strings behind ">" or "<".
func awkFiles(program string, operator byte) []string {
	var out []string
	for i := 0; i < len(program); i++ {
		if program[i] != operator {
			continue
		}
		rest := strings.TrimLeft(program[i+1:], "> \t")
		if text, ok := strings.CutPrefix(rest, `"`); ok {
			path, _, _ := strings.Cut(text, `"`)
			out = append(out, path)
		}
	}
	return out
}

// formatsInPlace: formatters write the files they are given, some only if told so.
func (c *Command) formatsInPlace() bool {
	switch c.Program() {
	case "black", "isort", "rustfmt", "dos2unix", "unix2dos":
		return !c.has(&plainGrammar, 0, "check") && !c.has(&plainGrammar, 0, "diff")
	case "gofmt", "gofumpt", "goimports", "shfmt", "prettier":
		return c.has(&plainGrammar, 'w', "write")
	case "clang-format", "autopep8", "yapf", "yq":
		return c.has(&plainGrammar, 'i', "in-place")
	case "eslint", "stylelint", "ruff", "rubocop", "biome":
		return c.has(&plainGrammar, 'a', "fix") || c.has(&plainGrammar, 0, "write") || c.hasWord("format")
	}
	return false
}
