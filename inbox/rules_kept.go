package inbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
)

// ruleNote is a rule that waits, on the disk: a server that is killed would forget it, while
// its yes holds. The next server goes on with it.
type ruleNote struct {
	Ticket string            `json:"ticket"`
	Update permission.Update `json:"update"`
	Inert  string            `json:"inert,omitempty"`
	// Answer is the yes with which it comes; nil as long as that is not known to be written.
	Answer *notedAnswer `json:"answer,omitempty"`
}

// notedAnswer tells a yes from every other one.
type notedAnswer struct {
	By     string `json:"by"`
	Digest string `json:"digest"`
	At     int64  `json:"at"` // in microseconds, as it is kept
}

// maxNote is how many bytes of a note are read.
const maxNote = 1 << 20

// notes is the directory in which they are.
func (s *Server) notes() string { return filepath.Join(s.Dir, "inbox", "rules") }

// newNote is the name of a note that nobody has.
func (s *Server) newNote(ticket string) string {
	return filepath.Join(s.notes(), ticket+"-"+strconv.FormatInt(time.Now().UnixNano(), 36)+".json")
}

// keepNote writes down what is known of a rule. Where that fails the rule is added all the
// same, if this server lives until then.
func (s *Server) keepNote(r *laterRule, n ruleNote) {
	text, err := strictjson.Marshal(n)
	if err == nil {
		err = durable.MakeDir(s.notes(), 0o700)
	}
	if err == nil {
		err = durable.Replace(r.note, text, 0o600, "")
	}
	if err != nil {
		s.Log.Warn("a rule that waits cannot be noted: it is lost if the server is killed now", "ticket", n.Ticket, "err", mask(err.Error()))
	}
}

// strike removes the note of a rule of which nothing is left to do. One that stays is looked
// at once more, and finds the rule in its file.
func (r *laterRule) strike() { _ = os.Remove(r.note) }

// recallRules takes up the rules that an earlier server has left.
func (s *Server) recallRules(ctx context.Context) {
	names, err := filepath.Glob(filepath.Join(s.notes(), "*.json"))
	if err != nil { // which happens to no pattern like this
		return
	}
	for _, name := range names {
		if err := s.recallRule(ctx, name); err != nil {
			s.Log.Warn("the note of a rule cannot be read, so the rule is not added (add it by hand, and remove the file)", "file", name, "err", mask(err.Error()))
		}
	}
}

func (s *Server) recallRule(ctx context.Context, name string) error {
	text, err := durable.Read(name, maxNote)
	if err != nil {
		return err
	}
	var n ruleNote
	if err := strictjson.UnmarshalKnown(text, &n); err != nil {
		return err
	}
	t, err := s.Tickets.Find(ctx, n.Ticket)
	if err != nil {
		return err
	}
	r := s.waiting(t, n.Update)
	r.note, r.inert, r.written = name, n.Inert, true
	s.later.mu.Lock()
	defer s.later.mu.Unlock()
	if n.Answer == nil && t.Answer == nil { // no yes was given, so no rule was
		r.strike()
		return nil
	}
	if problem := n.lost(t.Answer); problem != nil {
		r.view.State, r.view.Problem = ruleFailed, policy.WellFormed(problem.Error())
		s.Log.Warn("a rule was not added", "ticket", t.ID, "problem", mask(r.view.Problem))
		s.later.note(r)
		r.strike()
		return nil
	}
	if said := n.answer(); !sameAnswer(t.Answer, said) {
		r.ticket.Answer = said // by which it is seen that another one counts
	}
	s.later.all = append(s.later.all, r)
	return nil
}

// lost is why a rule is not added although an earlier server has promised it; nil when it
// depends on whether the answer that counts now is its yes.
func (n *ruleNote) lost(now *approval.Answer) error {
	switch {
	case n.Answer == nil:
		return errors.New("the server ended while the answer was written, so nobody knows whether the rule came with it (add it by hand)")
	case n.Update.Destination == rule.Session && sameAnswer(now, n.answer()):
		return errors.New("the server ended before it was added, and rules for a session are not kept on the disk (approve the next call with it once more)")
	}
	return nil
}

// answer is the yes that was noted.
func (n *ruleNote) answer() *approval.Answer {
	return &approval.Answer{Behavior: permission.Allow, By: n.Answer.By, Digest: n.Answer.Digest, At: time.UnixMicro(n.Answer.At)}
}

// answeredBy is the note once the yes is written.
func (n ruleNote) answeredBy(a *approval.Answer, inert string) ruleNote {
	n.Inert, n.Answer = inert, &notedAnswer{a.By, a.Digest, a.At.UnixMicro()}
	return n
}
