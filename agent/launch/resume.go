package launch

import (
	"errors"
	"fmt"
	"os"
	"unicode/utf8"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// find says which session it is, and reads the one to go on with. That one also says
// where the session works and in which mode.
func (s *Session) find(store *session.Store, o *Options) error {
	if dir := o.Settings.Dir; !utf8.ValidString(dir) {
		return fmt.Errorf("the directory %s has a name that is not valid UTF-8, which no record could hold (rename it, or work in another one)", policy.Visible(dir))
	}
	if o.Forget && (o.Resume != "" || o.Last) { // its calls have answers that only its record leads to
		return errors.New("a session that goes on is on record and cannot be forgotten (leave --no-session-persistence out)")
	}
	s.Source = "startup"
	if o.Last {
		last, err := store.Latest(o.Settings.Dir)
		if err != nil {
			return &NoSessionError{Err: fmt.Errorf("there is no session in this directory to continue (start one with `assent -p PROMPT`): %w", err)}
		}
		o.Resume = last
	}
	switch {
	case o.Resume != "" && !o.Fork:
		s.ID = o.Resume
	case o.ID != "":
		s.ID = o.ID
	default:
		s.ID = session.NewID()
	}
	o.Named(s.ID)
	if o.Resume != "" {
		s.Source = "resume"
		if err := s.take(store, *o); err != nil {
			return &NoSessionError{ID: o.Resume, Err: err, dir: StateDir(o.Settings)}
		}
		if o.OnlyPending && s.before.Pending == nil && !agent.Owes(*s.before) {
			return ErrNothingPending
		}
		if err := s.mayTakeUp(*o); err != nil {
			return err
		}
		if err := moveTo(s.before.Start.Cwd, o); err != nil {
			return err
		}
		o.Settings.Mode = modeToResume(s.before.Mode, o)
	}
	return nil
}

// take reads the session to go on with. It is locked first, so that nobody writes what
// is not read; a fork only looks, because the other session is not its own.
func (s *Session) take(store *session.Store, o Options) (err error) {
	if o.Fork {
		before, err := store.Load(o.Resume)
		s.before = &before
		if err == nil {
			s.warnOfShortened(o, <-recall(o))
		}
		return err
	}
	asked := recall(o) // while the transcript is read, which lacks nothing that lies on the desk before
	if s.transcript, err = store.Resume(o.Resume); err == nil {
		err = s.read()
	}
	known := <-asked // also when that has failed: nobody may ask a desk that is closed
	if err != nil {
		return err
	}
	return s.whole(o, known)
}

// mayTakeUp: nothing is against going on with the calls that wait in the session.
func (s *Session) mayTakeUp(o Options) error {
	if s.before.Pending == nil || o.TakesUp == nil {
		return nil
	}
	return o.TakesUp(o.Resume)
}

// fits refuses a session whose calls cannot be taken up in a directory, before anything
// is written or started for it.
func (s *Session) fits(cwd string, o Options) error {
	if s.before == nil {
		return nil
	}
	if err := s.before.Check(cwd); err != nil {
		return &NoSessionError{ID: o.Resume, Err: err, dir: StateDir(o.Settings)}
	}
	return nil
}

// read reads the conversation of the transcript.
func (s *Session) read() error {
	before, err := s.transcript.Conversation()
	s.before = &before
	return err
}

// ErrNothingPending: no call of the session waits, and there is no prompt either.
var ErrNothingPending = errors.New("there is nothing to go on with: no call of the session waits for an answer (pass a prompt)")

// NoSessionError: the session cannot be gone on with. There is none of that id, it is
// damaged, or another process has it.
type NoSessionError struct {
	ID  string // "" for the last one of a directory in which there is none
	Err error
	dir string // where sessions are kept
}

// Error begins with the words that hosts know.
func (e *NoSessionError) Error() string {
	switch {
	case e.ID == "":
	case errors.Is(e.Err, session.ErrUnknown):
		return fmt.Sprintf("No conversation found with session ID: %s (%v in %s)", e.ID, session.ErrUnknown, e.dir)
	case errors.Is(e.Err, session.ErrBadID):
		return fmt.Sprintf("No conversation found with session ID: %s (%v)", e.ID, session.ErrBadID)
	}
	return e.Err.Error()
}

// Unwrap returns the reason.
func (e *NoSessionError) Unwrap() error { return e.Err }

// moveTo makes the session work in the directory in which it was recorded: that is
// where its rules and its relative names come from.
func moveTo(cwd string, o *Options) error {
	if cwd == o.Settings.Dir {
		return nil
	}
	if info, err := os.Stat(cwd); err != nil || !info.IsDir() {
		return fmt.Errorf("the session worked in %s, which does not exist here (make that directory, or bind the session to another one with `assent sessions export` and `assent sessions import --cwd DIR`)", cwd)
	}
	if !o.Unattended { // a server resumes many, and each has its own
		o.Warn("the session goes on in its own directory, " + cwd)
	}
	o.Settings.Dir = cwd
	return nil
}

// modeToResume is the permission mode of a session that goes on. What the command line
// says wins; the mode it had comes back otherwise, but bypassPermissions, which somebody
// has to ask for each time. Whoever resumes is told, because it is easy to forget.
func modeToResume(saved string, o *Options) permission.Mode {
	mode, err := permission.ParseMode(saved)
	given := o.Settings.Mode
	switch {
	case err != nil:
		return given
	case given != 0 && given != mode:
		o.Warn(fmt.Sprintf("the session was in permission mode %s and goes on in %s, as the command line says", mode, given))
		return given
	case given != 0:
		return given
	case mode == permission.BypassPermissions:
		o.Warn("the session was in permission mode bypassPermissions, which is not restored (pass --permission-mode bypassPermissions again)")
		o.Settings.ForgoBypass = true // whatever settings say about new sessions
		return 0
	case mode != permission.Default && !o.Unattended:
		o.Warn(fmt.Sprintf("the session goes on in permission mode %s, which it was in (pass --permission-mode for another)", mode))
	}
	return mode
}
