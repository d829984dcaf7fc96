package permission

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/shell"
)

// longestKin is how many bytes of a kin are kept.
const longestKin = 200

// Kin says what sort of call it is, so that a person who is asked can be shown what was
// said about others of that sort. It is no rule and allows nothing: "Bash(git push)" also
// stands for a push with force.
func Kin(call *Call) string {
	var of string
	switch call.Kind {
	case Shell:
		of = kinOfScript(call.Script())
	case Read, Edit:
		of = dirOf(call.path.Given)
	case Search:
		of = call.path.Given
	case Fetch:
		of = call.host
	case Other, Lookup, Session, Person, Agent, Process:
	}
	if of == "" {
		return call.Name
	}
	return call.Name + "(" + strings.ToValidUTF8(of[:min(len(of), longestKin)], "") + ")"
}

// kinOfScript names the programs that a script runs and that do more than read, each with
// the words that say what it is to do.
func kinOfScript(s *shell.Script) string {
	var programs []string
	for i := range s.Commands {
		c := &s.Commands[i]
		if c.Link != shell.Direct || len(c.Words) == 0 || s.PartReadOnly(i).Text == "" {
			continue
		}
		name := c.Program()
		if args := c.Args(); c.TakesTask() && len(args) > 0 && namesTask(args[0]) {
			name += " " + args[0].Text
		}
		if !slices.Contains(programs, name) {
			programs = append(programs, name)
		}
	}
	return strings.Join(programs, ", ")
}

// namesTask: the word is one like the push of `git push`, and no file, number or option.
func namesTask(w shell.Word) bool {
	return w.Known() && w.Text != "" && strings.Trim(w.Text, "abcdefghijklmnopqrstuvwxyz-:") == "" && w.Text[0] != '-'
}
