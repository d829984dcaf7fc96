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

// changeDirectory follows cd and pushd with a constant target.
func (w *walker) changeDirectory(i int) {
	target, ok := Word{Text: "~", Tilde: true}, true
	args := w.s.Commands[i].Words[1:]
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && args[0].Text != "--" {
		args = args[1:]
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) > 0 {
		target = args[0]
	} else if w.s.Commands[i].Program() != "cd" {
		ok = false // popd, bare pushd: a directory seen before
	}
	w.failDirs = w.dirs
	if w.failDirs == nil {
		w.failDirs = startDir
	}
	if !ok || target.Text == "-" {
		target, w.again = Word{Text: string([]byte{Unknown})}, true
	}
	before := w.dirs
	w.dirs = w.into(target)
	if w.bound != nil {
		w.returns(before, ok)
	}
	w.movedByFold = w.movedByFold || w.folding && w.changed[i]
}

// returns follows popd and cd -: they lead to a directory that the script has been in,
// if it has surely left the first one. Others lead to a new one.
func (w *walker) returns(before []string, named bool) {
	w.visited = union(w.visited, before)
	moved := before != nil && !slices.Contains(before, "")
	if args := w.s.Commands[len(w.s.Commands)-1].Args(); !named || moved && len(args) == 1 && args[0].Text == "-" {
		w.dirs = w.visited
		if w.dirs == nil {
			w.dirs = startDir
		}
	}
}

// into is where a command may run after changing to a directory.
func (w *walker) into(target Word) []string {
	pattern := !target.Known() && strings.IndexByte(target.Text, Unknown) < 0
	w.again = w.again || pattern
	if !target.Known() && !target.Home && !(pattern && w.bound != nil) {
		return []string{string([]byte{Unknown})}
	}
	before := w.dirs
	if before == nil {
		before = startDir
	}
	after := make([]string, 0, len(before))
	for _, dir := range before {
		after = append(after, behind(dir, pathOf(target, false)))
	}
	return after
}
