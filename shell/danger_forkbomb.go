package shell

import (
	"slices"
	"strings"
)

// forkBomb finds what starts processes until none can start any more: a loop without end that
// waits for nothing, or functions that call each other and themselves more than once.
func (s *inspection) forkBomb() *Finding {
	const text = "starts processes without end"
	if s.endless > 0 && s.endless <= len(s.Commands) {
		return onFloor(s.at(kindSystem, s.endless-1, 0, text))
	}
	if at := s.startsItself(); at >= 0 {
		return onFloor(s.at(kindSystem, at, 0, "starts copies of itself without end"))
	}
	for i := range s.Commands {
		if s.startsForEver(i) {
			return onFloor(s.at(kindSystem, i, 0, text))
		}
	}
	if len(s.Functions) == 0 {
		return nil
	}
	g := s.callGraph()
	for k := range s.Functions {
		f := &s.Functions[k]
		if at := g.multiplies(f); at >= 0 && s.called(f) {
			return onFloor(s.at(kindSystem, at, 0, "starts copies of itself without end"))
		}
	}
	return nil
}

// callGraph says by which functions each one is called.
type callGraph struct {
	s       *inspection
	callers map[string][]string
	steps   int // that were needed so far
}

// mostSteps bounds them. A script that needs more is taken for a fork bomb.
const mostSteps = 1 << 18

func (s *inspection) callGraph() *callGraph {
	g := &callGraph{s: s, callers: make(map[string][]string, len(s.Functions))}
	for k := range s.Functions {
		g.callers[s.Functions[k].Name] = nil
	}
	for k := range s.Functions {
		f := &s.Functions[k]
		for _, name := range g.calls(f) {
			if known := g.callers[name]; len(known) == 0 || known[len(known)-1] != f.Name {
				g.callers[name] = append(known, f.Name)
			}
		}
	}
	return g
}

// calls yields the calls of functions in the body of one.
func (g *callGraph) calls(f *Function) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for j := f.From; j < f.To && j < len(g.s.Commands); j++ {
			name := g.s.Commands[j].first()
			switch {
			case strings.IndexByte(name, Unknown) >= 0 && g.s.mayCall(j, f), handlesUnknown(f.Name) && g.mayBeUnknown(j):
				name = f.Name
			}
			if _, ok := g.callers[name]; ok && !yield(j, name) {
				return
			}
		}
	}
}

// handlesUnknown: bash runs the function for each name of which it finds no program.
func handlesUnknown(name string) bool { return name == "command_not_found_handle" }

// mayBeUnknown reports whether command j has a name that is in no table and that no function has.
func (g *callGraph) mayBeUnknown(j int) bool {
	c := &g.s.Commands[j]
	_, defined := g.callers[c.first()]
	return !defined && len(c.Words) > 0 && c.Link == Direct && c.knowledge().taking == takesCommands && !strings.Contains(c.first(), "/")
}

// multiplies is the command in the function that makes two of it: the second one that leads
// back to the function without arguments to end on, or that is piped into by the first, or one
// that is not waited for, or that xargs starts many of, or the first command if that does
// nothing but call the function again; -1 if there is none.
func (g *callGraph) multiplies(f *Function) int {
	var leading map[string]bool
	calls := 0
	for j, name := range g.calls(f) {
		if leading == nil {
			leading = g.leadingTo(f.Name)
		}
		if !leading[name] && g.steps <= mostSteps {
			continue
		}
		c := &g.s.Commands[j]
		calls++
		if len(c.Words) == 1 && g.s.firstOf(f) == j && g.s.apart(j, f) {
			return j // in a subshell or a pipe: each waits for the next one
		}
		itself := c.first() != name // by a variable, "$1" "$1"
		if (calls > 1 || c.behind || g.s.sideBySide(j)) && (len(c.Words) == 1 || itself || c.Stdin.Kind == StdinPipe) {
			return j
		}
	}
	return -1
}

// firstOf is the first command in the body of a function that is one, and no assignment.
func (s *inspection) firstOf(f *Function) int {
	for j := f.From; j < f.To && j < len(s.Commands); j++ {
		if len(s.Commands[j].Words) > 0 {
			return j
		}
	}
	return -1
}

// apart reports whether command j of a function runs in a process of its own.
func (s *inspection) apart(j int, f *Function) bool {
	c := &s.Commands[j]
	if c.Stdin.Kind == StdinPipe || slices.Contains(c.Via, "$(…)") || slices.Contains(c.Via, "( )") {
		return true
	}
	for k := j + 1; k < min(f.To, len(s.Commands), j+lookAround); k++ {
		if in := &s.Commands[k].Stdin; in.Kind == StdinPipe && in.From <= j && j < in.To {
			return true
		}
	}
	return false
}

// mayCall reports whether command j, whose name is not known, may call the function that it
// stands in: by $FUNCNAME, or by a variable or parameter that the script gives its name.
func (s *inspection) mayCall(j int, f *Function) bool {
	span := s.Commands[j].Words[0].Span
	if strings.Contains(s.spelled(span), "FUNCNAME") {
		return true
	}
	calls := false
	s.valuesOf(j, span, func(text string) bool {
		calls = calls || text == f.Name || text == worstValue
		return calls
	}, nil)
	return calls
}

// spelled is a piece of the source.
func (s *inspection) spelled(span Span) string {
	if span.Start < 0 || span.Start > span.End || int(span.End) > len(s.Source) {
		return ""
	}
	return s.Source[span.Start:span.End]
}

// sideBySide reports whether command j is run by a program that starts as many at once as it
// reads lines.
func (s *inspection) sideBySide(j int) bool {
	for p := s.Commands[j].Parent; p >= 0; p = s.Commands[p].Parent {
		if s.Commands[p].unbounded() {
			return true
		}
	}
	return false
}

// unbounded reports whether the command is xargs -P0 or the like.
func (c *Command) unbounded() bool {
	switch c.Program() {
	case "xargs", "gxargs", "parallel":
	default:
		return false
	}
	for at, word := range c.Words {
		switch text := word.Text; text {
		case "-P0", "-j0", "--max-procs=0", "--jobs=0":
			return true
		case "-P", "-j", "--max-procs", "--jobs":
			if at+1 < len(c.Words) && c.Words[at+1].Text == "0" {
				return true
			}
		}
	}
	return false
}

// startsForEver reports whether command i starts processes as long as others end or there is
// input: a trap on their end, xargs -P0 behind yes.
func (s *inspection) startsForEver(i int) bool {
	c := &s.Commands[i]
	switch c.Program() {
	case "trap":
		return slices.ContainsFunc(c.Args(), isChildSignal) && s.trapStarts(i)
	case "xargs", "gxargs", "parallel":
		return c.unbounded() && s.readsForEver(i)
	case "sh", "bash", "dash", "zsh", "ksh": // each line is a command
		return len(c.Words) == 1 && s.readsForEver(i)
	case "read":
		for j := i + 1; j < min(len(s.Commands), i+lookAround) && slices.Contains(s.Commands[j].Via, "while read"); j++ {
			if s.Commands[j].behind {
				return s.readsForEver(i)
			}
		}
	}
	return false
}

// readsForEver reports whether the input of command i has no end.
func (s *inspection) readsForEver(i int) bool {
	endless := false
	v := valueSearch{s: s, found: func(string) bool { return false }, lists: func(j int) bool {
		c := &s.Commands[j]
		endless = endless || len(c.Words) > 0 && printsMany(c.Program(), c.Words[len(c.Words)-1].Text) && !s.picked(j)
		return endless
	}}
	v.input(i)
	return endless
}

func isChildSignal(word Word) bool {
	return slices.Contains([]string{"CHLD", "SIGCHLD", "CLD", "SIGCLD", "17"}, strings.ToUpper(word.Text))
}

// trapStarts reports whether what a trap runs starts a process that is not waited for, or is a
// function that sets the trap.
func (s *inspection) trapStarts(i int) bool {
	for j := i + 1; j < min(len(s.Commands), i+lookAround); j++ {
		if s.Commands[j].Parent == i && s.Commands[j].behind {
			return true
		}
	}
	for k := range s.Functions {
		f := &s.Functions[k]
		if !s.Commands[i].hasWord(f.Name) {
			continue
		}
		for j := f.From; j < f.To && j < len(s.Commands); j++ {
			if j == i || s.Commands[j].behind {
				return true
			}
		}
	}
	return false
}

// startsItself is the second command that runs the script in which it stands, without words
// that could let it end; -1 if there is none.
func (s *inspection) startsItself() int {
	if !strings.Contains(s.Source, "$0") && !strings.Contains(s.Source, "${0}") {
		return -1
	}
	starts := 0
	for i := range s.Commands {
		c := &s.Commands[i]
		if c.Link == Guess || !s.runsScript(c) {
			continue
		}
		if starts++; starts > 1 {
			return i
		}
	}
	return -1
}

// runsScript reports whether the command is "$0", or a shell that reads it, with nothing known
// behind it.
func (s *inspection) runsScript(c *Command) bool {
	at := 0
	switch c.Program() {
	case "sh", "bash", "dash", "zsh", "ksh", "source", ".", "exec", "nohup", "setsid":
		at = 1
	}
	if at >= len(c.Words) || c.Words[at].Text != unknownMark {
		return false
	}
	if text := s.spelled(c.Words[at].Span); !strings.Contains(text, "$0") && !strings.Contains(text, "${0}") {
		return false
	}
	return !slices.ContainsFunc(c.Words[at+1:], func(word Word) bool { return word.Known() && !isOption(word.Text) })
}

// leadingTo are the functions that call another one, directly or not, and that one itself.
func (g *callGraph) leadingTo(name string) map[string]bool {
	seen := map[string]bool{name: true}
	for queue := []string{name}; len(queue) > 0 && g.steps <= mostSteps; queue = queue[1:] {
		for _, caller := range g.callers[queue[0]] {
			g.steps++
			if !seen[caller] {
				seen[caller] = true
				queue = append(queue, caller)
			}
		}
	}
	return seen
}

// called: something outside the function runs it.
func (s *inspection) called(f *Function) bool {
	if handlesUnknown(f.Name) {
		return true
	}
	for j := range s.Commands {
		c := &s.Commands[j]
		if (j < f.From || j >= f.To) && len(c.Words) > 0 && (c.Words[0].Text == f.Name || !c.Words[0].Known()) {
			return true
		}
	}
	return false
}
