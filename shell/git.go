package shell

import (
	"iter"
	"slices"
	"strings"
)

// gitGlobals are the options of git itself that take a value in the next word.
var gitGlobals = wordSet{list: "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source"}

// git lists the command without its global options, what an alias given on the
// command line stands for, and the subcommands that run programs.
func (w *walker) git(i int) {
	words := w.s.Commands[i].Words
	aliases := map[string]Word(nil)
	j := 1
	for ; j < len(words) && strings.HasPrefix(words[j].Text, "-"); j++ {
		config := Word{}
		switch text := words[j].Text; {
		case text == "-c" && j+1 < len(words):
			config = words[j+1]
		case strings.HasPrefix(text, "-c"):
			config = Word{Text: text[2:], Span: words[j].Span}
		}
		if key, value, ok := strings.Cut(config.Text, "="); ok {
			aliases = w.gitConfig(i, aliases, key, Word{Text: value, Span: config.Span})
		}
		if key, value, ok := w.gitConfigFromVariable(i, words[j:]); ok {
			aliases = w.gitConfig(i, aliases, key, value)
		}
		if gitGlobals.has(words[j].Text) {
			j++
		}
	}
	if j >= len(words) {
		return
	}
	args := words[j+1:]
	if words[j].Text == "for-each-repo" { // each git that it runs knows the aliases
		for _, alias := range aliases {
			w.gitAlias(i, alias, nil)
		}
	}
	for name := words[j].Text; len(aliases) > 0; { // an alias may be short for another one
		alias, ok := aliases[name]
		if !ok {
			break
		}
		delete(aliases, name)
		w.gitAlias(i, alias, args)
		first, rest, _ := strings.Cut(alias.Text, " ")
		name, args = first, append([]Word{{Text: rest, Span: alias.Span}}, args...)
	}
	if j > 1 {
		w.child(i, Guess, append([]Word{words[0]}, words[j:]...)) // which finds what it runs
		return
	}
	w.gitRunner(i, words)
}

// gitConfig notes an alias, and tries the value of a key that names a program.
func (w *walker) gitConfig(i int, aliases map[string]Word, key string, value Word) map[string]Word {
	if _, code, ok := strings.Cut(key, "ext::"); ok { // url.ext::CODE.insteadOf
		w.gitTransport(i, Word{Text: code[:max(strings.LastIndexByte(code, '.'), 0)], Span: value.Span})
	}
	key = strings.ToLower(key)
	if name, ok := strings.CutPrefix(key, "alias."); ok {
		if aliases == nil {
			aliases = make(map[string]Word)
		}
		aliases[name] = value
		if !value.Known() {
			w.opaque(i)
		}
		return aliases
	}
	switch section, _, _ := strings.Cut(key, "."); {
	case !GitRunsProgram(key) && (listed("user author committer color commit format", section) || strings.IndexByte(value.Text, ' ') < 0 || !value.Known()):
	case !value.Known():
		w.opaque(i)
	default:
		value.Text = strings.TrimPrefix(value.Text, "!")
		w.code(i, Guess, "git -c "+key, value.Text, value.Span)
		w.givenMore(i, value)
	}
	return aliases
}

// gitConfigFromVariable is --config-env=key=NAME: the value is that of a variable,
// which the command itself may set.
func (w *walker) gitConfigFromVariable(i int, words []Word) (key string, value Word, ok bool) {
	text, glued := strings.CutPrefix(words[0].Text, "--config-env=")
	if !glued && words[0].Text == "--config-env" && len(words) > 1 {
		text = words[1].Text
	}
	key, name, ok := strings.Cut(text, "=")
	if !ok {
		return "", Word{}, false
	}
	for _, a := range w.s.Commands[i].Assigns {
		if a.Name == name {
			return key, a.Value, true
		}
	}
	if v := w.vars[name]; v != nil && len(v.values) > 0 {
		return key, v.values[len(v.values)-1], true
	}
	return key, Word{Text: unknownMark, Span: words[0].Span}, true
}

// gitSetsConfig is git config key value: what git will run later is tried now.
func (w *walker) gitSetsConfig(i int, words []Word) {
	c := Command{Words: words}
	if !configSets(&c) {
		return
	}
	key := ""
	a := c.arguments(&configGrammar)
	for a.next() {
		switch {
		case !a.operand || key == "" && a.value == "set":
		case key == "":
			key = strings.ToLower(a.value)
		default:
			w.gitSetting(i, key, words[a.valueAt])
			return
		}
	}
}

// gitSetting tries the value of a key that names a program or an alias.
func (w *walker) gitSetting(i int, key string, value Word) {
	if strings.HasPrefix(key, "alias.") && value.Known() && value.Text != "" {
		w.gitAlias(i, value, nil)
		return
	}
	w.gitConfig(i, nil, key, value)
}

// gitSettingOptions are the settings that clone and init take with -c.
func (w *walker) gitSettingOptions(i int, words []Word) {
	c := Command{Words: words}
	a := c.arguments(&transportGrammar)
	for a.next() {
		if key, value, ok := strings.Cut(a.value, "="); ok && a.is('c', "config") {
			w.gitSetting(i, strings.ToLower(key), Word{Text: value, Span: words[a.valueAt].Span})
		}
	}
}

// gitTransports tries the command in an address such as "ext::sh -c x".
func (w *walker) gitTransports(i int, words []Word) {
	for _, word := range words[1:] {
		if _, code, ok := strings.Cut(word.Text, "ext::"); ok {
			w.gitTransport(i, Word{Text: code, Span: word.Span})
		}
	}
}

// gitTransport tries the command of an address as git splits it: at blanks, but not behind "%".
func (w *walker) gitTransport(i int, address Word) {
	w.codeWord(i, Guess, "git transport", address)
	if !strings.Contains(address.Text, "%") || !address.Known() {
		return
	}
	text := strings.NewReplacer("%%", "%", "% ", globMark).Replace(address.Text)
	var words []Word
	for field := range strings.SplitSeq(text, " ") {
		words = append(words, Word{Text: strings.ReplaceAll(field, globMark, " "), Span: address.Span})
	}
	w.child(i, Guess, words)
}

// gitEachRepository: git for-each-repo runs git with its arguments.
func (w *walker) gitEachRepository(i int, words []Word) {
	for at := 1; at < min(len(words), 5); at++ { // behind its few options
		w.child(i, Guess, append([]Word{{Text: "git", Span: words[0].Span}}, words[at:]...))
	}
}

// gitProgramKeys are configuration keys whose value git runs, by their last part.
var gitProgramKeys = wordSet{list: "pager editor fsmonitor sshcommand askpass hookspath external textconv command cmd driver clean smudge process program helper " +
	"gitproxy packobjectshook uploadpack receivepack difftool mergetool path sequenceeditor browser tool proxycommand attributesfile " +
	"excludesfile templatedir worktree update include insteadof pushinsteadof vcs url tunnel httpd smtpserver"}

// gitProgramEnds end the names of such keys.
var gitProgramEnds = []string{"command", "cmd", "program", "hook", "filter", "editor", "pager"}

// GitRunsProgram reports whether git runs, or loads configuration from, the value
// of a configuration key.
func GitRunsProgram(key string) bool {
	key = strings.ToLower(key)
	if strings.HasPrefix(key, "alias.") || strings.HasPrefix(key, "pager.") || strings.HasPrefix(key, "include") || strings.HasPrefix(key, "hook.") {
		return true
	}
	return gitProgramKeys.has(key[strings.LastIndexByte(key, '.')+1:]) || hasSuffixIn(key, gitProgramEnds)
}

func (w *walker) gitAlias(i int, alias Word, args []Word) {
	if code, ok := strings.CutPrefix(alias.Text, "!"); ok {
		w.code(i, Guess, "git alias", strings.TrimSpace(code+" "+join(args)), alias.Span)
		return
	}
	words := []Word{{Text: "git", Span: alias.Span}}
	for field := range strings.FieldsSeq(alias.Text) {
		words = append(words, Word{Text: field, Span: alias.Span})
	}
	w.child(i, Guess, append(words, args...))
}

// gitRunner finds the commands that git subcommands run.
func (w *walker) gitRunner(i int, words []Word) {
	words = words[1:]
	switch words[0].Text {
	case "bisect":
		if len(words) > 2 && words[1].Text == "run" {
			w.child(i, Wrapped, words[2:])
		}
	case "submodule":
		if at := slices.IndexFunc(words, func(word Word) bool { return word.Text == "foreach" }); at > 0 {
			inner := words[at+1:]
			for len(inner) > 0 && strings.HasPrefix(inner[0].Text, "-") {
				inner = inner[1:]
			}
			dirs := w.dirs
			w.dirs = []string{unknownMark} // in that of each submodule
			w.codeWord(i, Code, "git submodule foreach", Word{Text: join(inner), Span: w.s.Commands[i].Span})
			w.dirs = dirs
		}
	case "config":
		w.gitSetsConfig(i, words)
	case "clone", "init":
		w.gitSettingOptions(i, words)
		w.gitTransports(i, words)
		w.programOptions(i, words, "-u", "--upload-pack")
	case "fetch", "pull", "ls-remote", "fetch-pack", "remote":
		w.gitTransports(i, words)
		w.programOptions(i, words, "--upload-pack", "--exec")
	case "remote-ext":
		w.eachCode(i, words[1:]) // the first is the name of a remote
	case "push", "send-pack", "archive":
		w.gitTransports(i, words)
		w.programOptions(i, words, "--receive-pack", "--exec")
	case "merge-index":
		w.suffixes(i, words[1:])
	case "for-each-repo":
		w.gitEachRepository(i, words)
	case "daemon":
		w.programOptions(i, words, "--access-hook")
	case "send-email":
		w.optionCode(i, words, "--sendmail-cmd", "--smtp-server", "--to-cmd", "--cc-cmd", "--header-cmd")
	case "rebase", "filter-branch":
		w.optionCode(i, words, "-x", "--exec", "--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--commit-filter",
			"--parent-filter", "--tag-name-filter", "--subdirectory-filter")
	case "difftool", "grep":
		w.programOptions(i, words, "-x", "--extcmd", "-O", "--open-files-in-pager")
	}
}

// optionCode runs the value of any of the options as code, in the next word, glued
// or behind "=".
func (w *walker) optionCode(i int, words []Word, options ...string) {
	for option, value := range optionValues(words, options) {
		w.codeWord(i, Guess, option, value)
	}
}

// programOptions is optionCode for programs that are given more words besides.
func (w *walker) programOptions(i int, words []Word, options ...string) {
	for option, value := range optionValues(words, options) {
		w.codeWord(i, Guess, option, value)
		w.givenMore(i, value)
	}
}

// givenMore is a command with words behind it that are not known.
func (w *walker) givenMore(i int, command Word) {
	if !command.Known() || strings.ContainsAny(command.Text, "|&;<>()$`\"'\\\n") {
		return
	}
	var words []Word
	for field := range strings.FieldsSeq(command.Text) {
		words = append(words, Word{Text: field, Span: command.Span})
	}
	if len(words) > 0 && programOf(words) != "ssh" { // what that is given runs elsewhere
		w.child(i, Guess, append(words, Word{Text: unknownMark, Span: command.Span, Split: true, Loose: true}))
	}
}

// optionValues are the values of any of the options.
func optionValues(words []Word, options []string) iter.Seq2[string, Word] {
	return func(yield func(string, Word) bool) {
		for j, word := range words {
			if len(word.Text) < 2 || word.Text[0] != '-' && word.Text[0] != '+' {
				continue
			}
			for _, option := range options {
				value, ok := strings.CutPrefix(word.Text, option)
				switch {
				case ok:
				case len(option) == 2:
					value, ok = inCluster(word.Text, option[1])
				default:
					value, ok = abbreviates(word.Text, option)
				}
				found := Word{Text: value, Span: word.Span}
				switch {
				case !ok:
					continue
				case value == "" && j+1 < len(words):
					found = words[j+1]
				case strings.HasPrefix(value, "="):
					found.Text = value[1:]
				case len(option) > 3 || option[1] == '-' || value == "":
					continue
				}
				if !yield(option, found) {
					return
				}
			}
		}
	}
}

// inCluster finds a letter behind others: -ae of rsync. The rest is its value.
func inCluster(text string, letter byte) (rest string, ok bool) {
	if text[0] != '-' || text[1] == '-' {
		return "", false
	}
	at := strings.IndexByte(text, letter)
	if at < 2 || !isName(text[1:at]) {
		return "", false
	}
	return text[at+1:], true
}

// abbreviates: the beginning of a long option is enough for most programs. The rest
// is "" or starts with "=".
func abbreviates(text, option string) (rest string, ok bool) {
	name := text
	if eq := strings.IndexByte(text, '='); eq >= 0 {
		name, rest = text[:eq], text[eq:]
	}
	return rest, len(name) > 2 && name[:2] == "--" && strings.HasPrefix(option, name)
}
