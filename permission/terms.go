package permission

import (
	"cmp"
	"slices"
	"time"
)

// Terms are what has to be so before a person's yes counts. The zero value asks for one yes of
// anybody.
type Terms struct {
	// Approvers is how many people must say yes, each for himself; zero means one.
	Approvers int `json:"approvers,omitempty"`
	// Reason: whoever says yes has to say why.
	Reason bool `json:"reason,omitempty"`
	// NotRequester: whoever wanted the call cannot say yes to it.
	NotRequester bool `json:"not_requester,omitempty"`
	// Escalate is who is told when nobody has answered for some time, the earliest first.
	Escalate []Escalation `json:"escalate,omitempty"`
}

// Escalation is that others are told of a call that still waits.
type Escalation struct {
	// After is how long it has to wait for that.
	After time.Duration `json:"after"`
	// Notify are the names of the targets of notifications that are told.
	Notify []string `json:"notify"`
}

// Need is how many people must say yes.
func (t Terms) Need() int { return max(1, t.Approvers) }

// Personal: it matters who says yes, so whoever does must have signed in. The name of
// somebody who uses a terminal is only that of an account.
func (t Terms) Personal() bool { return t.Need() > 1 || t.NotRequester }

// IsZero: one yes of anybody is enough, and nobody is told later.
func (t Terms) IsZero() bool {
	return t.Approvers <= 1 && !t.Reason && !t.NotRequester && len(t.Escalate) == 0
}

// And is what both ask for: of two terms the stricter one holds.
func (t Terms) And(other Terms) Terms {
	both := Terms{Approvers: max(t.Approvers, other.Approvers), Reason: t.Reason || other.Reason, NotRequester: t.NotRequester || other.NotRequester}
	for _, e := range slices.Concat(t.Escalate, other.Escalate) {
		same := func(known Escalation) bool { return known.After == e.After && slices.Equal(known.Notify, e.Notify) }
		if !slices.ContainsFunc(both.Escalate, same) {
			both.Escalate = append(both.Escalate, e)
		}
	}
	slices.SortStableFunc(both.Escalate, func(a, b Escalation) int { return cmp.Compare(a.After, b.After) })
	return both
}
