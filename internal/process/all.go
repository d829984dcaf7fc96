package process

import (
	"errors"
	"sync"
)

// all are the groups that were started and not released.
var all registry

type registry struct {
	// starting is held for reading while a process is started: whoever kills waits until
	// all that were begun are known.
	starting sync.RWMutex
	over     bool

	mu     sync.Mutex
	groups map[*Group]struct{}
}

var errOver = errors.New("this process is about to end")

// start starts the main process of a group, which is known from then on.
func (r *registry) start(g *Group) error {
	r.starting.RLock()
	defer r.starting.RUnlock()
	if r.over {
		return errOver
	}
	if err := g.cmd.Start(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.groups == nil {
		r.groups = map[*Group]struct{}{}
	}
	r.groups[g] = struct{}{}
	return nil
}

func (r *registry) remove(g *Group) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.groups, g)
}

func (r *registry) kill() {
	r.starting.Lock()
	defer r.starting.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	for g := range r.groups {
		g.Kill()
	}
}

// KillAll kills everything that was started here and is not released; nothing can be
// started from then on. It is for a process that is about to end itself: nobody will be
// there to release anything.
func KillAll() { all.kill() }
