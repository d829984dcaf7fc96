package approval

// Edits says whether the agent of a held call can be given another input than its own. The
// guard knows; what it does not say is no.
type Edits string

// The ways of it.
const (
	// Unsaid: nobody has said that it can.
	Unsaid Edits = ""
	// Taken: another input runs in place of the agent's own.
	Taken Edits = "taken"
	// NotTaken: the hooks of the agent have no way to say so that is known to work.
	NotTaken Edits = "not_taken"
	// OtherWords: the call is shown in other words than the agent's, into which nobody can
	// put another input.
	OtherWords Edits = "other_words"
)
