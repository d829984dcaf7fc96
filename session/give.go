package session

import (
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/chain"
)

// A session that was begun without a depot comes into it when somebody works on it with one. It was a
// file on his machine until then, which proves nothing about who has spoken in it, as one that is
// imported: he could have taken himself out. So he is one of those who want its calls.

// give gives a session that only this machine has, and that is locked, to the depot. One that is not
// as it was written stays what it is.
func (s *Store) give(id string) (Lease, error) {
	end, given, err := s.given(id)
	if err != nil {
		return nil, err
	}
	added := &memory{} // what the depot must have from the beginning
	if _, err := chain.NewLog(added, end).Append(given); err != nil {
		return nil, err
	}
	return s.handOver(id, added.data)
}

// given is the record that says who gives a session away, as one who takes it up and could say
// something in it, and where it goes. The session was read as whoever goes on with it reads it.
func (s *Store) given(id string) (end chain.Position, record []byte, err error) {
	t, err := s.open(id, nil, func() {})
	if err != nil {
		return end, nil, err
	}
	defer t.Close()
	if _, err := t.Conversation(); err != nil {
		return end, nil, err
	}
	record, err = encode(s.now(), Resumed, Start{Session: id, Cwd: t.state.start.Cwd, Requester: account.Name()})
	return t.place(), record, err
}

// OnlyHere: a session lies on this machine and not in the depot, into which it comes when somebody
// works on it with that.
func (s *Store) OnlyHere(id string) bool {
	return CheckID(id) == nil && s.marked(id, transcriptName) && s.onlyHere(id)
}

// onlyHere: there is a depot, and it does not have the session, which was looked for there.
func (s *Store) onlyHere(id string) bool { return s.Depot != nil && !s.isCopyOfDepot(id) }
