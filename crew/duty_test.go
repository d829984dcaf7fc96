package crew

import (
	"testing"

	"github.com/assent-dev/assent/approval"
)

// What people write about a ticket lets no session go on: least of all one in which nobody
// knows whether a call ran.
func TestA4_WordsAboutATicketAreNoAnswer(t *testing.T) {
	for _, state := range approval.States {
		for _, kind := range []string{approval.KindComment, approval.KindVote, approval.KindWithdrawn, approval.KindEscalated} {
			about := approval.Change{Ticket: "t1", Event: approval.Event{From: state, To: state, Kind: kind}}
			if words := wordsOf([]approval.Change{about}); len(words) != 0 {
				t.Errorf("%s, %s: %v", kind, state, words)
			}
		}
	}
	told := approval.Change{Ticket: "t1", Event: approval.Event{From: approval.Pending, To: approval.Approved}}
	if words := wordsOf([]approval.Change{told}); len(words) != 1 {
		t.Errorf("%v", words)
	}
}
