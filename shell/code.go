package shell

import "strings"

// shell is sh, bash and the like: with -c the code is in a word, with a script it
// is in a file, else it comes from standard input.
func (w *walker) shell(i int) {
	words := w.s.Commands[i].Words
	switch w.s.Commands[i].Program() {
	case "zsh", "ksh", "fish":
		w.strays(byPipe)
	}
	options := readShellOptions(words)
	for _, value := range options.values {
		w.s.posix = w.s.posix || value.Text == "posix"
		w.strays(leadsAstray(value)) // of zsh
		w.s.history = w.s.history || isHistoryOption(value.Text)
	}
	w.s.posix = w.s.posix || options.posix
	w.exportsAll = w.exportsAll || options.exports
	w.setsOptions(options.values)
	if options.history {
		w.rewrites()
	}
	if options.interactive || !options.ok { // it starts so, or may
		text, _ := w.piped(i)
		w.mayRewrite(text)
	}
	switch words[0].Text {
	case "fish", "csh", "tcsh", "elvish", "xonsh", "pwsh", "powershell": // other options
		w.eachCode(i, words[1:])
		w.suffixes(i, words[1:])
	}
	if w.astray&byFile != 0 {
		dirs := w.dirs
		w.dirs = union(w.dirs, anywhere)
		defer func() { w.dirs = dirs }()
	}
	rest := words[options.end:]
	switch {
	case !options.ok:
		w.opaque(i)
		w.suffixes(i, words[1:])
		w.eachCode(i, words[1:])
	case options.inert:
	case options.inline && len(rest) > 0:
		w.codeWord(i, Code, words[0].Text+" -c", rest[0])
		w.shellArguments(i, rest[1:])
		if options.stdin { // dash goes on with that
			w.shellInput(i)
		}
	case options.stdin || len(rest) == 0 || feeds(rest[0]):
		w.shellInput(i)
	default: // a script that is not here is looked for in PATH
		w.child(i, Guess, rest)
	}
}

// shellOptions are those of a shell before its code, script or arguments.
type shellOptions struct {
	inline, stdin, inert, interactive, posix, history, exports bool

	values []Word // of -o and -O
	end    int    // where the options end
	ok     bool   // they were understood
}

// readShellOptions reads the options of bash and dash. -o takes the next word as its
// value, also in the middle of other letters. +x is the opposite of -x, but +c is -c. A
// lone - ends the options, a lone + means nothing.
func readShellOptions(words []Word) shellOptions {
	o := shellOptions{end: 1, ok: true}
	off := false // +n was seen
	for o.end < len(words) {
		word := words[o.end]
		if !word.Known() {
			o.ok = !mayBeOption(word)
			break
		}
		text := word.Text
		if text == "" || text[0] != '-' && text[0] != '+' {
			break
		}
		o.end++
		if text == "-" || text == "--" {
			break
		}
		if name, long := strings.CutPrefix(text, "--"); long {
			o.long(name)
			continue
		}
		if len(text) > 3 && longShellOption(text[1:]) { // which bash takes for --norc if it comes first
			o.ok = false
		}
		off = off || text[0] == '+' && strings.IndexByte(text, 'n') > 0
		o.letters(words, text)
	}
	o.end = min(o.end, len(words))
	o.inert = o.inert && !off
	return o
}

func (o *shellOptions) long(name string) {
	o.ok = o.ok && longShellOption(name)
	switch name {
	case "rcfile", "init-file":
		o.end++
	case "posix":
		o.posix = true
	case "version", "help", "dump-strings", "dump-po-strings":
		o.inert = true
	}
}

func longShellOption(name string) bool {
	return listed("norc noprofile posix login restricted verbose debugger noediting dump-strings dump-po-strings version help rcfile init-file pretty-print wordexp", name)
}

func (o *shellOptions) letters(words []Word, text string) {
	on := text[0] == '-'
	for k := 1; k < len(text); k++ {
		switch text[k] {
		case 'c':
			o.inline = true
		case 's':
			o.stdin = true
		case 'o', 'O':
			if o.end < len(words) {
				o.values = append(o.values, words[o.end])
				o.ok = o.ok && words[o.end].Known()
			}
			o.end++
		case 'n':
			o.inert = o.inert || on
		case 'i':
			o.interactive = o.interactive || on
		case 'H':
			o.history = o.history || on
		case 'a':
			o.exports = o.exports || on
		default:
			o.ok = o.ok && strings.IndexByte("abefhlmprtuvxBCDEPTV", text[k]) >= 0
		}
	}
}

// eachCode tries every constant word as code: the options are not understood, one
// of the words may be what -c runs.
func (w *walker) eachCode(i int, words []Word) {
	for _, word := range words[:min(len(words), maxSuffixes)] {
		if word.Known() && !strings.HasPrefix(word.Text, "-") {
			w.code(i, Guess, "shell code", word.Text, word.Span)
		}
	}
}

// feeds: the script operand is a pipe or standard input, not a file.
func feeds(word Word) bool {
	return word.Text == "-" || word.Text == "/dev/stdin" || strings.HasPrefix(word.Text, "/dev/fd/") || strings.HasPrefix(word.Text, "/proc/self/fd/")
}

// shellArguments: what follows the code becomes $0, $1 …; the code may run them.
func (w *walker) shellArguments(i int, words []Word) {
	if len(words) > 1 {
		w.suffixes(i, words[1:])
	}
}

// shellInput is a shell that runs what it reads from standard input.
func (w *walker) shellInput(i int) {
	in, stays := w.s.Commands[i].Stdin, w.stays
	span := w.s.Commands[i].Span
	if in.Kind == StdinText {
		if strings.Contains(in.Text, "/dev/fd/") || strings.Contains(in.Text, "/dev/stdin") || strings.Contains(in.Text, "/proc/") { // it may write what is read next
			w.opaque(i)
		}
		w.code(i, Code, "shell input", in.Text, span)
		return
	}
	w.opaque(i)
	if text, ok := w.piped(i); ok {
		w.code(i, Guess, "shell input", text, span)
	}
	if w.printed != "" {
		w.stays = stays
		w.code(i, Guess, "shell input", w.printed, span) // source <(echo …)
	}
}

// pipedText is what the commands from..to of a pipe print.
type pipedText struct {
	from, to int
	text     string
	known    bool
}

// piped is the constant text that the left side of the pipe writes.
func (w *walker) piped(i int) (string, bool) {
	in := w.s.Commands[i].Stdin
	if in.Kind == StdinText {
		return in.Text, true
	}
	if in.Kind != StdinPipe || in.To <= in.From || in.To > len(w.s.Commands) {
		return "", false
	}
	if p := &w.lastPiped; p.to == in.To && p.from == in.From { // every command of a block asks for it
		return p.text, p.known
	}
	text, known := w.printedBy(in.To - 1)
	w.lastPiped = pipedText{in.From, in.To, text, known}
	return text, known
}

// printedBy is the constant text that the command at index i prints.
func (w *walker) printedBy(i int) (string, bool) {
	last := &w.s.Commands[i] // of several stages the last one writes
	if last.Program() == "cat" && len(last.Words) == 1 && last.Stdin.Kind == StdinText {
		return last.Stdin.Text, true
	}
	if len(last.Words) < 2 {
		return "", false
	}
	words := last.Words
	if w.folding {
		words = starred(words)
	}
	text, ok := printed(words)
	if last.Link == Transparent || last.Link == Wrapped {
		w.again = w.again || ok // where every command is a guess, its text counts
		return "", false
	}
	return text, ok
}

// codeWord parses a word as code; one that is not constant is opaque.
func (w *walker) codeWord(i int, link Link, via string, word Word) {
	if !word.Known() {
		w.opaque(i)
		w.knownPieces(i, via, word)
		return
	}
	w.code(i, link, via, word.Text, word.Span)
}

// standIn takes the place of what is not known in code.
const standIn = "x"

// knownPieces tries code with the unknown parts left out, so that a deny rule can
// fire on the rest: sh -c "rm -rf $X". A pattern finds there what it finds here.
func (w *walker) knownPieces(i int, via string, word Word) {
	text := strings.NewReplacer(unknownMark, standIn, globMark, "*").Replace(word.Text)
	if strings.Trim(text, "x ") != "" {
		w.code(i, Guess, via, text, word.Span)
	}
}

func (w *walker) eval(i int) {
	words := w.s.Commands[i].Words[1:]
	if len(words) > 0 && words[0].Text == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	joined := Word{Text: join(words), Span: w.s.Commands[i].Span}
	w.inThisShell(i, "eval", joined)
}

// source runs a file in this shell; from standard input or a substitution its
// content is not known.
func (w *walker) source(i int) {
	words := w.s.Commands[i].Words
	if len(words) < 2 {
		return
	}
	switch {
	case !words[1].Known():
		w.opaque(i)
	case feeds(words[1]):
		w.stays = true // a cd in it holds for what follows
		w.shellInput(i)
		w.stays = false
	}
}

// inThisShell parses a word as code whose cd holds for what follows.
func (w *walker) inThisShell(i int, via string, word Word) {
	w.stays = true
	w.codeWord(i, Code, via, word)
	w.stays = false
}

// trap runs code wherever the script is by then.
func (w *walker) trap(i int) {
	words := w.s.Commands[i].Words[1:]
	if len(words) > 0 && words[0].Text == "--" {
		words = words[1:]
	}
	switch {
	case len(words) > 1 && !words[0].Known() && mayBeOption(words[0]): // it may vanish, or be --
		w.opaque(i)
		w.eachCode(i, words[1:])
		return
	case len(words) == 1 && words[0].several(): // the code and the name of a signal
		w.opaque(i)
		w.codeWord(i, Guess, "trap", words[0])
		return
	}
	if len(words) > 1 && words[0].Text != "-" && words[0].Text != "" && !strings.HasPrefix(words[0].Text, "-") {
		n := len(w.laters)
		end := w.later(true, func() { w.inThisShell(i, "trap", words[0]) })
		w.laters[n].last = len(words) == 2 && (words[1].Text == "EXIT" || words[1].Text == "0")
		if end != nil {
			w.strays(byTrap)
		}
	}
}

// shellString handles programs that take a shell string with -c, or a command.
func (w *walker) shellString(name string, i int) {
	words := w.s.Commands[i].Words
	switch name {
	case "sudo", "doas":
		w.sudo(i, words)
	case "watch":
		w.watch(i, words)
	case "at", "batch":
		w.opaque(i)
		if text, ok := w.piped(i); ok {
			w.code(i, Guess, name, text, w.s.Commands[i].Span)
		}
	default: // su, runuser, sg, script, flock, nix-shell
		for j := 1; j < len(words); j++ {
			if strings.HasPrefix(words[j].Text, "-") && (strings.HasSuffix(words[j].Text, "c") || words[j].Text == "--command" || words[j].Text == "--run") && j+1 < len(words) {
				w.codeWord(i, Code, name+" -c", words[j+1])
			} else if text, ok := strings.CutPrefix(words[j].Text, "--command="); ok {
				w.codeWord(i, Code, name+" -c", Word{Text: text, Span: words[j].Span})
			} else if options, code, ok := strings.Cut(words[j].Text, "c"); ok && code != "" && strings.HasPrefix(options, "-") && options != "--" { // -cmake
				w.codeWord(i, Guess, name+" -c", Word{Text: code, Span: words[j].Span})
			}
		}
		w.suffixes(i, words[1:])
	}
}

var sudoOptions = wrapper{
	short: "ABbEeHKklnPSsVviNu:g:h:p:C:c:D:R:r:T:t:U:a:L", assigns: true,
	long: "askpass background bell preserve-env? edit set-home login remove-timestamp reset-timestamp list non-interactive preserve-groups stdin shell " +
		"version validate no-update user= group= host= prompt= close-from= chdir= chroot= role= command-timeout= type= other-user= login-class= auth-type=",
}

func (w *walker) sudo(i int, words []Word) {
	shell, dirs := false, w.dirs
	defer func() { w.dirs = dirs }()
	start, ok := sudoOptions.start(words, func(name string, value Word) {
		shell = shell || name == "s" || name == "shell" || name == "i" || name == "login"
		if name == "D" || name == "chdir" {
			w.dirs = w.chdir(value, words)
		}
	})
	if !ok {
		w.suffixes(i, words[1:])
		return
	}
	w.assignedWords(i, words[1:start])
	switch {
	case shell && start < len(words):
		w.codeWord(i, Code, words[0].Text+" -s", Word{Text: join(words[start:]), Span: w.s.Commands[i].Span})
	case shell:
		w.shellInput(i)
	default:
		w.childWith(i, words[1:start], words[start:])
	}
}

var watchOptions = wrapper{
	short: "bcdegprtwxn:q:", long: "beep color differences? errexit chgexit interval= precise equexit= no-rerun no-title no-wrap exec help version",
}

// watch hands its words to sh -c, joined.
func (w *walker) watch(i int, words []Word) {
	start, ok := watchOptions.start(words, nil)
	if !ok {
		w.suffixes(i, words[1:])
		return
	}
	if start < len(words) {
		w.codeWord(i, Code, "watch", Word{Text: join(words[start:]), Span: words[start].Span})
	}
}
