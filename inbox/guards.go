package inbox

import (
	"time"

	"github.com/assent-dev/assent/inbox/socket"
)

// Guard lets the guards of other agents wait for answers, on a socket in the state
// directory. It must happen before [Server.Run], and only in the one server of the
// directory. What the socket can do is to hold calls and to hand answers over; it can give
// none.
func (s *Server) Guard() error {
	keeper := socket.NewKeeper(s.Tickets, func(id string) time.Time { return s.graces.of(id, s.now()) })
	door, err := socket.Listen(s.Dir, keeper)
	if err != nil {
		return err
	}
	s.listeners = append(s.listeners, keeper.Tell)
	s.jobs = append(s.jobs, door.Run)
	return nil
}
