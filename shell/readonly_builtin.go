package shell

import (
	"slices"
	"strings"
)

// shellReaders are builtins of bash that only tell something, or change nothing
// but the shell that runs the command.
var shellReaders = optionTable{
	{"jobs", &optionSpec{posix: true, short: "lnprs", harm: "-x: runs a command"}},
	{"hash", &optionSpec{posix: true, short: "lrt", harm: "-p: redefines a name; -d: forgets a name"}},
	{"compgen", &optionSpec{posix: true, short: "A:abcdefG:gjko:suv", harm: "-C -F: runs code; -W: expands its value"}},
	{"wait", &optionSpec{posix: true, short: "fn", harm: "-p: assigns a variable"}},
	{"umask", &optionSpec{posix: true, short: "pS", most: noOperands}},
	{"ulimit", &optionSpec{posix: true, short: "abcdefHiklmnPpqRrSsTtuvx", most: noOperands}},
	{"trap", &optionSpec{posix: true, short: "lp", most: noOperands}},
}

// judgeOfBuiltin finds the judgement of a builtin that needs one.
func judgeOfBuiltin(name string) func(words []Word) Doubt {
	switch name {
	case ":", "cd", "pushd", "popd", "dirs", "return", "exit", "logout", "shift", "break", "continue", "times", "help", "type", "caller":
		return anything
	case "[[", "((", "let":
		return doubtExpression
	case "command", "builtin":
		return doubtCommand
	case "read", "mapfile", "readarray", "unset":
		return doubtAssigning
	case "getopts":
		return doubtGetopts
	case "declare", "typeset", "local", "export", "readonly":
		return doubtDeclaring
	case "set":
		return doubtSet
	case "shopt":
		return doubtShopt
	case "history":
		return doubtHistory
	case "alias":
		return doubtAlias
	}
	return nil
}

// isShellOnly: xargs cannot run these; a program of that name is another one.
func isShellOnly(text string) bool {
	return shellReaders.find(text) != nil || judgeOfBuiltin(text) != nil
}

// doubtExpression: the operands of [[ ]], (( )) and let are walked as expressions
// by the parser. Any that arrive as words were not.
func doubtExpression(words []Word) Doubt {
	for i := 1; i < len(words); i += 2 { // a file that [[ asks about, see testFile
		if words[0].Text != "[[" || !fileTest(words[i].Text) || i+1 == len(words) {
			return doubtOf(words, i, "the operand is evaluated")
		}
	}
	return Doubt{}
}

// doubtCommand judges command and builtin. With -v and -V they only tell.
func doubtCommand(words []Word) Doubt {
	i := 1
	for ; i < len(words) && len(words[i].Text) > 1 && words[i].Text[0] == '-'; i++ {
		switch words[i].Text {
		case "--", "-p":
			continue
		case "-v", "-V", "-pv", "-pV":
			return Doubt{}
		}
		return doubtOf(words, i, "the option "+words[i].Text+" is not known")
	}
	doubt := doubtWords(words[i:])
	if doubt.Text != "" {
		doubt.Word += i
	}
	return doubt
}

var assigning = optionTable{
	{"read", &optionSpec{posix: true, short: "a:d:ei:N:n:p:rst:u:"}},
	{"mapfile", &optionSpec{posix: true, short: "c:d:n:O:s:tu:", harm: "-C: runs a command"}},
	{"readarray", &optionSpec{posix: true, short: "c:d:n:O:s:tu:", harm: "-C: runs a command"}},
	{"unset", &optionSpec{posix: true, short: "fv"}},
}

// doubtAssigning: the name of a variable may have an index, which bash evaluates,
// so only plain names are fine.
func doubtAssigning(words []Word) Doubt {
	s := scanOptions(assigning.of(words[0].Text), words, 1)
	for s.next() {
		if (s.option == "" || s.option == "a") && (s.value.several() || !isName(s.value.Text)) {
			s.stop("the name of the variable is evaluated")
		}
	}
	return s.doubt
}

// doubtGetopts: getopts options name [argument...].
func doubtGetopts(words []Word) Doubt {
	if len(words) < 3 || words[1].several() || words[2].several() || !isName(words[2].Text) {
		return doubtOf(words, 0, "the name of the variable is evaluated")
	}
	return Doubt{}
}

// declaring leaves out -n and -i, which evaluate values later, and export -f.
var declaring = optionSpec{posix: true, short: "AaFgIlprux"}

func doubtDeclaring(words []Word) Doubt {
	if (words[0].Text == "declare" || words[0].Text == "typeset") && len(words) > 1 && words[1].Text == "-f" && len(words) < 4 {
		words = slices.Delete(slices.Clone(words), 1, 2) // it shows functions
	}
	s := scanOptions(&declaring, words, 1)
	for s.next() {
		if s.option != "" {
			continue
		}
		name, value, assigns := strings.Cut(s.value.Text, "=")
		switch {
		case s.value.Split || !isName(strings.TrimSuffix(name, "+")):
			s.stop("the name of the variable is evaluated")
		case assigns && strings.HasPrefix(value, "("):
			s.stop("the value is evaluated as an array")
		}
	}
	return s.doubt
}
