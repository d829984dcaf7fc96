package shell

import "slices"

// moves judges mv: a home or a system directory that goes elsewhere is gone from
// its place.
func moves(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	last, target := -1, ""
	a := c.arguments(&copyGrammar)
	for a.next() {
		if a.operand {
			last = a.valueAt
		}
		if a.is('t', "target-directory") {
			target = a.value
		}
	}
	if target != "" {
		last = -1
	} else if last > 0 {
		target = pathOf(c.Words[last], c.Link == Guess)
	}
	var worst *Finding
	a = c.arguments(&copyGrammar)
	for a.next() {
		if !a.operand || a.valueAt == last {
			continue
		}
		path := pathOf(c.Words[a.valueAt], c.Link == Guess)
		if s.onlyNamed(i, path) && outside(c, target) && s.namesEverything(i, c.Words[a.valueAt].Span) {
			return onFloor(s.at(kindRemove, i, a.valueAt, "moves away everything that is listed, unfiltered"))
		}
		for _, dir := range dirsOf(c) {
			worst = worse(worst, s.moved(i, a.valueAt, locate(path, dir)))
		}
	}
	if worst == nil && last > 1 && c.Words[last].Text == "/dev/null" {
		return s.at(kindRemove, i, last, "moves files to where they are lost")
	}
	return worst
}

// outside reports whether a path leads out of the project, as far as it is known.
func outside(c *Command, path string) bool {
	return !slices.ContainsFunc(dirsOf(c), func(dir string) bool {
		switch locate(path, dir).place {
		case nowhere, inProject, here:
			return true
		default:
			return false
		}
	})
}

func (s *inspection) moved(i, at int, loc location) *Finding {
	switch loc.place {
	case root, home, systemTop:
		return onFloor(s.at(kindRemove, i, at, "moves away "+loc.place.String()))
	case here, parent:
		if loc.contents { // mv ../x/* . is ordinary work
			return nil
		}
		return onFloor(s.at(kindRemove, i, at, "moves away "+loc.place.String()))
	case systemPath:
		return s.at(kindRemove, i, at, "moves away "+loc.place.String())
	default: // what lies elsewhere may be moved
		return nil
	}
}

// packs judges archivers that delete what they have packed, and copies that delete
// their source.
func packs(s *inspection, i int) *Finding {
	r := removal{s: s, i: i, whole: true}
	for _, a := range s.accessesOf(i) {
		if a.Mode != Deletes {
			continue
		}
		for _, dir := range dirsOf(&s.Commands[i]) {
			r.try(a.Path, dir, wordAt(&s.Commands[i], a.Span))
		}
	}
	return r.worst
}

// wordAt is the index of the word at a place of the source.
func wordAt(c *Command, span Span) int {
	for at := range c.Words {
		if c.Words[at].Span == span {
			return at
		}
	}
	return 0
}

// mirrors judges rsync: with --delete what is not in the source goes.
func mirrors(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	g := &about("rsync").spec.grammar
	deletes, last := false, 0
	a := c.arguments(g)
	for a.next() {
		switch {
		case a.operand:
			last = a.valueAt
		case a.is('n', "dry-run"):
			return nil
		case a.long && (a.name == "del" || hasFold(a.name, "delete")):
			deletes = true
		}
	}
	if !deletes || last == 0 {
		return nil
	}
	path := pathOf(c.Words[last], c.Link == Guess)
	if onOtherHost(path) {
		return s.at(kindRemove, i, last, "deletes on another machine what the source does not have")
	}
	for _, dir := range dirsOf(c) {
		switch loc := locate(path, dir); {
		case loc.place.ruinous():
			return onFloor(s.at(kindRemove, i, last, "deletes in "+loc.place.String()+" what the source does not have"))
		case loc.place >= belowHome:
			return s.at(kindRemove, i, last, "deletes in "+loc.place.String()+" what the source does not have")
		}
	}
	return nil
}
