package rule

import (
	"iter"
	"sync"
	"sync/atomic"
)

// store holds the rules of a set, which are numbered from 0 in list order. They have
// been taken apart before, or stand in lists.
type store struct {
	rules []Rule
	lists []List

	// made are the rules of the lists that somebody has asked for.
	making sync.Once
	made   []atomic.Pointer[someRules]
}

// someRules are neighbours. Few rules of a long list are asked for.
type someRules [64]atomic.Pointer[Rule]

func (s *store) len() int {
	n := len(s.rules)
	for i := range s.lists {
		n += len(s.lists[i].rules)
	}
	return n
}

// find is where a rule stands in the lists.
func (s *store) find(n int32) (l *List, i int) {
	i = int(n)
	for at := range s.lists {
		l = &s.lists[at]
		if i < len(l.rules) {
			break
		}
		i -= len(l.rules)
	}
	return l, i
}

// at is a rule, always under the same address.
func (s *store) at(n int32) *Rule {
	if s.lists == nil {
		return &s.rules[n]
	}
	s.making.Do(func() { s.made = make([]atomic.Pointer[someRules], s.len()/len(someRules{})+1) })
	some := &s.made[n/int32(len(someRules{}))]
	if some.Load() == nil {
		some.CompareAndSwap(nil, new(someRules))
	}
	made := &some.Load()[n%int32(len(someRules{}))]
	if made.Load() == nil {
		l, i := s.find(n)
		r := new(Rule)
		l.take(i, r)
		made.CompareAndSwap(nil, r)
	}
	return made.Load()
}

// commands are the rules on Bash with content, of one behaviour: their numbers and
// contents.
func (s *store) commands(b Behavior) iter.Seq2[int32, string] {
	return func(yield func(int32, string) bool) {
		for i := range s.rules {
			r := &s.rules[i]
			if r.Behavior == b && r.Tool == bashTool && !r.Bare && r.hasMeaning() && !r.aboutParameter() && !yield(int32(i), r.Content) {
				return
			}
		}
		n := int32(0)
		for at := range s.lists {
			l := &s.lists[at]
			if l.behavior == b && !s.commandsOf(l, n, yield) {
				return
			}
			n += int32(len(l.rules))
		}
	}
}

// commandsOf is commands for one list, whose first rule has the number n.
func (s *store) commandsOf(l *List, n int32, yield func(int32, string) bool) bool {
	for i := range l.rules {
		w := &l.rules[i]
		content := ""
		switch {
		case w.parameter:
		case int(w.name) == len(bashTool) && w.Text[:len(bashTool)] == bashTool:
			content = w.content()
		case w.name == 0:
			if r := s.at(n + int32(i)); r.Tool == bashTool && !r.aboutParameter() {
				content = r.Content // none if it is quarantined
			}
		}
		if content != "" && !yield(n+int32(i), content) {
			return false
		}
	}
	return true
}

// wholes are the numbers of the rules without content, and of those that are
// quarantined.
func (s *store) wholes(yield func(int32) bool) {
	for i := range s.rules {
		r := &s.rules[i]
		whole := r.Bare || r.Quarantined && r.hasMeaning()
		if whole && r.Behavior >= Allow && r.Behavior <= Deny && !yield(int32(i)) {
			return
		}
	}
	n := int32(0)
	for at := range s.lists {
		l := &s.lists[at]
		for i := range l.rules {
			w := &l.rules[i]
			if (w.bare() || w.name == 0 && s.at(n).Bare) && !yield(n) {
				return
			}
			n++
		}
	}
}

// whole is the name in a rule without content, empty for others, and the tools that a
// quarantined rule reaches besides.
func (s *store) whole(n int32) (name string, b Behavior, reach []string) {
	if s.lists != nil {
		l, i := s.find(n)
		if w := &l.rules[i]; w.bare() {
			return w.Text, l.behavior, nil
		}
	}
	r := s.at(n)
	if r.Bare {
		name = r.Tool
	}
	return name, r.Behavior, r.reach()
}

// each goes through all rules. One of a list is there for the moment only, without its
// place.
func (s *store) each(yield func(int32, *Rule) bool) {
	for i := range s.rules {
		if !yield(int32(i), &s.rules[i]) {
			return
		}
	}
	var r Rule
	n := int32(0)
	for at := range s.lists {
		l := &s.lists[at]
		for i := range l.rules {
			l.look(i, &r)
			if !yield(n, &r) {
				return
			}
			n++
		}
	}
}
