package settings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockTimeout = time.Minute
	lockRetry   = 5 * time.Millisecond
)

// lock takes the lock of a path among all processes of this user. Lock files are
// kept in the state directory, so that none appear in a project, and are never
// removed: removing one would let two processes lock two different files.
func (p *places) lock(path string) (unlock func(), err error) {
	if p.StateDir == "" {
		return nil, errNoHome
	}
	dir := filepath.Join(p.StateDir, "locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot lock %s: %w", path, err)
	}
	sum := sha256.Sum256([]byte(path))
	l := flock.New(filepath.Join(dir, hex.EncodeToString(sum[:16])+".lock"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	if _, err := l.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("cannot lock %s: %w (another process may be stuck; %s)", path, err, l.Path())
	}
	return func() { _ = l.Unlock() }, nil
}

// lockAll takes several locks in the order given, which must be the same
// everywhere.
func (p *places) lockAll(paths ...string) (unlock func(), err error) {
	var held []func()
	unlock = func() {
		for i := len(held) - 1; i >= 0; i-- {
			held[i]()
		}
	}
	for _, path := range paths {
		one, err := p.lock(path)
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, one)
	}
	return unlock, nil
}
