package room

import (
	"sync"
	"time"
)

// Tally counts what happens often and is to be logged now and then.
type Tally struct {
	mu   sync.Mutex
	told time.Time
	n    int
}

// Count is how many there were since the last line in the log, and zero if that was less than so
// long ago.
func (t *Tally) Count(now time.Time, often time.Duration) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	if now.Sub(t.told) < often {
		return 0
	}
	n := t.n
	t.told, t.n = now, 0
	return n
}
