package rule

// firsts holds, for each behaviour, the number of the first rule that matches,
// counted from 1; zero is none.
type firsts [Deny + 1]int32

// put notes that a rule, counted from 0, matches.
func (f *firsts) put(b Behavior, rule int32) {
	if f[b] == 0 || rule+1 < f[b] {
		f[b] = rule + 1
	}
}

func (f *firsts) merge(other firsts) {
	for b, n := range other {
		if n != 0 {
			f.put(Behavior(b), n-1)
		}
	}
}

// put notes a rule under a key of a map that is made when it is needed.
func put[K comparable](m *map[K]firsts, key K, b Behavior, rule int32) {
	if *m == nil {
		*m = make(map[K]firsts)
	}
	f := (*m)[key]
	f.put(b, rule)
	(*m)[key] = f
}

// end closes a chain of entries.
const end = -1

// chain puts an entry at the head of the chain of a key and returns the one
// that it precedes.
func chain(heads map[string]int32, key string, i int32) (next int32) {
	next, ok := heads[key]
	if !ok {
		next = end
	}
	heads[key] = i
	return next
}
