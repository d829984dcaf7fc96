package shell

import (
	"slices"
	"strconv"
	"strings"
)

// alias defines names; what they stand for may run.
func (w *walker) alias(i int) {
	for _, word := range w.s.Commands[i].Words[1:] {
		if strings.HasPrefix(word.Text, "-") {
			continue
		}
		name, value, defines := strings.Cut(word.Text, "=")
		switch {
		case !word.Known():
			w.rebind("", "")
		case defines:
			w.rebind(name, "is an alias here")
			w.code(i, Guess, "alias", value, word.Span)
			w.standsFor(name, value)
		}
	}
}

// expandAlias tries what a name stands for that the script has made an alias of. A cd
// in it may have happened afterwards.
func (w *walker) expandAlias(i int) {
	words := w.s.Commands[i].Words
	value, ok := w.aliases[words[0].Text]
	if !ok || !w.affords(8, words[0].Span.Start) {
		return
	}
	delete(w.aliases, words[0].Text) // alias ls='ls -l' is expanded once
	code := value + quoted(words[1:])
	before := w.dirs
	if before == nil {
		before = startDir
	}
	w.stays = true
	w.code(i, Guess, words[0].Text, code, words[0].Span)
	w.dirs, w.failDirs = union(union(w.dirs, w.failDirs), before), nil
	w.aliases[words[0].Text] = value
}

// quoted is code that stands for words; each begins with a blank.
func quoted(words []Word) string {
	var code strings.Builder
	for _, word := range words {
		if word.Known() {
			code.WriteString(" '" + strings.ReplaceAll(word.Text, "'", `'\''`) + "'")
		} else {
			code.WriteString(` "$_"`)
		}
	}
	return code.String()
}

// redefine is hash -p and enable: they change what a name runs.
func (w *walker) redefine(name string, i int) {
	words := w.s.Commands[i].Words[1:]
	changes, program := false, ""
	for _, word := range words {
		if !word.Known() {
			w.rebind("", "")
			return
		}
		option := len(word.Text) > 1 && word.Text[0] == '-'
		_, glued, path := strings.Cut(word.Text, "p")
		switch {
		case option && name == "hash" && path:
			changes, program = true, glued
		case option:
			changes = changes || name == "enable"
		case changes && name == "hash" && program == "":
			program = word.Text
		case changes:
			w.rebind(word.Text, "is redefined by "+name)
			w.standsFor(word.Text, program)
		}
	}
}

// standsFor: a name runs the code from now on.
func (w *walker) standsFor(name, code string) {
	if w.aliases == nil {
		w.aliases = make(map[string]string)
	}
	w.aliases[name] = code
}

// testCommand: test -v and [ -v take the name of a variable, whose index is
// evaluated although it is quoted.
func (w *walker) testCommand(i int) {
	words := w.s.Commands[i].Words
	for j, word := range words[1:] {
		if (word.Text == "-v" || word.Text == "-R" || !word.Known()) && j+2 < len(words) {
			if word.Known() || strings.Contains(words[j+2].Text, "[") && words[j+2].Text != "[" {
				w.evaluatedName(words[j+2])
			}
		}
	}
}

// namedBy are the options of builtins that take the name of a variable ("v"), and
// those that take another value ("=").
func namedBy(builtin string) (names, values string) {
	switch builtin {
	case "read":
		return "a", "dinNptu"
	case "printf":
		return "v", ""
	case "mapfile", "readarray":
		return "", "dnOsuCc"
	case "wait":
		return "p", ""
	}
	return "", ""
}

// assigning follows the builtins that assign variables given by name.
func (w *walker) assigning(name string, i int) {
	w.again = true
	args := w.s.Commands[i].Words[1:]
	switch name {
	case "set":
		w.s.posix = w.s.posix || slices.ContainsFunc(args, func(arg Word) bool { return arg.Text == "posix" })
		w.setsHistory(args)
		w.setsOptions(args)
		w.positional(args)
	case "export", "declare", "typeset", "local", "readonly":
		nameref, with := false, attributes{exports: name == "export"}
		for _, arg := range args {
			if !strings.HasPrefix(arg.Text, "-") || !arg.Known() {
				w.declared(arg, with)
				if name, target, _ := strings.Cut(arg.Text, "="); nameref {
					w.refersTo(target)
					w.variable(name).refers = true
				}
				continue
			}
			with.take(arg.Text)
			if strings.IndexByte(arg.Text, 'n') > 0 { // declare -n: a name for another variable
				w.references, w.miscounted, nameref = true, true, name != "export"
				w.mayRun("a name reference evaluates its value", arg.Span)
			}
		}
	case "getopts":
		if len(args) > 1 {
			w.assignedText(args[1], Word{Text: unknownMark, Span: args[1].Span})
		}
	default:
		w.namedVariables(name, i, args)
	}
}

// positional is `set -- a b c`.
func (w *walker) positional(args []Word) {
	args = parameters(args)
	if len(args) == 0 {
		return
	}
	v := w.variable("@")
	w.noNumber(v)
	for k, word := range args {
		if !word.Known() {
			v.unknown = true
			return
		}
		for n := min(k+1, 9); n > 0; n-- { // shift makes $1 of $2
			w.remember(strconv.Itoa(n), word, false)
		}
	}
	w.rememberArray(v, args)
}

// parameters are the words of set behind its options.
func parameters(args []Word) []Word {
	for j := 0; j < len(args); j++ {
		switch text := args[j].Text; {
		case text == "--":
			return args[j+1:]
		case text == "" || text[0] != '-' && text[0] != '+':
			return args[j:]
		case text[len(text)-1] == 'o': // its name
			j++
		}
	}
	return nil
}

func (w *walker) namedVariables(name string, i int, args []Word) {
	names, values := namedBy(name)
	j := 0
	for ; j < len(args) && len(args[j].Text) > 1 && args[j].Text[0] == '-'; j++ {
		text := args[j].Text[1:]
		if text == "-" {
			j++
			break
		}
		for k := 0; k < len(text); k++ {
			isName := strings.IndexByte(names, text[k]) >= 0
			if !isName && strings.IndexByte(values, text[k]) < 0 {
				continue
			}
			value := Word{Text: text[k+1:], Span: args[j].Span}
			if value.Text == "" && j+1 < len(args) {
				j++
				value = args[j]
			}
			if isName {
				if text[k] == 'a' {
					w.makesArray(value)
				}
				w.named(name, i, value, args[min(j+1, len(args)):])
			} else if text[k] == 'C' {
				t := w.turn() // it runs for every so many lines
				w.inThisShell(i, name+" -C", value)
				w.looped(t)
			}
			break
		}
	}
	rest := args[min(j, len(args)):]
	switch name {
	case "printf":
		w.printsCount(rest)
		return
	case "wait":
		return
	}
	for _, arg := range rest {
		if name == "unset" {
			astray := w.astray
			w.changedBy(arg)
			w.unsets(arg)
			w.empties(arg)
			w.astray = astray // without CDPATH cd goes where it says
			continue
		}
		if name != "read" {
			w.makesArray(arg)
		}
		w.assignedInput(i, arg)
	}
	if name == "read" && len(rest) == 1 && rest[0].Known() && !w.folding {
		if text, ok := w.piped(i); ok { // read D <<< /
			v := w.variable(rest[0].Text)
			v.unknown = false
			line, _, _ := strings.Cut(text, "\n")
			w.remember(rest[0].Text, Word{Text: strings.TrimSpace(line)}, false)
		}
	}
}

// printsCount: %n in the format of printf gives a variable the number of characters
// printed so far.
func (w *walker) printsCount(words []Word) {
	if len(words) < 2 {
		return
	}
	pieces := strings.Split(strings.ReplaceAll(words[0].Text, "%%", ""), "%")
	for _, conversion := range pieces[1:] {
		if strings.HasPrefix(strings.TrimLeft(conversion, "-+ #0'123456789.*$hlLjztq"), "n") {
			w.problem(Unparseable, "%n of printf, which assigns a variable, is not understood", words[0].Span.Start)
			return
		}
	}
	for _, word := range words[1:] {
		if !words[0].Known() && word.Known() && loadsCode(word.Text) {
			w.assignedTo(word)
		}
	}
}

// named is the variable that an option names: printf -v, read -a, wait -p.
func (w *walker) named(builtin string, i int, name Word, words []Word) {
	switch builtin {
	case "printf":
		value := Word{Text: unknownMark, Span: name.Span}
		if text, ok := printed(append([]Word{{Text: "printf"}}, words...)); ok {
			value.Text = text
		}
		w.assignedText(name, value)
		w.printedInto(name, words)
	case "read":
		w.assignedInput(i, name)
	default: // a number
		w.assignedTo(name)
	}
}

// assignedInput is a variable that gets what the command at index i reads.
func (w *walker) assignedInput(i int, name Word) {
	value := Word{Text: unknownMark, Span: name.Span}
	if text, ok := w.piped(i); ok {
		value.Text = strings.TrimSpace(text)
	}
	w.assignedText(name, value)
}

// assignedText is assignedTo with the value, which is evaluated if the variable holds
// numbers.
func (w *walker) assignedText(name, value Word) {
	w.assignedInteger(w.assignedTo(name), nil, value)
}

// printedInto is printf -v name with constant words.
func (w *walker) printedInto(name Word, words []Word) {
	if w.folding || len(words) == 0 || !isName(name.Text) {
		return
	}
	if text, ok := printed(append([]Word{{Text: "printf"}}, words...)); ok {
		w.variable(name.Text).unknown = false
		w.remember(name.Text, Word{Text: text}, false)
	}
}

// completion: these builtins run code given as an option.
func (w *walker) completion(name string, i int) {
	words := w.s.Commands[i].Words
	for j := 1; j < len(words); j++ {
		text := words[j].Text
		if !words[j].Known() {
			w.opaque(i)
			return
		}
		if len(text) < 2 || text[0] != '-' {
			continue
		}
		flag := text[len(text)-1]
		switch {
		case name == "jobs" && flag == 'x':
			w.child(i, Wrapped, words[j+1:])
			return
		case name == "fc":
			w.opaque(i) // an editor, or a command from history
		case strings.IndexByte("CFWx", flag) >= 0 && j+1 < len(words):
			w.codeWord(i, Code, name, words[j+1])
			if flag == 'W' {
				w.evaluatedList(words[j+1])
			}
		}
	}
}

// evaluatedList: the word list of compgen -W is expanded.
func (w *walker) evaluatedList(list Word) {
	if strings.ContainsAny(list.Text, "$`") {
		w.mayRun("the word list is expanded", list.Span)
	}
}
