package inbox

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// laterRules are rules that come with a yes. They stand nowhere until the yes cannot be
// taken back any more and still counts: whatever happens meanwhile, a crash too, leaves no
// rule behind that nobody wants. A note on the disk tells the next server of those that wait.
type laterRules struct {
	// mu is also held while an answer is taken back, so that a rule is either taken back
	// with it or added after it.
	mu  sync.Mutex
	all []*laterRule
	// more: there is a new one.
	more chan struct{}
	// told is what became of those that are not among them any more, and of which tickets,
	// the oldest first.
	told map[string]ruleView
	of   []string
}

// laterRule is a rule and the yes with which it comes.
type laterRule struct {
	// ticket has that answer as soon as it is written; it is not known before.
	ticket  approval.Ticket
	written bool
	update  permission.Update
	// inert is why it would do nothing for such a call.
	inert string
	view  ruleView
	// note is the file that tells of it.
	note string
}

// due is when it is known whether the rule is added; false as long as its yes is not
// written.
func (r *laterRule) due(now time.Time) (at time.Time, known bool) {
	return r.ticket.UnsettledUntil(now), r.written
}

// promise takes note of a rule before its yes is written. What follows is [Server.keep], or
// [laterRules.forget] if the yes was not written after all.
func (s *Server) promise(t approval.Ticket, u permission.Update) *laterRule {
	r := s.waiting(t, u)
	r.note = s.newNote(t.ID)
	s.keepNote(r, ruleNote{Ticket: t.ID, Update: u})
	s.later.mu.Lock()
	defer s.later.mu.Unlock()
	s.later.all = append(s.later.all, r)
	return r
}

// waiting is a rule as it is shown as long as it waits.
func (s *Server) waiting(t approval.Ticket, u permission.Update) *laterRule {
	r := &laterRule{ticket: t, update: u, view: ruleView{Rules: append([]string{}, u.Rules...), Scope: scopeOf(u.Destination), State: ruleWaits}}
	if checker, err := s.checker(t.Cwd); err == nil {
		r.view.File = fileOf(u.Destination, checker.Settings)
	}
	return r
}

// forget: the yes was not written; nil is no rule.
func (l *laterRules) forget(r *laterRule) {
	if r == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = slices.DeleteFunc(l.all, func(other *laterRule) bool { return other == r })
	r.strike()
}

// keep says with which answer a rule comes. It is added once that cannot be taken back any
// more: at once, if it cannot now. inert is why it would do nothing.
func (s *Server) keep(r *laterRule, t approval.Ticket, inert string) *ruleView {
	if t.Answer != nil {
		s.keepNote(r, ruleNote{Ticket: t.ID, Update: r.update}.answeredBy(t.Answer, inert))
	}
	s.later.mu.Lock()
	r.ticket, r.written, r.inert = t, true, inert
	if r.view.State == ruleWaits {
		r.view.Problem = inert
	}
	s.later.mu.Unlock()
	s.settleRules()
	select {
	case s.later.more <- struct{}{}:
	default: // it is known already
	}
	s.later.mu.Lock()
	defer s.later.mu.Unlock()
	v := r.view
	return &v
}

// takenBack forgets the rule that came with an answer; nil when none did. Whoever calls it
// has locked the rules since before the answer was taken back.
func (l *laterRules) takenBack(t approval.Ticket) *ruleView {
	for i, r := range l.all {
		if r.ticket.ID == t.ID && r.written && sameAnswer(r.ticket.Answer, t.Answer) {
			l.all = slices.Delete(l.all, i, i+1)
			r.view.State, r.view.Problem = ruleTakenBack, ""
			l.note(r)
			r.strike()
			v := r.view
			return &v
		}
	}
	return nil
}

// settleRules adds the rules of answers that cannot be taken back any more.
func (s *Server) settleRules() {
	s.later.mu.Lock()
	defer s.later.mu.Unlock()
	now := s.now()
	s.later.all = slices.DeleteFunc(s.later.all, func(r *laterRule) bool {
		if at, known := r.due(now); !known || !at.IsZero() {
			return false
		}
		s.settle(r)
		s.later.note(r)
		r.strike()
		s.announceRule(r.ticket.ID, r.view.State)
		return true
	})
}

// settle adds a rule, if the answer with which it came still counts. The history names it before.
func (s *Server) settle(r *laterRule) {
	const patience = 10 * time.Second
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	t, entry, err := s.enter(ctx, r)
	var lapsed *approval.Lapsed
	var overtaken *approval.Overtaken
	switch {
	case errors.As(err, &lapsed):
		r.view.State, r.view.Problem = ruleTakenBack, policy.WellFormed(lapsed.Error())
	case errors.As(err, &overtaken):
		r.view.State, r.view.Problem = ruleDropped, ""
	case err != nil:
		r.view.State, r.view.Problem = ruleFailed, policy.WellFormed(err.Error())
	case t.Answer == nil:
		r.view.State, r.view.Problem = ruleTakenBack, ""
	case !sameAnswer(t.Answer, r.ticket.Answer):
		r.view.State, r.view.Problem = ruleDropped, ""
	default:
		r.view = *s.add(ctx, r.ticket, r.update)
		if r.view.State == ruleAdded {
			s.Log.Info("a rule was added", "ticket", t.ID, "rules", len(r.view.Rules), "scope", r.view.Scope, "file", r.view.File, "by", t.Answer.By)
		}
		if r.view.Problem == "" && r.inert != "" { // which can name the call
			r.view.Problem = r.inert
			s.Log.Warn("a rule does nothing: the page says why", "ticket", r.ticket.ID)
			return
		}
	}
	if entry != "" && r.view.State != ruleAdded && ctx.Err() == nil { // else it may still be added: the file is waited for
		s.enterNotAdded(ctx, r.ticket.ID, entry, r.view.Problem)
	}
	if r.view.Problem != "" {
		s.Log.Warn("a rule was not added", "ticket", r.ticket.ID, "state", r.view.State, "problem", mask(r.view.Problem))
	}
}

// enter sees to it that the history names a rule which is about to be added, and is how it stands there;
// see [Server.enterRule].
func (s *Server) enter(ctx context.Context, r *laterRule) (t approval.Ticket, entry string, err error) {
	if t, err = s.Tickets.Find(ctx, r.ticket.ID); err != nil {
		return t, "", err
	}
	entry, err = s.entered(ctx, r.ticket, r.update)
	switch {
	case err != nil || !sameAnswer(t.Answer, r.ticket.Answer):
	case entry != "":
		err = s.vouched(ctx, s.Tickets.Database().Reads(), t.Answer.Vote())
	default:
		entry, err = s.enterRule(ctx, t, r.update)
	}
	return t, entry, err
}

// vouched refuses the rule of somebody who may not answer any more. Where certain people must say yes
// no rule comes with it, so nobody is barred. It asks the querier and nothing else.
func (s *Server) vouched(ctx context.Context, q database.Querier, vote approval.Vote) error {
	still := s.still("")
	if still == nil {
		return nil
	}
	return still(ctx, q, vote)
}

// sameAnswer compares times as exactly as they are kept.
func sameAnswer(a, b *approval.Answer) bool {
	return a != nil && b != nil && a.Behavior == b.Behavior && a.By == b.By && a.Digest == b.Digest && a.At.UnixMicro() == b.At.UnixMicro()
}

// keepRules adds rules as they become due. A server that ends waits for those whose answers
// are about to hold: nobody else knows of them.
func (s *Server) keepRules(ctx context.Context) error {
	for {
		s.settleRules()
		next := s.later.next(s.now())
		if next.IsZero() && ctx.Err() != nil {
			return nil
		}
		var due <-chan time.Time // which never comes when there is no rule
		if !next.IsZero() {
			due = time.After(max(next.Sub(s.now()), time.Millisecond))
		}
		ends := ctx.Done()
		if ctx.Err() != nil {
			ends = nil // which is known
		}
		select {
		case <-ends:
		case <-s.later.more:
		case <-due:
		}
	}
}

// next is when the next rule becomes due; zero when there is none.
func (l *laterRules) next(now time.Time) (at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.all {
		due, known := r.due(now)
		if known && (at.IsZero() || due.Before(at)) {
			at = due
		}
	}
	return at
}
