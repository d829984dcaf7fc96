package hook

import "github.com/assent-dev/assent/permission"

// Occasion is one moment of a session.
type Occasion struct {
	Input     Input
	ToolUseID string
	// Call is the validated call that a tool event is about; entries with a
	// condition need it, and run without it.
	Call *permission.Call
	// Cwd is where the call runs, for the paths in conditions; empty means the
	// runner's directory. Hooks always run in the runner's: an agent that changes its
	// directory must not change which ./check.sh judges it.
	Cwd string
}

// known reports whether an occasion says what it is about. An input that is not there
// does not, nor does one of somebody else's making that cannot even be asked.
func (o Occasion) known() (yes bool) {
	if o.Input == nil {
		return false
	}
	shielded(func() {
		_, _ = o.Input.Event(), o.Input.Subject()
		yes = true
	})
	return yes
}

// noOccasion refuses what nobody can judge: it may have been a call.
func noOccasion() Verdict {
	const reason = "the occasion has no input: fill in Occasion.Input"
	return Verdict{
		Permission: permission.Verdict{Behavior: permission.Deny, Broken: true, Reason: reason},
		Denials:    []string{"hook broken: " + reason},
	}
}
