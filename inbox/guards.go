package inbox

import (
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// Guard lets the guards of other agents wait for answers, on a socket in the state
// directory. It must happen before [Server.Run], and only in the one server of the
// directory. What the socket can do is to hold calls and to hand answers over; it can give
// none.
func (s *Server) Guard() error {
	keeper := s.keeper()
	door, err := socket.Listen(s.Dir, keeper)
	if err != nil {
		return err
	}
	s.listeners = append(s.listeners, keeper.Tell)
	s.jobs = append(s.jobs, door.Run)
	return nil
}

// keeper holds calls of guards.
func (s *Server) keeper() *socket.Keeper {
	grace := func(id string) time.Time { return s.graces.of(id, s.now()) }
	return socket.NewKeeper(s.Tickets, grace).Judging(s.opinion)
}

// opinion is what the rules of today make of a call that a guard holds. People read it in
// place of what the guard says; sure is false for a call that only its guard knows.
func (s *Server) opinion(call approval.Call) (found socket.Opinion, sure bool) {
	j := s.judge(call, permission.Default.String())
	if j.judgement == nil || j.judgement.Call == nil {
		return found, false
	}
	d := j.judgement.Decision
	found.Kin, found.Risk = permission.Kin(j.judgement.Call), permission.RiskOf(j.judgement.Call, d)
	if d.Behavior == permission.Ask {
		found.Why = policy.WellFormed(j.judgement.Reply().Reason)
	}
	return found, true
}
