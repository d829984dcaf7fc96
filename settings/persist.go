package settings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Writer makes permission updates last: the second of the two phases, after the
// context in memory has changed. It is safe for concurrent use.
//
// An update that cannot be written, because somebody has broken the file, stays
// pending and is tried again with the next Queue or Flush; later updates of the
// same file wait behind it.
type Writer struct {
	places *places
	err    error // why nothing can be written at all

	mu      sync.Mutex
	pending []permission.Update
	waiting []chan error // one for each Flush
	failed  func(error)
	closed  bool

	wake    chan struct{}
	stopped chan struct{}
}

// ErrClosed: the writer takes no more updates.
var ErrClosed = errors.New("the settings writer is closed")

// NewWriter starts a writer for the workspace of o. Close ends it.
func NewWriter(o Options) *Writer {
	w := &Writer{wake: make(chan struct{}, 1), stopped: make(chan struct{})}
	w.places, w.err = locate(o)
	go w.run()
	return w
}

// OnFailure sets a function that is told about updates that could not be written
// yet. It is called from the background.
func (w *Writer) OnFailure(f func(error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = f
}

// Queue takes an update over and returns at once. Updates for sources that live in
// memory only are none of the writer's business and ignored. An error means that
// the update makes no sense and will not be written.
func (w *Writer) Queue(u permission.Update) error {
	if !persists(u.Destination) {
		return nil
	}
	if w.err != nil {
		return w.err
	}
	if err := checkUpdate(u); err != nil {
		return err
	}
	if err := w.places.checkBypass(u); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrClosed
	}
	u.Rules, u.Directories = slices.Clone(u.Rules), slices.Clone(u.Directories)
	w.pending = append(w.pending, u)
	w.rouse()
	return nil
}

// Pending lists the updates that are not in a file yet.
func (w *Writer) Pending() []permission.Update {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.pending)
}

// Flush waits until everything queued before it has been written, or has failed
// to be.
func (w *Writer) Flush(ctx context.Context) error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	done := w.await()
	w.mu.Unlock()
	return outcome(ctx, done)
}

// Close takes no more updates, writes what is pending and ends the writer. What
// could not be written is named in the error.
func (w *Writer) Close(ctx context.Context) error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil
	}
	w.closed = true
	done := w.await()
	close(w.wake)
	w.mu.Unlock()
	err := outcome(ctx, done)
	// Nothing may touch the files any more once this has returned.
	select {
	case <-w.stopped:
	case <-ctx.Done():
	}
	return err
}

// await asks for the outcome of everything that is pending now.
func (w *Writer) await() <-chan error {
	done := make(chan error, 1)
	w.waiting = append(w.waiting, done)
	w.rouse()
	return done
}

func outcome(ctx context.Context, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("settings are still being written: %w", ctx.Err())
	}
}

func (w *Writer) rouse() {
	select {
	case w.wake <- struct{}{}:
	default: // it is awake already and will look again
	}
}

func (w *Writer) run() {
	defer close(w.stopped)
	for range w.wake {
		w.mu.Lock()
		batch, waiting, failed := slices.Clone(w.pending), w.waiting, w.failed
		w.waiting = nil
		w.mu.Unlock()

		err := w.write(batch)
		if err != nil && failed != nil {
			failed(err)
		}
		for _, done := range waiting {
			done <- err
		}
	}
}

// write writes a batch, one file after the other. Updates leave the pending list
// only when they are on disk.
func (w *Writer) write(batch []permission.Update) error {
	var failures []error
	for _, dest := range []rule.Source{rule.LocalSettings, rule.ProjectSettings, rule.UserSettings} {
		var mine []permission.Update
		for _, u := range batch {
			if u.Destination == dest {
				mine = append(mine, u)
			}
		}
		if len(mine) == 0 {
			continue
		}
		if err := w.places.commit(dest, mine); err != nil {
			failures = append(failures, fmt.Errorf("%d update(s) of %v not written yet: %w", len(mine), dest, err))
			continue
		}
		w.written(dest, len(mine))
	}
	return errors.Join(failures...)
}

// written forgets the first n pending updates of dest.
func (w *Writer) written(dest rule.Source, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = slices.DeleteFunc(w.pending, func(u permission.Update) bool {
		if u.Destination != dest || n == 0 {
			return false
		}
		n--
		return true
	})
}

func persists(s rule.Source) bool {
	switch s {
	case rule.LocalSettings, rule.ProjectSettings, rule.UserSettings:
		return true
	default:
		return false
	}
}

// checkUpdate refuses what would make no sense in a file. A malformed deny or ask
// rule makes sense: it is in force as "ask for that tool" and must not get lost.
func checkUpdate(u permission.Update) error {
	if err := u.Validate(); err != nil {
		return err
	}
	for _, text := range u.Rules {
		_, ok, err := rule.Read(text, u.Behavior, rule.Origin{Source: u.Destination})
		if !ok && u.Type != permission.RemoveRules {
			return err
		}
	}
	for _, d := range u.Directories {
		if strings.TrimSpace(d) == "" || strings.ContainsRune(d, 0) {
			return fmt.Errorf("%q is no directory", d)
		}
	}
	return nil
}
