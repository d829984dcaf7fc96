package rule

import "strings"

// A rule may be written with the name of a link: Read(conf/**), where conf leads to
// config/prod. What it restricts is the directory, whatever name a call has for it,
// so such a rule hangs in a second place, which only the caller can find out.

// Bases lists the directories and files, each once, that the deny and ask rules on
// paths start with.
func (s *Set) Bases() []string {
	var out []string
	known := make(map[string]struct{})
	put := func(base string) {
		if _, had := known[base]; !had && base != "" {
			known[base] = struct{}{}
			out = append(out, base)
		}
	}
	for i := range s.pathRules().entries {
		e := &s.paths.entries[i]
		if e.behavior == Allow {
			continue
		}
		put(e.base)
		if named, ok := e.topmost(); ok {
			put(named.base)
		}
	}
	return out
}

// topmost is a rule that holds at any depth, at the directory it is relative to, if
// it starts with a name: `conf` is also `./conf`.
func (e *pathEntry) topmost() (pathEntry, bool) {
	if !e.anyDepth || len(e.parts) == 0 || e.parts[0].kind != literalPart {
		return pathEntry{}, false
	}
	top := *e
	top.anyDepth = false
	top.extendBase()
	return top, true
}

// Elsewhere is the set of the deny and ask rules on paths, held where the links in
// their names lead: real has the bases that lead elsewhere, and where. It is nil when
// there are none.
func (s *Set) Elsewhere(real map[string]string) *Set {
	var led []pathEntry
	put := func(e pathEntry) {
		if to, elsewhere := real[e.base]; elsewhere {
			e.base = strings.TrimSuffix(to, "/")
			led = append(led, e)
		}
	}
	for _, e := range s.pathRules().entries {
		if e.behavior == Allow {
			continue
		}
		put(e)
		if top, ok := e.topmost(); ok {
			put(top)
		}
	}
	if len(led) == 0 {
		return nil
	}
	other := &Set{store: s.store, anchors: s.anchors, hasFiles: true}
	other.placing.Do(func() {
		other.paths.entries = led
		other.paths.build()
	})
	return other
}
