package shell

import (
	"slices"
	"strings"
)

// awkNames finds the files that an awk program names by itself.
type awkNames struct {
	c       *Command
	program string
	// vars are the constant values that variables may have.
	vars   map[string][]string
	values int // how many those are
	depth  int // of the brackets that are read
	// writes and reads are the names behind ">" and behind getline's "<". What is not
	// constant in them is Unknown.
	writes, reads []string
	// runsUnknown: it runs a command that is not constant.
	runsUnknown bool
}

// mostAwkValues bounds the values of one name.
const mostAwkValues = 16

// readAwkNames reads the program of command c.
func readAwkNames(c *Command, program string) *awkNames {
	n := &awkNames{c: c, program: program}
	n.given()
	for range 3 { // a value may be put together from other variables
		before := n.values
		n.scan(func(r *awkReader, start int) { n.assigned(start, r.at) })
		if n.values == before {
			break
		}
	}
	understood := n.scan(n.opened)
	if !understood {
		n.writes = append(n.writes, awkFiles(program, '>')...)
		n.reads = append(n.reads, awkFiles(program, '<')...)
	}
	if slices.ContainsFunc(n.writes, func(path string) bool { return firstMark(path) >= 0 }) {
		n.writes = append(n.writes, n.protectedConstants()...)
	}
	return n
}

// scan shows each token to a function. It reports whether the program is understood.
func (n *awkNames) scan(see func(r *awkReader, start int)) bool {
	r := awkReader{text: n.program}
	for r.at < len(r.text) {
		start, before := r.at, r
		why := r.token()
		if why == notUnderstoodAwk {
			return false
		}
		before.at = r.at
		see(&before, start)
	}
	return true
}

// given adds the variables of the command line: -v x=y, and x=y among the files.
func (n *awkNames) given() {
	program := true
	a := n.c.arguments(&about("awk").spec.grammar)
	for a.next() {
		switch {
		case a.is('v', "assign"):
		case a.is('e', "source"), a.is('f', "file"), a.is('E', "exec"):
			program = false
			continue
		case a.operand && program:
			program = false
			continue
		case !a.operand:
			continue
		}
		if name, value, ok := strings.Cut(a.value, "="); ok && isName(name) {
			n.add(name, []string{value})
		}
	}
}

// add adds values that a variable may have.
func (n *awkNames) add(name string, values []string) {
	if n.vars == nil {
		n.vars = make(map[string][]string)
	}
	for _, value := range values {
		if known := n.vars[name]; len(known) < mostAwkValues && !slices.Contains(known, value) {
			n.vars[name] = append(known, value)
			n.values++
		}
	}
}

// assigned notes the value if the token from start to end is a variable that gets one.
func (n *awkNames) assigned(start, end int) {
	name := n.program[start:end]
	if !isName(name) {
		return
	}
	rest := strings.TrimLeft(n.program[end:], " \t")
	if value, ok := strings.CutPrefix(rest, "="); ok && !strings.HasPrefix(value, "=") {
		values, _ := n.value(value)
		n.add(name, values)
	}
}

// opened notes the name behind a token that opens a file. r is the reader as it was before
// the token, except for its place.
func (n *awkNames) opened(r *awkReader, start int) {
	rest := n.program[start+1:]
	switch {
	case n.program[start] == '|' && !strings.HasPrefix(rest, "|") && (start == 0 || n.program[start-1] != '|'):
		n.runsUnknown = n.runsUnknown || !n.constantPipe(n.program[:start], strings.TrimLeft(strings.TrimPrefix(rest, "&"), " \t"))
	case strings.HasPrefix(n.program[start:], "system") && r.at-start == len("system"):
		values, _ := n.value(n.program[r.at:])
		n.runsUnknown = n.runsUnknown || slices.ContainsFunc(values, notConstant)
	case n.program[start] == '>' && r.printing && r.depth <= r.from && !strings.HasPrefix(rest, "="):
		values, _ := n.value(strings.TrimPrefix(rest, ">"))
		n.writes = addNames(n.writes, values)
	case n.program[start] == '<' && r.getline && !strings.HasPrefix(rest, "="):
		values, _ := n.value(rest)
		n.reads = addNames(n.reads, values)
	}
}

func notConstant(value string) bool { return firstMark(value) >= 0 }

// constantPipe: the command before "| getline", or behind the pipe of print, is one string.
func (n *awkNames) constantPipe(before, behind string) bool {
	if !strings.HasPrefix(behind, "getline") {
		values, _ := n.value(behind)
		return !slices.ContainsFunc(values, notConstant)
	}
	before = strings.TrimRight(before, " \t")
	if !strings.HasSuffix(before, `"`) {
		return false
	}
	open := strings.LastIndexByte(before[:len(before)-1], '"')
	return open > 0 && strings.IndexByte("{;(\n", path0(strings.TrimRight(before[:open], " \t")[max(len(strings.TrimRight(before[:open], " \t"))-1, 0):])) >= 0
}

// addNames adds the names that are new. Past a bound they are not known.
func addNames(names, more []string) []string {
	const most = 64
	for _, name := range more {
		if len(names) >= most {
			name = unknownMark
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// value reads an expression that joins values, and returns what follows it.
func (n *awkNames) value(text string) (values []string, rest string) {
	values = []string{""}
	for {
		text = strings.TrimLeft(text, " \t")
		if text == "" || strings.IndexByte(";}),?:|&<>=\n", text[0]) >= 0 {
			return values, text
		}
		var one []string
		switch one, text = n.operand(text); {
		case len(one)*len(values) > mostAwkValues:
			values = []string{unknownMark}
		default:
			values = everyPair(values, one)
		}
	}
}

// everyPair is every value with every one of the others behind it.
func everyPair(values, others []string) []string {
	var out []string
	for _, value := range values {
		for _, other := range others {
			out = append(out, grown(value, other))
		}
	}
	return out
}

// operand reads one of the values that are joined.
func (n *awkNames) operand(text string) (values []string, rest string) {
	r := awkReader{text: text}
	switch c := text[0]; {
	case c == '"':
		inside, ok := r.quoted()
		if !ok {
			return []string{unknownMark}, ""
		}
		if escaped := strings.IndexByte(inside, '\\'); escaped >= 0 {
			inside = inside[:escaped] + unknownMark
		}
		return []string{inside}, text[r.at:]
	case c == '(' && n.depth >= 64:
		return []string{unknownMark}, ""
	case c == '(':
		n.depth++
		values, rest = n.value(text[1:])
		n.depth--
		return values, strings.TrimPrefix(rest, ")")
	case c >= '0' && c <= '9':
		r.number()
		return []string{text[:max(r.at, 1)]}, text[max(r.at, 1):]
	case c == '$' && len(text) > 1 && (isNameByte(text[1]) || text[1] == '('): // a field
		_, rest = n.operand(text[1:])
		return []string{unknownMark}, rest
	case !isNameByte(c):
		return []string{unknownMark}, text[1:]
	}
	for r.at < len(text) && isNameByte(text[r.at]) {
		r.at++
	}
	return n.named(text[:r.at], text[r.at:])
}

// named is what a variable, an array or a function may stand for.
func (n *awkNames) named(name, rest string) (values []string, after string) {
	if open := strings.IndexByte("[(", path0(rest)); rest != "" && open >= 0 {
		inside, behind, _ := strings.Cut(rest[1:], "])"[open:open+1])
		switch name {
		case "ENVIRON":
			return n.environment(strings.Trim(inside, `"`)), behind
		case "ARGV":
			return n.operands(), behind
		}
		return []string{unknownMark}, behind
	}
	switch known := n.vars[name]; {
	case name == "FILENAME":
		return n.operands(), rest
	case len(known) > 0:
		return known, rest
	}
	return []string{unknownMark}, rest
}

// environment is the value of a variable that is set in front of the command.
func (n *awkNames) environment(name string) []string {
	for i := range n.c.Assigns {
		if a := &n.c.Assigns[i]; a.Name == name {
			return []string{a.Value.Text}
		}
	}
	return []string{unknownMark}
}

// operands are the words that may be files of the program.
func (n *awkNames) operands() []string {
	out := []string{unknownMark}
	for _, word := range n.c.Args() {
		if !isOption(word.Text) && word.Text != n.program && len(out) < mostAwkValues {
			out = append(out, word.Text)
		}
	}
	return out
}

// protectedConstants are the constants that a name which is not known may turn out to be.
func (n *awkNames) protectedConstants() []string {
	var out []string
	p := program{text: n.program}
	for constant := range p.strings {
		if Protected(constant) {
			out = append(out, constant)
		}
	}
	return out
}
