package shell

import "strings"

var modeOptions = grammar{values: "from", reads: "reference"}

// permits judges chmod, chown and chgrp: whole trees of the system, set-uid
// programs, system files that everybody may write or nobody may read.
func permits(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() {
		return nil
	}
	mode, tree := "", false
	a := c.arguments(&modeOptions)
	for a.next() {
		switch {
		case a.is('R', "recursive"):
			tree = true
		case !a.operand && !a.long && mode == "" && strings.IndexByte("rwxXst", a.name[0]) >= 0:
			mode = "-"
		case a.operand && mode == "":
			mode = a.value
		}
	}
	if c.Program() != "chmod" && c.Program() != "gchmod" {
		mode = ""
	}
	var worst *Finding
	skipped := mode == "-"
	a = c.arguments(&modeOptions)
	for a.next() {
		if !a.operand {
			continue
		}
		if !skipped {
			skipped = true
			continue
		}
		worst = worse(worst, s.permitted(i, a.valueAt, mode, tree))
	}
	return worst
}

func (s *inspection) permitted(i, at int, mode string, tree bool) *Finding {
	c := &s.Commands[i]
	path := pathOf(c.Words[at], c.Link == Guess)
	for _, dir := range dirsOf(c) {
		loc := locate(path, dir)
		wide := loc.place == root || loc.place == home || loc.place == systemTop || loc.place == parent
		switch {
		case tree && (wide || loc.place == systemPath):
			return s.at(kindSystem, i, at, "changes the permissions of "+loc.place.String())
		case setsUser(mode):
			return s.at(kindSystem, i, at, "lets everybody run a program as its owner")
		case (wide || loc.place == systemPath) && opensOrShuts(mode):
			return s.at(kindSystem, i, at, "changes the permissions of "+loc.place.String())
		}
	}
	return nil
}

// setsUser: u+s, +s, 4755.
func setsUser(mode string) bool {
	if octal(mode) {
		return len(mode) > 3 && (mode[len(mode)-4]-'0')&4 != 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		who, what, ok := strings.Cut(strings.Replace(clause, "=", "+", 1), "+")
		if ok && strings.Contains(what, "s") && (who == "" || strings.ContainsAny(who, "ua")) {
			return true
		}
	}
	return false
}

// opensOrShuts: everybody may write, or nobody may do anything.
func opensOrShuts(mode string) bool {
	if octal(mode) {
		return (mode[len(mode)-1]-'0')&2 != 0 || strings.Trim(mode, "0") == ""
	}
	for clause := range strings.SplitSeq(mode, ",") {
		who, what, ok := strings.Cut(strings.Replace(clause, "=", "+", 1), "+")
		if ok && strings.Contains(what, "w") && (who == "" || strings.ContainsAny(who, "oa")) {
			return true
		}
	}
	return strings.HasPrefix(mode, "a-") || strings.HasPrefix(mode, "-")
}

func octal(mode string) bool {
	return mode != "" && strings.Trim(mode, "01234567") == ""
}
