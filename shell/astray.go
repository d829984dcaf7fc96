package shell

import "strings"

// stray is what makes a script go where no cd in it says.
type stray uint8

const (
	// byTrap: a trap changes the directory.
	byTrap stray = 1 << iota
	// byName: the name after cd may stand for another directory, as with CDPATH.
	byName
	// byPipe: the last part of a pipe runs in this shell, so that a cd in it counts.
	byPipe
	// byItself: the name of a directory is a command that goes there.
	byItself
	// byFile: a shell that is started runs a file first.
	byFile
)

// leadsAstray is what an option of the shell does, as shopt of bash or setopt of zsh
// spell it. What is not known may be any of them.
func leadsAstray(option Word) stray {
	if !option.Known() {
		return byName | byPipe | byItself
	}
	switch strings.ReplaceAll(strings.ToLower(option.Text), "_", "") {
	case "cdablevars":
		return byName
	case "lastpipe":
		return byPipe
	case "autocd":
		return byItself
	}
	return 0
}

// strays notes what makes the script go astray from here on.
func (w *walker) strays(how stray) {
	if how == 0 {
		return
	}
	w.astray |= how
	w.movedByFold = w.movedByFold || w.folding
}

// misleads: these matter for the script as far as it was read.
func (w *walker) misleads(how stray) bool {
	return how&^byPipe != 0 || how != 0 && w.pipeMoves
}

// straysFor is what a variable does that gets this value. A list of directories in which
// there is only this one leads where cd says.
func straysFor(name string, value Word) stray {
	switch name {
	case "CDPATH", "cdpath", "PWD": // of zsh, and for ~+
		if value.Text != "" && value.Text != "." {
			return byName
		}
	case "BASH_ENV":
		if value.Text != "" {
			return byFile
		}
	case "BASHOPTS":
		how := stray(0)
		for option := range strings.SplitSeq(value.Text, ":") {
			how |= leadsAstray(Word{Text: option})
		}
		return how
	}
	if value.Text == "CDPATH" { // the name of another variable may be a reference to it
		return byName
	}
	return straysIn(value.Text)
}

// straysIn looks for an assignment in a word: env and its kin take them for what they
// start, export and declare for this shell, and with set -k each command does.
func straysIn(text string) stray {
	if at := strings.IndexByte(text, '='); at < len("CDPATH") {
		if at < 0 || strings.IndexByte(text[at+1:], '=') < 0 {
			return 0
		}
	}
	for _, name := range [...]string{"CDPATH", "BASHOPTS", "BASH_ENV"} {
		if _, value, ok := strings.Cut(text, name+"="); ok {
			if how := straysFor(name, Word{Text: value}); how != 0 {
				return how
			}
		}
	}
	return 0
}

// goes follows a command that may change the directory although it is no cd: a call of a
// function while functions or pipes do, and the name of a directory.
func (w *walker) goes(words []Word) {
	if w.moving > 0 {
		w.wander(words[0])
	}
	if w.astray&byItself != 0 && len(words) == 1 || w.astray&byPipe != 0 && w.pipeMoves && w.calls(words[0]) {
		w.dirs = union(w.dirs, anywhere)
		w.visits(w.dirs)
	}
}
