package depot

import "sync"

// watchers want to know when sessions are not this process's any more. The zero value has none.
type watchers struct {
	mu  sync.Mutex
	all map[*watcher]struct{}
}

// watcher waits for the loss of one session.
type watcher struct {
	id   string
	lost func()
}

// add calls a function whenever this process loses a session, until stop is called. It may have
// no lease of it yet.
func (w *watchers) add(id string, lost func()) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[*watcher]struct{}{}
	}
	one := &watcher{id, lost}
	w.all[one] = struct{}{}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.all, one)
	}
}

// tell tells those who want to know that a session was lost.
func (w *watchers) tell(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for one := range w.all {
		if one.id == id {
			one.lost()
		}
	}
}
