package shell

import (
	"slices"
	"strings"
)

// program dispatches on the name of the program at index i: builtins that change
// the shell, shells and interpreters, programs that run their arguments.
func (w *walker) program(name string, i int) {
	switch name {
	case "cd", "pushd", "popd":
		w.changeDirectory(i)
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish", "csh", "tcsh", "yash", "elvish", "xonsh", "pwsh", "powershell":
		w.shell(i)
	case "eval":
		w.again = true
		w.eval(i)
	case "let", "command", "builtin": // or what they run assigns something
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
	case "awk", "gawk", "mawk", "nawk", "sed", "gsed":
		w.filter(i)
	case "busybox", "toybox":
		w.child(i, Wrapped, w.s.Commands[i].Words[1:])
	case "--", "-p":
		w.child(i, Wrapped, w.s.Commands[i].Words[1:]) // time -- command
	default:
		w.otherProgram(name, i)
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
	if !named || target.Text == "-" {
		target, w.again = Word{Text: unknownMark}, true
	}
	before := w.dirs
	after := w.into(target)
	for _, other := range w.others(target, w.s.Commands[i].Span.Start) {
		after = union(after, w.into(other))
	}
	w.dirs = after
	if w.bound != nil && w.turns == 0 {
		w.returns(before, named)
	}
	w.movedByFold = w.movedByFold || w.folding && w.changed[i]
}

// directory is the word that names where cd or pushd goes; none for a directory that was
// seen before. With -n only the stack of directories changes.
func (w *walker) directory(i int) (target Word, moves bool) {
	stack := w.s.Commands[i].Program() != "cd"
	args := w.s.Commands[i].Words[1:]
	moves = true
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && args[0].Text != "--" {
		switch {
		case !args[0].Known():
			return Word{}, moves // -$X may be -
		case stack && args[0].Text == "-n":
			moves = false
		case stack && isNumber(args[0].Text[1:]):
			return Word{}, moves
		}
		args = args[1:]
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	switch {
	case len(args) == 0 && !stack:
		return Word{Text: "~", Tilde: true}, moves
	case len(args) == 0 || w.s.Commands[i].Program() == "popd" || stack && strings.HasPrefix(args[0].Text, "+"):
		return Word{}, moves
	case args[0].Text == "":
		return Word{Text: "."}, moves
	}
	return args[0], moves
}

// stacks follows pushd -n: the directory is one to which popd may lead.
func (w *walker) stacks(target Word) {
	w.again = true
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

// into is where a command may run after changing to a directory.
func (w *walker) into(target Word) []string {
	pattern := !target.Known() && strings.IndexByte(target.Text, Unknown) < 0
	w.again = w.again || pattern
	if !target.Known() && !target.Home && !(pattern && w.bound != nil) || w.bound != nil && (target.Loose || w.vanishes(target)) {
		w.visits(anywhere)
		return anywhere
	}
	before := w.dirs
	if before == nil {
		before = startDir
	}
	after := make([]string, 0, len(before))
	for _, dir := range before {
		if dir = behind(dir, pathOf(target, false)); !slices.Contains(after, dir) {
			after = append(after, dir)
		}
	}
	if w.astray&(byTrap|byName) != 0 {
		after = union(after, anywhere)
	}
	w.visits(after)
	return after
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
