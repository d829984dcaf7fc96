package session

import (
	"fmt"
	"slices"
	"time"
)

// Parking is that a call was parked: everybody knows the call by its id and that moment.
type Parking struct {
	ToolUseID string
	Since     time.Time
}

// Ticketed is a call of a session that people know of, because it has a ticket.
type Ticketed struct {
	Parking
	Tool string
	// Ticket is its name.
	Ticket string
}

// Lacks is the first of the calls with a ticket that the session has never parked; false when it
// has parked all of them.
//
// A call is on record before it gets its ticket, and no crash comes in between: a ticket without
// the record tells that records were taken away, also where nothing else does. Forks have their
// own tickets, and compactions leave the records as they are. Tickets from before the session
// began are those of another one that had its id; only those of a fork may be older than it.
func (c *Conversation) Lacks(known []Ticketed) (Ticketed, bool) {
	i := slices.IndexFunc(known, func(t Ticketed) bool { return !c.accountsFor(t.Parking) })
	if i < 0 {
		return Ticketed{}, false
	}
	return known[i], true
}

func (c *Conversation) accountsFor(p Parking) bool {
	const slack = time.Minute // clocks are set back, a little
	if c.Start.Parent == "" && p.Since.Before(c.Began.Add(-slack)) {
		return true
	}
	return slices.ContainsFunc(c.Parked, func(own Parking) bool {
		return own.ToolUseID == p.ToolUseID && (p.Since.IsZero() || own.Since.UnixMicro() == p.Since.UnixMicro())
	})
}

// Shortened is the error for a session whose transcript does not have a call that people know of.
type Shortened struct {
	ID   string
	Call Ticketed
}

func (e *Shortened) Error() string {
	return fmt.Sprintf("session %s cannot be used: its transcript does not have the call %s of %s, which has the ticket %s since %s. A call is on record before it gets a ticket, so somebody has cut off the end of the transcript, or put another one in its place (nothing was changed; put the whole transcript back, or continue with what is left in a copy with --fork-session)",
		e.ID, e.Call.ToolUseID, e.Call.Tool, e.Call.Ticket, e.Call.Since.UTC().Format(time.RFC3339))
}
