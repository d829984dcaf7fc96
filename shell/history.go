package shell

import "strings"

// historyProblem is why nobody knows what a script does that switches history expansion on:
// bash reads "!!:1*" in a line as words of the lines before it.
const historyProblem = "with history expansion bash runs other commands than are written"

// rewrites notes that history expansion is on for lines that follow.
func (w *walker) rewrites() { w.s.history = true }

// isHistoryOption: both are needed, but the other one may be on already.
func isHistoryOption(text string) bool { return text == "history" || text == "histexpand" }

// mayRewrite notes that history expansion may be on where a shell reads this text. It does
// nothing unless there is a line that it can change.
func (w *walker) mayRewrite(text string) {
	if strings.IndexByte(text, '\n') >= 0 && (strings.ContainsAny(text, "!^") || strings.Contains(text, "histchars")) {
		w.rewrites()
	}
}

// setsHistory looks at the options among the arguments of set.
func (w *walker) setsHistory(args []Word) {
	named, off := false, false // the word is the name of an option, which is switched off
	for _, arg := range args {
		text := arg.Text
		switch {
		case !arg.Known():
			w.mayRewrite(w.s.Source)
		case named && !off && isHistoryOption(text):
			w.rewrites()
		}
		switch {
		case !arg.Known() || named && !isOption(text) && !strings.HasPrefix(text, "+"):
			continue
		case len(text) < 2 || text == "--" || text[0] != '-' && text[0] != '+':
			return // what follows are operands
		case text[0] == '-' && strings.IndexByte(text, 'H') > 0:
			w.rewrites()
		}
		named, off = strings.IndexByte(text, 'o') > 0, text[0] == '+'
	}
}

// shoptHistory looks at the arguments of shopt, which with -o sets what set does.
func (w *walker) shoptHistory(args []Word) {
	sets, named, unknown := false, false, false
	for _, arg := range args {
		unknown = unknown || !arg.Known()
		named = named || isHistoryOption(arg.Text)
		sets = sets || isOption(arg.Text) && strings.IndexByte(arg.Text, 's') > 0
	}
	switch {
	case named && (sets || unknown):
		w.rewrites()
	case unknown:
		w.mayRewrite(w.s.Source)
	}
}

// inheritsHistory: SHELLOPTS lists the options with which another bash starts.
func (w *walker) inheritsHistory(name, value string) {
	if name == "SHELLOPTS" && (strings.Contains(value, "hist") || firstMark(value) >= 0) {
		w.rewrites()
	}
}
