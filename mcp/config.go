package mcp

import (
	"fmt"
	"strings"
)

// Kind is how a server is reached.
type Kind uint8

// The kinds.
const (
	// Stdio: a program that is started, and speaks over its input and output.
	Stdio Kind = iota
	// HTTP: a URL that speaks streamable HTTP.
	HTTP
	// SDK: a server inside of the host, reached through it.
	SDK
)

var kindNames = [...]string{Stdio: "stdio", HTTP: "http", SDK: "sdk"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Server is one server as it was configured.
type Server struct {
	// Name is its name in rules and in the names of its tools.
	Name string
	Kind Kind
	// Scope is where it was configured, for people and hosts: "user", "project".
	Scope string

	// Command, Args and Env are for Stdio: Env is added to the environment.
	Command string
	Args    []string
	Env     []Pair

	// URL and Headers are for HTTP.
	URL     string
	Headers []Pair

	// Restrictions hold for its tools, whatever the settings allow.
	Restrictions Restrictions
}

// Pair is a name and its value.
type Pair struct{ Name, Value string }

// Problem is something about a configuration that a person should know.
type Problem struct {
	// Server names the server; "" for the configuration as a whole.
	Server string
	// Effect is what became of it.
	Effect Effect
	// Message is one sentence with a hint.
	Message string
}

// Effect is what a problem leads to. The zero value is the one that stops.
type Effect uint8

// The effects.
const (
	// LeftOut: the server, or all of them, cannot be used.
	LeftOut Effect = iota
	// Ignored: a part of the configuration has no meaning here.
	Ignored
)

func (p Problem) Error() string {
	if p.Server == "" {
		return "MCP servers: " + p.Message
	}
	return fmt.Sprintf("MCP server %q: %s", p.Server, p.Message)
}

// maxServerName leaves room for the name of a tool.
const maxServerName = 64

// nameFault says why a server cannot have a name; "" if it can. Rules find the server in
// mcp__server__tool by its first "__": a name that contains or ends in one of these
// underscores would let the rules of one server speak for another.
func nameFault(name string) string {
	switch {
	case name == "":
		return "the name is empty"
	case len(name) > maxServerName:
		return fmt.Sprintf("the name has %d characters; at most %d are possible", len(name), maxServerName)
	case strings.IndexFunc(name, notNameRune) >= 0:
		return "the name may only have letters, digits, _ and -, as tool names are made of it"
	case strings.Contains(name, "__") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_"):
		return "the name may not start or end with _ or contain __, which ends it in mcp__server__tool"
	}
	return ""
}

func notNameRune(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
}
