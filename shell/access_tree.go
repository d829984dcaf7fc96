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
	case "rm", "cp", "scp", "zip", "diff":
		return c.reachIf('r', "recursive", 'R')
	case "chmod", "chown", "chgrp", "setfacl":
		return c.reachIf('R', "recursive", 'R')
	case "grep", "egrep", "fgrep", "zgrep", "ggrep":
		return c.reachIf('r', "recursive", 'R')
	case "rgrep", "mv", "tar", "bsdtar", "gtar", "rsync", "7z", "7za", "7zr", "unzip", "shred":
		return WholeTree
	case "rg", "ag", "ack":
		for a := c.arguments(&plainGrammar); a.next(); {
			if a.is('u', "unrestricted") || a.is('.', "hidden") || a.is('a', "all-types") {
				return WholeTree
			}
		}
		return VisibleTree
	}
	return OnlyPath
}

func (c *Command) reachIf(short byte, long string, other byte) Reach {
	for a := c.arguments(&plainGrammar); a.next(); {
		if a.is(short, long) || a.is(other, "dereference-recursive") || a.is('a', "archive") {
			return WholeTree
		}
	}
	return OnlyPath
}

// searchesHere adds the directory that a recursive search without operands reads.
func (l *accessList) searchesHere(before int) {
	if len(l.all) > before || l.reach == OnlyPath {
		return
	}
	switch l.c.Program() {
	case "rg", "ag", "ack", "grep", "egrep", "fgrep", "rgrep", "ggrep":
		if l.c.Stdin.Kind == StdinInherited || strings.HasSuffix(l.c.Program(), "grep") {
			l.put(Access{Path: ".", Mode: Reads, Span: l.c.Span})
		}
	}
}
