package shell

// forkBomb finds a function that starts itself more than once: each call makes two,
// and soon no process can start any more.
func (s *inspection) forkBomb() *Finding {
	for k := range s.Functions {
		f := &s.Functions[k]
		if at := s.multiplies(f); at >= 0 && s.called(f) {
			return onFloor(s.at(kindSystem, at, 0, "starts copies of itself without end"))
		}
	}
	return nil
}

// multiplies is the second command in the function that calls the function again
// without arguments to end on, or one that is piped into by the first; else -1.
func (s *inspection) multiplies(f *Function) int {
	calls := 0
	for j := f.From; j < f.To && j < len(s.Commands); j++ {
		c := &s.Commands[j]
		if len(c.Words) == 0 || c.Words[0].Text != f.Name {
			continue
		}
		calls++
		if calls > 1 && (len(c.Words) == 1 || c.Stdin.Kind == StdinPipe) {
			return j
		}
	}
	return -1
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
