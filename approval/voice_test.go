package approval

import (
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// Names that could be those of one person, as [Requested] takes them, are one voice: he may have
// an account here and another one at a server that knows him.
func TestA4_NamesOfOnePersonAreOneVoice(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for _, tt := range []struct {
			first, second string
			one           bool
		}{
			{"ben", "ben@corp.com", true},
			{"ben@corp.com", "ben", true},
			{"ben@corp.com", "BEN@corp.example", true},
			{"ben", "cleo for ben@corp.com", true},
			{"dan for ben@corp.com", "cleo for ben", true},
			{"ben", "benno@corp.com", false},
			{"ben@corp.com", "cleo@corp.com", false},
		} {
			ticket := c.parkWith(tt.first+"+"+tt.second, permission.Terms{Approvers: 2})
			say := func(by string) Ticket {
				t.Helper()
				voter, _, _ := strings.Cut(by, " ")
				got, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: by, Voter: voter})
				if _, again := errors.AsType[*Voted](err); err != nil && !again {
					t.Fatalf("%s, %s: %v", tt.first, tt.second, err)
				}
				return got
			}
			say(tt.first)
			if got := say(tt.second); (got.State == Pending) != tt.one {
				t.Errorf("%s, %s: %s", tt.first, tt.second, got.State)
			}
			if tt.one {
				if got := say("eve"); got.State != Approved || len(got.Answer.Others) != 1 {
					t.Errorf("%s, %s, and eve: %+v", tt.first, tt.second, got)
				}
			}
		}
	})
}
