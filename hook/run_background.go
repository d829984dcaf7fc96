package hook

import (
	"context"
	"slices"
)

// lookAfter watches what a hook left running until that ends. It returns true when
// that is the hook itself, which then goes on in the background.
func (r *Runner) lookAfter(s *result, reply Reply) (goesOn bool) {
	if s.run.Outcome != InBackground {
		r.background.adopt(reply, func(Reply) {})
		return false
	}
	s.noteLateMessage()
	later := s.later()
	r.background.adopt(reply, func(end Reply) {
		later.endsLater(end)
		r.tellEnded(later)
	})
	return true
}

// later is the record of a hook that goes on in the background.
func (s *result) later() *result {
	later := &result{hook: s.hook, run: s.run, limit: s.limit}
	later.run.Notes = slices.Clone(s.run.Notes)
	return later
}

// detach runs a hook in the background.
func (r *Runner) detach(s *result, call Invocation) {
	s.run.Outcome = InBackground
	later := s.later()
	started := r.background.start(func(ctx context.Context) {
		r.tellBegan(later, call)
		goesOn := r.ask(ctx, later, call)
		if !goesOn {
			later.noteLateMessage()
			r.tellEnded(later)
		}
	})
	if !started {
		s.breaks(Dropped, "the session has ended, so it was not started")
	}
}

// noteLateMessage keeps what a hook in the background wants to tell the person, whom
// nobody can reach any more.
func (s *result) noteLateMessage() {
	if s.hook.Async && s.out.SystemMessage != "" {
		s.note("its message came too late: " + s.out.SystemMessage)
	}
}

// tellBegan reports that a hook starts.
func (r *Runner) tellBegan(s *result, call Invocation) {
	if r.config.Began == nil {
		return
	}
	run := s.run
	run.Outcome, run.Notes = 0, nil // those of a run that has ended
	r.starting.Lock()
	defer r.starting.Unlock()
	shielded(func() { r.config.Began(call.Input, run) })
}

// tellEnded reports the end of a hook in the background.
func (r *Runner) tellEnded(s *result) {
	if s.fault != "" {
		s.run.Reason = s.sentence()
	}
	if r.config.Ended == nil {
		return
	}
	r.telling.Lock()
	defer r.telling.Unlock()
	shielded(func() { r.config.Ended(s.run) })
}
