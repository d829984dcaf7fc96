package classify

import (
	"path"
	"slices"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// overwrites objects to what is written by a redirection, tee or cp if nothing is there to
// write, or if it is the very file that is read: its content, and with git show changes
// that nobody has committed, would be lost.
func (j *scriptJudge) overwrites(i int) {
	c := &j.script.Commands[i]
	silent := false
	switch c.Program() {
	case "tee":
		silent = j.noInput(i)
	case "cp":
		silent = slices.ContainsFunc(c.Args(), func(w shell.Word) bool { return w.Text == "/dev/null" })
	}
	var read map[string]bool
	for _, a := range j.accesses {
		if a.Command != i || a.Mode != shell.Writes || !a.Redirect && c.Program() != "tee" && c.Program() != "cp" {
			continue
		}
		if read == nil {
			read = j.filesReadBy(i)
		}
		switch shown := visible(legible(a.Path)); {
		case silent || a.Redirect && j.silent(i):
			j.object(i, "it empties "+shown+", and what is in it is lost")
		case c.Program() != "cp" && slices.ContainsFunc(j.files(a), func(file string) bool { return read[file] }):
			j.object(i, "it reads "+shown+" and writes over it, and what is in it is lost")
		}
	}
}

// silent: the command prints nothing, so a redirection of its output only empties a
// file. A group, a loop and the like are silent if all that is in them is; their
// commands stand behind them.
func (j *scriptJudge) silent(i int) bool {
	quiet, known := j.quiet[i]
	if !known {
		quiet = j.isSilent(i)
		if j.quiet == nil {
			j.quiet = map[int]bool{}
		}
		j.quiet[i] = quiet
	}
	return quiet
}

func (j *scriptJudge) isSilent(i int) bool {
	c := &j.script.Commands[i]
	if inner := j.script.Inner(i); inner >= 0 {
		return j.silent(inner)
	}
	if len(c.Words) > 0 {
		return j.printsNothing(i)
	}
	return !slices.ContainsFunc(j.within(i), func(k int) bool { return !j.silent(k) })
}

// within are the commands in a group, a loop and the like.
func (j *scriptJudge) within(i int) (found []int) {
	c := &j.script.Commands[i]
	for k := i + 1; k < len(j.script.Commands); k++ {
		in := &j.script.Commands[k]
		if in.Parent == c.Parent && len(in.Words) > 0 && in.Span.Start > c.Span.Start && in.Span.End <= c.Span.End {
			found = append(found, k)
		}
	}
	return found
}

// noInput: there is nothing to read on the standard input.
func (j *scriptJudge) noInput(i int) bool {
	c := &j.script.Commands[i]
	switch c.Stdin.Kind {
	case shell.StdinText:
		return c.Stdin.Text == ""
	case shell.StdinFile:
		return slices.ContainsFunc(c.Redirects, func(r shell.Redirect) bool { return r.Kind == shell.RedirectNull && r.Target.Text == "/dev/null" }) &&
			!slices.ContainsFunc(c.Redirects, func(r shell.Redirect) bool { return r.Kind == shell.RedirectRead })
	case shell.StdinPipe:
		for k := c.Stdin.From; k < c.Stdin.To; k++ {
			if j.script.Commands[k].Link != shell.Guess && !j.silent(k) {
				return false
			}
		}
		return true
	case shell.StdinInherited: // nobody types anything for the commands of an agent
		return true
	case shell.StdinUnknown:
	}
	return false
}

// filesReadBy are the files that command i reads, or what feeds it.
func (j *scriptJudge) filesReadBy(i int) map[string]bool {
	read, sources := map[string]bool{}, j.sources(i, nil)
	for _, a := range j.accesses {
		if a.Mode == shell.Reads && slices.Contains(sources, a.Command) {
			for _, file := range j.files(a) {
				read[file] = true
			}
		}
	}
	return read
}

// files are what an access means, links followed, as far as that is known.
func (j *scriptJudge) files(a shell.Access) (found []string) {
	for _, name := range j.script.Paths(a) {
		if _, p := j.place.stands(name); p.Real != "" {
			found = append(found, p.Real)
		}
	}
	return found
}

// sources are a command, what it runs, what is in it, and what it is fed by.
func (j *scriptJudge) sources(i int, known []int) []int {
	if slices.Contains(known, i) {
		return known
	}
	known = append(known, i)
	c := &j.script.Commands[i]
	if len(c.Words) == 0 {
		for _, k := range j.within(i) {
			known = j.sources(k, known)
		}
	}
	if c.Stdin.Kind == shell.StdinPipe {
		for k := c.Stdin.From; k < c.Stdin.To; k++ {
			known = j.sources(k, known)
		}
	}
	for k := i + 1; k < len(j.script.Commands); k++ {
		if j.script.Commands[k].Parent == i {
			known = j.sources(k, known)
		}
	}
	return known
}

// loses: what is in the file is lost. What git deletes is in its history, and what is
// moved is not lost.
func (j *scriptJudge) loses(a shell.Access) bool {
	switch j.script.Commands[a.Command].Program() {
	case "git", "touch", "chmod", "mkdir":
		return false
	case "mv":
		return a.Mode == shell.Writes
	}
	return true
}

// irreplaceable: the file is a database, or holds keys, so that git does not keep it.
func irreplaceable(p permission.Path) bool {
	switch path.Ext(lower(p.Real)) {
	case ".db", ".db3", ".sqlite", ".sqlite3", ".mdb", ".rdb", ".ibd", ".mdf":
		return true
	}
	return isKeyFile(p.Real)
}
