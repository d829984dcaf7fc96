package shell

// MadeLink is a second name that a command gives to a file.
type MadeLink struct {
	// Name and Target are paths as in Access. The command does not say whether the
	// name it was given is a directory that the link goes into: then there are two.
	Name, Target string
	Command      int
	Kind         MadeKind
}

// MadeKind says what the target of a link is relative to.
type MadeKind uint8

// The kinds of link.
const (
	// SymbolicLink: a relative target is relative to the directory of the name.
	SymbolicLink MadeKind = iota + 1
	// HardLink: it is relative to where the command runs, as for hard links.
	HardLink
	// CopiedLink: as HardLink, but there is only a link if the target is one.
	CopiedLink
)

// MadeLinks lists the links that the script makes, in the order of its commands.
func (s *Script) MadeLinks() []MadeLink {
	var out []MadeLink
	for i := range s.Commands {
		c := &s.Commands[i]
		for _, kind := range c.madeKinds() {
			if kind != 0 {
				out = c.madeLinks(out, i, kind)
			}
		}
	}
	return out
}

// madeKinds are the kinds of link that the command may make. When it is not known
// whether an option says "symbolic", both are possible.
func (c *Command) madeKinds() (kinds [2]MadeKind) {
	if len(c.Words) < 2 {
		return kinds
	}
	switch c.Program() {
	case "ln", "gln":
		symbolic := c.has(&copyGrammar, 's', "symbolic")
		relative := c.has(&copyGrammar, 'r', "relative")
		if symbolic && !relative || c.anyUnknownOption() {
			kinds[0] = SymbolicLink
		}
		if !symbolic || relative {
			kinds[1] = HardLink
		}
	case "link":
		kinds[0] = HardLink
	case "cp", "gcp":
		switch {
		case c.has(&copyGrammar, 's', "symbolic-link"):
			kinds = [2]MadeKind{SymbolicLink, HardLink}
		case c.has(&copyGrammar, 'l', "link"), c.anyUnknownOption():
			kinds[0] = HardLink
		case c.keepsLinks():
			kinds[0] = CopiedLink
		}
	case "mv", "gmv":
		kinds[0] = CopiedLink
	case "rsync":
		if g := &about("rsync").spec.grammar; c.has(g, 'a', "archive") || c.has(g, 'l', "links") {
			kinds[0] = CopiedLink
		}
	case "mount":
		if c.has(&mountGrammar, 'B', "bind") || c.has(&mountGrammar, 'R', "rbind") || c.hasWord("bind") || c.hasWord("rbind") {
			kinds[0] = HardLink
		}
	}
	return kinds
}

var mountGrammar = grammar{values: "o t options types"}

// keepsLinks: cp copies a link as a link.
func (c *Command) keepsLinks() bool {
	a := c.arguments(&copyGrammar)
	for a.next() {
		if a.is('a', "archive") || a.is('d', "") || a.is('P', "no-dereference") || a.is('r', "recursive") || a.is('R', "") || a.is(0, "preserve") {
			return true
		}
	}
	return false
}

// anyUnknownOption: a word that is not known at all may be an option.
func (c *Command) anyUnknownOption() bool {
	for at := 1; at < len(c.Words)-2; at++ {
		if text := c.Words[at].Text; text != "" && text[0] == Unknown {
			return true
		}
	}
	return false
}

// madeLinks adds the links of one kind that command i makes.
func (c *Command) madeLinks(out []MadeLink, i int, kind MadeKind) []MadeLink {
	var few [8]int
	operands := few[:0]
	directory := ""
	a := c.arguments(&copyGrammar)
	for a.next() {
		switch {
		case a.operand:
			operands = append(operands, a.valueAt)
		case a.is('t', "target-directory") && a.valueAt > 0:
			directory = a.value
		}
	}
	if len(operands) == 0 {
		return out
	}
	at := func(n int) string { return pathOf(c.Words[operands[n]], c.Link == Guess) }
	sources, name := len(operands), ""
	switch {
	case directory != "":
	case sources == 1:
		directory = "." // ln -s /x/y makes ./y
	default:
		sources--
		directory = at(sources)
		if sources == 1 || c.anyUnknownOption() {
			name = directory
		}
	}
	for n := range sources {
		target := at(n)
		if name != "" {
			out = append(out, MadeLink{Name: name, Target: target, Command: i, Kind: kind})
		}
		base := baseName(target)
		if base != "" && base[0] == '~' {
			base = unknownMark // the name of a home is not known here
		}
		if base != "" && base != "." && base != ".." {
			out = append(out, MadeLink{Name: behind(directory, base), Target: target, Command: i, Kind: kind})
		}
	}
	return out
}
