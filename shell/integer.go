package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A variable with the integer attribute holds numbers: bash evaluates what is assigned to
// it as arithmetic, by whatever way it is assigned, and so runs the commands that stand in
// an index: RANDOM='a[$(cmd)]'.

// integerFromStart: the shell gives the variable the attribute itself. In bash SECONDS has it
// once it was expanded or made an array. Others that hold numbers are read-only there, or no
// expressions; in zsh all of them are.
func (l Language) integerFromStart(name string) bool {
	if l == Zsh && zshIntegers.has(name) {
		return true
	}
	switch name {
	case "RANDOM", "SRANDOM", "OPTIND", "HISTCMD", "SECONDS", "BASHPID":
		return true
	}
	return false
}

// zshIntegers are the special parameters of zsh with that attribute.
var zshIntegers = wordSet{list: "ARGC BAUD COLUMNS CURRENT CURSOR DIRSTACKSIZE EGID ERRNO EUID FUNCNEST GID HISTCMD HISTNO HISTSIZE KEYTIMEOUT LINENO LINES LISTMAX LOGCHECK MAILCHECK " +
	"MBEGIN MEND NUMERIC OPTIND PENDING PERIOD PPID RANDOM REPORTMEMORY REPORTTIME SAVEHIST SECONDS SHLVL TMOUT TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TTYIDLE UID " +
	"ZLE_RPROMPT_INDENT ZSH_SUBSHELL status"}

// isInteger: what is assigned to the variable may be evaluated.
func (w *walker) isInteger(name string) bool {
	if w.language().integerFromStart(name) {
		return true
	}
	v := w.vars[name]
	return v != nil && v.integer
}

// declareInteger is declare -i. A text that the script gives the variable elsewhere may be
// evaluated from now on: the next time round, in a function, or by z+=1; the same for one
// that bash gives it by itself.
func (w *walker) declareInteger(name string, span Span) {
	v := w.variable(name)
	v.integer = true
	if v.text || ofShell(name) {
		w.mayRun(evaluatesAssigned(name), span)
		w.heldValues(name)
	}
}

func evaluatesAssigned(name string) string {
	return name + " holds numbers: what is assigned to it is evaluated, which may run a command"
}

// assignedInteger looks at a value that is assigned; word is where it stands, nil if it
// does not stand in the script as one word.
func (w *walker) assignedInteger(name string, word *syntax.Word, value Word) {
	switch {
	case value.Text == "" || !w.isInteger(name):
	case value.Known():
		w.expression(value.Text, value.Span)
	case word == nil:
		w.mayRun(evaluatesAssigned(name), value.Span)
		w.evaluatedText(value)
	case w.yieldsNumber(word):
	case literal(word) != "": // x=x*2, which is no pattern here
		w.expression(literal(word), value.Span)
	default:
		w.mayRun(evaluatesAssigned(name), value.Span)
		w.evaluatedText(value)
		if p := onlyParam(unquoted(word)); p != nil && p.Param != nil {
			w.heldValues(p.Param.Value)
		}
	}
}

// literal is a word without quotes and expansions as it stands, "" for any other.
func literal(word *syntax.Word) string {
	text := word.Lit()
	if strings.IndexByte(text, '\\') >= 0 {
		return ""
	}
	return text
}

// unquoted is a word without the double quotes around it.
func unquoted(word *syntax.Word) *syntax.Word {
	if len(word.Parts) == 1 {
		if quoted, ok := word.Parts[0].(*syntax.DblQuoted); ok {
			return &syntax.Word{Parts: quoted.Parts}
		}
	}
	return word
}

// yieldsNumber: the word is an expansion that always is a number, in quotes or not.
func (w *walker) yieldsNumber(word *syntax.Word) bool {
	word = unquoted(word)
	p := onlyParam(word)
	return p != nil && numericParam(p) || w.numericExpansion(word) || w.onlyNumber(word)
}

// expression walks a constant that bash evaluates, like the inside of (( )).
func (w *walker) expression(text string, span Span) {
	if isDecimal(text) || isNumber(text) {
		return
	}
	if !w.affords(1+len(text)/16, span.Start) {
		return
	}
	var x syntax.ArithmExpr
	if refuse(text) == nil {
		if stmts, problem := read("((" + text + "\n))"); problem == nil && len(stmts) == 1 {
			if cmd, ok := stmts[0].Cmd.(*syntax.ArithmCmd); ok {
				x = cmd.X
			}
		}
	}
	if x == nil {
		w.mayRun("a text that is not understood is evaluated as arithmetic", span)
		w.evaluatedText(Word{Text: text, Span: span})
		return
	}
	outer, assigned := w.span, w.assignedExpression
	w.span, w.assignedExpression = &span, true
	w.inside("((", func() { w.arithmetic(x) })
	w.span, w.assignedExpression = outer, assigned
}

// countsOn: x in x=x+1 with declare -i, where whatever the script gives x was evaluated
// when it was assigned.
func (w *walker) countsOn(name string) bool {
	v := w.vars[name]
	return w.assignedExpression && v != nil && v.integer && !v.text && !w.environs && !w.references && !ofShell(name)
}

// evaluatedText tries the substitutions in a text that bash evaluates, so that a deny rule
// can fire on them.
func (w *walker) evaluatedText(value Word) {
	if strings.Contains(value.Text, "$(") || strings.Contains(value.Text, "`") {
		text := strings.NewReplacer(string([]byte{Unknown}), "x", string([]byte{Glob}), "x", `"`, "", "'", "").Replace(value.Text)
		w.hidden(`: "`+text+`"`, value.Span)
	}
}

// heldValues tries the constants that a variable holds whose value is evaluated.
func (w *walker) heldValues(name string) {
	v := w.vars[name]
	if v == nil || w.folding {
		return
	}
	for v.tried < len(v.values) {
		value := v.values[v.tried]
		v.tried++
		w.evaluatedText(value)
	}
}
