package inbox

import (
	"errors"

	"github.com/assent-dev/assent/clerk"
)

// changeOf says what the call that was judged does to a file. As long as somebody has to decide over it that
// is the file as it is now, and then what the one was shown who has approved it last, also if that answer
// holds no more.
func (s *Server) changeOf(m matter, j judged) *clerk.FileChange {
	if m.open() {
		return m.ChangeBy(j.call, j.judgement, s.here())
	}
	if a := m.Answer(); a != nil && a.Change != nil {
		return a.Change
	}
	return clerk.Wanted(j.call, clerk.Bygone)
}

// seen refuses a yes to a change of a file that is not the one that would be made now. An answer without a
// digest is one to whatever the file is.
func seen(change *clerk.FileChange, digest string) error {
	if digest == "" || change != nil && change.Digest == digest {
		return nil
	}
	return conflict(Changed, errors.New("the file is not what it was when the change was shown: look at the call again"))
}
