package shell

import (
	"slices"
	"strings"
)

// running says which options of an ordinary program name something that it runs. The
// lists are separated by blanks, with the dashes.
type running struct {
	names string
	code  string // the value is a shell command
	given string // the value is a command that is given more words
	other string // the value is a program in another language
	// escapes: what follows one of these in an argument, or in a line of standard
	// input, is a shell command.
	escapes string
	// special reads what the lists cannot say.
	special func(w *walker, i int)

	options, more []string // those of code and of given
}

// runningOf is nil for a program that is not in the table.
func runningOf(program string) *running {
	rows := runningPrograms()
	for i := len(rows) - 1; i >= 0; i-- {
		if row := &rows[i]; listed(row.names, program) {
			row.options, row.more = strings.Fields(row.code), strings.Fields(row.given)
			return row
		}
	}
	return nil
}

// runningPrograms makes the table.
func runningPrograms() []running {
	return []running{
		{names: "rg", given: "--pre --hostname-bin"},
		{names: "sort", code: "--compress-program"},
		{names: "split", code: "--filter"},
		{names: "install ginstall", given: "--strip-program"},
		{names: "npm", special: (*walker).npmSpelling},
		{names: "npx pnpx", code: "-c --call"},
		{names: "nano pico", code: "-s --speller"},
		{names: "gs ghostscript", escapes: "%pipe%"},
		{names: "convert magick mogrify identify display composite montage compare", escapes: "|"},
		{names: "bat batcat", code: "--pager"},
		{names: "man less more", code: "-P --pager -H --html", escapes: "+!"},
		{names: "zip", given: "-TT --unzip-command"},
		{
			names: "tar gtar bsdtar", special: (*walker).tarOptions,
			code: "--to-command -I --use-compress-program --info-script --new-volume-script -F --rsh-command --rmt-command",
		},
		{names: "rsync", code: "--rsync-path", given: "-e --rsh"},
		{names: "ssh autossh", special: (*walker).sshOptions},
		{names: "scp sftp", given: "-S -D", escapes: "!", special: (*walker).sshOptions},
		{names: "ftp lftp telnet dc mail mailx", escapes: "!"},
		{names: "mutt neomutt", escapes: "! shell-escape", other: "-e"},
		{names: "ed red", escapes: "!"},
		{names: "vim vi nvim ex view gvim vimdiff rvim", escapes: "!", special: (*walker).editorCommands},
		{names: "emacs emacsclient", other: "--eval -eval -e --execute -f --funcall -l --load --script"},
		{names: "fzf sk", code: "--preview", special: (*walker).keyBindings},
		{names: "tcpdump", given: "-z"},
		{names: "wget", given: "--use-askpass", special: (*walker).wgetSettings},
		{names: "go", given: "-toolexec -exec -vettool"},
		{names: "java", code: "-XX:OnError -XX:OnOutOfMemoryError"},
		{names: "nc ncat netcat", code: "-e -c --exec --sh-exec"},
		{names: "socat", special: (*walker).addresses},
		{names: "gpg gpg2", code: "--photo-viewer --agent-program --dirmngr-program --pinentry-program"},
		{names: "logrotate", code: "-m --mail"},
		{names: "pandoc", code: "-F --filter --pdf-engine"},
		{names: "ansible", code: "-a --args"},
		{names: "gcloud vagrant", code: "-c --command"},
		{names: "fly flyctl", code: "-C --command"},
		{names: "gdb lldb", escapes: "! shell", special: (*walker).debugger},
		{names: "osh ysh nu murex ion repo vhs asciinema", code: "-c --commands --command"},
		{names: "just", special: (*walker).behindCommand},
		{names: "aria2c", given: "--on-download-complete --on-bt-download-complete --on-download-start --on-download-stop --on-download-pause --on-download-error"},
		{names: "yarn pnpm bun", special: (*walker).installed},
		{names: "helm", code: "--post-renderer"},
		{names: "helmfile", code: "-b --helm-binary -k --kustomize-binary"},
		{names: "latexmk", code: "-latex -pdflatex -xelatex -lualatex -dvipdf -e"},
		{names: "mispipe start-server-and-test", special: (*walker).eachWord},
		{names: "bpftrace", other: "-e"},
		{names: "mongosh mongo", other: "--eval"},
		{names: "gnuplot", other: "-e", special: (*walker).programInput},
		{names: "octave octave-cli", other: "--eval", special: (*walker).programInput},
		{names: "ocaml", other: "-e", special: (*walker).programInput},
		{names: "swipl", special: (*walker).prolog},
		{names: "m4 gm4 groff troff nroff gtroff gpic pic", special: (*walker).programInput},
		{names: "crystal", special: (*walker).crystal},
		{names: "blender", other: "--python-expr"},
		{names: "gimp", other: "-b --batch"},
		{names: "psql pgcli", escapes: `\!`, special: (*walker).copiesFromProgram},
		{names: "mysql mariadb mycli", escapes: `\! system`},
		{names: "sqlite3 sqlite", escapes: ".once| .output|", special: (*walker).databaseCommands},
		{names: "cmake", special: (*walker).cmake},
		{names: "crontab", special: (*walker).crontab},
		{names: "make gmake", special: (*walker).makefile},
		{names: "dpkg apt apt-get", code: "--pre-invoke --post-invoke", special: (*walker).packageOptions},
		{names: "gh glab", special: (*walker).definesAlias},
	}
}

// runsByOptions tries what the options and the input of command i name.
func (w *walker) runsByOptions(i int, spec *running) {
	words := w.s.Commands[i].Words
	if len(spec.options) > 0 && len(words) > 1 {
		w.optionCode(i, words, spec.options...)
	}
	if len(spec.more) > 0 && len(words) > 1 {
		w.programOptions(i, words, spec.more...)
	}
	if spec.other != "" {
		w.optionPrograms(i, words, spec.other)
	}
	if spec.escapes != "" {
		w.escapes(i, spec.escapes)
	}
	if spec.special != nil {
		spec.special(w, i)
	}
}

// optionPrograms marks the command whose option holds a program, and looks through it.
func (w *walker) optionPrograms(i int, words []Word, options string) {
	for j, word := range words[1:] {
		name, value, glued := strings.Cut(word.Text, "=")
		switch {
		case longArity(options, name) == notListed:
		case glued:
			w.inline(i, value, word.Span)
		default:
			w.inlineNext(i, words, j+1)
		}
	}
}

// escapes looks for shell commands behind a lead such as "!", in each argument and in
// each line of a constant input.
func (w *walker) escapes(i int, leads string) {
	words := w.s.Commands[i].Words
	for lead := range strings.FieldsSeq(leads) {
		for _, word := range words[1:] {
			w.escaped(i, lead, word)
		}
		text, ok := w.piped(i)
		for ok && text != "" {
			var line string
			line, text, _ = strings.Cut(text, "\n")
			w.escaped(i, lead, Word{Text: line, Span: w.s.Commands[i].Span})
		}
	}
}

func (w *walker) escaped(i int, lead string, word Word) {
	text := word.Text
	if strings.HasSuffix(lead, "|") {
		text = strings.ReplaceAll(text, " |", "|")
	}
	if _, code, ok := strings.Cut(text, lead); ok && strings.TrimSpace(code) != "" {
		w.codeWord(i, Guess, w.s.Commands[i].Program()+" "+lead, Word{Text: strings.TrimSpace(code), Span: word.Span})
	}
}

// addresses: socat EXEC:command,options!!SYSTEM:command, in any letter case.
func (w *walker) addresses(i int) {
	c := &w.s.Commands[i]
	words, program := c.Words[1:], c.Program()
	for _, word := range words {
		for address := range strings.SplitSeq(word.Text, "!!") {
			kind, code, _ := strings.Cut(address, ":")
			if !listed("exec system shell exec1 shell1", strings.ToLower(kind)) {
				continue
			}
			w.codeWord(i, Guess, program+" "+kind+":", Word{Text: code, Span: word.Span})
			if command, _, more := strings.Cut(code, ","); more {
				w.codeWord(i, Guess, program+" "+kind+":", Word{Text: command, Span: word.Span})
			}
		}
	}
}

// tarOptions: --checkpoint-action=exec=command of tar, and letters without a dash, whose values
// follow in the same order: tar xIf program archive.
func (w *walker) tarOptions(i int) {
	words := w.s.Commands[i].Words
	if len(words) > 1 && !strings.HasPrefix(words[1].Text, "-") {
		value := 2
		for _, letter := range words[1].Text {
			if strings.ContainsRune("IF", letter) && value < len(words) {
				w.codeWord(i, Guess, "tar", words[value])
			}
			if strings.ContainsRune("bfgCFHIKLNTVX", letter) {
				value++
			}
		}
	}
	for _, word := range w.s.Commands[i].Words[1:] {
		if _, code, ok := strings.Cut(word.Text, "exec="); ok {
			w.codeWord(i, Guess, "--checkpoint-action", Word{Text: code, Span: word.Span})
		}
	}
}

// wgetSettings: wget -e use_askpass=program.
func (w *walker) wgetSettings(i int) {
	for _, word := range w.s.Commands[i].Words[1:] {
		if _, code, ok := strings.Cut(strings.ReplaceAll(word.Text, " ", ""), "use_askpass="); ok {
			w.codeWord(i, Guess, "use_askpass", Word{Text: code, Span: word.Span})
		}
	}
}

// keyBindings: fzf --bind 'enter:execute(command)'.
func (w *walker) keyBindings(i int) {
	for _, word := range w.s.Commands[i].Words[1:] {
		for rest := word.Text; ; {
			at := strings.IndexAny(rest, "(:[")
			if at < 0 {
				break
			}
			code := rest[at+1:]
			if end := strings.LastIndexAny(code, ")]"); end >= 0 {
				code = code[:end]
			}
			rest = rest[at+1:]
			if strings.TrimSpace(code) != "" {
				w.code(i, Guess, "--bind", withoutMarks(code), word.Span)
			}
		}
	}
}

// copiesFromProgram: COPY … FROM PROGRAM 'command'.
func (w *walker) copiesFromProgram(i int) {
	for _, word := range w.s.Commands[i].Words[1:] {
		at := strings.Index(strings.ToLower(word.Text), "program '")
		if at >= 0 {
			code, _, _ := strings.Cut(word.Text[at+len("program '"):], "'")
			w.codeWord(i, Guess, "program", Word{Text: code, Span: word.Span})
		}
	}
}

// eachWord: every argument is a shell command.
func (w *walker) eachWord(i int) {
	for _, word := range w.s.Commands[i].Words[1:] {
		w.codeWord(i, Guess, w.s.Commands[i].Program(), word)
	}
}

// behindCommand: just --command runs the rest.
func (w *walker) behindCommand(i int) {
	words := w.s.Commands[i].Words
	for j, word := range words[1:] {
		if word.Text == "--command" || word.Text == "-c" {
			w.child(i, Guess, words[j+2:])
			return
		}
	}
}

// installed: yarn name runs a program that is installed here, which may be a wrapper. Where nothing
// of that name is, pnpm runs the one of the system.
func (w *walker) installed(i int) {
	words := w.s.Commands[i].Words
	at := 1
	for at < len(words) && isOption(words[at].Text) {
		if listed("-C --dir -F --filter --filter-prod", words[at].Text) {
			at++
		}
		at++
	}
	if at >= len(words) {
		return
	}
	w.npmSettings(i, npmCommand(words[at].Text), words[at:])
	switch {
	case at == 1 && len(words) > 2 && about(words[1].Text).wrapper != nil,
		w.s.Commands[i].Program() == "pnpm" && w.s.Commands[i].Link != Guess && words[at].Known() && npmCommand(words[at].Text) == words[at].Text && !listed(npmCommands+" "+pnpmCommands, words[at].Text):
		w.child(i, Guess, words[at:])
	}
}

// databaseCommands: .shell of sqlite3 runs a command, in any abbreviation, and functions of
// its SQL read, write and edit files.
func (w *walker) databaseCommands(i int) {
	text, _ := w.piped(i)
	lines := []Word{{Text: text, Span: w.s.Commands[i].Span}}
	for _, word := range append(lines, w.s.Commands[i].Words[1:]...) {
		for line := range strings.Lines(word.Text) {
			verb, code, _ := strings.Cut(strings.TrimSpace(line), " ")
			if len(verb) > 2 && (strings.HasPrefix(".shell", verb) || strings.HasPrefix(".system", verb)) {
				w.codeWord(i, Guess, verb, Word{Text: code, Span: word.Span})
			}
			for _, function := range []string{"edit(", "readfile(", "writefile(", "load_extension("} {
				if strings.Contains(strings.ToLower(line), function) {
					w.s.Commands[i].Opaque = OpaqueShell
				}
			}
		}
	}
}

// cmake -E env, time and chdir run the rest.
func (w *walker) cmake(i int) {
	if words := w.s.Commands[i].Words; len(words) > 3 && words[1].Text == "-E" {
		w.suffixes(i, words[3:])
	} else if at := slices.IndexFunc(words, func(word Word) bool { return word.Text == "-P" }); at > 0 && at+1 < len(words) && feeds(words[at+1]) {
		w.programInput(i)
	}
}

// crontab reads a table from standard input: what stands behind the times runs later.
func (w *walker) crontab(i int) {
	c := &w.s.Commands[i]
	for _, word := range c.Words[1:] {
		if word.Text != "-" && word.Text != "-u" && strings.HasPrefix(word.Text, "-") {
			return // -l, -r and -e read no table
		}
	}
	switch c.Stdin.Kind {
	case StdinPipe, StdinUnknown:
		w.opaque(i)
	case StdinInherited, StdinText, StdinFile:
	}
	text, _ := w.piped(i)
	for line := range strings.Lines(text) {
		if code := cronCommand(line); code != "" {
			w.code(i, Guess, "crontab", code, c.Span)
		}
	}
}

// cronCommand is the command of a line of a table: behind five times, or behind
// "@daily".
func cronCommand(line string) string {
	line = strings.TrimSpace(line)
	times := 5
	switch {
	case line == "" || line[0] == '#':
		return ""
	case line[0] == '@':
		times = 1
	}
	for range times {
		at := strings.IndexAny(line, " \t")
		if at < 0 {
			return ""
		}
		line = strings.TrimLeft(line[at:], " \t")
	}
	return strings.ReplaceAll(line, "%", "\n")
}

// debugger: the commands that a debugger is given may be programs of their own.
func (w *walker) debugger(i int) {
	for _, word := range w.s.Commands[i].Words[1:] {
		if strings.IndexByte(word.Text, '(') >= 0 {
			w.inline(i, word.Text, word.Span)
		}
	}
}

// definesAlias: gh alias set name '!command'.
func (w *walker) definesAlias(i int) {
	words := w.s.Commands[i].Words
	if len(words) < 5 || words[1].Text != "alias" {
		return
	}
	for _, word := range words[3:] {
		if strings.Contains(word.Text, " ") || strings.HasPrefix(word.Text, "!") {
			w.codeWord(i, Guess, "alias", Word{Text: strings.TrimPrefix(word.Text, "!"), Span: word.Span})
		}
	}
}

// sshOptions: -o ProxyCommand=… and its kin, and what runs at the other end.
func (w *walker) sshOptions(i int) {
	words := w.s.Commands[i].Words
	for j, word := range words {
		option := word.Text
		if option == "-o" && j+1 < len(words) {
			option = words[j+1].Text
		}
		option = strings.TrimPrefix(option, "-o")
		key, value, ok := strings.Cut(strings.TrimSpace(option), "=")
		if !ok {
			key, value, ok = strings.Cut(strings.TrimSpace(option), " ")
		}
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "proxycommand", "localcommand", "knownhostscommand", "authorizedkeyscommand":
			if ok {
				w.codeWord(i, Guess, "ssh -o "+key, Word{Text: value, Span: word.Span})
			}
		}
	}
	w.suffixes(i, words[1:])
	for _, word := range words[1:] {
		if strings.Contains(word.Text, " ") && word.Known() {
			w.code(i, Guess, "ssh", word.Text, word.Span)
		}
	}
}

// editorCommands looks at the commands that an editor is given. Few are known to run
// nothing.
func (w *walker) editorCommands(i int) {
	words := w.s.Commands[i].Words
	for j := 1; j < len(words); j++ {
		text, ok := strings.CutPrefix(words[j].Text, "+")
		switch {
		case ok:
		case words[j].Text == "-c" || words[j].Text == "--cmd":
			if j++; j < len(words) {
				text, ok = words[j].Text, true
			}
		}
		if ok && !plainEdit(text) {
			w.inline(i, text, words[j].Span)
		}
	}
}

// plainEdit: a line number, a search, saving and leaving, an option.
func plainEdit(text string) bool {
	for command := range strings.SplitSeq(text, "|") {
		command = strings.TrimLeft(command, ": ")
		verb, _, _ := strings.Cut(command, " ")
		switch strings.TrimSuffix(verb, "!") {
		case "", "$", "q", "qa", "qall", "quit", "w", "wa", "wq", "wqa", "x", "xa", "set", "se", "syntax", "syn", "noh":
			continue
		}
		if !isNumber(verb) && command[0] != '/' {
			return false
		}
	}
	return true
}

// makefile reads recipes that make gets on standard input.
func (w *walker) makefile(i int) {
	text, _ := w.piped(i)
	text += "\n" + w.printed
	for _, word := range w.s.Commands[i].Words {
		if value, ok := strings.CutPrefix(word.Text, "--eval="); ok {
			text += "\n" + value
		}
		w.makeText(i, word)
	}
	for _, a := range w.s.Commands[i].Assigns {
		w.makeText(i, a.Value)
	}
	w.makeText(i, Word{Text: text, Span: w.s.Commands[i].Span})
	w.recipes(i, text)
	w.skipOptions(i, w.s.Commands[i].Words, 1)
}

// makeText tries what make itself runs: 'X!=command' and $(shell command).
func (w *walker) makeText(i int, word Word) {
	if _, code, ok := strings.Cut(word.Text, "!="); ok {
		w.codeWord(i, Guess, "make", Word{Text: code, Span: word.Span})
	}
	for _, call := range [...]string{"$(shell", "${shell"} {
		rest := word.Text
		for {
			_, code, ok := strings.Cut(rest, call)
			if !ok {
				break
			}
			rest = code
			w.codeWord(i, Guess, "make", Word{Text: strings.TrimRight(strings.TrimSpace(code), ")}"), Span: word.Span})
		}
	}
}

// recipes tries the commands in the text of a makefile.
func (w *walker) recipes(i int, text string) {
	for line := range strings.Lines(text) {
		_, recipe, inline := strings.Cut(line, ";")
		if strings.HasPrefix(line, "\t") {
			recipe = line
		} else if !inline {
			continue
		}
		w.code(i, Guess, "make", strings.TrimLeft(strings.TrimSpace(recipe), "@-+"), w.s.Commands[i].Span)
	}
}

// packageOptions: -o DPkg::Pre-Invoke::=… runs a command.
func (w *walker) packageOptions(i int) {
	words := w.s.Commands[i].Words
	for _, word := range words[1:] {
		if key, value, ok := strings.Cut(word.Text, "="); ok && strings.Contains(key, "::") {
			w.codeWord(i, Guess, words[0].Text+" -o", Word{Text: value, Span: word.Span})
		}
	}
	if c := &w.s.Commands[i]; !c.hasWord("-s") && !c.hasWord("--simulate") && !c.hasWord("--dry-run") {
		w.skipOptions(i, words, 1)
	}
}
