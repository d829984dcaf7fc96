package shell

import (
	"slices"
	"sort"
	"strings"
)

// unknownWord stands for what a program fills in at run time.
func unknownWord(span Span) Word {
	return Word{Text: string([]byte{Unknown}), Span: span}
}

// find runs what stands between -exec and ";" or "+", with {} filled in.
func (w *walker) find(i int) {
	words := w.s.Commands[i].Words
	var beside []string // what is found, for all that runs there
	for j := 1; j < len(words); j++ {
		switch words[j].Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			end := j + 1
			for end < len(words) && words[end].Text != ";" && (words[end].Text != "+" || words[end-1].Text != "{}") {
				end++
			}
			elsewhere, dirs := strings.HasSuffix(words[j].Text, "dir"), w.dirs
			if elsewhere { // in the directory of the file
				if beside == nil {
					beside = []string{unknownMark}
					if path := foundProtected(&w.s.Commands[i]); strings.Contains(path, "/") {
						beside = append(beside, path[:strings.LastIndexByte(path, '/')])
					}
				}
				w.dirs = beside
			}
			w.child(i, Wrapped, filledIn(words[j+1:end], "{}"))
			w.dirs = dirs
			w.below(i, words, words[j+1:end], elsewhere)
			j = end
		default:
			if strings.IndexByte(words[j].Text, Unknown) >= 0 || words[j].Split {
				w.suffixes(i, words[j+1:]) // it may become -exec
			}
		}
	}
}

// below tries what find runs with the starting points put in: a file below .git is
// a protected one. With -execdir the command runs there.
func (w *walker) below(i int, words, inner []Word, inside bool) {
	dirs := w.dirs
	for k := 1; k < len(words) && k < 5 && !startsExpression(words[k].Text); k++ {
		if start := words[k]; start.Known() && start.Text != "." && !findOption(start.Text) {
			filled := slices.Clone(inner)
			for n := range filled {
				filled[n].Text = replaced(filled[n].Text, "{}", start.Text+"/"+string([]byte{Unknown}))
			}
			if inside {
				w.dirs = w.chdir(start, inner)
			}
			w.child(i, Guess, filled)
			w.dirs = dirs
		}
	}
}

// filledIn replaces a placeholder by what is only known at run time.
func filledIn(words []Word, placeholder string) []Word {
	out := slices.Clone(words)
	for j := range out {
		out[j].Text = strings.ReplaceAll(out[j].Text, placeholder, string([]byte{Unknown}))
	}
	return out
}

// fd runs what follows -x or -X.
func (w *walker) fd(i int) {
	words := w.s.Commands[i].Words
	for j := 1; j < len(words); j++ {
		switch text := words[j].Text; {
		case text == "-x" || text == "-X" || strings.HasPrefix(text, "--exec"):
			inner := slices.Clone(words[j+1:])
			for _, placeholder := range [...]string{"{}", "{/}", "{//}", "{.}", "{/.}"} {
				inner = filledIn(inner, placeholder)
			}
			named := slices.ContainsFunc(words[j+1:], func(word Word) bool { return strings.Contains(word.Text, "{") && strings.Contains(word.Text, "}") })
			if _, value, glued := strings.Cut(text, "="); glued {
				inner = append([]Word{{Text: value, Span: words[j].Span}}, inner...)
			}
			if !named {
				inner = append(inner, unknownWord(words[j].Span))
			}
			w.child(i, Wrapped, inner)
			for _, start := range words[1:j] {
				if start.Known() && !isOption(start.Text) && Protected(start.Text) {
					found := slices.Clone(inner)
					for k := range found {
						found[k].Text = replaced(found[k].Text, unknownMark, start.Text+"/"+unknownMark)
					}
					w.child(i, Guess, found)
				}
			}
			return
		case text == "--":
			return
		case len(text) > 2 && text[0] == '-' && text[1] != '-' && strings.ContainsAny(text, "xX"):
			w.suffixes(i, words[j+1:])
		}
	}
}

var xargsOptions = wrapper{
	short: "0rtpxoa:d:E:I:J:R:S:L:n:P:s:", glued: "eil",
	long: "null no-run-if-empty verbose interactive exit open-tty arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= max-chars= " +
		"process-slot-var= show-limits",
}

// xargs runs its words with what it reads appended, or filled in for -I.
func (w *walker) xargs(i int) {
	words := w.s.Commands[i].Words
	replace, asTheyAre, ended := "", true, false // the names that it reads; each ends in a NUL
	appends := false                             // or fills them in: versions differ
	start, ok := xargsOptions.start(words, func(name string, value Word) {
		appends = appends || replace != "" && unsetsReplace(name, value)
		switch name {
		case "a", "arg-file", "E", "eof":
			asTheyAre = false
		case "d", "delimiter":
			asTheyAre = asTheyAre && (value.Text == `\n` || value.Text == "\n")
		case "0", "null":
			ended = true
		case "I", "i", "J", "replace":
			replace = value.Text
			if replace == "" {
				replace = "{}"
			}
		case "process-slot-var":
			w.assignedTo(value)
		}
	})
	if !ok { // whatever it runs is given the names that it reads
		w.suffixes(i, append(slices.Clone(words[1:]), Word{Text: unknownMark, Span: words[0].Span, Split: true, Loose: true}))
		return
	}
	inner := words[start:]
	if len(inner) == 0 {
		return // xargs alone is echo
	}
	text, constant := w.piped(i)
	var listed uint8
	if in := &w.s.Commands[i].Stdin; asTheyAre && (ended || in.Listed == 0 || !w.printsNul(in.From, in.To)) {
		listed = in.Listed
	}
	only := constant && listed == 0 && w.printsWords(i) && !strings.ContainsAny(text, `'"\*?[`) && plainXargs(words[1:start])
	w.again = w.again || only
	replaces := []string{replace}
	if appends {
		replaces = append(replaces, "")
	}
	for _, replace := range replaces {
		if !only || w.bound == nil {
			w.xargsNames(i, inner, replace, listed)
		}
		if constant && len(text) <= 4096 {
			w.xargsConstant(i, inner, replace, text)
		}
	}
}

// unsetsReplace: behind -I the option makes xargs of GNU append what it reads in place of filling it
// in, which -n 1 does not.
func unsetsReplace(option string, value Word) bool {
	switch option {
	case "L", "l", "max-lines":
		return true
	case "n", "max-args":
		return value.Text != "1"
	}
	return false
}

// xargsNames is what xargs runs with names that it reads.
func (w *walker) xargsNames(i int, inner []Word, replace string, listed uint8) {
	filled := append(w.room(len(inner)+1), inner...)
	if replace == "" {
		filled = append(filled, Word{Text: unknownMark, Span: inner[0].Span, Split: true, Listed: listed, Loose: listed == 0})
	}
	for k := range filled {
		if replace == "" || !strings.Contains(filled[k].Text, replace) {
			continue
		}
		word := &filled[k]
		word.Text = strings.ReplaceAll(word.Text, replace, unknownMark)
		word.Listed, word.Loose = listed, word.Loose || listed == 0 || !settles(word.Text)
	}
	w.child(i, Wrapped, filled)
}

// xargsConstant tries what the words of a constant on the left of the pipe would make
// of it.
func (w *walker) xargsConstant(i int, inner []Word, replace, text string) {
	if replace == "" {
		all := slices.Clone(inner)
		for item := range strings.FieldsSeq(text) {
			all = append(all, Word{Text: item, Span: inner[0].Span})
		}
		w.child(i, Guess, all)
		return
	}
	items := strings.Fields(text)
	for line := range strings.Lines(text) { // blanks that it begins with do not count
		if line = strings.TrimLeft(strings.TrimSuffix(line, "\n"), " \t"); strings.ContainsAny(line, " \t") {
			items = append(items, line)
		}
	}
	for _, item := range items {
		if w.exhausted() {
			return
		}
		one := slices.Clone(inner)
		for j := range one {
			one[j].Text = replaced(one[j].Text, replace, item)
		}
		w.child(i, Guess, one)
	}
}

// parallel joins its words into a shell string and runs it for each argument
// behind ":::"; without words the arguments are the commands.
func (w *walker) parallel(i int) {
	words := w.s.Commands[i].Words[1:]
	at := slices.IndexFunc(words, func(word Word) bool { return strings.HasPrefix(word.Text, ":::") })
	inputs := []Word{unknownWord(w.s.Commands[i].Span)}
	if at >= 0 {
		words, inputs = words[:at], words[at+1:]
	} else {
		w.opaque(i)
	}
	for len(words) > 0 && strings.HasPrefix(words[0].Text, "-") {
		words = words[1:]
	}
	template := join(words)
	if at < 0 && len(words) > 0 { // what it reads is no code, but the end of each command
		given := filledIn(words, "{}")
		if !strings.Contains(template, "{") {
			given = append(given, inputs...)
		}
		w.child(i, Wrapped, given)
	}
	for _, input := range inputs {
		if w.exhausted() {
			return
		}
		code := input.Text
		if template != "" {
			code = replaced(template, "{}", input.Text)
			if code == template {
				code += " " + input.Text
			}
		}
		w.codeWord(i, Code, "parallel", Word{Text: code, Span: w.s.Commands[i].Span})
	}
	w.suffixes(i, w.s.Commands[i].Words[1:])
}

var envOptions = wrapper{
	short: "i0vu:C:S:P:a:", assigns: true, anyName: true,
	long: "ignore-environment null debug unset= chdir= split-string= argv0= block-signal? default-signal? ignore-signal? list-signal-handling",
}

// env runs its words after assignments; -S splits a string into words.
func (w *walker) env(i int) {
	words := w.s.Commands[i].Words
	dirs := w.dirs
	defer func() { w.dirs = dirs }()
	start, ok := envOptions.start(words, func(name string, value Word) {
		if name == "C" || name == "chdir" {
			w.dirs = w.chdir(value, words)
		}
	})
	split, behind := splitAt(words)
	if split == nil {
		split, behind = splitUnknown(words)
	}
	switch {
	case split != nil: // what stands behind it is read as words of the string
		w.splitString(i, *split, words[behind:])
	case !ok:
		w.suffixes(i, words[1:])
	default:
		w.assignedWords(i, words[1:start])
		w.childWith(i, words[1:start], words[start:])
	}
}

// splitAt is the value of the first -S of env, and the index behind it: what follows is read
// together with what the value is split into. It is nil without one.
func splitAt(words []Word) (split *Word, behind int) {
	found := func(n int) bool {
		split = nil
		envOptions.start(words[:n], func(name string, value Word) {
			if split == nil && (name == "S" || name == "split-string") {
				split = &value
			}
		})
		return split != nil
	}
	if !found(len(words)) {
		return nil, 0
	}
	behind = sort.Search(len(words), found)
	found(behind)
	return split, behind
}

// splitUnknown is [splitAt] for a value that is not known, which options are not looked for in.
func splitUnknown(words []Word) (split *Word, behind int) {
	for at := 1; at < len(words); at++ {
		text := words[at].Text
		if end := strings.IndexByte(text, 'S') + 1; end > 1 && text[0] == '-' && !words[at].Known() && firstMark(text[:end]) < 0 && isName(text[1:end]) {
			return &Word{Text: text[end:], Span: words[at].Span}, at + 1
		}
	}
	return nil, 0
}

// childWith is child for words that run with variables set by others before them.
func (w *walker) childWith(i int, before, words []Word) {
	at := len(w.s.Commands)
	w.child(i, Wrapped, words)
	if at >= len(w.s.Commands) {
		return
	}
	for _, word := range before {
		if name, value, ok := strings.Cut(word.Text, "="); ok && isName(name) {
			w.s.Commands[at].taintBy(Assign{Name: name, Value: Word{Text: value}})
		}
	}
}

// splitString is env -S: env reads the pieces of the string as if they were its words.
func (w *walker) splitString(i int, split Word, rest []Word) {
	if fields := strings.Fields(split.Text); !split.Known() && len(fields) > 0 { // env takes ?=1 for a variable
		var words []Word
		for _, field := range fields {
			if len(words) > 0 || strings.IndexByte(field, '=') < 0 {
				words = append(words, Word{Text: field, Span: split.Span})
			}
		}
		w.child(i, Guess, append(words, rest...))
	}
	if !split.Known() || strings.ContainsAny(split.Text, "\\\"'$#") {
		// Close to the shell's own splitting: quotes group, variables expand.
		text := strings.NewReplacer(`\_`, " ", `\t`, " ", `\n`, " ", `\v`, " ", `\f`, " ", `\r`, " ").Replace(split.Text)
		w.opaque(i)
		w.codeWord(i, Guess, "env -S", Word{Text: text + " " + join(rest), Span: split.Span})
		return
	}
	words := []Word{{Text: "env", Span: split.Span}}
	for field := range strings.FieldsSeq(split.Text) {
		words = append(words, Word{Text: field, Span: split.Span})
	}
	w.child(i, Wrapped, append(words, rest...))
}

// assignedWords are the assignments among the words before a command.
func (w *walker) assignedWords(i int, words []Word) {
	for _, word := range words {
		if name, value, ok := strings.Cut(word.Text, "="); ok && isName(name) {
			w.environs = w.environs || !isNumber(value)
			w.inheritsHistory(name, value)
			if name == "HOME" {
				w.remember(name, Word{Text: value}, false)
			}
			w.assignedCode(i, name, Word{Text: value, Span: word.Span})
		} else if function, exported := strings.CutPrefix(name, "BASH_FUNC_"); ok && exported {
			w.code(i, Guess, name, strings.TrimRight(function, "%()")+" "+value, word.Span)
		}
	}
}
