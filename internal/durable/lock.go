package durable

import (
	"context"
	"encoding/hex"
	"fmt"
	"hash/fnv"
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

// LockName is the name of the lock file that stands for a path. Whoever writes the
// same file must take the same lock, so this is the only place that makes one. Two
// paths hardly ever share a name; if they do, they only wait for each other. The sum
// keeps no secret, and one made for that would cost every process time at its start.
func LockName(path string) string {
	sum := fnv.New128a()
	_, _ = sum.Write([]byte(path))
	return hex.EncodeToString(sum.Sum(nil)) + ".lock"
}
