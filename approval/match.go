package approval

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Changed: the call that is to run is not the one that the ticket is for.
type Changed struct {
	Ticket Ticket
	Call   Call
}

func (e *Changed) Error() string {
	return fmt.Sprintf("the ticket %s is for another call: %s", e.Ticket.ID, strings.Join(e.Differences(), "; "))
}

// Differences name what is not the same, each with both values.
func (e *Changed) Differences() []string {
	var list []string
	for _, d := range []struct{ what, was, is string }{
		{"the tool", e.Ticket.Tool, e.Call.Tool},
		{"the session", e.Ticket.Session, e.Call.Session},
		{"the directory", e.Ticket.Cwd, e.Call.Cwd},
		{"the input", spelt(e.Ticket.Input), spelt(e.Call.Input)},
	} {
		if d.was != d.is {
			list = append(list, fmt.Sprintf("%s was %s and is %s now", d.what, d.was, d.is))
		}
	}
	if len(list) == 0 {
		list = append(list, "its digest was "+e.Ticket.Digest)
	}
	return list
}

func spelt(input strictjson.Raw) string {
	text, err := strictjson.Canonical(input)
	if err != nil {
		return string(input)
	}
	return string(text)
}

// NotApproved: what is to run is not what a person has approved.
type NotApproved struct {
	Ticket Ticket
	// Runs is the input that was to run.
	Runs strictjson.Raw
}

func (e *NotApproved) Error() string {
	return fmt.Sprintf("the ticket %s was approved for the input %s, and %s was to run", e.Ticket.ID, spelt(e.Ticket.approvedInput()), spelt(e.Runs))
}

func (t Ticket) approvedInput() strictjson.Raw {
	if t.Answer != nil && t.Answer.Input != nil {
		return t.Answer.Input
	}
	return t.Input
}

// Approval is the input that a person has approved. The error is why nobody can rely on
// that: it is not what the digest of the answer says.
func (t Ticket) Approval() (strictjson.Raw, error) {
	input := t.approvedInput()
	digest, err := t.digest(input)
	if err != nil {
		return nil, err
	}
	if t.Answer == nil || digest != t.Answer.Digest {
		return nil, &Damaged{Ticket: t, Err: fmt.Errorf("its answer is not the one that was given: its input has the digest %s", digest)}
	}
	return input, nil
}

// covers refuses to run anything but what a person has approved, if one has.
func (t Ticket) covers(runs strictjson.Raw) error {
	if t.State != Approved {
		return nil
	}
	input, err := t.Approval()
	if err != nil || bytes.Equal(input, runs) {
		return err
	}
	digest, err := t.digest(runs)
	if err != nil {
		return err
	}
	if digest != t.Answer.Digest {
		return &NotApproved{Ticket: t, Runs: runs}
	}
	return nil
}

// Matches refuses a call that is not the ticket's, with the difference.
func (t Ticket) Matches(call Call) error {
	digest, err := call.Digest()
	if err != nil {
		return err
	}
	if digest != t.Digest {
		return &Changed{Ticket: t, Call: call}
	}
	return nil
}
