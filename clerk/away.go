package clerk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
)

// RunsHere: what waits runs on this machine, as the user of this process, because its sessions
// lie in the state directory here. Those in a database are taken by whichever worker comes
// first. That may be one in this process, and nobody knows before: so nothing that lies on this
// machine is shown as what such a call would find.
func RunsHere(sessions *session.Store) bool { return sessions.Depot == nil }

// Away: the directory in which a call would run is not on this machine, or is closed to the user
// of this process, so that the rules which hold there cannot be asked here.
type Away struct {
	Dir string
	// Err is why it cannot be read; nil when it is not there.
	Err error
}

func (e *Away) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("the directory %s does not exist here", e.Dir)
	}
	return fmt.Sprintf("the directory %s cannot be read here (%v)", e.Dir, cause(e.Err))
}

func (e *Away) Unwrap() error { return e.Err }

// Fixed is why a call whose directory is away can be approved only as it is.
func (e *Away) Fixed() string { return e.Error() + ", so nobody here could judge another input" }

// Missing is why a directory cannot be worked in here; nil when it is there.
func Missing(dir string) *Away {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), err == nil && !info.IsDir():
		return &Away{Dir: dir}
	case errors.Is(err, fs.ErrPermission):
		return &Away{Dir: dir, Err: err}
	}
	return nil
}

// Closed is what an error of the rules in a directory means where its settings are somebody
// else's to read; nil for every other error, also for one of settings that lie elsewhere: those
// are this machine's own.
func Closed(dir string, err error) *Away {
	broken, ok := errors.AsType[*settings.BrokenError](err)
	if !ok || !errors.Is(err, fs.ErrPermission) {
		return nil
	}
	roots := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		roots = append(roots, real)
	}
	for _, root := range roots {
		if strings.HasPrefix(broken.File, strings.TrimRight(root, string(filepath.Separator))+string(filepath.Separator)) {
			return &Away{Dir: dir, Err: broken.Unwrap()}
		}
	}
	return nil
}
