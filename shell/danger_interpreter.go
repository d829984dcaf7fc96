package shell

import "strings"

// inline is where an interpreter takes its program from.
type inline struct {
	text  string
	at    int  // the word that holds it; 0 when it does not stand on the command line
	stdin bool // it is read from standard input
}

// inlineCode finds the program text of python -c, perl -e, awk and the like.
func inlineCode(c *Command) inline {
	name := unversioned(c.Program())
	switch name {
	case "awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "frawk":
		return awkCode(c)
	}
	flags, _ := interpreterFlags(name)
	for at := 1; at < len(c.Words); at++ {
		text := c.Words[at].Text
		value, long := longCode(text)
		switch {
		case long && value == "" && at+1 < len(c.Words):
			return inline{text: c.Words[at+1].Text, at: at + 1}
		case long:
			return inline{text: value, at: at}
		case text == "-m" || text == "--version" || text == "-V" || text == "--help":
			return inline{}
		case isOption(text) && text[1] != '-':
			letter, value := codeLetter(text, flags)
			if letter > 0 {
				return codeBehind(c, at, text[letter+1:])
			}
			if value {
				at++
			}
		case text == "eval" && at == 1 && (name == "deno" || name == "bun"):
			return codeBehind(c, at, "")
		case text == "run" && at == 1 && (name == "deno" || name == "bun"):
		case text == "-" || text == "/dev/stdin":
			return inline{stdin: true}
		case feeds(c.Words[at]):
			return inline{at: at}
		case !isOption(text):
			return inline{} // a script
		}
	}
	return inline{stdin: true}
}

// codeLetter is the index of the letter behind which code stands in a cluster, or
// 0. A letter that takes a value ends the cluster; value says that it is in the
// next word.
func codeLetter(cluster, flags string) (index int, value bool) {
	for i := 1; i < len(cluster); i++ {
		switch letter := cluster[i]; {
		case strings.IndexByte(flags, letter) >= 0:
			return i, false
		case strings.IndexByte("rWXI", letter) >= 0:
			return 0, i == len(cluster)-1
		case strings.IndexByte("MmFxCKi", letter) >= 0:
			return 0, false
		}
	}
	return 0, false
}

// codeBehind: the code is glued to the option or in the next word.
func codeBehind(c *Command, at int, glued string) inline {
	if glued != "" && !isName(glued) {
		return inline{text: glued, at: at}
	}
	if at+1 < len(c.Words) {
		return inline{text: c.Words[at+1].Text, at: at + 1}
	}
	return inline{}
}

func longCode(text string) (value string, ok bool) {
	name, value, _ := strings.Cut(text, "=")
	switch name {
	case "--eval", "--print", "--execute", "--run", "--expression":
		return value, true
	}
	return "", false
}

func awkCode(c *Command) inline {
	a := c.arguments(&about("awk").spec.grammar)
	for a.next() {
		if a.operand || a.is('e', "source") {
			return inline{text: a.value, at: a.valueAt}
		}
		if a.is('f', "file") {
			return inline{}
		}
	}
	return inline{}
}

// judgeCode looks at what a program in another language does: by the functions it
// calls and the strings it holds. Shell commands in it are listed on their own.
func (s *inspection) judgeCode(i int, code inline) *Finding {
	text := code.text
	if code.stdin {
		text, _ = s.inputText(i)
	}
	if text == "" {
		return nil
	}
	p := program{text: text}
	f := worse(s.judgeCalls(i, code.at, &p), s.judgeStrings(i, code.at, &p))
	if p.calls(shellCalls) {
		for constant := range p.strings {
			f = worse(f, s.nested(i, code.at, constant))
		}
	}
	return f
}

// judgeCalls looks at the functions alone.
func (s *inspection) judgeCalls(i, at int, p *program) *Finding {
	switch {
	case p.forks():
		return onFloor(s.at(kindSystem, i, at, "starts copies of itself without end"))
	case p.calls(socketCalls) && p.calls(shellCalls):
		return s.at(kindRemote, i, at, "opens a shell to the network")
	case p.calls(fetchCalls) && p.calls(evalCalls):
		return s.at(kindRemote, i, at, downloaded.String())
	case p.calls(decodeCalls) && p.calls(evalCalls):
		return s.at(kindRemote, i, at, decoded.String())
	case p.calls(powerCalls):
		return s.at(kindSystem, i, at, "stops or restarts the machine")
	}
	return nil
}

// effects are what the functions of a program do to the paths and statements in
// its constants.
type effects struct {
	removesTree, removes, writes, queries bool
	unclear                               bool // it may change files
}

func (p *program) effects() effects {
	tree := p.calls(treeCalls)
	return effects{
		removesTree: tree,
		removes:     tree || p.calls(removeCalls),
		writes:      p.calls(writeCalls) || strings.Contains(p.text, "open") && strings.Contains(p.text, ">"),
		queries:     p.calls(queryCalls),
	}
}

// judgeStrings looks at the constants of a program as paths and statements.
func (s *inspection) judgeStrings(i, at int, p *program) *Finding {
	does := p.effects()
	does.unclear = s.Commands[i].mayChange(p)
	if does == (effects{}) {
		return nil
	}
	if does.removesTree && p.calls(homeCalls) {
		return onFloor(s.at(kindRemove, i, at, "deletes a home directory"))
	}
	var worst *Finding
	for text := range p.strings {
		worst = worse(worst, s.judgePath(i, at, text, does))
		if verdict := destructive(text); does.queries && verdict != "" {
			worst = worse(worst, s.at(kindInfra, i, at, verdict))
		}
	}
	return worst
}

func (s *inspection) judgePath(i, at int, text string, does effects) *Finding {
	if text == "" || len(text) > 200 || strings.ContainsAny(text, "\n%") {
		return nil
	}
	if path := strings.TrimLeft(text, "+<> "); path != text && strings.Contains(text, ">") { // perl: open F, ">x"
		text, does.writes = path, true
	}
	changes := does.removes || does.writes
	named := s.protectedFrom(i, text)
	if does.unclear && named == "" {
		named = protectedWord(text)
	}
	if does.unclear && named != "" && !changes {
		return onFloor(s.at(kindControl, i, at, "may change a protected path: "+named))
	}
	place := locate(strings.ReplaceAll(text, "*", globMark), "").place
	switch {
	case changes && named != "":
		return onFloor(s.at(kindControl, i, at, "changes a protected path: "+named))
	case does.writes && onDevice(text):
		return onFloor(s.at(kindSystem, i, at, "overwrites a device: "+text))
	case does.removesTree && place.ruinous() && pathText(text):
		return onFloor(s.at(kindRemove, i, at, "deletes "+place.String()))
	case does.removesTree && (place == systemPath || place == belowHome || place == beside || place == topLevel):
		return s.at(kindRemove, i, at, "deletes "+place.String())
	case does.removes && secret(text), changes && strings.HasPrefix(text, "/etc/"):
		return s.at(kindSystem, i, at, "changes a system file or a key")
	}
	return nil
}

// protectedFrom is a protected path that a text is, seen from where command i runs; "" if it is none.
func (s *inspection) protectedFrom(i int, text string) string {
	if Protected(text) {
		return text
	}
	for _, dir := range s.Commands[i].Dirs {
		if path := behind(dir, text); !rooted(text) && !harmless(dir) && Protected(path) {
			return path
		}
	}
	return ""
}

// mayChange reports whether a program of the command may change the files whose names are
// constants in it. What awk writes itself is listed with its names.
func (c *Command) mayChange(p *program) bool {
	switch c.Program() {
	case "awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "frawk":
		return p.word("system") || strings.Contains(strings.ReplaceAll(p.text, "||", ""), "|")
	}
	return !p.onlyReads()
}

// pathText: a constant that is a path rather than a word that happens to be one
// of the punctuation marks programs use.
func pathText(text string) bool {
	return text == "/" || text == "." || text == ".." || strings.ContainsAny(text, "/~*")
}
