package rule

import (
	"slices"
	"strings"
)

// toolIndex finds the rules without content by the name of a tool.
//
// The name of an MCP tool is mcp__server__tool. Names with stars hang on what
// stands before the star, up to the last "__": there is one map access for each
// "__" of a name, and no scan.
type toolIndex struct {
	store   *store
	present bool // there is such a rule
	patient

	exact  map[string]firsts
	groups map[string]toolGroup
}

type toolGroup struct {
	// all: `mcp__pay` and `mcp__pay__*` hang on "mcp__pay__", `*` on "".
	all firsts
	// wild: `mcp__pay__get_*` hangs on "mcp__pay__" as well.
	wild []wildTool
}

type wildTool struct {
	wildcard
	behavior Behavior
	rule     int32
}

const (
	mcpPrefix = "mcp__"
	mcpJoint  = "__"
)

func (x *toolIndex) build() {
	for i := range x.store.wholes {
		name, b, reach := x.store.whole(i)
		if name != "" {
			x.add(name, b, i)
		}
		for _, tool := range reach {
			x.add(tool, Ask, i)
		}
	}
}

func (x *toolIndex) add(name string, b Behavior, rule int32) {
	if !strings.Contains(name, "*") {
		put(&x.exact, name, b, rule)
		if server, ok := serverOf(name, b); ok {
			x.addAll(server, b, rule)
		}
		return
	}
	if prefix, ok := openName(name); ok && jointEnd(prefix) == len(prefix) {
		x.addAll(prefix, b, rule)
		return
	}
	w := parseWildcard(name)
	key := w.head[:jointEnd(w.head)]
	group := x.groups[key]
	group.wild = append(group.wild, wildTool{w, b, rule})
	x.setGroup(key, group)
}

func (x *toolIndex) addAll(key string, b Behavior, rule int32) {
	group := x.groups[key]
	group.all.put(b, rule)
	x.setGroup(key, group)
}

func (x *toolIndex) setGroup(key string, group toolGroup) {
	if x.groups == nil {
		x.groups = make(map[string]toolGroup)
	}
	x.groups[key] = group
}

// openName is what stands before the star of a name that has one at its end only, as
// nearly every name with a star has.
func openName(name string) (prefix string, ok bool) {
	prefix, ok = strings.CutSuffix(name, "*")
	return prefix, ok && !strings.ContainsAny(prefix, `*\`)
}

// serverOf is the beginning of the tool names of a server. Nothing says whether
// `mcp__a__b` is the tool b of the server a or a server called "a__b". Where the
// rule restricts it is both; an allow rule means the tool.
func serverOf(name string, b Behavior) (prefix string, ok bool) {
	rest, ok := strings.CutPrefix(name, mcpPrefix)
	if !ok || rest == "" || b == Allow && strings.Contains(rest, mcpJoint) {
		return "", false
	}
	if b != Allow && strings.HasSuffix(name, mcpJoint) {
		return name, true
	}
	return name + mcpJoint, true
}

// jointEnd is where the last "__" of a name ends, or zero.
func jointEnd(name string) int {
	if i := strings.LastIndex(name, mcpJoint); i >= 0 {
		return i + len(mcpJoint)
	}
	return 0
}

func (x *toolIndex) find(name string) firsts {
	if !x.present {
		return firsts{}
	}
	if !x.indexed.Load() && !x.pays(x.build) {
		return x.findInAll(name)
	}
	found := x.exact[name]
	x.findUnder("", name, &found)
	for i := 0; i+len(mcpJoint) <= len(name); i++ {
		if name[i] == '_' && name[i+1] == '_' {
			x.findUnder(name[:i+len(mcpJoint)], name, &found)
		}
	}
	return found
}

func (x *toolIndex) findUnder(key, name string, found *firsts) {
	group, ok := x.groups[key]
	if !ok {
		return
	}
	found.merge(group.all)
	for i := range group.wild {
		if w := &group.wild[i]; w.match(name) {
			found.put(w.behavior, w.rule)
		}
	}
}

// findInAll is find without the index.
func (x *toolIndex) findInAll(name string) (found firsts) {
	for i := range x.store.wholes {
		pattern, b, reach := x.store.whole(i)
		if pattern != "" && namesTool(pattern, b, name) {
			found.put(b, i)
		}
		if slices.Contains(reach, name) {
			found.put(Ask, i)
		}
	}
	return found
}

// namesTool reports whether a rule without content is about a tool.
func namesTool(pattern string, b Behavior, name string) bool {
	if !mayStartWith(pattern, name) {
		return false
	}
	if prefix, ok := openName(pattern); ok {
		return strings.HasPrefix(name, prefix)
	}
	if strings.Contains(pattern, "*") {
		return parseWildcard(pattern).match(name)
	}
	server, ok := serverOf(pattern, b)
	return pattern == name || ok && strings.HasPrefix(name, server)
}
