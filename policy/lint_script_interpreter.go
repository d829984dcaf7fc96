package policy

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/shell"
)

func interprets(program string) bool {
	_, ok := interpreterOf(program)
	return ok
}

func isShell(program string) bool {
	switch program {
	case "sh", "bash", "zsh", "dash", "ksh":
		return true
	}
	return false
}

// interpreter is what must be known of the options of an interpreter to find the
// program that it is given.
type interpreter struct {
	code   string   // letters of options that are followed by code
	module string   // letters of options that are followed by the name of a module to run
	value  string   // letters of options that are followed by something else
	long   []string // long options that are followed by code
	valued []string // long options that are followed by something else
	// commands: a word that cannot be a file is one of its commands.
	commands bool
}

// shellValues are the options of a shell that name an option.
const shellValues = "oO"

func interpreterOf(program string) (interpreter, bool) {
	name := strings.TrimRight(program, "0123456789.")
	switch {
	case isShell(name):
		return interpreter{code: "c", value: shellValues, valued: []string{"--rcfile", "--init-file"}}, true
	case name == "python":
		return interpreter{code: "c", module: "m", value: "WX"}, true
	case name == "node":
		return interpreter{code: "ep", value: "rC", long: []string{"--eval", "--print"}, valued: []string{"--require", "--import", "--loader", "--conditions", "--env-file"}}, true
	case name == "ruby":
		return interpreter{code: "e", value: "rIC"}, true
	case name == "perl":
		return interpreter{code: "eE", value: "IMm"}, true
	case name == "deno", name == "bun":
		return interpreter{code: "e", long: []string{"--eval"}, commands: true}, true
	}
	return interpreter{}, false
}

// inputKind says what an interpreter is given.
type inputKind uint8

const (
	inputOther inputKind = iota + 1 // its standard input, a module
	inputFile
	inputCode
)

// interpreterInput finds the file or the code that an interpreter is given.
func interpreterInput(program string, args []shell.Word) (inputKind, shell.Word) {
	known, _ := interpreterOf(program)
	for i := 0; i < len(args); i++ {
		var next shell.Word
		kind := inputOther
		if i+1 < len(args) {
			next, kind = args[i+1], inputFile
		}
		switch option, attached := known.option(args[i].Text); option {
		case noOption:
			return inputFile, args[i]
		case endOfOptions:
			return kind, next
		case plainOption:
		case valueOption:
			i++
		case codeOption:
			if attached != "" {
				return inputCode, shell.Word{Text: attached}
			}
			return inputCode, next
		case otherProgram:
			return inputOther, next
		}
	}
	return inputOther, shell.Word{}
}

// optionKind says what follows an option.
type optionKind uint8

const (
	noOption     optionKind = iota + 1 // the program itself
	endOfOptions                       // "--"
	plainOption                        // nothing, or the command "run"
	valueOption                        // something that is not the program
	codeOption                         // code
	otherProgram                       // "-", a module, a command that runs no file
)

// option reads an argument; attached is code in the same word.
func (in interpreter) option(arg string) (kind optionKind, attached string) {
	switch {
	case arg == "--":
		return endOfOptions, ""
	case arg == "-":
		return otherProgram, ""
	case strings.HasPrefix(arg, "--"):
		return in.longOption(arg), ""
	case in.commands && arg == "run", in.value == shellValues && strings.HasPrefix(arg, "+"):
		return plainOption, ""
	case in.commands && !strings.HasPrefix(arg, "-") && !strings.ContainsAny(arg, "./"):
		return otherProgram, ""
	case !strings.HasPrefix(arg, "-"):
		return noOption, ""
	}
	for i, letter := range arg[1:] {
		rest := arg[1:][i+1:]
		switch {
		case strings.ContainsRune(in.code, letter):
			return codeOption, codeIn(rest)
		case strings.ContainsRune(in.module, letter):
			return otherProgram, ""
		case strings.ContainsRune(in.value, letter) && rest == "":
			return valueOption, ""
		case strings.ContainsRune(in.value, letter):
			return plainOption, ""
		}
	}
	return plainOption, ""
}

// codeIn is what follows a letter for code in the same word: code, as in `-e'puts 1'`,
// or more letters, as in `-ce`.
func codeIn(rest string) string {
	if strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return ""
	}
	return rest
}

func (in interpreter) longOption(arg string) optionKind {
	switch {
	case slices.Contains(in.long, arg):
		return codeOption
	case slices.Contains(in.valued, arg):
		return valueOption
	}
	return plainOption
}
