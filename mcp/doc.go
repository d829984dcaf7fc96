// Package mcp uses the tools of MCP servers: programs that are started and speak over
// their input and output, servers behind a URL (streamable HTTP), and servers that
// live in the host (SDK servers).
//
// Start with [ReadConfig], then [Open]. A [Set] offers what its servers offer as tools
// that are named mcp__server__tool; [Set.Refresh] before a request to the model picks up
// what has changed.
//
// The promises: no server holds up another, and none holds up the end; a server that
// dies, hangs or talks nonsense costs the call that needed it and nothing else; a call
// is sent at most once, with the arguments that were judged; nothing of a program is
// left after [Set.Close]. What a server says about its tools, as that one of them only
// reads, never decides anything.
package mcp
