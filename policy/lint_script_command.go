package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/shell"
)

// hookLine is what can be known about the command of a hook without running it.
type hookLine struct {
	line   string       // as a shell reads it
	files  []scriptFile // that it runs
	speech string       // what it prints, and the code that it gives to interpreters
	// unknown: it also runs something of which nothing is known.
	unknown bool
	// careful: it tests something before it runs something.
	careful bool
}

// scriptFile is a file that a command runs.
type scriptFile struct {
	path        string
	direct      bool   // the system starts it, not an interpreter
	interpreter string // the name of the program that reads it
}

// The directory that hooks name in front of their files. Without a shell only the
// form with braces stands for it.
var (
	projectDir     = strings.NewReplacer("${CLAUDE_PROJECT_DIR}", ".", "$CLAUDE_PROJECT_DIR", ".", "${ASSENT_PROJECT_DIR}", ".", "$ASSENT_PROJECT_DIR", ".")
	projectDirExec = strings.NewReplacer("${CLAUDE_PROJECT_DIR}", ".", "${ASSENT_PROJECT_DIR}", ".")
)

// readCommand finds out what the command of a hook runs.
func readCommand(c hook.Command) hookLine {
	line := projectDir.Replace(c.Line)
	if c.Exec {
		words := append([]string{c.Line}, c.Args...)
		for i := range words {
			words[i] = shellQuote(projectDirExec.Replace(words[i]))
		}
		line = strings.Join(words, " ")
	}
	found := hookLine{line: line}
	s := shell.Parse(line)
	if s.Problem != nil {
		found.unknown = true
		return found
	}
	for i := range s.Commands {
		if s.Commands[i].Link != shell.Guess {
			found.add(s, i)
		}
	}
	return found
}

// add takes one simple command of the line.
func (l *hookLine) add(s *shell.Script, i int) {
	c := &s.Commands[i]
	if len(c.Words) == 0 {
		return
	}
	if !isConstant(c.Words[0]) {
		l.unknown = true
		return
	}
	l.speech += "\n" + c.Stdin.Text
	name := c.Words[0].Text
	program := path.Base(name)
	switch {
	case program == "echo" || program == "printf":
		l.speech += "\n" + c.Text()
	case interprets(program):
		l.interpreted(program, c)
	case runsOthers(s, i), defines(s, name):
	case (name == "." || name == "source") && len(c.Words) > 1:
		l.run(scriptFile{interpreter: "sh"}, c.Words[1], c)
	case strings.Contains(name, "/") && !onlyText(program):
		l.run(scriptFile{direct: true}, c.Words[0], c)
	case tests(program):
		l.careful = true
	case !onlyText(program):
		l.unknown = true
	}
}

// interpreted takes a program that reads another one, as text or from a file.
func (l *hookLine) interpreted(program string, c *shell.Command) {
	switch input, at := interpreterInput(program, c.Args()); {
	case input == inputCode:
		l.speech += "\n" + at.Text
	case input == inputFile:
		l.run(scriptFile{interpreter: program}, at, c)
	case c.Stdin.Text == "":
		l.unknown = true // a module, or what comes on its standard input
	}
}

// run adds a file that the command c runs, as seen from the project.
func (l *hookLine) run(file scriptFile, name shell.Word, c *shell.Command) {
	if !isConstant(name) {
		l.unknown = true
		return
	}
	file.path = name.Text
	if !path.IsAbs(file.path) && len(c.Dirs) > 0 {
		dir := c.Dirs[0]
		if len(c.Dirs) > 1 || strings.HasPrefix(dir, "~") || !(shell.Word{Text: dir}).Known() {
			l.unknown = true
			return
		}
		file.path = path.Join(dir, file.path)
	}
	if !slices.Contains(l.files, file) {
		l.files = append(l.files, file)
	}
}

// isConstant: the word is known before the command runs, and does not depend on whose
// home directory it is.
func isConstant(w shell.Word) bool { return w.Known() && !w.Tilde }

// runsOthers: the program runs its arguments, which stand in the list as well.
func runsOthers(s *shell.Script, i int) bool {
	return slices.ContainsFunc(s.Commands, func(c shell.Command) bool {
		return c.Parent == i && (c.Link == shell.Transparent || c.Link == shell.Wrapped)
	})
}

func defines(s *shell.Script, name string) bool {
	return slices.ContainsFunc(s.Functions, func(f shell.Function) bool { return f.Name == name })
}

// tests: the program tells whether something is there.
func tests(program string) bool {
	switch program {
	case "test", "[", "[[", "command", "which", "type":
		return true
	}
	return false
}

// onlyText: the program works on text or does something for the shell. It makes no
// decision of its own.
func onlyText(program string) bool {
	switch program {
	case "cat", "grep", "egrep", "fgrep", "rg", "jq", "sed", "awk", "head", "tail", "tr", "cut", "tee", "sort", "uniq", "wc", "date", "logger",
		"true", "false", ":", "read", "exit", "return", "cd", "set", "export", "local", "unset", "shift", "trap", "sleep", "mkdir", "touch", "((", "let":
		return true
	}
	return false
}
