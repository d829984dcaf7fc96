package shell

import "strings"

// interpreterFlags are the letters of the options after which an interpreter takes
// a program from the command line.
func interpreterFlags(name string) (string, bool) {
	if last := len(name) - 1; last > 0 && name[last] <= '9' { // python3.12
		name = strings.TrimRight(name, "0123456789.")
	}
	switch name {
	case "python", "pypy", "ipython", "guile":
		return "c", true
	case "perl", "ruby", "irb", "lua", "luajit", "osascript", "Rscript", "R", "julia", "elixir", "groovy", "scala", "ghc", "swift", "racket", "csi":
		return "eE", true
	case "node", "nodejs", "bun", "deno", "ts-node", "tsx":
		return "ep", true
	case "php":
		return "rBE", true
	case "tclsh", "wish", "jshell", "ghci", "sqlite", "sbcl", "clisp", "ecl":
		return "", true
	}
	return "", false
}

// interpreter marks a program in another language as opaque and tries the shell
// commands that stand in it.
func (w *walker) interpreter(i int, flags string) {
	words := w.s.Commands[i].Words
	if len(words) == 2 && w.s.Commands[i].knowledge().isVersionQuery(words[1].Text) {
		return
	}
	file := false
	for j := 1; j < len(words); j++ {
		text := words[j].Text
		switch {
		case text == "--eval" || text == "--print":
			w.inlineNext(i, words, j)
			return
		case strings.HasPrefix(text, "--eval=") || strings.HasPrefix(text, "--print="):
			w.inline(i, text[strings.IndexByte(text, '=')+1:], words[j].Span)
			return
		case text == "--version" || text == "-V" || text == "--help" || text == "-h":
			return
		case len(text) > 1 && text[0] == '-' && strings.IndexByte("MmIr", text[1]) >= 0 && text != "-m" && !strings.HasPrefix(words[0].Text, "php"):
			if len(text) == 2 {
				j++ // its value
			}
			continue // a module or a directory, not a program: perl -MFile::Path
		case len(text) > 1 && text[0] == '-' && text[1] != '-':
			if at := strings.IndexAny(text[1:], flags); flags != "" && at >= 0 {
				if rest := text[at+2:]; rest != "" && !isName(rest) {
					w.inline(i, rest, words[j].Span)
					return
				}
				w.inlineNext(i, words, j)
				return
			}
			if text == "-m" {
				return // a module, like a script
			}
			if len(text) == 2 && strings.IndexByte("WXIrdC", text[1]) >= 0 {
				j++ // its value
			}
		case text == "-" || feeds(words[j]):
		case text == "eval" && words[0].Text == "deno":
			w.inlineNext(i, words, j)
			return
		case text[:min(1, len(text))] != "-":
			if file = true; flags == "" {
				return // sqlite3 database
			}
			w.scriptCommand(i, words[j:])
		}
		if file {
			return
		}
	}
	w.s.Commands[i].Opaque = OpaqueCode // it reads its program from standard input
	if text, ok := w.piped(i); ok {
		w.inline(i, text, w.s.Commands[i].Span)
	}
}

// scriptCommand: the script may be a program that is known by its name, node node_modules/.bin/npm.
func (w *walker) scriptCommand(i int, words []Word) {
	path, _ := strings.CutSuffix(words[0].Text, "-cli.js")
	if !strings.Contains(path, "/") && taskRunners.has(w.s.Commands[i].Program()) {
		return // bun add x
	}
	if name := path[strings.LastIndexByte(path, '/')+1:]; name != "" && words[0].Known() && !strings.Contains(name, ".") {
		w.child(i, Guess, append([]Word{{Text: path, Span: words[0].Span}}, words[1:]...))
	}
}

func (w *walker) inlineNext(i int, words []Word, j int) {
	w.s.Commands[i].Opaque = OpaqueCode
	if j+1 < len(words) {
		w.inline(i, words[j+1].Text, words[j+1].Span)
	}
}

// programInput is a program that runs what it reads from standard input, in a language of its own.
func (w *walker) programInput(i int) {
	switch in := w.s.Commands[i].Stdin; in.Kind {
	case StdinText, StdinPipe, StdinUnknown:
		w.s.Commands[i].Opaque = OpaqueCode
		if text, ok := w.piped(i); ok {
			w.programText(i, text, w.s.Commands[i].Span)
		}
	case StdinInherited, StdinFile:
	}
}

// programText looks through a text in a language in which a command need not stand in quotes:
// syscmd(make), .sy make, shell(make).
func (w *walker) programText(i int, text string, span Span) {
	w.inline(i, text, span)
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("()[]{};|,'`\"\n", r) }) {
		var words []Word
		for field := range strings.FieldsSeq(piece) {
			words = append(words, Word{Text: field, Span: span})
		}
		for k := range min(len(words), 3) { // behind .sy, or sh X
			w.child(i, Guess, words[k:])
		}
	}
}

// prolog runs goals.
func (w *walker) prolog(i int) {
	words := w.s.Commands[i].Words
	for j, word := range words[1:] {
		if j+2 < len(words) && isName(words[j+2].Text) { // a goal of the program
			continue
		}
		if listed("-g -t --goal --toplevel --query-goal --entry-goal", word.Text) && j+2 < len(words) {
			w.programText(i, words[j+2].Text, words[j+2].Span)
		} else if goal, ok := strings.CutPrefix(word.Text, "--goal="); ok {
			w.programText(i, goal, word.Span)
		}
	}
	w.programInput(i)
}

// crystal has a subcommand that runs its words, or what it reads.
func (w *walker) crystal(i int) {
	words := w.s.Commands[i].Words
	switch {
	case len(words) < 2:
	case words[1].Text == "eval" && len(words) > 2:
		w.programText(i, join(words[2:]), words[2].Span)
	case words[1].Text == "eval", words[1].Text == "run" && feeds(words[len(words)-1]):
		w.programInput(i)
	}
}

// inline looks through a program text for shell commands it starts.
func (w *walker) inline(i int, program string, span Span) {
	w.s.Commands[i].Opaque = OpaqueCode
	for _, code := range startedBy(program) {
		w.code(i, Guess, "the program", code, span)
	}
}

// starters are the functions, by the end of their names, whose first argument is a
// command.
var starters = []string{
	"system", "popen", "Popen", "exec", "execl", "execlp", "execv", "execvp", "execSync", "execFile", "execFileSync", "spawn", "spawnSync",
	"run", "call", "check_call", "check_output", "getoutput", "getstatusoutput", "shell_exec", "passthru", "proc_open", "qx", "x", "shell", "capture2", "capture3",
	"create_subprocess_shell", "open", "sh", "execute", "shell-command", "shell-command-to-string", "async-shell-command", "call-process", "start-process", "run-program", "command", "syscmd", "esyscmd",
}

// startedBy finds string literals that are given to such a function, and what
// stands in backticks.
func startedBy(program string) []string {
	var out []string
	for i := 0; i < len(program); i++ {
		quote := program[i]
		if quote != '\'' && quote != '"' && quote != '`' {
			continue
		}
		end := i + 1
		for end < len(program) && program[end] != quote {
			if program[end] == '\\' {
				end++
			}
			end++
		}
		if end > len(program) {
			end = len(program)
		}
		literal := program[min(i+1, len(program)):min(end, len(program))]
		if quote == '`' || startsCommand(program[:i]) || feedsPipe(program[min(end+1, len(program)):]) {
			out = append(out, argumentList(program, i, literal))
		}
		i = end
	}
	return out
}

// argumentList joins the elements of a list of arguments: ["rm", "-rf", "/"].
func argumentList(program string, at int, first string) string {
	before := strings.TrimRight(program[:at], " \t\n")
	if !strings.HasSuffix(before, "[") && !strings.HasSuffix(before, "(") {
		return first
	}
	end := strings.IndexAny(program[at:], "])")
	if end < 0 {
		return first
	}
	list := program[at : at+end]
	if !strings.Contains(list, ",") {
		return first
	}
	return strings.Join(strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune("'\", []", r) }), " ")
}

// feedsPipe: awk runs the string before "| getline".
func feedsPipe(after string) bool {
	after = strings.TrimLeft(after, " \t")
	return strings.HasPrefix(after, "|") && !strings.HasPrefix(after, "||")
}

func startsCommand(before string) bool {
	before = strings.TrimRight(before, " \t\n([{")
	if piped := strings.TrimSuffix(before, "&"); strings.HasSuffix(piped, "|") && !strings.HasSuffix(piped, "||") {
		return true // awk: print | "command"
	}
	for _, name := range starters {
		if head, ok := strings.CutSuffix(before, name); ok {
			if head == "" || !isName(head[len(head)-1:]) {
				return true
			}
		}
	}
	return false
}

// filter is awk or sed: opaque unless its program only reads.
func (w *walker) filter(i int) {
	c := &w.s.Commands[i]
	if c.doubt().Text == "" || onlyEdits(c.Words) {
		return
	}
	c.Opaque = OpaqueCode
	for _, word := range c.Words[1:] {
		w.inline(i, word.Text, word.Span)
	}
	if name := w.s.Commands[i].Program(); name == "sed" || name == "gsed" {
		operand, options, _ := sedScripts(w.s.Commands[i].Words)
		for _, script := range append(options, operand) {
			read := readSed(script.Text)
			for _, code := range read.runs {
				w.code(i, Guess, "the program", code, script.Span)
			}
		}
	}
}

// onlyEdits: sed would only read, were it not told to write its files.
func onlyEdits(words []Word) bool {
	if name := programOf(words); name != "sed" && name != "gsed" {
		return false
	}
	rest := make([]Word, 0, len(words))
	for _, word := range words {
		if !strings.HasPrefix(word.Text, "-i") && !strings.HasPrefix(word.Text, "--in-place") {
			rest = append(rest, word)
		}
	}
	return len(rest) < len(words) && doubtWords(rest).Text == ""
}
