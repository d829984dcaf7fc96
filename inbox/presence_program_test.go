package inbox

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/people"
)

// Who sees that somebody else looks at a call waits for that person. A program is none.
func TestT1_AProgramLooksUnderItsOwnName(t *testing.T) {
	c := newCrowd(t)
	c.tokens["ci"] = c.program("abe", people.Approver)
	ticket := c.park(bash("npm test"))[0]
	person, program := c.as("abe"), c.as("ci")
	a := person.openWindow(windowOf(1))
	b := program.openWindow(windowOf(2))
	program.lookAs(windowOf(2), ticket.ID).into(t, new(presenceView))
	if got := a.presence(); len(got.Others) != 1 || !strings.HasPrefix(got.Others[0].Name, "abe (token ") || got.Others[0].You {
		t.Errorf("the person is told %+v", got)
	}
	person.lookAs(windowOf(1), ticket.ID).into(t, new(presenceView))
	if got := b.presence(); len(got.Others) != 1 || got.Others[0] != (personView{"abe", false}) {
		t.Errorf("the program is told %+v", got)
	}
	// Neither says what is open in a window of the other.
	if got := program.lookAs(windowOf(1), ""); got.status != 404 {
		t.Errorf("%d %s", got.status, got.body)
	}
}
