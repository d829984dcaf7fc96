package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Language is that of the shell in which an agent runs its commands.
type Language uint8

// The languages. A text is always read as bash reads it; for zsh both have to read it in
// the same way.
const (
	Bash Language = iota
	Zsh
)

// LanguageOf is the language of a shell by the path or name of its program.
func LanguageOf(program string) Language {
	if baseName(program) == "zsh" {
		return Zsh
	}
	return Bash
}

// differs is the problem of a text in which the shell does not find the commands and
// words that bash finds.
func (l Language) differs(src string, stmts []*syntax.Stmt) *Problem {
	if l != Zsh {
		return nil
	}
	differs := &Problem{Kind: Unparseable, Text: "zsh reads this text in another way than bash"}
	for i := 0; i+1 < len(src); i++ {
		if src[i] == '$' && expandsInZsh(src[i+1:]) || src[i+1] == '&' && numbersOutput(src[i], src[i+2:]) {
			differs.At = int32(i)
			return differs
		}
	}
	if node := firstNode(stmts, differsInZsh); node != nil {
		differs.At = int32(node.Pos().Offset())
		return differs
	}
	others, problem := otherwise(zshReaders, src, stmts)
	if problem == nil && others == nil {
		return nil
	}
	if problem != nil {
		differs.At = problem.At
	}
	return differs
}

// numbersOutput: a digit before &> is the number of a file to zsh, and a word to bash.
func numbersOutput(before byte, behind string) bool {
	for strings.HasPrefix(behind, "\\\n") {
		behind = behind[2:]
	}
	return before >= '0' && before <= '9' && strings.HasPrefix(behind, ">")
}

// expandsInZsh: what stands behind a $ means more to zsh. $=x and ${=x} split the value, ~
// and ^ make patterns and lists of it, $x:t takes a part of it.
func expandsInZsh(text string) bool {
	const flags = "=~^+"
	if strings.IndexByte(flags, text[0]) >= 0 || len(text) > 1 && text[0] == '{' && strings.IndexByte(flags, text[1]) >= 0 {
		return true
	}
	end := 0
	for end < len(text) && nameByte(text[end]) {
		end++
	}
	return end > 0 && end+1 < len(text) && text[end] == ':' && (nameByte(text[end+1]) || text[end+1] == '&')
}

// differsInZsh: zsh makes something else of the node than bash.
func differsInZsh(node syntax.Node) bool {
	switch node := node.(type) {
	case *syntax.BinaryCmd: // zsh reads both: echo make | sh <<< ls
		return (node.Op == syntax.Pipe || node.Op == syntax.PipeAll) && inputs(node.Y) > 0
	case *syntax.Stmt:
		return inputs(node) > 1
	case *syntax.Word:
		return homeInZsh(node.Parts) || closesInZsh(node.Parts) || indexesInZsh(node.Parts) || slashInZsh(node.Parts)
	case *syntax.DblQuoted:
		return indexesInZsh(node.Parts)
	}
	return false
}

// inputs is how many redirections of a statement lead to its standard input.
func inputs(stmt *syntax.Stmt) int {
	count := 0
	for _, r := range stmt.Redirs {
		switch r.Op {
		case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			if r.N == nil || r.N.Value == "0" {
				count++
			}
		}
	}
	return count
}

// homeInZsh: a ~ behind what is empty, or may be, names a home directory for zsh.
func homeInZsh(parts []syntax.WordPart) bool {
	for k, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			return k > 0 && strings.HasPrefix(part.Value, "~")
		case *syntax.SglQuoted:
			if part.Value != "" {
				return false
			}
		case *syntax.DblQuoted:
			if len(part.Parts) > 0 {
				if _, text := part.Parts[0].(*syntax.Lit); text {
					return false
				}
			}
		}
	}
	return false
}

// closesInZsh: a } at the end of a word, without a { in it, ends a block for zsh: { make}.
func closesInZsh(parts []syntax.WordPart) bool {
	open := 0
	for _, part := range parts {
		if lit, ok := part.(*syntax.Lit); ok {
			open += strings.Count(lit.Value, "{") - strings.Count(lit.Value, "}")
		}
	}
	return open < 0
}

// slashInZsh: a / in brackets belongs to the pattern for zsh: .[/e]nv finds .env.
func slashInZsh(parts []syntax.WordPart) bool {
	open, slash := false, false
	for _, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if !ok { // a quoted one, or what is not known
			slash = slash || open
			continue
		}
		for i := 0; i < len(lit.Value); i++ {
			switch lit.Value[i] {
			case '\\':
				i++
				slash = slash || open
			case '[': // a ] right behind it is one of the characters
				open = true
				rest := strings.TrimLeft(lit.Value[i+1:], "^!")
				i = len(lit.Value) - len(strings.TrimPrefix(rest, "]")) - 1
			case '/':
				slash = slash || open
			case ']':
				if slash {
					return true
				}
				open = false
			}
		}
	}
	return false
}

// indexesInZsh: behind $name zsh takes a [ for an index, which it evaluates, and behind $# a name.
func indexesInZsh(parts []syntax.WordPart) bool {
	for k, part := range parts[:max(len(parts)-1, 0)] {
		param, ok := part.(*syntax.ParamExp)
		if !ok || !param.Short {
			continue
		}
		if next, ok := parts[k+1].(*syntax.Lit); ok && next.Value != "" && (next.Value[0] == '[' || param.Param.Value == "#" && nameByte(next.Value[0])) {
			return true
		}
	}
	return false
}

// redefines: the program changes how zsh reads what follows, or runs code of its own.
func (l Language) redefines(words []Word) bool {
	if l != Zsh {
		return false
	}
	switch name := programOf(words); name {
	case "setopt", "unsetopt", "emulate", "autoload", "zmodload", "functions", "zle", "sched", "zstyle", "compdef", "vared", "zmv", "zcompile", "integer", "float",
		"private", "getln", "zformat", "zparseopts", "zregexparse": // these assign variables
		return true
	case "hash", "source", ".": // hash name=path; source =name
		return slices.ContainsFunc(words[1:], func(word Word) bool { return strings.IndexByte(word.Text, '=') >= 0 || !word.Known() })
	case "alias", "set", "read", "print":
		return slices.ContainsFunc(words[1:], func(word Word) bool { return changesZsh(name, word.Text) })
	}
	return false
}

// changesZsh: alias -g and -s hold anywhere in a line, set takes options of its own, and
// read evaluates the numbers it is given.
func changesZsh(name, word string) bool {
	if len(word) < 2 || word[0] != '-' && word[0] != '+' {
		return name == "read" && strings.IndexByte(word, '[') >= 0
	}
	switch name {
	case "print": // -v assigns a variable
		return strings.IndexByte(word, 'v') > 0
	case "alias":
		return strings.ContainsAny(word, "gs")
	case "set":
		return strings.Trim(word[1:], "euxv-") != ""
	}
	return strings.IndexByte(word, '[') >= 0
}

// namesInZsh reads a command a second time where ~name stands in it. For zsh the name may be a variable
// that holds any path, so that as a program it may be any program, and in code any code.
func (w *walker) namesInZsh(i int) {
	var unknown []Word
	for k, word := range w.s.Commands[i].Words {
		name, below, nested := strings.Cut(word.Text, "/")
		if !word.Tilde || len(name) < 2 || name[1] == '+' || name[1] == '-' || k == 0 && nested {
			continue // a directory, or a program whose name is known
		}
		if unknown == nil {
			unknown = slices.Clone(w.s.Commands[i].Words)
		}
		if unknown[k].Text, unknown[k].Tilde = unknownMark, false; nested {
			unknown[k].Text += "/" + below
		}
	}
	if unknown != nil {
		dirs, fail := w.dirs, w.failDirs
		w.descend(i, Direct, unknown)
		w.dirs, w.failDirs = dirs, fail
	}
}

// movesInZsh refuses what leads to directories that stand in no word: zsh puts the second operand of
// cd in the place of the first in the current directory, and keeps those of dirs for popd.
func (w *walker) movesInZsh(words []Word) {
	most := 1
	switch programOf(words) {
	case "dirs":
		most = 0
	case "cd", "chdir", "pushd":
	default:
		return
	}
	for _, word := range words[1:] {
		if letters, option := strings.CutPrefix(word.Text, "-"); option && strings.Trim(letters, "qsLPclpv-") == "" && letters != "" {
			continue
		}
		if most--; most < 0 {
			w.problem(Unparseable, "to which directory "+words[0].Text+" leads in zsh with these operands cannot be told", word.Span.Start)
			return
		}
	}
}

// loadsCode: the variable decides in this shell what a name runs. zsh ties path to PATH,
// and lists its functions and aliases in variables.
func (l Language) loadsCode(name string) bool {
	return l == Zsh && listed("path fpath cdpath module_path functions dis_functions aliases dis_aliases galiases saliases commands builtins nameddirs "+
		"options precmd_functions preexec_functions chpwd_functions zshexit_functions", name)
}

// evaluatesNumbers: some builtins of zsh take an expression where those of bash take a number,
// and an index in it may run a command.
func (w *walker) evaluatesNumbers(args []*syntax.Word, words []Word) {
	same := len(args) == len(words)
	for len(words) > 1 && (listed("noglob nocorrect builtin command exec", words[0].Text) || strings.HasPrefix(words[0].Text, "-")) {
		words = words[1:]
		if same {
			args = args[1:]
		}
	}
	if len(words) == 0 || len(args) != len(words) && !zshEvaluates(words, len(words)-1) {
		return
	}
	for j := 1; j < len(words); j++ {
		switch {
		case isNumber(words[j].Text) || !zshEvaluates(words, j):
		case len(args) == len(words):
			w.arithmeticWord(unquoted(args[j]))
		default:
			w.mayRun("zsh evaluates what "+words[0].Text+" is given", words[j].Span)
		}
	}
}

// pathOfProgram: for zsh an argument that begins with = is the path of a program: env =make.
func (w *walker) pathOfProgram(args []*syntax.Word) {
	for _, arg := range args[min(1, len(args)):] {
		if len(arg.Parts) == 0 {
			continue
		}
		if lit, ok := arg.Parts[0].(*syntax.Lit); ok && len(lit.Value) > 1 && lit.Value[0] == '=' {
			w.problem(Unparseable, "zsh puts the path of a program in the place of "+lit.Value, w.spanOf(arg).Start)
		}
	}
}

// zshEvaluates: the argument at j is an expression for zsh.
func zshEvaluates(words []Word, j int) bool {
	switch text := words[j].Text; words[0].Text {
	case "exit", "return", "break", "continue", "shift", "logout", "bye":
		return !strings.HasPrefix(text, "-")
	case "test", "[":
		return words[j-1].Text == "-t" || strings.IndexByte(words[j-1].Text, Unknown) >= 0 && holdsIndex(text)
	case "print":
		return slices.ContainsFunc(words[1:j], func(word Word) bool { return strings.HasPrefix(word.Text, "-") && strings.Contains(word.Text, "f") })
	case "printf":
		return j > len(words)-len(zshNumbers(words[1:]))-1
	}
	return false
}

func holdsIndex(text string) bool {
	return strings.IndexByte(text, '[') >= 0 && (strings.ContainsAny(text, "$`") || strings.IndexByte(text, Unknown) >= 0)
}

// zshNumbers are the arguments of printf, if the format has more in it than %s and its like.
func zshNumbers(words []Word) []Word {
	if len(words) > 1 && words[0].Text == "-v" {
		words = words[2:]
	}
	if len(words) > 0 && words[0].Text == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	conversions := strings.Split(strings.ReplaceAll(words[0].Text, "%%", ""), "%")
	for _, conversion := range conversions[1:] {
		if rest := strings.TrimLeft(conversion, "-+ #0123456789.$"); rest == "" || strings.IndexByte("sbcq", rest[0]) < 0 {
			return words[1:]
		}
	}
	if words[0].Known() {
		return nil
	}
	return words[1:]
}
