package classify

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/shell"
)

// printsNothing: nothing comes out of the command, whatever its files hold.
func (j *scriptJudge) printsNothing(i int) bool {
	c := &j.script.Commands[i]
	args := c.Args()
	switch c.Program() {
	case ":", "true", "false", "test", "[", "cd":
		return true
	case "echo":
		return len(args) > 0 && strings.HasPrefix(args[0].Text, "-") && strings.Contains(args[0].Text, "n") && allEmpty(args[1:])
	case "printf":
		return len(args) > 0 && strings.NewReplacer("%s", "", "%b", "").Replace(args[0].Text) == "" && allEmpty(args[1:])
	case "cat", "tac", "nl", "rev", "sort", "uniq", "cut", "tr", "fold", "fmt", "expand", "unexpand", "paste", "base64":
		return j.readsNothing(i)
	case "awk", "gawk", "mawk", "nawk":
		return awkSilent(args) || j.readsNothing(i)
	case "sed", "gsed":
		return sedSilent(args) || j.readsNothing(i)
	case "grep", "egrep", "fgrep", "rg":
		return slices.ContainsFunc(args, quietSearch)
	case "head", "tail":
		if j.readsNothing(i) {
			return true
		}
		for k, w := range args {
			switch w.Text {
			case "-n0", "-c0", "-0", "--lines=0", "--bytes=0":
				return true
			case "-n", "-c":
				if k+1 < len(args) && args[k+1].Text == "0" {
					return true
				}
			}
		}
	}
	return false
}

func allEmpty(words []shell.Word) bool {
	return !slices.ContainsFunc(words, func(w shell.Word) bool { return w.Text != "" })
}

// readsNothing: there is nothing in any of the files that it names, or on its input if it
// names none. Text and options of other programs count as no file.
func (j *scriptJudge) readsNothing(i int) bool {
	c := &j.script.Commands[i]
	null := false
	for _, w := range c.Args() {
		null = null || w.Text == "/dev/null"
	}
	for _, a := range j.accesses {
		if a.Command == i && a.Mode == shell.Reads && !a.Redirect {
			return false // which leaves /dev/null out
		}
	}
	return null || j.noInput(i)
}

func quietSearch(w shell.Word) bool {
	return w.Text == "--quiet" || w.Text == "--silent" || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.Trim(w.Text[1:], "qsinrwExFlLcvho") == "" &&
		strings.Contains(w.Text, "q")
}

// awkSilent: the program prints nothing. It would with print, or with a condition that
// has no action.
func awkSilent(args []shell.Word) bool {
	for _, w := range args {
		if strings.HasPrefix(w.Text, "-") {
			continue
		}
		program := strings.TrimSpace(w.Text)
		switch {
		case !w.Known() || strings.Contains(program, "print") || strings.Contains(program, "system") || strings.Contains(program, "getline"):
			return false
		case program == "0" || program == "" || program == `""`:
			return true
		}
		return strings.HasSuffix(program, "}") // every condition has an action that prints nothing
	}
	return false
}

// sedSilent: the script deletes every line, or -n hides what it does not print.
func sedSilent(args []shell.Word) bool {
	hides := false
	for _, w := range args {
		switch text := w.Text; {
		case text == "-n" || text == "--quiet" || text == "--silent":
			hides = true
		case strings.HasPrefix(text, "-") && text != "-e":
		case text == "-e":
		case !w.Known():
			return false
		default:
			script := strings.TrimSpace(text)
			return hides && !strings.ContainsAny(script, "pPliac=wrR") || script == "d" || script == "Q" || script == "1,$d"
		}
	}
	return false
}

// outputOf is what speaks against what a command prints, in a script that writes.
func outputOf(c *shell.Command) string {
	args := c.Args()
	named := slices.ContainsFunc(args, func(w shell.Word) bool { return !strings.HasPrefix(w.Text, "-") })
	const environment = "it prints the environment, where keys and passwords may be, and the script writes"
	switch c.Program() {
	case "yes":
		return "it prints without end, and the script writes"
	case "tail":
		if slices.ContainsFunc(args, follows) {
			return "it waits without end, and the script writes"
		}
	case "ps": // letters without a dash, of which e shows the environment
		if slices.ContainsFunc(args, func(w shell.Word) bool {
			return !w.Known() || w.Text == "-E" || w.Text != "" && w.Text[0] != '-' && w.Text != "pid" && strings.Contains(w.Text, "e")
		}) {
			return environment
		}
	case "printenv", "compgen":
		return environment
	case "env", "export", "declare", "typeset", "readonly", "local":
		if !named {
			return environment
		}
	case "set":
		if len(args) == 0 {
			return environment
		}
	}
	terminal := func(w shell.Word) bool { return w.Text == "/dev/tty" }
	if slices.ContainsFunc(args, terminal) || slices.ContainsFunc(c.Redirects, func(r shell.Redirect) bool { return terminal(r.Target) }) {
		return "it talks to the terminal itself, past those who show what a command prints"
	}
	return ""
}

// follows: tail goes on with what is written later.
func follows(w shell.Word) bool {
	return strings.HasPrefix(w.Text, "--f") || w.Text == "--retry" || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "fF")
}

// endlessLoops objects to loops of which nobody knows when they end, in a script that
// writes. One that reads lines ends with its input.
func (j *scriptJudge) endlessLoops() {
	for i := range j.script.Commands {
		c := &j.script.Commands[i]
		if c.Link != shell.Guess && slices.ContainsFunc(c.Via, func(via string) bool { return via == "while" || via == "for ((;;))" }) {
			j.object(i, "how often the loop runs is not known, and the script writes")
			return
		}
	}
}
