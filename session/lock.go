package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

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

// lock makes a session this process's own, or says at once whose it is.
func lock(id, dir string) (unlock func(), err error) {
	path := filepath.Join(dir, lockName)
	// Opening a pipe would wait for ever, and a link leads elsewhere.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: errors.New("it is not a regular file (remove it)")}
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	held, err := l.TryLock()
	if err != nil {
		return nil, err
	}
	if !held {
		h := readHolder(dir)
		return nil, &InUse{ID: id, PID: h.PID, Host: h.Host}
	}
	h := holder{PID: os.Getpid()}
	h.Host, _ = os.Hostname()
	if text, err := strictjson.Marshal(h); err == nil {
		_ = os.WriteFile(path, text, 0o600) // whoever cannot read it learns less
	}
	return func() {
		_ = os.Truncate(path, 0)
		_ = l.Unlock()
	}, nil
}

func readHolder(dir string) (h holder) {
	const most = 4 << 10
	text, err := durable.Read(filepath.Join(dir, lockName), most)
	if err != nil || strictjson.Unmarshal(text, &h) != nil {
		return holder{}
	}
	return h
}

// held guesses whether a session is in use, without getting in anybody's way.
func held(dir string) bool {
	h := readHolder(dir)
	if h.PID == 0 {
		return false
	}
	here, _ := os.Hostname()
	return h.Host != here || alive(h.PID)
}
