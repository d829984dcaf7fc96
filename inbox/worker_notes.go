package inbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assent-dev/assent/session"
)

// notebook is the sessions that are going on, as files without content: a server that was
// killed has left the names of those in which something may be left to do that no ticket
// tells of. Only this server's own runs are in it: what a person has interrupted stays so.
type notebook struct{ dir string }

func (n notebook) note(id string) error {
	path := filepath.Join(n.dir, id)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(n.dir, 0o700); err == nil {
			f, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		}
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// strike removes a name. One that stays is looked at once more, which does no harm.
func (n notebook) strike(id string) { _ = os.Remove(filepath.Join(n.dir, id)) }

func (n notebook) all() []string {
	entries, err := os.ReadDir(n.dir)
	if err != nil { // mostly there is none
		return nil
	}
	var ids []string
	for _, e := range entries {
		if session.CheckID(e.Name()) == nil {
			ids = append(ids, e.Name())
		}
	}
	return ids
}
