package approval

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// A log is told which ticket it is, and nothing of what the call contains.
func TestA2_NoCallIsInALog(t *testing.T) {
	ticket := Ticket{ID: "t1", Call: Call{Session: "s1", Tool: "Bash", Input: strictjson.Raw(`{"command":"echo canary"}`), Cwd: "/w"}, State: Approved}
	ticket.Answer = &Answer{Behavior: permission.Allow, Digest: "another"}
	_, damaged := ticket.Approval()
	changed := &Changed{Ticket: ticket, Call: Call{Session: "s1", Tool: "Bash", Input: strictjson.Raw(`{"command":"echo bird"}`), Cwd: "/w"}}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"changed":      {changed, "t1"},
		"wrapped":      {fmt.Errorf("the session cannot be read: %w", changed), "t1"},
		"one of two":   {errors.Join(errors.New("the disk is full"), changed), "the disk is full; the ticket t1"},
		"not approved": {&NotApproved{Ticket: ticket, Runs: strictjson.Raw(`{"command":"echo bird"}`)}, "t1"},
		"damaged":      {damaged, "t1"},
		"another":      {errors.New("the disk is full"), "the disk is full"},
	} {
		if got := Plain(c.err); !strings.Contains(got, c.want) || strings.Contains(got, "canary") || strings.Contains(got, "bird") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
