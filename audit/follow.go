package audit

import (
	"context"
	"iter"
	"time"

	"github.com/fsnotify/fsnotify"
)

// lookAgain is how often a log is looked at when nothing says that it has changed: some
// file systems never do, and the directory may not exist yet.
const lookAgain = time.Second

// Follow are the last records that are wanted, as many as last says, all of them if it is
// below 0, and then each new one when it comes, until the context ends or an error does: a
// log that is removed or replaced meanwhile is one. Older is told as with [Last].
func Follow(ctx context.Context, dir string, q Query, last int, older func(int)) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		c := newCursor(dir)
		if last >= 0 && !c.readLast(q, last, older, yield) {
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // who stops reading ends the watch as well
		changes := watch(ctx, dir)
		tick := time.NewTicker(lookAgain)
		defer tick.Stop()
		for c.read(q, yield) {
			select {
			case <-ctx.Done():
				return
			case <-changes:
			case <-tick.C:
				if changes == nil {
					changes = watch(ctx, dir) // it may have been made meanwhile
				}
			}
		}
	}
}

// Last are the last records that are wanted, as many as last says, oldest first. Before
// the first of them older is told how many there are that are not among them, if there
// are any; it may be nil.
func Last(dir string, q Query, last int, older func(int)) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { newCursor(dir).readLast(q, last, older, yield) }
}

func (c *cursor) readLast(q Query, last int, older func(int), yield func(Entry, error) bool) bool {
	var ring []Entry // the oldest is at next once it is full
	next, found := 0, 0
	var failed error
	c.read(q, func(e Entry, err error) bool {
		if err == nil {
			found++
		}
		switch {
		case err != nil:
			failed = err
		case last <= 0:
		case len(ring) < last:
			ring = append(ring, e)
		default:
			ring[next] = e
			next = (next + 1) % last
		}
		return true
	})
	if found > len(ring) && older != nil {
		older(found - len(ring))
	}
	for i := range ring {
		if !yield(ring[(next+i)%len(ring)], nil) {
			return false
		}
	}
	if failed != nil {
		yield(Entry{}, failed)
		return false
	}
	return true
}

// watch tells of changes in a directory until the context ends; nil when it cannot.
func watch(ctx context.Context, dir string) <-chan struct{} {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	if err := w.Add(dir); err != nil {
		_ = w.Close()
		return nil
	}
	changes := make(chan struct{}, 1)
	go func() {
		defer w.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case <-w.Errors: // some were missed: look
			case <-w.Events:
			}
			select {
			case changes <- struct{}{}:
			default: // somebody will look anyway
			}
		}
	}()
	return changes
}
