package main

import "strings"

// lists are flags that take several values, separated by blanks, as the agents' own
// command lines do: `--allowedTools Read "Bash(git log)" --verbose`.
var lists = []string{
	"--allowedTools", "--allowed-tools", "--disallowedTools", "--disallowed-tools", "--add-dir", "--mcp-config", "--betas", "--tools",
}

// withoutGlobals is a command line without the flags that every command takes before its
// name. They say nothing about which command it is.
func withoutGlobals(args []string) []string {
	for len(args) > 0 {
		switch {
		case strings.HasPrefix(args[0], "--color="):
			args = args[1:]
		case args[0] == "--color" && len(args) > 1:
			args = args[2:]
		default:
			return args
		}
	}
	return args
}

// wantsAgent tells the agent's command line from that of another command: it starts
// with a flag. A prompt never looks like a command then, whatever its first word is.
func wantsAgent(args []string) bool {
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") {
		return false
	}
	name, _, _ := strings.Cut(args[0], "=")
	switch name {
	case "-h", "--help", "--version", "-v", "--color":
		return false
	}
	return true
}

// oneByOne spells the lists out: every value behind its flag.
func oneByOne(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		if !isList(args[i]) {
			out = append(out, args[i])
			continue
		}
		flag, given := args[i], 0
		for i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			given++
			out = append(out, flag, args[i])
		}
		if given == 0 {
			out = append(out, flag) // the parser says what is missing
		}
	}
	return out
}

func isList(arg string) bool {
	for _, name := range lists {
		if arg == name {
			return true
		}
	}
	return false
}
