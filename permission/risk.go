package permission

import "fmt"

// Risk is how much harm a call could do, as far as its input says. It orders what waits for
// people, and what is high takes more than a key to approve.
type Risk uint8

// The risks. The zero value is that of a call about which nobody has thought; it counts as
// high.
const (
	// LowRisk: it only looks, or asks a person.
	LowRisk Risk = iota + 1
	// MediumRisk: it changes something.
	MediumRisk
	// HighRisk: it destroys something, cannot be undone, reaches what guards the session
	// itself, or cannot be understood.
	HighRisk
)

var riskNames = [...]string{LowRisk: "low", MediumRisk: "medium", HighRisk: "high"}

func (r Risk) String() string {
	if r == 0 || int(r) >= len(riskNames) {
		r = HighRisk
	}
	return riskNames[r]
}

// ParseRisk reads a risk. What is none counts as high.
func ParseRisk(text string) (Risk, error) {
	for r := LowRisk; r <= HighRisk; r++ {
		if riskNames[r] == text {
			return r, nil
		}
	}
	return HighRisk, fmt.Errorf("there is no risk %q (there are low, medium and high)", text)
}

// RiskOf is the risk of a call that was judged. A nil call is one whose input its tool
// refuses.
func RiskOf(call *Call, d Decision) Risk {
	if call == nil || d.Reason.Kind == ByUnreadable {
		return HighRisk
	}
	switch call.Kind {
	case Person, Session:
		return LowRisk
	case Shell:
		return riskOfScript(call, d)
	case Read, Search, Lookup:
		if d.NeedsPerson {
			return HighRisk
		}
		return LowRisk
	case Edit, Fetch, Other, Agent, Process:
	}
	if d.NeedsPerson {
		return HighRisk
	}
	return MediumRisk
}

func riskOfScript(call *Call, d Decision) Risk {
	script := call.Script()
	switch {
	case d.NeedsPerson, script.Problem != nil, script.Hidden() != nil, len(script.Danger()) > 0:
		return HighRisk
	case len(script.DeletedTrees()) > 0: // nobody sees in the command how much that is
		return HighRisk
	case changesNothing(call):
		return LowRisk
	}
	return MediumRisk
}
