package shell

import (
	"slices"
	"strings"
)

// program dispatches on the name of the program at index i: builtins that change
// the shell, shells and interpreters, programs that run their arguments.
func (w *walker) program(name string, i int) {
	before := len(w.s.Commands)
	defer func() { w.loginShell(name, i, len(w.s.Commands) > before) }()
	switch name {
	case "cd", "pushd", "popd":
		w.changeDirectory(i)
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish", "csh", "tcsh", "yash", "elvish", "xonsh", "pwsh", "powershell":
		w.shell(i)
	case "eval":
		w.again = true
		w.eval(i)
	case "let": // one that the grammar did not read: \let, builtin let
		for _, word := range w.s.Commands[i].Words[1:] {
			w.inThisShell(i, "let", Word{Text: "((" + word.Text + "))", Span: word.Span})
		}
	case "command", "builtin": // or what they run assigns something
		w.again = true
		w.otherProgram(name, i)
	case "source", ".":
		w.source(i)
	case "trap":
		w.trap(i)
	case "alias":
		w.alias(i)
	case "hash", "enable":
		w.redefine(name, i)
	case "test", "[":
		w.testCommand(i)
	case "shopt", "setopt":
		for _, word := range w.s.Commands[i].Words[1:] {
			w.strays(leadsAstray(word))
		}
		w.shoptHistory(w.s.Commands[i].Words[1:])
		if args := w.s.Commands[i].Words[1:]; !slices.ContainsFunc(args, func(word Word) bool { return word.Text == "-u" }) {
			w.setsOptions(slices.DeleteFunc(slices.Clone(args), func(word Word) bool { return strings.HasPrefix(word.Text, "-") }))
		}
	case "read", "printf", "mapfile", "readarray", "unset", "getopts", "wait", "export", "declare", "typeset", "local", "readonly", "set":
		w.assigning(name, i)
	case "compgen", "complete", "bind", "jobs", "fc":
		w.completion(name, i)
	case "find", "gfind":
		w.find(i)
	case "fd", "fdfind":
		w.fd(i)
	case "xargs", "gxargs":
		w.xargs(i)
	case "parallel":
		w.parallel(i)
	case "env", "genv":
		w.env(i)
	case "sudo", "doas", "su", "runuser", "sg", "script", "flock", "watch", "nix-shell", "at", "batch":
		w.shellString(name, i)
	case "git":
		w.git(i)
	case "awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "frawk", "sed", "gsed":
		w.filter(i)
	case "busybox", "toybox":
		w.child(i, Wrapped, w.s.Commands[i].Words[1:])
	case "--", "-p":
		w.child(i, Wrapped, w.s.Commands[i].Words[1:]) // time -- command
	default:
		w.otherProgram(name, i)
	}
}

var sshCommand = wrapper{short: "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:", operands: 1}

// loginShell: a program that runs a command somewhere else, or as somebody else, starts a shell
// there if it is given none, and that reads its commands from standard input. Whether it is given
// one is not known of every program.
func (w *walker) loginShell(name string, i int, given bool) {
	c := &w.s.Commands[i]
	if c.Stdin.Kind != StdinText && c.Stdin.Kind != StdinPipe {
		return
	}
	wrapper := c.knowledge().wrapper
	switch {
	case name == "ssh" || name == "slogin" || name == "autossh":
		start, ok := sshCommand.start(c.Words, nil)
		given = ok && start < len(c.Words)
	case name == "script":
		given = slices.ContainsFunc(c.Words, func(word Word) bool { return strings.HasPrefix(word.Text, "-c") || word.Text == "--command" })
	case name == "su", name == "runuser", name == "sg", name == "newgrp", name == "nix-shell":
	case wrapper == nil || wrapper.transparent:
		w.feed(c, i)
		return
	}
	text, ok := w.piped(i)
	switch {
	case ok && (!given || wrapper == &loose):
		w.code(i, Guess, "shell input", text, c.Span)
	case ok:
		w.feed(c, i)
	case !given:
		w.opaque(i)
	}
}

// feed notes what command i reads if that may be commands.
func (w *walker) feed(c *Command, i int) {
	if c.readsCode() {
		c.fed, _ = w.piped(i)
	}
}

func (w *walker) otherProgram(name string, i int) {
	known := w.s.Commands[i].knowledge()
	if known.running != nil {
		w.runsByOptions(i, known.running)
	}
	if known.wrapper != nil {
		w.unwrap(i, known.wrapper)
		return
	}
	if flags, ok := interpreterFlags(name); ok {
		w.interpreter(i, flags)
	}
	if known.subcommands && !w.runsInImage(i) {
		w.skipGlobalOptions(i)
		w.runsInContainer(i)
	}
}

// changeDirectory follows cd, pushd and popd.
func (w *walker) changeDirectory(i int) {
	target, moves := w.directory(i)
	named := target.Text != ""
	w.stood(w.dirs)
	if !moves {
		w.stacks(target)
		for _, other := range w.others(target, w.s.Commands[i].Span.Start) {
			w.stacks(other)
		}
		return
	}
	w.failDirs = w.dirs
	if w.failDirs == nil {
		w.failDirs = startDir
	}
	back := !named || target.Text == "-"
	if back {
		target, w.again, w.foldable = Word{Text: unknownMark}, true, true
	}
	before := w.dirs
	after := w.into(target)
	switch places := w.listedIn(target); {
	case back && w.folding && w.bound == nil:
		after = w.backTo()
	case places != nil:
		after = union(after, places)
	}
	for _, other := range w.others(target, w.s.Commands[i].Span.Start) {
		after = union(after, w.into(other))
	}
	w.dirs = after
	w.stood(after)
	if w.bound != nil && w.turns == 0 {
		w.returns(before, named)
	}
	w.movedByFold = w.movedByFold || w.folding && (w.changed[i] || w.folded)
}

// changesDirectory reports whether a builtin of some shell with this name does nothing but that.
func changesDirectory(name string) bool { return name == "cd" || name == "chdir" }

// directory is the word that names where cd or pushd goes; none for a directory that was
// seen before. With -n only the stack of directories changes.
func (w *walker) directory(i int) (target Word, moves bool) {
	stack := w.s.Commands[i].Program() != "cd"
	entries := stack || w.language() == Zsh // +1 and -1 are places on it
	args := w.s.Commands[i].Words[1:]
	moves = true
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && args[0].Text != "--" {
		switch {
		case !args[0].Known():
			return Word{}, moves // -$X may be -
		case stack && args[0].Text == "-n":
			moves = false
		case entries && isNumber(args[0].Text[1:]):
			return Word{}, moves
		}
		args = args[1:]
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	switch {
	case len(args) == 0 && !stack:
		if home, moved := w.foldHome(); moved {
			return Word{Text: home}, moves
		}
		return Word{Text: "~", Tilde: true, Loose: w.bound != nil && w.bound.movesHome()}, moves
	case len(args) == 0 || w.s.Commands[i].Program() == "popd" || entries && stackEntry(args[0].Text):
		return Word{}, moves
	case args[0].Text == "":
		return Word{Text: "."}, moves
	}
	return args[0], moves
}

// stackEntry reports whether a word is the number of a directory on the stack.
func stackEntry(text string) bool {
	return len(text) > 1 && (text[0] == '+' || text[0] == '-') && isNumber(text[1:])
}

// stacks follows pushd -n: the directory is one to which popd may lead.
func (w *walker) stacks(target Word) {
	w.again = true
	if target.Known() || target.Home {
		w.stood([]string{pathOf(target, w.folding)})
	}
	switch {
	case w.bound == nil || target.Text == "":
	case target.Known() && rooted(pathOf(target, false)):
		w.visited = union(w.visited, []string{pathOf(target, false)})
	default: // it is kept as it was written, and means another directory from elsewhere
		w.visited = union(w.visited, anywhere)
	}
}

// returns follows popd and cd -: they lead to a directory that the script has been in,
// if it has surely left the first one. Others lead to a new one.
func (w *walker) returns(before []string, named bool) {
	w.visited = union(w.visited, before)
	if w.bound.gives("DIRSTACK") || w.bound.gives("OLDPWD") {
		return
	}
	moved := before != nil && !slices.Contains(before, "")
	if args := w.s.Commands[len(w.s.Commands)-1].Args(); !named || moved && len(args) == 1 && args[0].Text == "-" {
		w.dirs = w.visited
		if w.dirs == nil {
			w.dirs = startDir
		}
		w.visits(w.dirs)
	}
}

// chdir is where a program runs the command that it is given, after it has changed to a directory.
// What the shell has put into the words may still name files from where the program itself runs:
// env -C sub cat "$PWD"/x.
func (w *walker) chdir(target Word, words []Word) []string {
	before, after := w.dirs, w.into(target)
	expanded := func(word Word) bool {
		source := w.s.Source[word.Span.Start:word.Span.End]
		return strings.ContainsAny(source, "$`") || strings.Contains(source, "~+")
	}
	if !slices.ContainsFunc(words, expanded) {
		return after
	}
	if before == nil {
		before = startDir
	}
	return union(after, before)
}

// elsewhere is where a program whose syntax is not known may run another: here, or in a directory
// that it is given: unshare --wd=sub cat ../x, pnpm -C sub exec cat ../x.
func (w *walker) elsewhere(i int) []string {
	dirs := w.dirs
	for {
		c := &w.s.Commands[i]
		for j, word := range c.Words {
			if value, ok := directoryOption(c.Words[j:]); ok {
				dirs = union(dirs, w.into(value))
			} else if word.Text == "exec" && c.Program() == "direnv" && j+1 < len(c.Words) {
				dirs = union(dirs, w.into(c.Words[j+1]))
			}
		}
		if c.Parent < 0 || c.Words[0].Span != w.s.Commands[c.Parent].Words[0].Span {
			return dirs
		}
		i = c.Parent // of which this is a reading without options
	}
}

// directoryOption is the value of the first word if that may be an option which takes a directory.
func directoryOption(words []Word) (Word, bool) {
	word := words[0]
	if len(word.Text) < 2 || word.Text[0] != '-' && word.Text[0] != 'W' {
		return Word{}, false
	}
	name, value, assigns := strings.Cut(strings.TrimLeft(word.Text, "-"), "=")
	switch {
	case strings.HasPrefix(name, "WorkingDirectory") && assigns: // systemd-run -p
	case word.Text[0] != '-':
		return Word{}, false
	case listed("C d D w chdir cwd wd wdns workdir workingdir working-directory directory dir prefix private-cwd project-directory", name):
		if !assigns && len(words) > 1 {
			return words[1], true
		}
	case word.Text[1] != '-' && strings.IndexByte("CdDw", word.Text[1]) >= 0:
		value, assigns = word.Text[2:], true
	default:
		return Word{}, false
	}
	word.Text = value
	return word, assigns
}

// maxDir is how long the name of a directory may be for the kernel. What follows in a longer one
// may run anywhere.
const maxDir = 4096

// into is where a command may run after changing to a directory.
func (w *walker) into(target Word) []string {
	pattern := !target.Known() && strings.IndexByte(target.Text, Unknown) < 0
	w.again = w.again || pattern
	if !target.Known() && !target.Home && !(pattern && w.bound != nil) || w.bound != nil && (target.Loose || w.vanishes(target)) {
		w.movesTo(target)
		w.visits(anywhere)
		return union(anywhere, w.protectedDirs(target))
	}
	before := w.dirs
	if before == nil {
		before = startDir
	}
	after := make([]string, 0, len(before))
	for _, dir := range before {
		dir = behind(dir, pathOf(target, false))
		if len(dir) > maxDir {
			w.visits(anywhere)
			return anywhere
		}
		if !slices.Contains(after, dir) {
			after = append(after, dir)
		}
	}
	if w.astray&(byTrap|byName) != 0 {
		after = union(after, anywhere)
	}
	w.visits(after)
	return after
}

// protectedDirs are the directories that a word may lead to which is not known, as far as
// they may be protected: cd .clau*, cd "$ROOT/.git". They are nil if they may not.
func (w *walker) protectedDirs(target Word) []string {
	if harmless(withoutUnknown(target.Text)) || !Protected(target.Text) {
		return nil
	}
	var out []string
	for _, dir := range union(w.dirs, nil) {
		out = append(out, behind(dir, target.Text))
	}
	if out == nil {
		out = []string{target.Text}
	}
	return out
}

// vanishes: the word may turn into none, so that cd leads home: a number that is missing,
// or a pattern that finds nothing where an option of the shell says so.
func (w *walker) vanishes(target Word) bool {
	if target.Empty && target.Split {
		return true
	}
	if target.Known() || target.Home {
		return false
	}
	if w.span != nil {
		return true
	}
	return w.bound.options && strings.ContainsAny(w.s.Source[target.Span.Start:target.Span.End], "*?[")
}
