package mcp

import (
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// State is whether a server can be used.
type State uint8

// The states. The zero value is the one before the first attempt.
const (
	Pending State = iota
	Connected
	// Failed: it could not be reached, or is gone.
	Failed
	// NeedsAuth: it wants somebody to log in.
	NeedsAuth
)

var stateNames = [...]string{Pending: "pending", Connected: "connected", Failed: "failed", NeedsAuth: "needs-auth"}

// String is the word that hosts get.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

// Status is how a server does at one moment.
type Status struct {
	Name  string
	Kind  Kind
	State State
	// Reason says why it is not connected, with a hint.
	Reason string
	// Tools is how many it offers, List which ones; it is not to be changed.
	Tools int
	List  []ToolInfo
	// Notes are what a person should know about its tools, as that one is left out.
	Notes []string
	// Info is what the server says about itself; zero before the first connection.
	Info Info
	// Config is how it was configured, without what may be secret: the values of its
	// environment and its headers, and what follows the path of its URL.
	Config Server
}

// Info is the name and version of a server, by its own word.
type Info struct{ Name, Version string }

// ToolInfo is a tool of a server: its name for rules, and what the server says about it.
// None of that decides anything.
type ToolInfo struct {
	Name, Description                string
	ReadOnly, Destructive, OpenWorld bool
}

// infoOf is what a server said when it was connected. It is shown to people.
func infoOf(session *sdk.ClientSession) Info {
	result := session.InitializeResult()
	if result == nil || result.ServerInfo == nil {
		return Info{}
	}
	return Info{cut(plain(result.ServerInfo.Name), maxNews, "…"), cut(plain(result.ServerInfo.Version), maxNews, "…")}
}

func (s *server) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Status{
		Name: s.config.Name, Kind: s.config.Kind, State: s.state, Reason: s.reason, Tools: len(s.tools), List: s.infos,
		Notes: slices.Clone(s.notes), Info: s.info, Config: s.config.withoutSecrets(),
	}
}

// withoutSecrets is the configuration as others may see it. Arguments may hold secrets as
// well, and everybody on the machine can see those anyway.
func (c Server) withoutSecrets() Server {
	c.Env, c.Headers = hidden(c.Env), hidden(c.Headers)
	c.URL, _, _ = strings.Cut(c.URL, "?")
	return c
}

func hidden(pairs []Pair) []Pair {
	var names []Pair
	for _, p := range pairs {
		names = append(names, Pair{Name: p.Name})
	}
	return names
}
