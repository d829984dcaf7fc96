package shell

import "strings"

// Some programs read commands of a language of their own from their arguments and their
// input, and those may write files: .output of sqlite3, \o of psql, w of an editor.

// stated adds the files that such commands write.
func (l *accessList) stated(program string) {
	var judge func(at int, line string)
	input := true
	switch unversioned(program) {
	case "sqlite", "psql", "mysql", "mariadb", "duckdb", "clickhouse-client", "usql":
		judge = l.statement
	case "ed", "ex", "vi", "vim", "nvim":
		judge = l.editInput
	case "gdb", "lldb", "emacs":
		judge, input = l.anyStatement, false
	default:
		return
	}
	for at := 1; at < len(l.c.Words); at++ {
		if text := l.c.Words[at].Text; strings.ContainsAny(text, " \t\n") && !isEditor(program) {
			l.lines(at, text, judge)
			l.part(Writes, at, l.protectedHere(text))
		}
	}
	if text, ok := l.script.constantInput(l.index); ok && input {
		l.lines(0, text, judge)
	}
}

// protectedHere is the first name in a text that is protected because of the directory where the command
// runs, "" if there is none.
func (l *accessList) protectedHere(text string) string {
	for _, dir := range l.c.Dirs {
		if harmless(dir) {
			continue
		}
		for name := range namesIn(text) {
			if strings.IndexByte(name, '/') > 0 && Protected(behind(dir, name)) {
				return name
			}
		}
	}
	return ""
}

// statesFiles reports whether a program takes statements that may name files.
func statesFiles(program string) bool {
	return listed("sqlite psql mysql mariadb duckdb clickhouse-client usql gdb lldb", unversioned(program))
}

func isEditor(program string) bool {
	return about(program).spec.operands == editor && program != "emacs"
}

func (l *accessList) lines(at int, text string, judge func(at int, line string)) {
	for line := range strings.Lines(text) {
		judge(at, strings.TrimSpace(line))
	}
}

// anyStatement takes each protected path for one that is written.
func (l *accessList) anyStatement(at int, line string) {
	l.part(Writes, at, protectedWord(line))
}

// statement adds what a statement, or a command of a database's own program, writes.
func (l *accessList) statement(at int, line string) {
	verb, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(verb, ".") && writingCommands.has(verb[1:]):
		fields := strings.Fields(rest)
		if len(fields) > 0 {
			l.part(Writes, at, strings.Trim(fields[len(fields)-1], `'"`))
		}
	case (strings.HasPrefix(verb, ".") || strings.HasPrefix(verb, `\`)) && openingCommands.has(verb[1:]):
		for field := range strings.FieldsSeq(rest) {
			if !isOption(field) {
				l.part(Reads, at, strings.Trim(field, `'"`))
				break
			}
		}
	case verb == ".ar" || verb == ".archive":
		l.anyStatement(at, rest)
		if strings.Contains(rest, "x") {
			for field := range strings.FieldsSeq(rest) {
				if !isOption(field) {
					l.part(Writes, at, strings.Trim(field, `'"`))
				}
			}
		}
	case strings.HasPrefix(verb, ".") || strings.HasPrefix(verb, `\`):
		if !readingCommands.has(verb[1:]) {
			l.anyStatement(at, rest)
		}
	case writesFile(line):
		l.anyStatement(at, line)
	}
	if fold := strings.ToLower(line); strings.Contains(fold, "attach") || strings.Contains(fold, "vacuum") {
		for k, piece := range strings.FieldsFunc(line, func(r rune) bool { return r == '\'' || r == '"' }) {
			if k%2 == 1 && strings.HasPrefix(piece, "file:") {
				l.part(Writes, at, uriPath(piece))
			} else if k%2 == 1 {
				l.part(Writes, at, piece)
			}
		}
	}
}

var (
	writingCommands = wordSet{list: "output once backup save log trace clone open"}
	openingCommands = wordSet{list: "read import load i ir include include_relative source"}
	readingCommands = wordSet{list: "schema tables databases indexes indices show help width mode headers print print0 d dt d+ dn du l c connect echo"}
)

// writesFile reports whether a statement may name a file that the database writes.
func writesFile(statement string) bool {
	statement = strings.ToLower(statement)
	for _, word := range [...]string{"outfile", "dumpfile", "writefile", "attach", "vacuum", "copy", "export", "backup", "tee ", "edit("} {
		if strings.Contains(statement, word) {
			return true
		}
	}
	return false
}

// editInput adds what a line writes that an editor reads from its input. Most lines are text.
func (l *accessList) editInput(at int, line string) {
	if verb, _ := editVerb(line); editWrites.has(verb) {
		l.editCommand(at, line)
	}
}

// editCommand adds the files that commands of an editor name: r x, w x.
func (l *accessList) editCommand(at int, commands string) {
	for command := range strings.SplitSeq(commands, "|") {
		verb, file := editVerb(command)
		switch {
		case editWrites.has(verb):
			l.part(Writes, at, file)
		case editReads.has(verb):
			l.part(Reads, at, file)
		default:
			l.anyStatement(at, file)
		}
	}
}

// editVerb takes a command of an editor apart. Lines that it is for may stand in front.
func editVerb(command string) (verb, file string) {
	command = strings.TrimLeft(command, ":%.$,;+-'0123456789 \t")
	end := 0
	for end < len(command) && isLetter(command[end]) {
		end++
	}
	return command[:end], strings.TrimLeft(command[end:], "!> \t")
}

var (
	editWrites = wordSet{list: "w write sav saveas up update x xit exit wq wn wnext wN wprevious W"}
	editReads  = wordSet{list: "r read e edit sp split vs vsplit tabe tabedit new so source view find"}
)
