package inbox

import (
	"bytes"
	"slices"

	"github.com/assent-dev/assent/clerk"
)

// changeOf says what the call that was judged does to a file. The file is looked at if somebody
// has to decide over it, if the call runs on this machine, and if it is one to which the parked
// call leads: people look at calls, and not, by an input of their own, at the disk of the server.
func (s *Server) changeOf(m matter, j judged) *clerk.FileChange {
	switch {
	case !m.open():
		return clerk.Wanted(j.call, clerk.Bygone)
	case !s.here():
		return clerk.Wanted(j.call, clerk.Elsewhere)
	case !bytes.Equal(j.call.Input, m.Call.Input) && !m.keepsPlaces(j):
		return clerk.Wanted(j.call, clerk.NotParked)
	}
	return clerk.Change(j.call)
}

// keepsPlaces: a call that was judged leads to files of the parked one, and to no others.
func (m matter) keepsPlaces(j judged) bool {
	if j.judgement == nil || j.judgement.Call == nil {
		return false
	}
	now, parked := j.judgement.Call.Places(), m.Places()
	return len(now) > 0 && !slices.ContainsFunc(now, func(place string) bool { return !slices.Contains(parked, place) })
}
