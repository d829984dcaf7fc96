package main

import (
	"fmt"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// matter is a call that was parked: what the transcript says of it, and its ticket.
type matter struct {
	call  approval.Call
	why   string
	since time.Time
	// until is the end of the time in which somebody may answer, zero if there is none, and
	// outcome what holds then.
	until   time.Time
	outcome string
	stage   session.Stage
	// mode is the permission mode of the session.
	mode string
	// waits: the session cannot go on without it.
	waits bool
	// finding is what a person has said about a run of it; nil when nobody has.
	finding  *session.Finding
	ticket   *approval.Ticket // nil when it has none yet
	standing standing
	// problem is why it cannot be answered as it stands; empty when it can.
	problem string
	// obstacle is why it does not run although nobody has answered in time.
	obstacle obstacle
}

// obstacle is what the rules of today have against a call that would run because nobody has
// answered in time.
type obstacle uint8

const (
	noObstacle obstacle = iota // as far as one can tell here
	needsPerson
	isDenied
)

// standing is what a person has to know about a call first. Those that need somebody come
// first.
type standing uint8

const (
	standingUnknown standing = iota + 1 // it was begun, and nobody knows how it ended
	standingPending                     // it waits for an answer
	standingExpired                     // nobody has answered in time
	standingApproved
	standingDenied
	standingRan     // a person says that it ran; the session can go on
	standingRunning // a process is at it
	standingOver    // nothing more happens to it
)

var standingNames = [...]string{
	standingUnknown: "unknown", standingPending: "pending", standingExpired: "expired", standingApproved: "approved",
	standingDenied: "denied", standingRan: "ran", standingRunning: "running", standingOver: "over",
}

func (s standing) String() string { return standingNames[s] }

// style is the colour of a standing.
func (s standing) style() style {
	switch s {
	case standingUnknown:
		return red
	case standingPending, standingExpired:
		return yellow
	case standingApproved, standingRan:
		return green
	case standingDenied:
		return red
	case standingRunning:
		return cyan
	case standingOver:
	}
	return faint
}

func standingOf(s approval.State) standing {
	switch s {
	case approval.Pending:
		return standingPending
	case approval.Approved:
		return standingApproved
	case approval.Denied:
		return standingDenied
	case approval.Expired:
		return standingExpired
	case approval.Running:
		return standingRunning
	case approval.Unknown:
		return standingUnknown
	case approval.Done, approval.Failed, approval.Refused, approval.Cancelled:
	}
	return standingOver
}

// settle says how a call stands that the session waits for, by its transcript and its
// ticket. Where the two disagree the more careful one holds.
func (m *matter) settle(t *approval.Ticket) {
	m.ticket = t
	if t != nil {
		if m.since.IsZero() || t.Created.Before(m.since) {
			m.since = t.Created
		}
		if m.why == "" {
			m.why = t.Why
		}
		if err := t.Matches(m.call); err != nil {
			m.problem = err.Error()
		}
		m.until, m.outcome = t.Expires, t.Outcome.String()
	}
	if t == nil && m.outcome == permission.Allow.String() { // see [approval.Parking.Belated]
		m.until, m.outcome = time.Time{}, ""
	}
	ticket := standingPending
	switch {
	case t != nil:
		ticket = standingOf(t.State)
	case !m.until.IsZero() && !m.until.After(time.Now()):
		ticket = standingExpired
	}
	switch {
	case ticket == standingRunning:
		m.standing = standingRunning // a sweep has marked those whose process is dead
	case m.stage == session.Unsure || ticket == standingUnknown:
		m.standing = standingUnknown
	case m.stage == session.Confirmed:
		m.standing = standingRan
	case ticket == standingOver: // a process died before it could tell the session
		m.standing = standingDenied
		if t.State == approval.Done || t.State == approval.Failed {
			m.standing = standingUnknown
		}
		m.problem = fmt.Sprintf("its ticket says that it is %s, and its session still waits for it", t.State)
	default:
		m.standing = ticket
	}
}

// doubtful: the transcript says that somebody has begun, and the ticket does not say that
// nobody knows how it ended.
func (m *matter) doubtful() bool {
	return m.standing == standingUnknown && m.stage == session.Unsure && (m.ticket == nil || m.ticket.State != approval.Unknown)
}

// orphan is a ticket whose call no session waits for. What is unknown stays so.
func orphan(t approval.Ticket) matter {
	m := matter{call: t.Call, why: t.Why, since: t.Created, until: t.Expires, outcome: t.Outcome.String(), ticket: &t, standing: standingOver, problem: "its session does not exist any more"}
	if t.State == approval.Unknown {
		m.standing = standingUnknown
	}
	return m
}

// willRun: it runs when the session goes on, because nobody has answered in time, unless
// it needs a person.
func (m *matter) willRun() bool {
	return m.standing == standingExpired && m.outcome == permission.Allow.String()
}

// name is what people call it by: its ticket, or its session as long as it has none.
func (m *matter) name() string {
	if m.ticket != nil {
		return m.ticket.ID
	}
	return m.call.Session
}

// digest is that of the call as the transcript has it; a person who answers was shown it.
func (m *matter) digest() string {
	if m.ticket != nil {
		return m.ticket.Digest
	}
	digest, err := m.call.Digest()
	if err != nil {
		return ""
	}
	return digest
}

// answered is what somebody has said; nil when nobody has.
func (m *matter) answered() *approval.Answer {
	if m.ticket == nil {
		return nil
	}
	return m.ticket.Answer
}
