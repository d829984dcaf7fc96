package approval

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// A vote that cannot be read counts for nothing, and nobody is told that it did.
func TestA4_ADamagedVoteLetsNothingRun(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for name, damage := range map[string]string{
			"fence": "fence = 'soon'", "at": "at = 'once'", "risk": "risk = 'none'", "no JSON": "places = '['",
			"not a list": `places = '{"a":1}'`, "no digest": "digest = ''", "no voter": "voter = ' '",
		} {
			column, _, _ := strings.Cut(damage, " ")
			if c.db.Kind() == database.PostgreSQL && slices.Contains([]string{"fence", "at", "risk"}, column) {
				continue // it takes nothing else in the place of a number
			}
			ticket := c.parkWith(name, two)
			_, err := c.yes(ticket, "ben")
			must(t, err)
			_, err = c.db.Writer().Exec("UPDATE votes SET "+damage+" WHERE ticket = $1", ticket.ID)
			must(t, err)
			var bad *DamagedVote
			if votes, err := c.Votes(t.Context(), ticket.ID); !errors.As(err, &bad) || len(votes) != 0 {
				t.Errorf("%s: %+v, %v", name, votes, err)
			}
			if _, err := c.yes(ticket, "cleo"); !errors.As(err, &bad) || !strings.Contains(err.Error(), "deny the call") {
				t.Errorf("%s: %v", name, err)
			}
			if got := c.find(ticket.ID); got.State != Pending || c.rows(ticket.ID) != 1 {
				t.Errorf("%s: %s", name, got.State)
			}
			if name != "no voter" { // whose it is can say it again
				if got, err := c.yes(ticket, "ben"); err != nil || got.State != Pending {
					t.Errorf("%s: %s, %v", name, got.State, err)
				}
				if got, err := c.yes(ticket, "cleo"); err != nil || got.State != Approved {
					t.Errorf("%s: %s, %v", name, got.State, err)
				}
			}
			if got, err := c.Deny(t.Context(), ticket.ID, ticket.Digest, "dan", "no"); err != nil || got.State != Denied {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A yes that is less than its terms ask for lets nothing run, whoever has written it: a program
// that does not know terms, or somebody who edits the database.
func TestA4_AYesAgainstItsTermsLetsNothingRun(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for name, edit := range map[string][2]string{
			"nobody who has signed in":  {`"voter":"cleo",`, ``},
			"without the others":        {`"voter":"ben",`, `"voter":"cleo",`},
			"in other letters":          {`"voter":"ben",`, `"voter":"CLEO",`},
			"the requester":             {`"voter":"cleo",`, `"voter":"Ana",`},
			"the requester before":      {`"voter":"ben",`, `"voter":"ana",`},
			"no reason":                 {`"message":"looked",`, ``},
			"a vote for something else": {`"digest":"sha256:`, `"digest":"sha256:0`},
		} {
			for _, held := range []bool{false, true} {
				terms := permission.Terms{Approvers: 2, NotRequester: true, Reason: true}
				p := Parking{Call: deploy(name), Requester: "ana@host", Terms: terms}
				var ticket Ticket
				var err error
				if held {
					ticket, err = c.Hold(t.Context(), "agent", p)
				} else {
					ticket, err = c.Park(t.Context(), p)
				}
				must(t, err)
				for _, voter := range []string{"ben", "cleo"} {
					_, err := c.yes(ticket, voter)
					must(t, err)
				}
				var text string
				must(t, c.db.Writer().QueryRow("SELECT answer FROM tickets WHERE id = $1", ticket.ID).Scan(&text))
				at := strings.LastIndex(text, edit[0])
				if at < 0 {
					t.Fatalf("%s: there is no %s in %s", name, edit[0], text)
				}
				_, err = c.db.Writer().Exec("UPDATE tickets SET answer = $1 WHERE id = $2", text[:at]+edit[1]+text[at+len(edit[0]):], ticket.ID)
				must(t, err)
				var damaged *Damaged
				if held {
					_, err = c.Hand(t.Context(), ticket.ID, "guard")
				} else {
					_, err = c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me")
				}
				if !errors.As(err, &damaged) {
					t.Errorf("%s: it runs: %v", name, err)
				}
				if got, err := c.Deny(t.Context(), ticket.ID, ticket.Digest, "dan", "no"); err != nil || got.State != Denied || c.rows(ticket.ID) != 0 {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	})
}

// Terms that cannot be read may be any.
func TestA4_DamagedTermsLetNothingRun(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for _, text := range []string{"{", "{}", "2", `{"approvers":"2"}`, `{"approvers":-2,"reason":true}`, `{"approvers":2,"approvers":1}`, `{"approvers":2}{}`, " "} {
			ticket := c.parkWith("terms "+text, two)
			_, err := c.db.Writer().Exec("UPDATE tickets SET terms = $1 WHERE id = $2", text, ticket.ID)
			must(t, err)
			var damaged *Damaged
			if _, err := c.yes(ticket, "ben"); !errors.As(err, &damaged) {
				t.Errorf("%q: %v", text, err)
			}
			if _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me"); !errors.As(err, &damaged) {
				t.Errorf("%q: %v", text, err)
			}
			if _, err := c.Deny(t.Context(), ticket.ID, ticket.Digest, "ben", "no"); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
