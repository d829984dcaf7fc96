package durable

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Patience is how long [Lock] waits for another process by default: far longer than
// any work under a lock takes.
const Patience = time.Minute

// retry is how often a lock that somebody holds is tried again.
const retry = 5 * time.Millisecond

// Lock takes a lock among all processes, and among the goroutines of this one.
// The lock is the file at path; what says for a person what is locked. The file is
// never removed: removing one would let two processes lock two different files. Its
// directory must exist. A process that dies gives its locks back.
func Lock(path, what string, patience time.Duration) (unlock func(), err error) {
	// Opening a pipe would wait for ever.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("cannot lock %s: the lock %s is not a regular file (remove it)", what, path)
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := l.TryLockContext(ctx, retry); err != nil {
		return nil, fmt.Errorf("cannot lock %s: %w (another process may be stuck; %s)", what, err, path)
	}
	return func() { _ = l.Unlock() }, nil
}
