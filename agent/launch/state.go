package launch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assent-dev/assent/hook"
)

const stateName = "state.json"

// newState makes the state that the hooks of a new session share, in a directory that is
// the session's own already. There is no transcript yet, so a state that lies there is
// that of a session that never began.
func (s *Session) newState(dir string) error {
	path := filepath.Join(dir, stateName)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	state, err := hook.OpenState(path)
	if err != nil {
		return err
	}
	s.state = state
	return nil
}

// forkState makes the state of a fork: it begins with that of the session it comes from.
func (s *Session) forkState(dir, parent string) error {
	before, err := hook.JoinState(filepath.Join(filepath.Dir(dir), parent, stateName))
	if err != nil {
		return err
	}
	values, err := before.All()
	if err != nil {
		return err
	}
	if err := s.newState(dir); err != nil {
		return err
	}
	return s.state.Merge(values)
}

// joinState finds the state of a session that goes on. An empty one could be taken for
// "nothing speaks against it", so a missing one is an error.
func (s *Session) joinState() error {
	state, err := hook.JoinState(filepath.Join(s.transcript.Dir(), stateName))
	if err != nil {
		return err
	}
	s.state = state
	return nil
}

// scratchState makes the state of a session that keeps nothing.
func (s *Session) scratchState() (err error) {
	if s.scratch, err = os.MkdirTemp("", "assent-session-"); err != nil {
		return err
	}
	return s.newState(s.scratch)
}
