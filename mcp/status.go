package mcp

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
	// Tools is how many it offers.
	Tools int
	// Notes are what a person should know about its tools, as that one is left out.
	Notes []string
}
