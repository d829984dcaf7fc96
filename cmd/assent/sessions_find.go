package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// target is what an ID on the command line means: a session, or one call of it.
type target struct {
	session string
	ticket  *approval.Ticket // nil for the session as a whole
}

// find says what an ID means. The beginning of one is enough as long as nothing else
// begins so.
func (d *clerk) find(ctx context.Context, id string) (target, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	if id == "" {
		return target{}, errors.New("the ID is empty (`assent sessions list` shows them)")
	}
	sessions, err := d.store.IDs()
	if err != nil {
		return target{}, err
	}
	if slices.Contains(sessions, id) {
		return target{session: id}, nil
	}
	tickets, err := d.list(ctx, approval.Query{Prefix: id})
	if err != nil {
		return target{}, err
	}
	var found []target
	var names []string
	for _, s := range sessions {
		if strings.HasPrefix(s, id) {
			found, names = append(found, target{session: s}), append(names, "session "+s)
		}
	}
	for _, t := range tickets {
		if t.ID == id {
			return target{t.Session, &t}, nil
		}
		if strings.HasPrefix(t.ID, id) {
			found, names = append(found, target{t.Session, &t}), append(names, "ticket "+t.ID)
		}
	}
	for _, bad := range d.damaged {
		t := bad.Ticket
		if t.ID == id {
			return target{t.Session, &t}, nil
		}
		if strings.HasPrefix(t.ID, id) {
			found, names = append(found, target{t.Session, &t}), append(names, "ticket "+t.ID)
		}
	}
	switch len(found) {
	case 0:
		return target{}, fmt.Errorf("there is no session or ticket %q in %s (`assent sessions list` shows them)", id, d.dir)
	case 1:
		return found[0], nil
	}
	return target{}, fmt.Errorf("%q is the beginning of several (write more of it): %s", id, listing(names))
}

// listing is names in a sentence, not too many.
func listing(names []string) string {
	const most = 10
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// inspect is what is known about a target: the matters of its session, or the one of its
// ticket.
func (d *clerk) inspect(ctx context.Context, t target) (sight, error) {
	tickets, err := d.list(ctx, approval.Query{Session: t.session})
	if err != nil {
		return sight{}, err
	}
	var seen sight
	if ids, err := d.store.IDs(); err != nil {
		return seen, err
	} else if slices.Contains(ids, t.session) {
		if seen, err = d.ofSession(ctx, t.session, tickets); err != nil {
			return seen, err
		}
	} else {
		for _, one := range tickets {
			seen.matters = append(seen.matters, orphan(one))
		}
	}
	if t.ticket != nil {
		seen.matters = slices.DeleteFunc(seen.matters, func(m matter) bool { return m.ticket == nil || m.ticket.ID != t.ticket.ID })
	}
	slices.SortFunc(seen.matters, compareMatters)
	return seen, nil
}

// one is the matter that an ID means to a command: a ticket is it whatever it is, and a
// session means the only call in it that the command is for.
func (d *clerk) one(ctx context.Context, id, what string, wanted func(matter) bool) (matter, error) {
	t, err := d.find(ctx, id)
	if err != nil {
		return matter{}, err
	}
	seen, err := d.inspect(ctx, t)
	if err != nil {
		return matter{}, err
	}
	all := seen.matters
	if t.ticket != nil && len(all) == 1 {
		return all[0], nil
	}
	some := slices.DeleteFunc(slices.Clone(all), func(m matter) bool { return !wanted(m) })
	switch {
	case len(some) == 1:
		return some[0], nil
	case len(some) > 1:
		return matter{}, d.several(t.session, what, some)
	}
	if waiting := slices.DeleteFunc(all, func(m matter) bool { return !m.waits }); len(waiting) == 1 {
		return waiting[0], nil // the command says why it is not for this one
	}
	if seen.problem != nil {
		return matter{}, seen.problem
	}
	return matter{}, no("no call of session %s %s (`assent sessions show %s` says more)", t.session, what, t.session)
}

// several refuses a session of which more than one call could be meant. Each needs an ID
// of its own then, so tickets are made of those that have none.
func (d *clerk) several(session, what string, some []matter) error {
	var names []string
	for i := range some {
		m := &some[i]
		if m.ticket == nil {
			if err := d.park(context.Background(), m); err != nil {
				return err
			}
		}
		names = append(names, fmt.Sprintf("%s (%s %s)", m.name(), policy.Visible(m.call.Tool), describe(m.call)))
	}
	return fmt.Errorf("%s of session %s %s: name one of them: %s", plural(len(some), "call"), session, strings.Replace(what, "waits", "wait", 1), strings.Join(names, ", "))
}

// park makes the ticket of a call that was parked on another machine, or when there were
// none.
func (d *clerk) park(ctx context.Context, m *matter) error {
	if err := d.need(); err != nil {
		return err
	}
	p := approval.Parking{Call: m.call, Why: m.why, At: m.since, By: "the transcript"}
	if !m.until.IsZero() {
		p.Lasts = m.until.Sub(m.since)
	}
	if m.outcome == permission.Allow.String() {
		p.Outcome = permission.Allow
	}
	t, err := d.tickets.Park(ctx, p.Belated())
	if err != nil {
		return err
	}
	m.ticket = &t
	return nil
}

// noError is the answer "no" with its sentence.
type noError struct{ text string }

func (e *noError) Error() string { return e.text }

func no(format string, args ...any) error { return &noError{fmt.Sprintf(format, args...)} }

// decline turns the errors that mean "no" into exit status 1, with the sentence printed.
func (d *clerk) decline(err error) error {
	var (
		refused *noError
		moved   *approval.WrongState
		changed *approval.Changed
		inUse   *session.InUse
	)
	if errors.As(err, &refused) || errors.As(err, &moved) || errors.As(err, &changed) || errors.As(err, &inUse) || errors.Is(err, session.ErrExists) {
		if inUse != nil {
			inUse.Forkable = false // a copy is none of what these commands are for
		}
		d.complain(err.Error())
		return errNo
	}
	return err
}
