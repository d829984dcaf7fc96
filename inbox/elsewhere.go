package inbox

import (
	"sync"

	"github.com/assent-dev/assent/approval"
)

// ownWords are the changes of tickets that this server has made for people, and has logged. All
// others have been made elsewhere: by a command on this machine, or at another server.
type ownWords struct {
	// mu is held for reading while an answer is given, so that who hears of it knows whose it is.
	// Whoever holds it must not wait for the rules: an answer is taken back with those locked.
	mu sync.RWMutex
	// made are those of which nothing was heard yet, and how often each; several people answer
	// at once.
	noting sync.Mutex
	made   map[word]int
}

// word is what was said about a ticket.
type word struct {
	ticket string
	state  approval.State
}

// give lets an answer be given here, which leaves the ticket in a state that is empty when
// nothing has changed.
func (o *ownWords) give(ticket string, give func() (approval.State, error)) error {
	o.mu.RLock()
	defer o.mu.RUnlock()
	state, err := give()
	if err != nil || state == "" {
		return err
	}
	o.noting.Lock()
	defer o.noting.Unlock()
	if o.made == nil {
		o.made = map[word]int{}
	}
	o.made[word{ticket, state}]++
	return nil
}

// heard: a change has happened. It says whether it was made elsewhere.
func (o *ownWords) heard(c approval.Change) (elsewhere bool) {
	o.mu.Lock() // no answer is being given
	defer o.mu.Unlock()
	w := word{c.Ticket, c.To}
	switch n := o.made[w]; {
	case n > 1:
		o.made[w]--
	case n == 1:
		delete(o.made, w)
	default:
		return true
	}
	return false
}

// logElsewhere writes down what people have said elsewhere: what is said here is in the log
// already, and who reads it later wants to know who has let a call run.
func (s *Server) logElsewhere(list []approval.Change) {
	for _, c := range list {
		text := saidElsewhere(c)
		if text != "" && s.own.heard(c) {
			s.Log.Info(text, "ticket", c.Ticket, "by", mask(c.Who))
		}
	}
}

// saidElsewhere is what a change is called in the log; empty for one that no person makes.
func saidElsewhere(c approval.Change) string {
	switch {
	case c.Kind != "": // the ticket has stayed as it was
	case c.To == approval.Approved && c.Answers():
		return "approved elsewhere"
	case c.To == approval.Denied:
		return "denied elsewhere"
	case c.YesLapsed():
		return "waits again, because a yes does not count any more"
	case c.To == approval.Pending && (c.From == approval.Approved || c.From == approval.Denied):
		return "taken back elsewhere"
	}
	return ""
}
