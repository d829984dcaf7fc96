package shell

import "strings"

// gits judges git by its subcommand: what throws away work that was not committed,
// history that was, or what others have on the remote.
func gits(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	sub, _ := gitVerbAt(c.Words)
	if f := inlineConfig(s, i, sub); f != nil {
		return f
	}
	if sub == 0 || c.asksForHelp() {
		return nil
	}
	inner := Command{Words: c.Words[sub:]}
	if text := gitDestroys(&inner, c.Words[1:sub]); text != "" {
		return s.at(kindGit, i, sub, text)
	}
	return nil
}

// gitDestroys says what the subcommand, which is the first word, destroys.
func gitDestroys(c *Command, globals []Word) string {
	switch c.Words[0].Text {
	case "reset":
		if c.has(&plainGrammar, 0, "hard") || c.has(&plainGrammar, 0, "merge") {
			return "discards uncommitted changes"
		}
	case "clean":
		return cleansTree(c, globals)
	case "push", "send-pack":
		return pushesOver(c)
	case "branch":
		return dropsBranch(c)
	case "checkout":
		return checksOut(c)
	case "restore":
		return restoresFiles(c)
	case "switch":
		if c.has(&switchGrammar, 'f', "force") || c.has(&switchGrammar, 0, "discard-changes") {
			return "discards uncommitted changes"
		}
	case "stash":
		if verb := c.verb(1); verb == "drop" || verb == "clear" {
			return "deletes stashed changes"
		}
	case "rm":
		return removesTracked(c)
	case "read-tree":
		if c.has(&plainGrammar, 0, "reset") && c.has(&plainGrammar, 'u', "") {
			return "discards uncommitted changes"
		}
	case "checkout-index":
		if c.has(&plainGrammar, 'f', "force") {
			return "overwrites files of the working tree"
		}
	case "worktree":
		if c.verb(1) == "remove" && c.has(&plainGrammar, 'f', "force") {
			return "deletes a working tree with its changes"
		}
	case "submodule":
		if c.verb(1) == "deinit" && (c.has(&plainGrammar, 'f', "force") || c.has(&plainGrammar, 0, "all")) {
			return "deletes submodules with their changes"
		}
	case "config":
		return setsConfig(c)
	case "clone", "fetch", "pull", "ls-remote":
		return runsTransport(c)
	default:
		return rewritesHistory(c)
	}
	return ""
}

// cleansAway judges git clean in a directory where nobody wants it: the root, a home, a
// parent of where the script starts.
func cleansAway(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if len(c.Words) < 3 || c.Dirs == nil && !isOption(c.Words[1].Text) {
		return nil // here
	}
	sub, dir := gitVerbAt(c.Words)
	if sub == 0 || c.Words[sub].Text != "clean" {
		return nil
	}
	for at := 1; at < sub; at++ {
		if tree, ok := strings.CutPrefix(c.Words[at].Text, "--work-tree="); ok {
			dir = tree
		} else if c.Words[at].Text == "--work-tree" {
			dir = c.Words[at+1].Text
		}
	}
	inner := Command{Words: c.Words[sub:]}
	if cleansTree(&inner, c.Words[1:sub]) == "" {
		return nil
	}
	for _, from := range dirsOf(c) {
		switch loc := locate(behind(from, dir), ""); loc.place {
		case root, home, systemTop, parent:
			return onFloor(s.at(kindGit, i, sub, "deletes untracked files in "+loc.place.String()))
		default: // ordinary, and judged with git
		}
	}
	return nil
}

// rewritesHistory: subcommands that rewrite or drop commits.
func rewritesHistory(c *Command) string {
	switch c.Words[0].Text {
	case "filter-branch", "filter-repo":
		if !c.has(&plainGrammar, 0, "dry-run") {
			return "rewrites history"
		}
	case "reflog":
		if verb := c.verb(1); (verb == "expire" || verb == "delete") && !c.has(&plainGrammar, 'n', "dry-run") {
			return "deletes the record of earlier commits"
		}
	case "gc":
		a := c.arguments(&plainGrammar)
		for a.next() {
			if a.is(0, "prune") && a.valueAt > 0 && a.value != "never" {
				return "deletes unreachable commits"
			}
		}
	case "prune":
		if !c.has(&plainGrammar, 'n', "dry-run") {
			return "deletes unreachable commits"
		}
	case "update-ref":
		if c.has(&plainGrammar, 'd', "") || c.has(&plainGrammar, 0, "stdin") {
			return "deletes a reference"
		}
	case "symbolic-ref":
		if c.has(&plainGrammar, 'd', "delete") {
			return "deletes a reference"
		}
	case "lfs":
		if c.verb(1) == "prune" && c.has(&plainGrammar, 'f', "force") {
			return "deletes stored files"
		}
	}
	return ""
}

// verb is the n-th word that is no option, from 0 for the first word.
func (c *Command) verb(n int) string {
	for _, word := range c.Words {
		if strings.HasPrefix(word.Text, "-") {
			continue
		}
		if n == 0 {
			return word.Text
		}
		n--
	}
	return ""
}

func cleansTree(c *Command, globals []Word) string {
	force := false
	a := c.arguments(&cleanGrammar)
	for a.next() {
		switch {
		case a.is('n', "dry-run"):
			return ""
		case a.is('f', "force"):
			force = true
		}
	}
	for _, word := range globals {
		force = force || hasFold(word.Text, "clean.requireforce=")
	}
	if force {
		return "deletes untracked files"
	}
	return ""
}

var (
	cleanGrammar    = grammar{values: "e exclude"}
	switchGrammar   = grammar{values: "c C create force-create orphan conflict"}
	checkoutGrammar = grammar{values: "b B orphan conflict"}
	pushGrammar     = grammar{values: "o repo receive-pack exec push-option"}
	branchGrammar   = grammar{values: "u set-upstream-to contains no-contains merged no-merged points-at sort format"}
)

func dropsBranch(c *Command) string {
	var remove, force, changes bool
	a := c.arguments(&branchGrammar)
	for a.next() {
		switch {
		case a.is('D', ""):
			remove, force = true, true
		case a.is('d', "delete"):
			remove = true
		case a.is('f', "force"):
			force = true
		case a.is('m', "move"), a.is('c', "copy"):
			changes = true
		}
	}
	switch {
	case force && remove:
		return "deletes a branch that may not be merged"
	case force && !changes:
		return "moves a branch away from its commits"
	}
	return ""
}

// checksOut: with paths, or by force, it overwrites what was not committed.
func checksOut(c *Command) string {
	operands, creates := 0, false
	last := ""
	a := c.arguments(&checkoutGrammar)
	for a.next() {
		switch {
		case a.operand && a.ended:
			return "discards changes of files"
		case a.operand:
			operands++
			last = a.value
		case a.is('f', "force"):
			return "discards uncommitted changes"
		case a.is(0, "pathspec-from-file"), a.is(0, "ours"), a.is(0, "theirs"):
			return "discards changes of files"
		case a.is('b', ""), a.is('B', ""), a.is(0, "orphan"), a.is('t', "track"):
			creates = true
		}
	}
	if !creates && (operands > 1 || operands == 1 && pathspec(last)) {
		return "discards changes of files"
	}
	return ""
}

// pathspec: an operand that can only be a path, or is one by its looks. The names
// of branches and tags have dots too, but not what follows in the names of files.
func pathspec(text string) bool {
	switch {
	case text == "." || text == ".." || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../"):
		return true
	case strings.HasPrefix(text, ":") || strings.HasPrefix(text, "*") || strings.HasSuffix(text, "/"):
		return true
	case strings.IndexByte(text, Glob) >= 0:
		return true
	}
	dot := strings.LastIndexByte(text, '.')
	return dot >= 0 && fileExtensions.has(text[dot+1:])
}

var fileExtensions = wordSet{list: "go mod sum js mjs cjs ts tsx jsx vue svelte py rb rs c h cc cpp hpp java kt swift php html css scss md txt json yaml yml toml " +
	"xml sh sql lock ini cfg conf env csv svg png lua ex exs pl cs fs scala clj hs ml m proto tf gradle properties ipynb rst tex log"}

// restoresFiles changes the working tree unless only the index is meant.
func restoresFiles(c *Command) string {
	var staged, tree bool
	a := c.arguments(&restoreGrammar)
	for a.next() {
		switch {
		case a.is('S', "staged"):
			staged = true
		case a.is('W', "worktree"):
			tree = true
		}
	}
	if staged && !tree || len(c.Words) < 2 {
		return ""
	}
	return "discards changes of files"
}

var restoreGrammar = grammar{values: "s source conflict"}

func removesTracked(c *Command) string {
	var force, everything bool
	a := c.arguments(&plainGrammar)
	for a.next() {
		switch {
		case a.is(0, "cached"), a.is('n', "dry-run"):
			return ""
		case a.is('f', "force"):
			force = true
		case a.operand:
			everything = everything || locate(a.value, "").place.ruinous()
		}
	}
	if force || everything {
		return "deletes files with their changes"
	}
	return ""
}
