package foreign

import (
	"errors"
	"flag"
	"io"
	"strings"
	"time"
)

// guardLine is a command that starts the guard, taken apart so that it can be put
// together again without losing what a person has written.
type guardLine struct {
	program string // without quotes
	start   string // the same as it is written
	flags   string // as they are written, with a blank before them
	// otherwise is what follows "||", with it; empty if nothing does.
	otherwise string
	told      told
	// unclear is why it is not known whether the command stops a call.
	unclear string
}

// told is what the flags of the guard say.
type told struct {
	agent, project, settings string
	trust                    bool
	deadline                 time.Duration
}

// guardDeadline is how long the guard takes at most unless its flags say otherwise.
const guardDeadline = 5 * time.Second

// readLine takes a line for a shell apart. It is not ok if the line starts something
// else than the guard.
func readLine(line string) (g guardLine, ok bool) {
	line = strings.TrimSpace(line)
	words, end, closed := splitLine(line)
	if len(words) > 1 && words[0].text == "&" { // PowerShell's way to start a quoted program
		words = words[1:]
	}
	args, ok := guardArguments(words)
	if !ok {
		return g, false
	}
	behind := words[len(words)-len(args)-1].end // the program, or the word hook
	g = guardLine{
		program: words[0].text, start: line[:words[0].end],
		flags: strings.TrimRight(line[behind:end], " \t"), otherwise: line[end:],
	}
	if g.otherwise != "" && !strings.HasPrefix(g.otherwise, "||") || !closed || strings.ContainsAny(line[:end], "`\n") || strings.Contains(line[:end], "$(") {
		g.unclear = "its line does more than start it"
	}
	return g, g.read(args)
}

// readCommand is the same for a program that is started without a shell.
func readCommand(program string, args []string) (g guardLine, ok bool) {
	words := []word{{text: program}}
	for _, arg := range args {
		words = append(words, word{text: arg})
	}
	rest, ok := guardArguments(words)
	if !ok {
		return g, false
	}
	g.program = program
	return g, g.read(rest)
}

// guardArguments are the words behind those that start the guard.
func guardArguments(words []word) (args []string, ok bool) {
	switch {
	case len(words) > 0 && guardAlone(words[0].text):
		words = words[1:]
	case len(words) > 1 && isAssent(words[0].text) && words[1].text == "hook":
		words = words[2:]
	default:
		return nil, false
	}
	for _, w := range words {
		args = append(args, w.text)
	}
	return args, true
}

// isAssent: the program is assent, perhaps with its version in the name.
func isAssent(program string) bool {
	name := baseName(program)
	version, versioned := strings.CutPrefix(name, "assent-")
	version = strings.TrimPrefix(version, "v")
	return name == "assent" || versioned && version != "" && version[0] >= '0' && version[0] <= '9'
}

// read reads the flags as the guard itself does. With --help it is no guard.
func (g *guardLine) read(args []string) bool {
	set := flag.NewFlagSet("hook", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&g.told.agent, "agent", Claude.String(), "")
	set.DurationVar(&g.told.deadline, "deadline", guardDeadline, "")
	set.StringVar(&g.told.project, "project", "", "")
	set.StringVar(&g.told.settings, "settings", "", "")
	set.BoolVar(&g.told.trust, "trust-workspace", false, "")
	err := set.Parse(args)
	if err == nil && set.NArg() > 0 {
		err = errors.New("the argument " + set.Arg(0) + " is too many")
	}
	if err != nil && g.unclear == "" {
		g.unclear = "its flags have a mistake: " + err.Error()
	}
	return !errors.Is(err, flag.ErrHelp)
}

// word is one of a line, without its quotes, and where it stands.
type word struct {
	text       string
	start, end int
}

// splitLine takes the first command of a line apart as a shell would. It ends before
// the first character that is not part of one. A line with an open quote is not closed.
func splitLine(line string) (words []word, end int, closed bool) {
	var text strings.Builder
	quote, start, escaped := rune(0), -1, false
	windows := strings.Contains(line, `:\`) // a backslash is part of a path there
	finish := func(at int) {
		if start >= 0 {
			words = append(words, word{text: text.String(), start: start, end: at})
		}
		text.Reset()
		start = -1
	}
	for i, r := range line {
		blank := r == ' ' || r == '\t' || r == '\n' || r == '\r'
		switch {
		case escaped:
			text.WriteRune(r)
			escaped = false
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			text.WriteRune(r)
		case blank:
			finish(i)
		case r == '&' && start < 0 && strings.HasPrefix(line[i:], "& ") && len(words) == 0:
			words = append(words, word{text: "&", start: i, end: i + 1})
		case strings.ContainsRune("|&;<>()", r), r == '#' && start < 0:
			finish(i)
			return words, i, true
		default:
			if start < 0 {
				start = i
			}
			switch {
			case r == '\'' || r == '"':
				quote = r
			case r == '\\' && !windows:
				escaped = true
			default:
				text.WriteRune(r)
			}
		}
	}
	finish(len(line))
	return words, len(line), quote == 0 && !escaped
}
