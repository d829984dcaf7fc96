package shell

// forkBomb finds what starts processes until none can start any more: a loop without end that
// waits for nothing, or functions that call each other and themselves more than once.
func (s *inspection) forkBomb() *Finding {
	const text = "starts processes without end"
	if s.endless > 0 && s.endless <= len(s.Commands) {
		return onFloor(s.at(kindSystem, s.endless-1, 0, text))
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
			if _, ok := g.callers[name]; ok && !yield(j, name) {
				return
			}
		}
	}
}

// multiplies is the command in the function that makes two of it: the second one that leads
// back to the function without arguments to end on, or that is piped into by the first, or one
// that is not waited for; -1 if there is none.
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
		if (calls > 1 || c.behind) && (len(c.Words) == 1 || c.Stdin.Kind == StdinPipe) {
			return j
		}
	}
	return -1
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
	for j := range s.Commands {
		c := &s.Commands[j]
		if (j < f.From || j >= f.To) && len(c.Words) > 0 && (c.Words[0].Text == f.Name || !c.Words[0].Known()) {
			return true
		}
	}
	return false
}
