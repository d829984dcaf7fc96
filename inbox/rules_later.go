package inbox

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// laterRules are rules that come with an answer which can still be taken back. They stand
// nowhere until that is over: whatever happens meanwhile, a restart too, leaves no rule
// behind that nobody wants.
type laterRules struct {
	// mu is also held while an answer is taken back, so that a rule is either taken back
	// with it or added after it.
	mu  sync.Mutex
	all []laterRule
	// more: there is a new one.
	more chan struct{}
}

// laterRule is a rule and the answer with which it comes.
type laterRule struct {
	grace  *grace
	ticket approval.Ticket
	update permission.Update
}

// addLater makes an update hold once the answer to a ticket cannot be taken back any more,
// or at once if it cannot now.
func (s *Server) addLater(ctx context.Context, t approval.Ticket, u permission.Update) *ruleView {
	s.later.mu.Lock()
	defer s.later.mu.Unlock()
	given := s.graces.last(t.ID, s.now())
	if given == nil {
		return s.add(ctx, t, u)
	}
	s.later.all = append(s.later.all, laterRule{given, t, u})
	select {
	case s.later.more <- struct{}{}:
	default: // it is known already
	}
	v := &ruleView{Rules: append([]string{}, u.Rules...), Scope: scopeOf(u.Destination), State: ruleWaits}
	if checker, err := s.checker(t.Cwd); err == nil {
		v.File = fileOf(u.Destination, checker.Settings)
	}
	return v
}

// takenBack forgets the rule that came with an answer; nil when none did. Whoever calls it
// has locked the rules since before the answer was taken back.
func (l *laterRules) takenBack(one *grace) *ruleView {
	for i, r := range l.all {
		if r.grace == one {
			l.all = slices.Delete(l.all, i, i+1)
			return &ruleView{Rules: append([]string{}, r.update.Rules...), Scope: scopeOf(r.update.Destination), State: ruleTakenBack}
		}
	}
	return nil
}

// settleRules adds the rules of answers that cannot be taken back any more.
func (s *Server) settleRules() { s.settleUntil(s.now()) }

func (s *Server) settleUntil(moment time.Time) {
	s.later.mu.Lock()
	defer s.later.mu.Unlock()
	s.later.all = slices.DeleteFunc(s.later.all, func(r laterRule) bool {
		if r.grace.until.After(moment) {
			return false
		}
		s.graces.revoke(r.grace) // also where it ends early
		s.settle(r)
		return true
	})
}

// settle adds a rule, if the answer with which it came still holds.
func (s *Server) settle(r laterRule) {
	const patience = 10 * time.Second
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	t, err := s.Tickets.Find(ctx, r.ticket.ID)
	if err == nil && !sameAnswer(t.Answer, r.ticket.Answer) {
		return // somebody has said something else since
	}
	problem := ""
	if err == nil {
		problem = s.add(ctx, r.ticket, r.update).Problem
	} else {
		problem = policy.WellFormed(err.Error())
	}
	if problem != "" {
		s.Log.Warn("a rule was not added", "ticket", r.ticket.ID, "problem", mask(problem))
	}
}

// sameAnswer compares times as exactly as they are kept.
func sameAnswer(a, b *approval.Answer) bool {
	return a != nil && b != nil && a.Behavior == b.Behavior && a.By == b.By && a.Digest == b.Digest && a.At.UnixMicro() == b.At.UnixMicro()
}

// keepRules adds rules as they become due. When the server ends, nobody can take an answer
// back any more, and they are added then.
func (s *Server) keepRules(ctx context.Context) error {
	for {
		s.settleRules()
		var due <-chan time.Time // which never comes when there is no rule
		if next := s.later.next(); !next.IsZero() {
			due = time.After(max(next.Sub(s.now()), time.Millisecond))
		}
		select {
		case <-ctx.Done():
			s.settleUntil(s.now().Add(undoTime))
			return nil
		case <-s.later.more:
		case <-due:
		}
	}
}

// next is when the next rule becomes due; zero when there is none.
func (l *laterRules) next() (at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.all {
		if at.IsZero() || r.grace.until.Before(at) {
			at = r.grace.until
		}
	}
	return at
}
