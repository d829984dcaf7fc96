package rule

import "strings"

// toolIndex finds the rules without content by the name of a tool.
//
// The name of an MCP tool is mcp__server__tool. Names with stars hang on what
// stands before the star, up to the last "__": there is one map access for each
// "__" of a name, and no scan.
type toolIndex struct {
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

func (x *toolIndex) add(name string, b Behavior, rule int32) {
	if !strings.Contains(name, "*") {
		put(&x.exact, name, b, rule)
		if server, ok := serverOf(name, b); ok {
			x.addAll(server, b, rule)
		}
		return
	}
	w := parseWildcard(name)
	key := w.head[:jointEnd(w.head)]
	if key == w.head && len(w.rest) == 1 && w.rest[0] == "" {
		x.addAll(key, b, rule)
		return
	}
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
