package inbox

import (
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/session"
)

// gather makes a world with people who sign in at the page themselves: vera and dee may look, abe
// and ben answer, and ada may do everything. The token is one of ada, for what a test looks up.
func (s *studio) gather() product {
	s.t.Helper()
	c := newStrangers(s.t)
	for name, role := range map[string]people.Role{"vera": people.Viewer, "dee": people.Viewer, "abe": people.Approver, "ben": people.Approver} {
		c.know(role, name)
	}
	c.add(people.Admin, "ada")
	var err error
	c.Links, err = link.On(s.t.Context(), c.Tickets.Database())
	c.must(err)
	made := s.open(c.world)
	made.Token = c.tokens["ada"]
	return made
}

// doWithPeople does what a browser test asks for in a world with people.
func (s *studio) doWithPeople(w *world, what string, o order) product {
	s.t.Helper()
	ctx := s.t.Context()
	switch what {
	case "ask": // parks a call that somebody wanted, and says what a yes to it needs
		w.requester, w.terms = o.Requester, o.Terms
		return product{ID: w.park(session.PendingCall{Tool: o.Tool, Input: o.Input})[0].ID}
	case "link":
		ticket, err := w.Tickets.Find(ctx, o.ID)
		w.must(err)
		var text string
		w.must(w.Tickets.Database().Within(ctx, func(tx *database.Tx) (err error) {
			text, err = w.Links.Make(ctx, tx, ticket.ID, ticket.Digest, o.Name, time.Now().Add(time.Duration(o.Minutes)*time.Minute))
			return err
		}))
		return product{Text: text}
	case "late": // the time of a call is over
		w.must(w.Tickets.Database().Within(ctx, func(tx *database.Tx) error {
			_, err := tx.ExecContext(ctx, "UPDATE tickets SET expires = created + 1 WHERE id = $1", o.ID)
			return err
		}))
	case "escalate": // as the server does when nobody has answered
		w.must(w.Tickets.Escalated(ctx, o.ID, o.Text))
	case "deputy":
		_, err := w.People.Delegate(ctx, operator, o.By, o.Name, time.Now().Add(time.Hour), "holidays")
		w.must(err)
	case "disable":
		w.must(w.People.Disable(ctx, operator, o.Name))
	case "enable":
		w.must(w.People.Enable(ctx, operator, o.Name))
	case "role":
		role, err := people.ParseRole(o.Text)
		w.must(err)
		w.must(w.People.SetRole(ctx, operator, o.Name, role))
	default:
		s.t.Errorf("a browser test asks for %q, which nobody knows", what)
	}
	return product{}
}
