package clerk

import "github.com/assent-dev/assent/approval"

// Standing is what a person has to know about a call first. Those that need somebody come
// first.
type Standing uint8

// The standings of a call.
const (
	Unknown  Standing = iota + 1 // it was begun, and nobody knows how it ended
	Pending                      // it waits for an answer
	Expired                      // nobody has answered in time
	Approved                     // it runs when the session goes on
	Denied                       // it is refused when the session goes on
	Ran                          // a person says that it ran; the session can go on
	Running                      // a process is at it
	Over                         // nothing more happens to it
)

var standingNames = [...]string{
	Unknown: "unknown", Pending: "pending", Expired: "expired", Approved: "approved",
	Denied: "denied", Ran: "ran", Running: "running", Over: "over",
}

func (s Standing) String() string { return standingNames[s] }

// standingOf is how a call stands whose ticket is in a state, as far as the ticket knows.
func standingOf(s approval.State) Standing {
	switch s {
	case approval.Pending:
		return Pending
	case approval.Approved:
		return Approved
	case approval.Denied:
		return Denied
	case approval.Expired:
		return Expired
	case approval.Running:
		return Running
	case approval.Unknown:
		return Unknown
	case approval.Done, approval.Failed, approval.Handed, approval.Refused, approval.Cancelled:
	}
	return Over
}

// Obstacle is what the rules of today have against a call that would run because nobody has
// answered in time.
type Obstacle uint8

// The obstacles.
const (
	NoObstacle  Obstacle = iota // as far as one can tell here
	NeedsPerson                 // only a person may let it run
	IsDenied                    // a rule denies it
)
