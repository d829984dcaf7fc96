package classify

import (
	"fmt"
	"strings"
	"sync"
)

// Limits of a breaker.
const (
	// MostInARow and MostInAll are the refusals at which it opens.
	MostInARow = 3
	MostInAll  = 20
)

// Breaker counts what a classifier refuses. When that is too much, something is wrong
// with the agent or with the classifier, and a person should look: from the third
// refusal in a row, or the twentieth in all, questions go to the person instead.
//
// It is safe for concurrent use. The zero value has counted nothing; a nil breaker
// never opens.
type Breaker struct {
	mu     sync.Mutex
	counts Counts
}

// Counts is what a breaker has counted, as a session keeps it.
type Counts struct {
	InARow int `json:"in_a_row"`
	InAll  int `json:"in_all"`
}

// Opening is why a breaker is open.
type Opening uint8

// The openings.
const (
	Closed Opening = iota
	TooManyInARow
	TooManyInAll
)

func (o Opening) String() string {
	switch o {
	case Closed:
		return "closed"
	case TooManyInARow:
		return "too many in a row"
	case TooManyInAll:
		return "too many in all"
	}
	return "unknown"
}

// Restore is a breaker that goes on counting. Counts that no breaker can have are
// mended, so that a damaged session never has more patience than a new one.
func Restore(c Counts) *Breaker {
	c.InARow = max(c.InARow, 0)
	c.InAll = max(c.InAll, c.InARow)
	return &Breaker{counts: c}
}

// Counts is what it has counted so far.
func (b *Breaker) Counts() Counts {
	if b == nil {
		return Counts{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.counts
}

// Opening says whether questions go to the person, and why.
func (b *Breaker) Opening() Opening { return b.Counts().Opening() }

// Opening is whether a breaker that has counted this is open, and why.
func (c Counts) Opening() Opening {
	switch {
	case c.InAll >= MostInAll:
		return TooManyInAll
	case c.InARow >= MostInARow:
		return TooManyInARow
	}
	return Closed
}

// Refused counts a refusal. If the breaker is open after it, the person is asked about
// this very call.
func (b *Breaker) Refused() Opening {
	if b == nil {
		return Closed
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts.InARow++
	b.counts.InAll++
	return b.counts.Opening()
}

// Approved says that a call was approved, by the classifier or by the person: the next
// refusal is the first in a row again. What was refused in all stays.
func (b *Breaker) Approved() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts.InARow = 0
}

// OpenError is why a classifier gives no answer: the breaker is open, and the person
// is asked instead.
type OpenError struct {
	Opening Opening
	Counts  Counts
	// Reasons are those of the refusal that opened it, if this is the one.
	Reasons []string
}

// Error is the sentence for the person.
func (e *OpenError) Error() string {
	switch e.Opening {
	case TooManyInARow:
		return e.refused() + ", so you are asked instead; approve one to let it judge again" + e.last()
	case TooManyInAll:
		return e.refused() + ", so you are asked from now on; look at what the agent is trying to do" + e.last()
	case Closed:
	}
	return "auto mode does not answer" + e.last()
}

// Unasked is the sentence where nobody can be asked.
func (e *OpenError) Unasked() string {
	if e.Opening == Closed {
		return e.Error()
	}
	return e.refused() + "; nobody can be asked, so calls that no rule settles are denied from now on; " +
		"allow what the agent needs with rules, or go on with the session where somebody can answer" + e.last()
}

func (e *OpenError) refused() string {
	if e.Opening == TooManyInAll {
		return fmt.Sprintf("auto mode has refused %d calls in this session", e.Counts.InAll)
	}
	return fmt.Sprintf("auto mode has refused %d calls in a row", e.Counts.InARow)
}

// last are the reasons of the refusal that opened it.
func (e *OpenError) last() string {
	if len(e.Reasons) == 0 {
		return ""
	}
	return " (the last refusal: " + strings.Join(e.Reasons, "; ") + ")"
}
