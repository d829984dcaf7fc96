package clerk

// Purpose is what somebody wants to do with a call.
type Purpose uint8

// The purposes.
const (
	ToApprove Purpose = iota + 1
	ToDeny
	ToResolve
)

// Fits: a call is one for the purpose, by how it stands. Whether it can be done is said
// when somebody does it.
func (p Purpose) Fits(m Matter) bool {
	switch p {
	case ToApprove:
		return m.Standing == Pending || m.WillRun()
	case ToDeny:
		return m.Standing == Pending || m.Standing == Approved || m.WillRun()
	case ToResolve: // or resolved before: whoever says the same again is told so
		return m.Standing == Unknown || m.Finding != nil
	}
	return false
}

// verb says of one call that it is for the purpose.
func (p Purpose) verb() string {
	if p == ToResolve {
		return "has an unknown outcome"
	}
	return "waits for an answer"
}

// verbs says it of several.
func (p Purpose) verbs() string {
	if p == ToResolve {
		return "have an unknown outcome"
	}
	return "wait for an answer"
}
