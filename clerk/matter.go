package clerk

import (
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// Matter is a call that was parked: what the transcript says of it, and its ticket.
type Matter struct {
	// Call is what would run.
	Call approval.Call
	// Why says why it was parked.
	Why   string
	Since time.Time
	// Until is the end of the time in which somebody may answer, zero if there is none, and
	// Outcome what holds then.
	Until   time.Time
	Outcome string
	Stage   session.Stage
	// Mode is the permission mode of the session.
	Mode string
	// Waits: the session cannot go on without it.
	Waits bool
	// Forks are the sessions from which its session, a fork of them, has it, the nearest first.
	// Unheard is why nobody can say whether it was denied there, so that only a person lets it run.
	Forks   []string
	Unheard string
	// Finding is what a person has said about a run of it; nil when nobody has.
	Finding *session.Finding
	// Ticket is nil when it has none yet.
	Ticket   *approval.Ticket
	Standing Standing
	// Problem is why it cannot be answered as it stands; empty when it can. OnlyHere: its session is not
	// in the database that was named, so nobody answers it there.
	Problem  string
	OnlyHere bool
	// Obstacle is why it does not run although nobody has answered in time.
	Obstacle Obstacle
	// Unread: it may have a ticket, which cannot be read.
	Unread bool
	// Labels are what a machine must have to go on with its session.
	Labels []string
	// Votes are those who have said yes where several people must, as far as somebody has asked
	// for them.
	Votes []approval.Vote

	// gone: its session does not exist any more.
	gone bool
	// risk, kin, places, requester and terms are what the session has on record.
	risk      permission.Risk
	kin       string
	places    []string
	requester string
	terms     permission.Terms
}

// Reason is why it waits, as a person reads it.
func (m *Matter) Reason() string {
	if m.Why == "" || m.Unheard == "" {
		return m.Why + m.Unheard
	}
	return m.Why + "; " + m.Unheard
}

// Risk is how much harm it could do. What nobody has written down counts as high.
func (m *Matter) Risk() permission.Risk {
	switch {
	case m.Ticket != nil && m.Ticket.Risk != 0:
		return m.Ticket.Risk
	case m.risk != 0:
		return m.risk
	}
	return permission.HighRisk
}

// settle says how a call stands that the session waits for, by its transcript and its
// ticket. Where the two disagree the more careful one holds.
func (m *Matter) settle(t *approval.Ticket) {
	m.Ticket = t
	if t != nil {
		if m.Since.IsZero() || !t.Created.IsZero() && t.Created.Before(m.Since) {
			m.Since = t.Created
		}
		if m.Why == "" {
			m.Why = t.Why
		}
		if err := t.Matches(m.Call); err != nil {
			m.Problem = err.Error()
		}
		m.Until, m.Outcome = t.Expires, t.Outcome.String()
	}
	if t == nil && m.Outcome == permission.Allow.String() { // see [approval.Parking.Belated]
		m.Until, m.Outcome = time.Time{}, ""
	}
	ticket := Pending
	switch {
	case t != nil:
		ticket = standingOf(t.State)
	case !m.Until.IsZero() && !m.Until.After(time.Now()):
		ticket = Expired
	}
	switch {
	case ticket == Running:
		m.Standing = Running // a sweep has marked those whose process is dead
	case m.Stage == session.Unsure || ticket == Unknown:
		m.Standing = Unknown
	case m.Stage == session.Confirmed:
		m.Standing = Ran
	case ticket == Over: // a process died before it could tell the session
		m.Standing = Denied
		if t.State == approval.Done || t.State == approval.Failed {
			m.Standing = Unknown
		}
		m.Problem = fmt.Sprintf("its ticket says that it is %s, and its session still waits for it", t.State)
	default:
		m.Standing = ticket
	}
}

// begun: the transcript says that somebody has begun, and the ticket does not say that
// nobody knows how it ended.
func (m *Matter) begun() bool {
	return m.Standing == Unknown && m.Stage == session.Unsure && (m.Ticket == nil || m.Ticket.State != approval.Unknown)
}

// doubtful: transcript and ticket do not go together. Mostly a process was at work between
// the two looks, and has begun the call or even ended it.
func (m *Matter) doubtful() bool {
	return m.begun() || m.Waits && m.Stage == session.Waiting && standingOf(m.state()) == Over
}

// unsettled: the answer may still be taken back.
func (m *Matter) unsettled() bool {
	return m.Ticket != nil && !m.Ticket.UnsettledUntil(time.Now()).IsZero()
}

// orphan is a ticket whose call no session waits for. What is unknown stays so.
func orphan(t approval.Ticket) Matter {
	if t.Asker != "" { // for which none has to
		return heldCall(t)
	}
	m := Matter{Call: t.Call, Why: t.Why, Since: t.Created, Until: t.Expires, Outcome: t.Outcome.String(), Ticket: &t, Standing: Over, Problem: "its session does not exist any more"}
	if t.State == approval.Unknown {
		m.Standing = Unknown
	}
	return m
}

// WillRun: it runs when the session goes on, because nobody has answered in time, unless
// there is an obstacle.
func (m *Matter) WillRun() bool {
	return m.Standing == Expired && m.Outcome == permission.Allow.String()
}

// Name is what people call it by: its ticket, or its session as long as it has none.
func (m *Matter) Name() string {
	if m.Ticket != nil {
		return m.Ticket.ID
	}
	return m.Call.Session
}

// Digest is that of the call as it was parked; a person who answers was shown it. It is
// empty for a call whose input cannot be read.
func (m *Matter) Digest() string {
	if m.Ticket != nil {
		return m.Ticket.Digest
	}
	digest, err := m.Call.Digest()
	if err != nil {
		return ""
	}
	return digest
}

// Answer is what somebody has said; nil when nobody has.
func (m *Matter) Answer() *approval.Answer {
	if m.Ticket == nil {
		return nil
	}
	return m.Ticket.Answer
}

// Runs is the call with the input that would run: that of the answer, if it has one.
func (m *Matter) Runs() approval.Call {
	call := m.Call
	if a := m.Answer(); a != nil && a.Input != nil {
		call.Input = a.Input
	}
	return call
}

// state is that of the ticket.
func (m *Matter) state() approval.State {
	if m.Ticket == nil {
		return approval.Pending
	}
	return m.Ticket.State
}

// compareMatters puts those first that need somebody, and of these the oldest.
func compareMatters(a, b Matter) int {
	if a.Standing != b.Standing {
		return int(a.Standing) - int(b.Standing)
	}
	if c := a.Since.Compare(b.Since); c != 0 {
		return c
	}
	return strings.Compare(a.Call.Session+a.Call.ToolUseID, b.Call.Session+b.Call.ToolUseID)
}
