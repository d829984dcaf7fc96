package rule

import "strings"

// Anchors say what the four kinds of path pattern are relative to: "/x" is under
// Root, "./x" and "x" under Cwd, "~/x" under Home, and "//x" under the root of
// the file system. All are absolute and clean.
type Anchors struct{ Root, Cwd, Home string }

type anchor uint8

const (
	atCwd anchor = iota
	atRoot
	atHome
	atTop // the root of the file system
)

// dir is the directory of an anchor, without a final slash: "" is the root of
// the file system. It is not known when the anchor is not absolute.
func (a Anchors) dir(at anchor) (dir string, known bool) {
	switch at {
	case atCwd:
		dir = a.Cwd
	case atRoot:
		dir = a.Root
	case atHome:
		dir = a.Home
	case atTop:
		dir = "/"
	}
	return strings.TrimSuffix(dir, "/"), strings.HasPrefix(dir, "/")
}

// partKind tells how one component of a pattern matches.
type partKind uint8

const (
	literalPart  partKind = iota
	anyPart               // `*`: any one component
	suffixPart            // `*.go`: the text is ".go"
	wildcardPart          // `a*`, `?`, `[ab]`
	spanPart              // `**`: any number of components, also none
)

type part struct {
	text string // without backslashes when literal
	kind partKind
}

// pathPattern is the content of a path rule. Like in a .gitignore file, what it
// matches covers everything below.
type pathPattern struct {
	at    anchor
	parts []part // never ends in a spanPart: what a last `**` matches is below any component
	// anyDepth: the parts may start at any depth below the anchor.
	anyDepth bool
	// dirOnly: there was a final slash, so it matches no plain file.
	dirOnly bool
	// open: it ends in a wildcard within a component, after a directory or with
	// more than a lone star. In an allow rule that names files, not trees.
	open bool
}

func parsePath(content string) (pathPattern, *fault) {
	if strings.HasPrefix(content, "!") {
		return pathPattern{}, &fault{
			"a path pattern cannot be negated",
			`write an allow rule for what may be used, or \! for a name that starts with "!"`,
		}
	}
	at, rest, anchored := cutAnchor(content)
	p := pathPattern{at: at, dirOnly: strings.HasSuffix(rest, "/")}
	p.anyDepth = !anchored && !strings.Contains(strings.TrimRight(rest, "/"), "/")
	p.parts = make([]part, 0, 1+strings.Count(rest, "/"))
	for name := range strings.SplitSeq(rest, "/") {
		component, f := parsePart(name)
		if f != nil {
			return pathPattern{}, f
		}
		p.add(component)
	}
	p.open = p.endsInWildcard()
	p.settle()
	return p, nil
}

// maxPattern is how long a path may be for the kernel.
const maxPattern = 4096

// checkPath finds the fault of a pattern without making it. Only these characters
// can be at fault.
func checkPath(content string) *fault {
	if len(content) > maxPattern {
		return &fault{"a path pattern is longer than any path", "name the directory, or a part of the path with **"}
	}
	if strings.IndexByte(content, '\\') < 0 && strings.IndexByte(content, '[') < 0 && content[0] != '!' &&
		(strings.IndexByte(content, '.') < 0 || !strings.Contains(content, "..")) {
		return nil
	}
	_, f := parsePath(content)
	return f
}

func (p *pathPattern) endsInWildcard() bool {
	n := len(p.parts)
	if n == 0 || p.dirOnly || n == 1 && p.anyDepth && p.parts[0].kind == anyPart {
		return false
	}
	switch p.parts[n-1].kind {
	case anyPart, suffixPart, wildcardPart:
		return true
	case literalPart, spanPart:
		return false
	}
	return false
}

// cutAnchor removes what says where the pattern starts. Every prefix holds a
// slash, so patterns that have one are never at any depth.
func cutAnchor(content string) (at anchor, rest string, anchored bool) {
	switch {
	case strings.HasPrefix(content, "//"):
		return atTop, content[2:], true
	case strings.HasPrefix(content, "/"):
		return atRoot, content[1:], true
	case content == "~" || strings.HasPrefix(content, "~/"):
		return atHome, strings.TrimPrefix(content[1:], "/"), true
	case content == "." || strings.HasPrefix(content, "./"):
		return atCwd, strings.TrimPrefix(content[1:], "/"), true
	}
	return atCwd, content, false
}

func parsePart(name string) (part, *fault) {
	if name == "*" {
		return part{text: name, kind: anyPart}, nil
	}
	if name != "" && strings.Trim(name, "*") == "" {
		return part{text: name, kind: spanPart}, nil
	}
	text, wild, f := unescapePart(name)
	switch {
	case f != nil:
		return part{}, f
	case wild && name[0] == '*' && !strings.ContainsAny(name[1:], `*?[\`):
		return part{text: name[1:], kind: suffixPart}, nil
	case wild:
		return part{text: name, kind: wildcardPart}, nil
	case text == "..":
		return part{}, &fault{`a path pattern cannot climb with ".."`, "write the directory as //absolute/path or ~/path"}
	}
	return part{text: text}, nil
}

// unescapePart is the literal text of a component, unless it has wildcards. git
// would take a lone backslash or an open bracket as "matches nothing", which
// is not what anybody means by a rule.
func unescapePart(name string) (text string, wild bool, f *fault) {
	if !strings.ContainsAny(name, `*?[\`) {
		return name, false, nil
	}
	var b strings.Builder
	b.Grow(len(name))
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '*', '?':
			wild = true
		case '[':
			next, _, valid := readsClass(name, i, 0)
			if !valid {
				return "", false, &fault{`a "[" has no matching "]"`, `write \[ for a literal bracket`}
			}
			i, wild = next-1, true
		case '\\':
			i++
			if i == len(name) {
				return "", false, &fault{"a backslash has nothing to escape", `write \\ for a literal backslash`}
			}
			b.WriteByte(name[i])
		default:
			b.WriteByte(name[i])
		}
	}
	return b.String(), wild, nil
}

func (p *pathPattern) add(c part) {
	switch {
	case c.kind == literalPart && (c.text == "" || c.text == "."):
		return
	case c.kind == spanPart && len(p.parts) > 0 && p.parts[len(p.parts)-1].kind == spanPart:
		return
	}
	p.parts = append(p.parts, c)
}

// settle brings stars that span into their one form: in front they are anyDepth,
// at the end they are any component and what is below it.
func (p *pathPattern) settle() {
	if n := len(p.parts); n > 0 && p.parts[n-1].kind == spanPart {
		p.parts[n-1] = part{text: "*", kind: anyPart}
	}
	if len(p.parts) > 0 && p.parts[0].kind == spanPart {
		p.parts, p.anyDepth = p.parts[1:], true
	}
	if len(p.parts) == 0 {
		p.anyDepth = false
	}
	if len(p.parts) == 1 && p.parts[0].kind == anyPart {
		p.anyDepth = false // the first component covers the deeper ones
		if p.at == atTop && !p.dirOnly && !p.open {
			p.parts = nil // `//**` is everything, "/" included
		}
	}
}

// entry places the pattern on the file system. A rule whose anchor is not known
// holds at any depth of the whole file system, which only a restricting one may.
func (p *pathPattern) entry(a Anchors) (e pathEntry, known bool) {
	dir, known := a.dir(p.at)
	if !known {
		dir, p.anyDepth = "", len(p.parts) > 0
	}
	e = pathEntry{base: dir, parts: p.parts, anyDepth: p.anyDepth, dirOnly: p.dirOnly}
	if !p.anyDepth {
		e.extendBase()
	}
	return e, known
}

// extendBase moves the literal components that the pattern starts with into the
// base.
func (e *pathEntry) extendBase() {
	n := 0
	for n < len(e.parts) && e.parts[n].kind == literalPart {
		n++
	}
	if n == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(e.base)
	for _, p := range e.parts[:n] {
		b.WriteByte('/')
		b.WriteString(p.text)
	}
	e.base, e.parts = b.String(), e.parts[n:]
}
