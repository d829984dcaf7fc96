package desk_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/permission"
)

// crowded is tickets whose claims mind people.
type crowded struct {
	*approval.Store
	people *people.Store
	t      *testing.T
}

// crowdedOnBoth runs a test on each kind of database.
func crowdedOnBoth(t *testing.T, test func(*testing.T, *crowded)) {
	for kind, open := range map[string]func(*testing.T) (*database.DB, error){
		"SQLite": func(t *testing.T) (*database.DB, error) { return database.OpenFile(t.TempDir() + "/tickets.db") },
		"PostgreSQL": func(t *testing.T) (*database.DB, error) {
			return database.Connect(t.Context(), testpostgres.Database(t))
		},
	} {
		t.Run(kind, func(t *testing.T) {
			db, err := open(t)
			must(t, err)
			t.Cleanup(func() { _ = db.Close() })
			store, err := approval.On(t.Context(), db)
			must(t, err)
			voice.Mind(store)
			crowd, err := people.On(t.Context(), db)
			must(t, err)
			test(t, &crowded{store, crowd, t})
		})
	}
}

// comes lets somebody in whom another server knows by a subject.
func (c *crowded) comes(subject, name, email string) {
	c.t.Helper()
	_, _, err := c.people.Admit(c.t.Context(), people.Identity{Issuer: "https://idp.example", Subject: subject, Name: name, Email: email, EmailVerified: email != "", Role: people.Approver}, people.Create)
	must(c.t, err)
}

// adds adds people who answer, each with an e-mail.
func (c *crowded) adds(emails map[string]string) {
	c.t.Helper()
	for name, email := range emails {
		must(c.t, c.people.Add(c.t.Context(), people.Operator("root@vm"), people.Person{Name: name, Email: email, Role: people.Approver}, "correct horse battery"))
	}
}

// parks makes a ticket that several people have to approve.
func (c *crowded) parks(session string, approvers int) approval.Ticket {
	c.t.Helper()
	call := deploy()
	ticket, err := c.Park(c.t.Context(), approval.Parking{Call: approval.Call{Session: session, ToolUseID: call.ToolUseID, Tool: call.Tool, Input: call.Input}, Terms: permission.Terms{Approvers: approvers}})
	must(c.t, err)
	return ticket
}

func (c *crowded) says(ticket approval.Ticket, by string) (approval.State, error) {
	voter, _, _ := strings.Cut(by, " ")
	got, err := c.Say(c.t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: by, Voter: voter, Still: voice.Counts(c.people)("")})
	return got.State, err
}

// Whoever has the e-mail of another person could be the same one, however both came to be: where
// two have to approve they are one voice, and so are their deputies in their place.
func TestA4_OneEMailIsOneVoice(t *testing.T) {
	crowdedOnBoth(t, func(t *testing.T, c *crowded) {
		c.adds(map[string]string{"hal": "hal@corp.com", "b.bo": "Hal@Corp.com ", "ike@corp.com": "", "i.ke": "ike@corp.com", "ann": "ann@corp.com", "dee": "dee@corp.com", "nil": "", "nix": ""})
		for _, d := range [][2]string{{"b.bo", "dee"}, {"ann", "dee"}} {
			_, err := c.people.Delegate(t.Context(), people.Operator("root@vm"), d[0], d[1], time.Now().Add(time.Hour), "")
			must(t, err)
		}
		for _, tt := range []struct {
			first, second string
			one           bool
		}{
			{"hal", "b.bo", true},
			{"b.bo", "hal", true},
			{"i.ke", "ike@corp.com", true},
			{"ike@corp.com", "i.ke", true},
			{"hal", approval.DeputySignature("dee", "b.bo"), true},
			{approval.DeputySignature("dee", "b.bo"), "hal", true},
			{"hal", approval.DeputySignature("dee", "ann"), false},
			{"hal", "ann", false},
			{"nil", "nix", false},
		} {
			ticket := c.parks(tt.first+"+"+tt.second, 2)
			state, err := c.says(ticket, tt.first)
			if err != nil || state != approval.Pending {
				t.Fatal(state, err)
			}
			state, err = c.says(ticket, tt.second)
			lapsed, refused := errors.AsType[*approval.Lapsed](err)
			if refused != tt.one || !tt.one && state != approval.Approved || tt.one && !strings.Contains(lapsed.Error(), "e-mail") {
				t.Errorf("%s, %s: %s, %v", tt.first, tt.second, state, err)
			}
			if tt.one {
				if state, err := c.says(ticket, "nil"); err != nil || state != approval.Approved {
					t.Errorf("%s, %s, and nil: %s, %v", tt.first, tt.second, state, err)
				}
			}
		}
	})
}

// The other server says later that an e-mail is verified. What both have said by then counts once,
// for who comes next as for a call that is about to begin.
func TestA4_AnEMailThatIsVerifiedLater(t *testing.T) {
	crowdedOnBoth(t, func(t *testing.T, c *crowded) {
		c.adds(map[string]string{"ben": "ben@corp.com", "ann": "ann@corp.com", "eve": "eve@corp.com"})
		c.comes("9", "b.bo", "")
		two, three := c.parks("two", 2), c.parks("three", 3)
		for _, ticket := range []approval.Ticket{two, three} {
			for _, who := range []string{"ben", "b.bo"} {
				_, err := c.says(ticket, who)
				must(t, err)
			}
		}
		c.comes("9", "b.bo", "ben@corp.com")
		_, err := c.Claim(t.Context(), two.ID, two.Call, nil, "worker")
		if again, waits := errors.AsType[*approval.WaitsAgain](err); !waits || !strings.Contains(again.Error(), "e-mail") {
			t.Fatalf("%v", err)
		}
		if state, err := c.says(two, "ann"); err != nil || state != approval.Approved {
			t.Errorf("%s, %v", state, err)
		}
		if _, err := c.Claim(t.Context(), two.ID, two.Call, nil, "worker"); err != nil {
			t.Error(err)
		}
		if state, err := c.says(three, "ann"); err != nil || state != approval.Pending {
			t.Errorf("%s, %v", state, err)
		}
		if state, err := c.says(three, "eve"); err != nil || state != approval.Approved {
			t.Errorf("%s, %v", state, err)
		}
	})
}
