package session

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
)

// holder is what the lock of a session says for people about who holds it. Whether
// anybody does, only the operating system knows.
type holder struct {
	PID  int    `json:"pid"`
	Host string `json:"host"`
}

const lockName = "lock"

// lock makes a session this process's own, or says at once, or nearly so, whose it is.
func lock(id, dir string) (unlock func(), err error) {
	path := filepath.Join(dir, lockName)
	l, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	if who, err := tryToHold(l, dir); err != nil {
		return nil, err
	} else if who != nil {
		return nil, &InUse{ID: id, PID: who.PID, Host: who.Host}
	}
	h := holder{PID: os.Getpid()}
	h.Host, _ = os.Hostname()
	text, _ := strictjson.Marshal(h) // which cannot fail
	inscribe(path, text)
	return func() {
		inscribe(path, nil)
		_ = l.Unlock()
	}, nil
}

// lockFile is a file to be locked. It is made by whoever locks it first.
func lockFile(path string) (*flock.Flock, error) {
	// Opening a pipe would wait for ever, and a link leads elsewhere.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: errors.New("it is not a regular file (remove it)")}
	}
	return flock.New(path, flock.SetPermissions(0o600)), nil
}

// inscribe writes a text over what the lock says, for people: whoever cannot read it learns less.
// The file keeps its length. One that is emptied first goes to the disk when it is closed, on some
// file systems, and whoever takes the session waits for that.
func inscribe(path string, text []byte) {
	const most = 512 // more than any host's name needs
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	blank := bytes.Repeat([]byte(" "), max(0, most-len(text)))
	_, _ = f.WriteAt(append(text, blank...), 0)
	_ = f.Close()
}

// tryToHold takes the lock, or says who holds it. Whoever has just taken it, or is about to
// give it back, does not say so for a moment: that is waited for.
func tryToHold(l *flock.Flock, dir string) (other *holder, err error) {
	const tries, sure, looks, pause = 50, 5, 500, 2 * time.Millisecond
	for held, shared := 0, 0; held < tries && shared < looks; time.Sleep(pause) {
		if got, err := l.TryLock(); got || err != nil {
			return nil, err
		}
		h := readHolder(dir)
		other = &h
		// Who only looks whether the session is held shares the lock, and that is soon over.
		switch only, err := l.TryRLock(); {
		case err != nil:
			return nil, err
		case only:
			if err := l.Unlock(); err != nil {
				return nil, err
			}
			shared++
		case h.PID != 0 && held >= sure: // before, it may be a name that a dead process left
			return other, nil
		default:
			held++
		}
	}
	return other, nil
}

func readHolder(dir string) (h holder) {
	const most = 4 << 10
	text, err := durable.Read(filepath.Join(dir, lockName), most)
	if err != nil || strictjson.Unmarshal(text, &h) != nil {
		return holder{}
	}
	return h
}
