package shell

import (
	"math"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// output is the class of what commands print. A listing prints names that lie below the
// directories it was given, so whoever takes them reads nowhere else; a name with a blank
// in it falls apart, which is for the caller to look at.
func (b *bounds) output(w *walker, stmts []*syntax.Stmt) *class {
	if w.span != nil || len(stmts) != 1 {
		return looseClass
	}
	if w.printsNumber(stmts) {
		return &class{kind: nameValue, empty: true}
	}
	call := printer(stmts[0])
	if call == nil {
		return looseClass
	}
	words, known := b.spelled(w.s.Source, call)
	switch {
	case !known:
		return looseClass
	case isCount(words):
		return &class{kind: nameValue, empty: true}
	case len(words) == 1 && words[0].Text == "pwd":
		return &class{kind: exactValue, values: []string{"."}}
	}
	roots, ok := listsNames(words)
	if !ok || len(b.listings) == math.MaxUint8 {
		return looseClass
	}
	b.listings = append(b.listings, roots)
	return &class{kind: listedValue, listing: uint8(len(b.listings))}
}

// spelled are the words of a command, if all of them are known or patterns.
func (b *bounds) spelled(src string, call *syntax.CallExpr) (words []Word, known bool) {
	quiet := walker{parent: -1, folding: true, pass: 0, bound: b}
	words = make([]Word, 0, len(call.Args))
	for _, arg := range call.Args {
		if text, ok := plain(arg); ok {
			words = append(words, Word{Text: text})
			continue
		}
		// Each level of substitutions would be read twice as often as the one around it.
		if quiet.takesTurns(arg) || substitutes(arg) {
			return nil, false
		}
		if quiet.s == nil {
			quiet.s = &Script{Source: src}
		}
		words = quiet.appendWords(words, arg)
	}
	for _, word := range words {
		if strings.IndexByte(word.Text, Unknown) >= 0 || word.Home || word.Tilde {
			return nil, false
		}
	}
	return words, true
}

// substitutes: the word holds the output of other commands, or its braces were split.
func substitutes(word *syntax.Word) bool {
	found := false
	syntax.Walk(word, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		case *syntax.Word:
			found = wasSplit(node)
		}
		return !found
	})
	return found
}

// isCount: seq prints numbers.
func isCount(words []Word) bool {
	return len(words) > 1 && words[0].Text == "seq" && !slices.ContainsFunc(words[1:], func(word Word) bool { return word.Text != "-w" && !isDecimal(word.Text) })
}

// xargsListed is the listing whose names xargs takes, as they are.
func (w *walker) xargsListed(i, start int) uint8 {
	c := &w.s.Commands[i]
	for k, word := range c.Words[1:start] {
		lines := word.Text == "-d" && c.Words[k+2].Text == `\n`
		if strings.HasPrefix(word.Text, "-a") || strings.HasPrefix(word.Text, "--arg") || !lines && !cutsAtLines(word.Text) {
			return 0
		}
	}
	return c.Stdin.Listed
}

// cutsAtLines: the option of xargs leaves names whole, or cuts them at blanks.
func cutsAtLines(option string) bool {
	return !strings.HasPrefix(option, "-d") && !strings.HasPrefix(option, "--delim") && !strings.HasPrefix(option, "-E") && !strings.HasPrefix(option, "--eof") ||
		option == `-d\n` || option == `--delimiter=\n`
}

// plainXargs: nothing but the number of words at a time and the text to replace.
func plainXargs(options []Word) bool {
	for _, word := range options {
		switch text := word.Text; {
		case text == "-r" || text == "-t" || strings.HasPrefix(text, "-n") || strings.HasPrefix(text, "-I") || strings.HasPrefix(text, "-L") || isNumber(text) || text == "{}":
		default:
			return false
		}
	}
	return true
}

// printsWords: the text that a command reads is one that the script spells out.
func (w *walker) printsWords(i int) bool {
	in := w.s.Commands[i].Stdin
	if in.Kind == StdinText {
		return true
	}
	if in.Kind != StdinPipe || in.To != in.From+1 || in.To > len(w.s.Commands) {
		return false
	}
	switch w.s.Commands[in.From].Program() {
	case "echo", "printf":
		return true
	}
	return false
}

// printer is the command whose lines come out at the end, as they are.
func printer(stmt *syntax.Stmt) *syntax.CallExpr {
	if !quietly(stmt) {
		return nil
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		if len(cmd.Assigns) == 0 && len(cmd.Args) > 0 {
			return cmd
		}
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.Pipe && quietly(cmd.Y) && keepsLines(cmd.Y.Cmd) {
			return printer(cmd.X)
		}
	}
	return nil
}

// quietly: nothing but complaints goes elsewhere.
func quietly(stmt *syntax.Stmt) bool {
	for _, r := range stmt.Redirs {
		if r.N == nil || r.N.Value != "2" || r.Op != syntax.RdrOut && r.Op != syntax.AppOut {
			return false
		}
	}
	return !stmt.Background && !stmt.Negated && !stmt.Coprocess
}

// keepsLines: the command prints some of the lines that it reads, in some order.
func keepsLines(cmd syntax.Command) bool {
	call, ok := cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 {
		return false
	}
	name, args := call.Args[0].Lit(), call.Args[1:]
	switch name {
	case "sort":
		return lettersOnly(args, "unrVfd")
	case "uniq":
		return lettersOnly(args, "ui")
	case "head", "tail":
		if len(args) == 2 && args[0].Lit() == "-n" {
			args = args[1:]
		}
		return len(args) == 0 || len(args) == 1 && isNumber(strings.TrimLeft(strings.TrimPrefix(args[0].Lit(), "-n"), "+-"))
	case "grep", "egrep", "fgrep":
		for i, arg := range args {
			if text := arg.Lit(); len(text) > 1 && text[0] == '-' {
				if strings.Trim(text[1:], "vEFiwxP") != "" {
					return false
				}
				continue
			}
			return i == len(args)-1 // the pattern, and no file
		}
	}
	return false
}

// lettersOnly: nothing but clusters of these options.
func lettersOnly(args []*syntax.Word, letters string) bool {
	for _, arg := range args {
		if text := arg.Lit(); len(text) < 2 || text[0] != '-' || strings.Trim(text[1:], letters) != "" {
			return false
		}
	}
	return true
}

// listsNames says below which directories the names lie that a command prints, if that is
// all it prints.
func listsNames(words []Word) (roots []string, ok bool) {
	args := words[1:]
	switch words[0].Text {
	case "find", "gfind":
		return listedByFind(args)
	case "ls":
		return listedBy(args, "1rStcuUXRp", "", true)
	case "fd", "fdfind":
		return listedByFd(args)
	case "grep", "egrep", "fgrep":
		if !slices.ContainsFunc(args, func(word Word) bool {
			return word.Text == "--files-with-matches" || word.Text == "-l" || isCluster(word.Text) && strings.ContainsAny(word.Text, "lL")
		}) {
			return nil, false
		}
		return listedBehindPattern(args, "rRlLinwEFsIHP", "--include --exclude --exclude-dir --files-with-matches --files-without-match --recursive --ignore-case")
	case "rg":
		return listedByRg(args)
	case "git":
		return listedByGit(args)
	}
	return nil, false
}

func isCluster(text string) bool { return len(text) > 1 && text[0] == '-' && text[1] != '-' }

// tame: a path that stays below the directory it is seen from, and in one piece.
func tame(text string) bool {
	return text != "" && text[0] != '/' && text[0] != '~' && !strings.Contains(text, "..") && !strings.ContainsAny(text, " \t\n")
}

func listedByFind(args []Word) (roots []string, ok bool) {
	i := 0
	for i < len(args) && (args[i].Text == "-H" || args[i].Text == "-P" || args[i].Text == "-L") {
		i++
	}
	for ; i < len(args) && !startsExpression(args[i].Text); i++ {
		if !tame(args[i].Text) {
			return nil, false
		}
		roots = append(roots, args[i].Text)
	}
	for ; i < len(args); i++ {
		switch args[i].Text {
		case "-printf", "-fprintf", "-ls", "-fls", "-files0-from", "-exec", "-execdir", "-ok", "-okdir":
			return nil, false
		}
	}
	return orHere(roots), true
}

func orHere(roots []string) []string {
	if len(roots) == 0 {
		return []string{"."}
	}
	return roots
}

// listedBy reads clusters of harmless letters, long options and operands. What a program
// prints of a directory may lack its name, and is then seen from here.
func listedBy(args []Word, letters, long string, here bool) (roots []string, ok bool) {
	for _, arg := range args {
		text := arg.Text
		switch {
		case strings.HasPrefix(text, "--"):
			name, _, _ := strings.Cut(text, "=")
			if !listed(long, name) {
				return nil, false
			}
		case isCluster(text):
			if strings.Trim(text[1:], letters) != "" {
				return nil, false
			}
		case !tame(text):
			return nil, false
		default:
			roots = append(roots, text)
		}
	}
	if here {
		roots = nil
	}
	return orHere(roots), true
}

// listedBehindPattern is listedBy for a program whose first operand is a pattern.
func listedBehindPattern(args []Word, letters, long string) (roots []string, ok bool) {
	for i, arg := range args {
		if text := arg.Text; len(text) < 2 || text[0] != '-' {
			return listedBy(slices.Delete(slices.Clone(args), i, i+1), letters, long, false)
		}
	}
	return nil, false
}

func listedByRg(args []Word) (roots []string, ok bool) {
	const letters, long = "lignwFusS", "--files --files-with-matches --files-without-match --hidden --no-ignore --glob --iglob --type --sort --ignore-case"
	rest := make([]Word, 0, len(args))
	files, names := false, false
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		files = files || text == "--files"
		names = names || strings.HasPrefix(text, "--files-with") || isCluster(text) && strings.IndexByte(text, 'l') > 0
		if text == "-g" || text == "-t" || text == "--glob" || text == "--type" {
			i++
			continue
		}
		rest = append(rest, args[i])
	}
	switch {
	case files:
		return listedBy(rest, letters, long, false)
	case names:
		return listedBehindPattern(rest, letters, long)
	}
	return nil, false
}

func listedByFd(args []Word) (roots []string, ok bool) {
	rest := make([]Word, 0, len(args))
	for i := 0; i < len(args); i++ {
		switch args[i].Text {
		case "-e", "-t", "-E", "-d", "--extension", "--type", "--exclude", "--max-depth":
			i++
			continue
		}
		rest = append(rest, args[i])
	}
	if !slices.ContainsFunc(rest, func(word Word) bool { return !isOption(word.Text) }) {
		return listedBy(rest, "HIisgFpu0", "--hidden --no-ignore --glob --full-path --print0 --extension --type --exclude --max-depth", false)
	}
	return listedBehindPattern(rest, "HIisgFpu0", "--hidden --no-ignore --glob --full-path --print0 --extension --type --exclude --max-depth")
}

// listedByGit: names from the index, or of what has changed. They are seen from the top
// of the repository or from here, and lead nowhere else.
func listedByGit(args []Word) (roots []string, ok bool) {
	if len(args) == 0 {
		return nil, false
	}
	switch args[0].Text {
	case "ls-files":
		for _, arg := range args[1:] {
			if strings.HasPrefix(arg.Text, ":") {
				return nil, false
			}
		}
		return listedBy(withoutSeparator(args[1:]), "zcmod", "--cached --modified --others --deleted --exclude-standard --recurse-submodules", true)
	case "diff":
		only := false
		for _, arg := range args[1:] {
			switch text := arg.Text; {
			case text == "--name-only":
				only = true
			case text == "--cached" || text == "--staged" || text == "-z" || text == "--" || text == "--relative" || strings.HasPrefix(text, "--diff-filter="):
			case isOption(text) || text == "" || text[0] == '/' || text[0] == '~' || strings.HasPrefix(text, "..") || strings.Contains(text, "/.."):
				return nil, false
			}
		}
		return []string{"."}, only
	}
	return nil, false
}

func withoutSeparator(args []Word) []Word {
	return slices.DeleteFunc(slices.Clone(args), func(word Word) bool { return word.Text == "--" })
}
