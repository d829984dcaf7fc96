package dialect

import (
	"slices"
	"strings"
)

// mcpName is the name of an MCP tool in rules.
func mcpName(server, tool string) string { return "mcp__" + server + "__" + tool }

// isMCP: mcp__server__tool, with no part empty and no blank around it.
func isMCP(name string) bool {
	server, tool := splitMCP(name)
	return server != "" && tool != "" && name == strings.TrimSpace(name)
}

// splitMCP is how rules read the name of an MCP tool; nothing for other names.
func splitMCP(name string) (server, tool string) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", ""
	}
	server, tool, _ = strings.Cut(rest, "__")
	return server, tool
}

// maxSplits bounds how many ways to read one name are judged. No real name comes
// near it.
const maxSplits = 64

const tooManyWays = "the name of the tool can be read in too many ways"

// splits are the ways to read a name as a server and its tool.
func splits(name string, joint byte, input []byte) (all []Call, complete bool) {
	for i := 1; i+1 < len(name); i++ {
		if name[i] != joint {
			continue
		}
		if len(all) == maxSplits {
			return all, false
		}
		all = append(all, Call{Tool: mcpName(name[:i], name[i+1:]), Input: input})
	}
	return all, true
}

// Agents, and their releases, differ in how they join the name of a server to that of
// its tool. What follows reads a name in every way that has been seen, so that a rule
// that denies a tool holds for all of them.

// joints are the signs that join a server to its tool. The last two also stand inside
// of most names.
const joints = ":/._-"

// jointUse says where a single "_" or "-" joins.
type jointUse uint8

const (
	// doubled: only behind a word for MCP; elsewhere such a sign must stand twice.
	doubled jointUse = iota
	// single: in every name, as Copilot joins them.
	single
)

// servedBy says what is known of the server of a tool.
type servedBy uint8

const (
	// inName: the name says it.
	inName servedBy = iota
	// anyServer: the name may leave it out, and any server's rule counts.
	anyServer
)

// mcpGuesses adds the tools of MCP servers that the name of the tool may mean.
func (a *arguments) mcpGuesses(calls []Call, use jointUse, server servedBy) []Call {
	r := nameReader{input: a.raw, server: server}
	return r.guessedWith(calls, a.tool, use)
}

// guessedWith adds the ways to read a name to calls.
func (r *nameReader) guessedWith(calls []Call, name string, use jointUse) []Call {
	r.read(name, use)
	if len(r.calls) > maxSplits {
		calls[0].Doubt = tooManyWays
		r.calls = r.calls[:maxSplits]
	}
	known := calls
	for _, c := range r.calls {
		if !slices.ContainsFunc(known, c.sameTool) {
			calls = append(calls, guess(c)...)
		}
	}
	return calls
}

// nameReader collects the ways to read a name.
type nameReader struct {
	input  []byte
	server servedBy
	calls  []Call
}

// read reads a name as it is and, if it starts with a word for MCP, without that.
func (r *nameReader) read(name string, use jointUse) {
	name = strings.TrimSpace(name)
	rest := withoutMCP(name)
	if rest == name {
		r.split(name, use)
		return
	}
	if use == single { // the server's own name may start with that word
		r.split(name, single)
	}
	if r.server == anyServer {
		r.add(Call{Tool: rest, AnyServer: true})
	}
	r.split(rest, single)
}

// split takes a name apart at every joint. Several signs in a row are one joint, and
// any one of them may be.
func (r *nameReader) split(name string, use jointUse) {
	for i := 1; i+1 < len(name) && len(r.calls) <= maxSplits; i++ {
		if !isJoint(name, i, use) {
			continue
		}
		start, end := i, i+1
		for start > 0 && strings.IndexByte(joints, name[start-1]) >= 0 {
			start--
		}
		for end < len(name) && strings.IndexByte(joints, name[end]) >= 0 {
			end++
		}
		r.way(name[:start], name[end:])
		r.way(name[:i], name[i+1:])
	}
}

func (r *nameReader) way(server, tool string) {
	server, tool = strings.TrimSpace(server), strings.TrimSpace(tool)
	if server == "" || tool == "" {
		return
	}
	r.add(Call{Tool: mcpName(server, tool)})
	if r.server == anyServer {
		r.add(Call{Tool: tool, AnyServer: true})
	}
}

func (r *nameReader) add(c Call) {
	if !slices.ContainsFunc(r.calls, c.sameTool) {
		c.Input = r.input
		r.calls = append(r.calls, c)
	}
}

func (c Call) sameTool(other Call) bool {
	return other.Tool == c.Tool && other.AnyServer == c.AnyServer
}

// isJoint: the sign at i may join a server to its tool.
func isJoint(name string, i int, use jointUse) bool {
	switch name[i] {
	case ':', '/', '.':
		return true
	case '_', '-':
		return use == single || name[i-1] == name[i] || name[i+1] == name[i]
	}
	return false
}

// withoutMCP is a name without the word for MCP before it, in any letter case and as
// often as it is there.
func withoutMCP(name string) string {
	for len(name) > 4 && strings.EqualFold(name[:3], "mcp") && strings.IndexByte(joints+" ", name[3]) >= 0 {
		rest := strings.TrimLeft(name[3:], joints+" ")
		if rest == "" {
			return name
		}
		name = rest
	}
	return name
}
