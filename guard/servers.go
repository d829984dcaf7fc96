package guard

import (
	"strings"

	"github.com/assent-dev/assent/dialect"
)

// unknownServer stands in for the server of a tool that no rule names.
const unknownServer = "unknown"

// expand replaces a tool whose server is not known by that tool of every server that
// a rule names, and of one that none does. So a rule for any of them is found, and
// only a rule for all of them allows.
func (j *judge) expand(calls []dialect.Call) []dialect.Call {
	var all []dialect.Call
	for _, call := range calls {
		if !call.AnyServer {
			all = append(all, call)
			continue
		}
		for _, server := range j.servers() {
			one := call
			one.Tool = "mcp__" + server + "__" + call.Tool
			all = append(all, one)
		}
	}
	return all
}

// servers are the names of MCP servers in rules: `mcp__pay`, `mcp__pay__refund`. The
// name of a server may hold the sign that joins it to its tools, so every beginning
// that ends before one counts. A star may stand for any name and is filled in.
func (j *judge) servers() []string {
	all := []string{unknownServer}
	seen := map[string]bool{unknownServer: true}
	add := func(server string) {
		if server != "" && !seen[server] {
			seen[server] = true
			all = append(all, server)
		}
	}
	for _, r := range j.context.Rules() {
		rest, ok := strings.CutPrefix(r.Tool, "mcp__")
		if !ok {
			continue
		}
		rest = strings.ReplaceAll(rest, "*", "x")
		if !strings.Contains(rest, "__") {
			add(rest)
		}
		for i := range len(rest) {
			if strings.HasPrefix(rest[i:], "__") {
				add(rest[:i])
			}
		}
	}
	return all
}
