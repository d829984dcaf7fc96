package shell

import "strings"

// onlyParses: bash -n FILE reads a script and runs nothing of it. An option behind -n may undo it.
func onlyParses(name string, words []Word) bool {
	if len(words) < 3 || words[1].Text != "-n" || name != "bash" && name != "sh" && name != "dash" {
		return false
	}
	for _, word := range words[2:] {
		if text := word.Text; !word.Known() || text == "" || text[0] == '-' || text[0] == '+' {
			return false
		}
	}
	return true
}

// doubtSet allows the switches that make a script stricter, and new positional
// parameters. set -x is left out: it expands PS4 for every command.
func doubtSet(words []Word) Doubt {
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		switch {
		case text == "--" || text == "-":
			return Doubt{}
		case words[i].several() || !words[i].Known():
			return doubtOf(words, i, "an argument that is only known when it runs may be an option")
		case len(text) < 2 || text[0] != '-' && text[0] != '+':
			return Doubt{}
		case strings.Trim(text[1:], "eufvCo") != "":
			return doubtOf(words, i, "the option "+text+" is not known to be harmless")
		case strings.IndexByte(text, 'o') < 0:
			continue
		case strings.IndexByte(text, 'o') != len(text)-1:
			return doubtOf(words, i, "the option "+text+" is not understood")
		}
		if i++; i < len(words) && !isStrictSwitch(words[i].Text) {
			return doubtOf(words, i, "the option "+words[i].Text+" is not known to be harmless")
		}
	}
	return Doubt{}
}

func isStrictSwitch(name string) bool {
	switch name {
	case "errexit", "nounset", "pipefail", "noglob", "noclobber", "verbose":
		return true
	}
	return false
}

// doubtShopt allows questions, and the switches for which the marks of a word
// already allow: a pattern that matches nothing, or across directories.
func doubtShopt(words []Word) Doubt {
	changes := false
	for i := 1; i < len(words); i++ {
		switch text := words[i].Text; text {
		case "-q", "-p", "-pq", "-qp", "--":
		case "-s", "-u":
			changes = true
		case "nullglob", "failglob", "globstar":
		default:
			if changes || !isName(text) {
				return doubtOf(words, i, "the option "+text+" changes how commands are read")
			}
		}
	}
	return Doubt{}
}

// doubtHistory: history alone or with a number.
func doubtHistory(words []Word) Doubt {
	if len(words) > 2 || len(words) == 2 && !isNumber(words[1].Text) {
		return doubtOf(words, 1, "may change the history")
	}
	return Doubt{}
}

// doubtAlias: aliases may be listed, not made.
func doubtAlias(words []Word) Doubt {
	for i := 1; i < len(words); i++ {
		if words[i].Text != "-p" && !isName(words[i].Text) {
			return doubtOf(words, i, "redefines a name")
		}
	}
	return Doubt{}
}

// doubtPrintf: -v assigns a variable. Only the first argument can be an option.
func doubtPrintf(words []Word) Doubt {
	if len(words) < 2 {
		return Doubt{}
	}
	text := words[1].Text
	switch {
	case words[1].Split, text != "" && (text[0] == Unknown || text[0] == Glob):
		return doubtOf(words, 1, "the format may be the option -v")
	case strings.HasPrefix(text, "-v"), strings.HasPrefix(text, "-\xff"), strings.HasPrefix(text, "-\xfe"):
		return doubtOf(words, 1, "-v assigns a variable")
	}
	return Doubt{}
}

// doubtTest judges test and [. The operand of -v is the name of a variable, whose
// index bash evaluates even in quotes; an unquoted expansion may bring a -v along.
func doubtTest(words []Word) Doubt {
	for i := 1; i < len(words); i++ {
		switch {
		case words[i].several() && (words[i].Split || mayEvaluate(words[i].Text)):
			return doubtOf(words, i, "an unquoted expansion may be an operator that evaluates its operand")
		case i > 1 && mayEvaluate(words[i-1].Text) && mayHoldIndex(words[i].Text):
			return doubtOf(words, i, "the name of the variable is evaluated")
		}
	}
	return Doubt{}
}

func mayEvaluate(operator string) bool {
	return mayBecome(operator, "-v") || mayBecome(operator, "-R")
}

func mayHoldIndex(operand string) bool {
	return strings.IndexByte(operand, '[') > 0 || !(Word{Text: operand}).Known()
}

// doubtKill: kill -l lists the signals, kill -0 only asks whether a process is
// there. A further option may be a signal.
func doubtKill(words []Word) Doubt {
	switch {
	case len(words) == 2 && (words[1].Text == "-l" || words[1].Text == "-L"):
		return Doubt{}
	case len(words) == 3 && words[1].Text == "-l" && isNumber(words[2].Text):
		return Doubt{}
	case len(words) == 3 && words[1].Text == "-0" && !words[2].several():
		return Doubt{}
	}
	return doubtOf(words, 0, "sends a signal")
}
