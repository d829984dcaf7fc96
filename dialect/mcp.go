package dialect

import "strings"

// mcpName is the name of an MCP tool in rules.
func mcpName(server, tool string) string { return "mcp__" + server + "__" + tool }

// isMCP: mcp__server__tool, with no part empty.
func isMCP(name string) bool {
	server, tool := splitMCP(name)
	return server != "" && tool != ""
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
