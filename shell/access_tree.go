package shell

import "strings"

// Reach says how far below a path a command goes.
type Reach uint8

// The reaches.
const (
	OnlyPath Reach = iota
	// MaybeInside: the path may be a directory into which something is put (cp).
	MaybeInside
	// VisibleTree: everything below it, except what starts with a dot (rg).
	VisibleTree
	// WholeTree: everything below it.
	WholeTree
)

// reach of the current command: does it work on whole trees?
func (c *Command) reach() Reach {
	switch name := c.Program(); name {
	case "find", "gfind", "sort", "uniq", "head", "tail", "xargs", "cat", "ls", "git": // the most frequent ones, which do not
	case "rm", "grm", "srm":
		if c.removesTrees() {
			return WholeTree
		}
	case "cp", "gcp", "scp", "zip", "diff":
		return c.reachIf('r', "recursive", 'R')
	case "chmod", "chown", "chgrp", "setfacl":
		return c.reachIf('R', "recursive", 'R')
	case "grep", "egrep", "fgrep", "zgrep", "ggrep":
		a := c.arguments(&plainGrammar)
		for a.next() {
			if a.is('d', "directories") || a.recurses('r', "recursive", 'R') { // -d recurse, in any abbreviation
				return WholeTree
			}
		}
		return OnlyPath
	case "rgrep", "mv", "tar", "bsdtar", "gtar", "star", "pax", "rsync", "7z", "7za", "7zr", "unzip", "shred":
		return WholeTree
	case "rg", "ag", "ack":
		a := c.arguments(&about(name).spec.grammar)
		for a.next() {
			if a.is('u', "unrestricted") || a.is('.', "hidden") || a.is('a', "all-types") {
				return WholeTree
			}
		}
		return VisibleTree
	default:
		if listed(treeRemovers, name) {
			return WholeTree
		}
	}
	return OnlyPath
}

func (c *Command) reachIf(short byte, long string, other byte) Reach {
	a := c.arguments(&plainGrammar)
	for a.next() {
		if a.recurses(short, long, other) {
			return WholeTree
		}
	}
	return OnlyPath
}

func (a *arguments) recurses(short byte, long string, other byte) bool {
	return a.is(short, long) || a.is(other, "dereference-recursive") || a.is('a', "archive")
}

// followsLinks: on its way through a tree the command follows the links that it
// finds there, so that it leaves the tree.
func (c *Command) followsLinks() bool {
	switch c.Program() {
	case "grep", "egrep", "fgrep", "zgrep", "ggrep", "rgrep":
		return c.has(&plainGrammar, 'R', "dereference-recursive")
	case "rg", "ag", "ack":
		return c.has(&about("rg").spec.grammar, 'L', "follow") || c.Program() == "ag" && c.has(&plainGrammar, 'f', "follow")
	case "find", "gfind":
		return c.hasWord("-L") || c.hasWord("-follow")
	case "cp", "gcp":
		return c.has(&copyGrammar, 'L', "dereference")
	case "chmod", "chown", "chgrp", "setfacl":
		return c.has(&plainGrammar, 'L', "dereference")
	case "rsync":
		return c.has(&about("rsync").spec.grammar, 'L', "copy-links") || c.has(&about("rsync").spec.grammar, 'k', "copy-dirlinks")
	case "tar", "gtar", "bsdtar":
		first := ""
		if len(c.Words) > 1 {
			first = c.Words[1].Text
		}
		return c.has(&about("tar").spec.grammar, 'h', "dereference") || !strings.HasPrefix(first, "-") && strings.IndexByte(first, 'h') >= 0
	case "zip":
		return !c.has(&about("zip").spec.grammar, 'y', "symlinks")
	case "scp", "diff":
		return !c.has(&plainGrammar, 0, "no-dereference")
	}
	return false
}

// walksLinks is followsLinks for programs that show names, or the files of two
// directories: no rule for reading is about those, but they show what lies elsewhere.
func (c *Command) walksLinks() bool {
	switch c.Program() {
	case "diff":
		return !c.has(&plainGrammar, 0, "no-dereference")
	case "find", "gfind":
		return c.followsLinks()
	case "ls", "dir", "vdir":
		return c.has(&plainGrammar, 'R', "recursive") && c.has(&plainGrammar, 'L', "dereference")
	case "du":
		return c.has(&plainGrammar, 'L', "dereference")
	case "tree":
		return c.has(&plainGrammar, 'l', "")
	case "fd", "fdfind":
		return c.has(&plainGrammar, 'L', "follow")
	case "getfacl":
		return c.has(&plainGrammar, 'L', "logical")
	case "eza", "exa":
		return c.has(&plainGrammar, 'X', "dereference") || c.has(&plainGrammar, 0, "follow-symlinks")
	}
	return false
}

// Picks are the patterns with which a search that passes over hidden files picks
// those it reads: hidden ones too, if a pattern fits them.
func (s *Script) Picks(i int) []string {
	c := &s.Commands[i]
	if c.Program() != "rg" {
		return nil
	}
	var out []string
	a := c.arguments(&about("rg").spec.grammar)
	for a.next() {
		switch {
		case a.operand:
		case a.is(0, "type-add"): // it says what a type is
			out = append(out, "*")
		case !a.is('g', "glob") && !a.is(0, "iglob"), strings.HasPrefix(a.value, "!"):
		case !(Word{Text: a.value}).Known():
			out = append(out, "*")
		default:
			out = append(out, a.value)
		}
		if len(out) > mostPicks {
			return []string{"*"}
		}
	}
	return out
}

// mostPicks bounds the patterns that are compared with every file.
const mostPicks = 64

// mayVanish: every file that the command names may turn out to be none.
func (l *accessList) mayVanish() bool {
	files := l.c.Words[1:]
	if l.c.knowledge().spec.operands == textFirst {
		for len(files) > 0 && isOption(files[0].Text) {
			files = files[1:]
		}
		files = files[min(1, len(files)):]
	}
	for _, word := range files {
		if !word.Split && !isOption(word.Text) {
			return false
		}
	}
	return true
}

// walksHere adds the directory in which a program without operands begins.
func (l *accessList) walksHere(before int) {
	if len(l.all) > before && l.c.Program() != "find" && !l.mayVanish() {
		return
	}
	if l.c.Program() == "find" && len(l.c.Words) > 1 {
		for _, word := range l.c.Words[1:] {
			if startsExpression(word.Text) {
				break
			}
			if !findOption(word.Text) {
				return
			}
		}
	}
	if l.c.Program() != "diff" {
		l.put(&Access{Path: ".", Mode: Reads, Span: l.c.Span})
	}
}

// onlyText reports whether the only files that were found are those that the text to
// search for may turn into, where it is a pattern.
func (l *accessList) onlyText(before int) bool {
	for _, access := range l.all[before:] {
		if l.textAt == 0 || access.Span != l.c.Words[l.textAt].Span {
			return false
		}
	}
	return true
}

// searchesHere adds the directory that a recursive search without operands reads.
func (l *accessList) searchesHere(before int) {
	if l.walks {
		l.walksHere(before)
		return
	}
	if len(l.all) > before && !(l.follows && l.mayVanish()) && !l.onlyText(before) || l.reach == OnlyPath {
		return
	}
	switch l.c.Program() {
	case "rg", "ag", "ack", "grep", "egrep", "fgrep", "rgrep", "ggrep":
		if l.c.Stdin.Kind == StdinInherited || strings.HasSuffix(l.c.Program(), "grep") {
			l.put(&Access{Path: ".", Mode: Reads, Span: l.c.Span})
		}
	}
}
