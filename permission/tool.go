package permission

// Kind is the family a tool belongs to: which check of its own a call gets after
// the rules.
type Kind uint8

// The families.
const (
	// Other tools may do anything; without a rule they ask. MCP tools are these.
	Other Kind = iota
	// Shell tools run a command, which is taken apart.
	Shell
	// Read tools read the file they name.
	Read
	// Search tools read what lies under a directory.
	Search
	// Edit tools write the file they name.
	Edit
	// Fetch tools get a URL; rules name its domain.
	Fetch
	// Lookup tools read from somewhere else: a web search.
	Lookup
	// Session tools change nothing but the agent's own notes.
	Session
	// Person tools are a question to a person, who alone can answer it.
	Person
	// Agent tools start a sub-agent, whose own calls are judged one by one.
	Agent
	// Process tools end processes that the agent has started itself.
	Process
)

var kindNames = [...]string{
	Other: "other", Shell: "shell", Read: "read", Search: "search", Edit: "edit", Fetch: "fetch",
	Lookup: "lookup", Session: "session", Person: "person", Agent: "agent",
	Process: "process",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Tool is what the engine must know about a tool. Implementations are safe for
// concurrent use.
type Tool interface {
	// Name is the tool's name as the model calls it.
	Name() string
	Kind() Kind
	// Subject is the input property that a rule's content is about, or "".
	Subject() string
	// Decode validates an input against the tool's schema. Its error lists every
	// problem in one sentence.
	Decode(input []byte) (map[string]any, error)
}

// Tools finds a tool by its exact name.
type Tools interface {
	Lookup(name string) (Tool, bool)
}
