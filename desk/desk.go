// Package desk is where the parked calls of an agent lie: the tickets of a state directory,
// as an agent needs them. It joins package agent, which knows no tickets, and package
// approval, which knows no agents.
package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// Desk is the tickets of a state directory, as an agent needs them. The database is
// opened when a call is parked or one that was parked is taken up; most sessions have
// none.
type Desk struct {
	// Warn is told why a look at a call takes its time, and why one that was approved waits
	// again; nil means nobody. It is set before anything else happens here.
	Warn func(text string)
	// Opened is handed the tickets when they are opened here, before anything else happens to
	// them; nil means nobody.
	Opened func(*approval.Store)
	// Depot is where the sessions lie; nil where they stay on this machine. It is set before anything
	// else happens here.
	Depot session.Depot

	dir string

	mu    sync.Mutex
	store *approval.Store
	lent  bool // the tickets are somebody else's to open and close
	// former are those before, whose database was moved away: a call may still have to be
	// ended there.
	former []*approval.Store
}

// New is the desk of a state directory.
func New(dir string) *Desk { return &Desk{dir: dir} }

// open opens the tickets that people use now: somebody may have moved away those that this
// process has opened before, as is advised when they are damaged.
func (d *Desk) open() (*approval.Store, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.store != nil && !d.store.Moved() {
		return d.store, nil
	}
	if d.lent { // people use those of who has lent them, and nobody must act on others
		return nil, approval.ErrMoved
	}
	store, err := approval.Open(d.dir)
	if err != nil {
		return nil, err
	}
	voice.Mind(store)
	if d.Opened != nil {
		d.Opened(store)
	}
	if d.store != nil {
		d.former = append(d.former, d.store)
	}
	d.store = store
	return d.store, nil
}

// Close gives back what is open. What was acknowledged is on the disk.
func (d *Desk) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lent {
		return
	}
	for _, s := range append(d.former, d.store) {
		if s != nil {
			_ = s.Close()
		}
	}
}

func ticketCall(c agent.ParkedCall) approval.Call {
	return approval.Call{Session: c.Session, ToolUseID: c.ToolUseID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd}
}

// holder says for people who runs a call.
func holder() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}

// Park makes a ticket, unless the call has one.
func (d *Desk) Park(ctx context.Context, c agent.ParkedCall) error {
	if !c.New { // mostly it is there, and something was said about it: nobody has to wait for the others
		if t, _, err := d.ticket(ctx, c); err == nil && t != nil && t.State != approval.Pending {
			return nil
		}
	}
	store, err := d.open()
	if err != nil {
		return err
	}
	_, err = store.Park(ctx, parking(c))
	var changed *approval.Changed
	if errors.As(err, &changed) { // who looks is told
		return nil
	}
	return err
}

func parking(c agent.ParkedCall) approval.Parking {
	p := approval.Parking{Call: ticketCall(c), Policy: c.Policy, Why: c.Why, At: c.Since, Outcome: c.Outcome, By: holder(), Risk: c.Risk, Kin: c.Kin, Places: c.Places, Forks: c.Forks, Requester: c.Requester, Terms: c.Terms}
	if !c.Until.IsZero() {
		p.Lasts = c.Until.Sub(c.Since)
	}
	if c.New {
		return p
	}
	return p.Belated()
}

// unheard says why nobody can tell whether a call was denied in a session from which this one has it;
// empty when somebody can: what lies elsewhere, or did, may have been answered there.
func (d *Desk) unheard(c agent.ParkedCall) string {
	sessions := session.NewStore(filepath.Join(d.dir, "sessions"))
	sessions.Depot = d.Depot
	if err := sessions.Answers(c.Session, len(c.Forks)); err != nil {
		return fmt.Sprintf("it may have been denied in a session of which this one is a fork, and nobody can say that here (%v), so somebody has to approve or deny it in this one", err)
	}
	return ""
}

// ticket finds the ticket of a call; nil means that it has none.
func (d *Desk) ticket(ctx context.Context, c agent.ParkedCall) (*approval.Ticket, *approval.Store, error) {
	if !d.lent && !approval.Exists(d.dir) {
		return nil, nil, nil
	}
	store, err := d.open()
	if err != nil {
		return nil, nil, err
	}
	t, err := store.OfParked(ctx, c.Session, c.ToolUseID, c.Since)
	return t, store, err
}

// Look is what people have said about a call. A no holds for whatever the call is; a yes
// is for exactly what was shown. As long as an answer may be taken back it waits: what is
// said then counts.
func (d *Desk) Look(ctx context.Context, c agent.ParkedCall) (agent.Word, error) {
	t, store, err := d.settled(ctx, c)
	switch {
	case err != nil:
		return agent.Word{}, err
	case t == nil:
		return agent.Word{Unheard: d.unheard(c)}, nil
	}
	word, err := d.said(ctx, c, t, store)
	if err == nil {
		word.Ticket, word.Said = t.ID, t.Said()
	}
	if word.Kind == agent.NoWord || word.Kind == agent.Lapsed {
		word.Unheard = d.unheard(c)
	}
	return word, err
}

func (d *Desk) said(ctx context.Context, c agent.ParkedCall, t *approval.Ticket, store *approval.Store) (agent.Word, error) {
	if t.DeniedByPerson() {
		return denied(t.Answer), nil
	}
	switch t.State {
	case approval.Denied, approval.Cancelled, approval.Refused:
		return ended(ctx, t, store)
	case approval.Expired:
		if t.Outcome != permission.Allow {
			return agent.Word{Kind: agent.No, Message: "Nobody answered in time."}, nil
		}
	case approval.Running: // this process holds the session, so whoever ran it is dead
		if err := store.Lose(ctx, t.ID, t.Fence, t.Holder+" was not heard of any more, and has not said how the call did"); err != nil {
			return agent.Word{}, err
		}
		return agent.Word{Kind: agent.OutcomeUnknown}, nil
	case approval.Unknown:
		return agent.Word{Kind: agent.OutcomeUnknown}, nil
	case approval.Done, approval.Failed, approval.Handed:
		return agent.Word{}, fmt.Errorf("the ticket %s is %s, and the session does not know of it (`assent sessions show %s`)", t.ID, t.State, t.ID)
	case approval.Pending, approval.Approved:
	}
	if err := t.Matches(ticketCall(c)); err != nil {
		return agent.Word{}, err
	}
	return permitted(t, c.Terms)
}

// denied is the no of a person.
func denied(a *approval.Answer) agent.Word {
	message := a.Message
	if a.From != "" {
		message = strings.TrimSpace(message + " (denied in the session it was forked from)")
	}
	return agent.Word{Kind: agent.No, By: a.By, Message: message}
}

// ended is a call that was refused or left out by a process that died before the session
// knew. Why it was is on the last row of its history.
func ended(ctx context.Context, t *approval.Ticket, store *approval.Store) (agent.Word, error) {
	word := agent.Word{Kind: agent.Ended, Message: "Not run: the session went on without this call."}
	if t.Answer != nil {
		word.By = t.Answer.By // who said yes
	}
	history, err := store.History(ctx, t.ID)
	if err != nil {
		return word, err
	}
	switch note := approval.LastMove(history).Note; {
	case note == "":
	case t.State == approval.Refused: // as the model was to read it
		word.Message = note
	default:
		word.Message = "Not run: " + note + "."
	}
	return word, nil
}

// permitted is what permits the call of a ticket to run, if something does. The terms are those on
// the record of the session: a ticket that was made elsewhere may know nothing of them.
func permitted(t *approval.Ticket, terms permission.Terms) (agent.Word, error) {
	switch t.State {
	case approval.Approved:
		_, err := t.Approval()
		if err == nil {
			err = t.Fulfils(terms)
		}
		if err != nil {
			return agent.Word{}, err
		}
		return agent.Word{Kind: agent.Yes, By: t.Answer.By, Message: t.Answer.Message, Input: t.Answer.Input, Places: t.Answer.Places, Risk: shownRisk(t)}, nil
	case approval.Expired:
		return agent.Word{Kind: agent.Lapsed}, nil
	default:
		return agent.Word{}, nil
	}
}

// shownRisk is the risk that whoever said yes was shown; zero when nobody knows.
func shownRisk(t *approval.Ticket) permission.Risk {
	if t.Risk == 0 { // nobody has thought about it, which counts as the highest
		return 0
	}
	return max(t.Risk, t.Answer.Risk)
}

// Claim makes the call this process's own to run.
func (d *Desk) Claim(ctx context.Context, c agent.ParkedCall, runs strictjson.Raw, seen agent.Word) (agent.Claim, error) {
	store, err := d.open()
	if err != nil {
		return nil, err
	}
	id, said, p := seen.Ticket, seen.Said, approval.Parking{Call: ticketCall(c)}
	if seen.Kind != agent.Yes { // it may come from another machine, or a no from a session of which it is a fork
		unheard := d.unheard(c) // before it is parked: what comes here from elsewhere brings its noes with it
		p = parking(c)
		t, err := store.Park(ctx, p)
		if err != nil {
			return nil, err
		}
		if unheard != "" && !t.DeniedByPerson() { // who looks again is told
			return nil, fmt.Errorf("%w: %s", agent.ErrAnswered, unheard)
		}
		if id = t.ID; said == "" { // it had no ticket then, and nobody has said anything on a new one
			said = string(approval.Pending)
		}
	}
	fence, err := store.ClaimHeeding(ctx, id, said, p, runs, holder())
	if again, ok := errors.AsType[*approval.WaitsAgain](err); ok && d.Warn != nil {
		d.Warn(again.Error())
	}
	if err != nil {
		return nil, answered(err)
	}
	return claim{store, id, fence}, nil
}

// answered tells the caller that somebody was faster, where that is why something cannot
// be done, or that what he has seen does not count any more: he looks again.
func answered(err error) error {
	var other *approval.NotApproved
	var overtaken *approval.Overtaken
	var unsettled *approval.Unsettled
	var again *approval.WaitsAgain
	var moved *approval.WrongState
	switch {
	case errors.As(err, &other), errors.As(err, &overtaken), errors.As(err, &unsettled), errors.As(err, &again):
		return fmt.Errorf("%w: %w", agent.ErrAnswered, err)
	case errors.As(err, &moved):
		switch moved.State {
		case approval.Approved, approval.Denied, approval.Expired, approval.Cancelled, approval.Refused:
			return fmt.Errorf("%w: %w", agent.ErrAnswered, err)
		case approval.Pending, approval.Running, approval.Done, approval.Failed, approval.Handed, approval.Unknown:
		}
	}
	return err
}

type claim struct {
	store *approval.Store
	id    string
	fence int64
}

func (c claim) Finish(ctx context.Context, ok bool) error {
	return c.store.Finish(ctx, c.id, c.fence, ok, "")
}

func (c claim) Release(ctx context.Context) error { return c.store.Release(ctx, c.id, c.fence) }

// Refuse tells that the call is not run, unless something was said since the caller looked.
func (d *Desk) Refuse(ctx context.Context, c agent.ParkedCall, seen agent.Word, why string) error {
	return answered(d.end(ctx, c, func(s *approval.Store, t *approval.Ticket) error {
		return s.RefuseSeen(ctx, t.ID, seen.Said, holder(), why)
	}))
}

// Cancel tells that the session goes on without calls, because nobody has answered: without
// all of them, or none. Of a call that ran it does not.
func (d *Desk) Cancel(ctx context.Context, calls []agent.ParkedCall, why string) error {
	var open []string
	var store *approval.Store
	for _, c := range calls {
		t, s, err := d.ticket(ctx, c)
		if err != nil {
			return err
		}
		if t != nil {
			open, store = append(open, t.ID), s
		}
	}
	if store == nil {
		return nil
	}
	return answered(store.CancelAll(ctx, open, holder(), why))
}

// Settle tells what became of a call whose result is on record.
func (d *Desk) Settle(ctx context.Context, c agent.ParkedCall, fate agent.Fate) error {
	const note = "found in the transcript"
	return d.end(ctx, c, func(s *approval.Store, t *approval.Ticket) error {
		switch {
		case t.State == approval.Running:
			return s.Finish(ctx, t.ID, t.Fence, fate == agent.RanWell, note)
		case t.State == approval.Unknown:
			_, err := s.Resolve(ctx, t.ID, true, holder(), note)
			return err
		case fate == agent.NotRun:
			return s.Refuse(ctx, t.ID, holder(), note)
		}
		// As far as these tickets know nobody has claimed it; they may be older than the run.
		return s.Record(ctx, t.ID, fate == agent.RanWell, holder(), note)
	})
}

// end ends a ticket that is not over yet.
func (d *Desk) end(ctx context.Context, c agent.ParkedCall, do func(*approval.Store, *approval.Ticket) error) error {
	t, store, err := d.ticket(ctx, c)
	if err != nil || t == nil || t.State.Over() {
		return err
	}
	err = do(store, t)
	var moved *approval.WrongState
	if errors.As(err, &moved) && moved.State.Over() {
		return nil // somebody was faster
	}
	return err
}
