package inbox

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
)

// Employ lets sessions go on by themselves when somebody has answered, so many at once. It
// must happen before [Server.Run], and needs [Config.Resume].
func (s *Server) Employ(most int) {
	c := &crew{
		most: most, heard: make(chan struct{}, 1), errands: map[string]*errand{}, notes: notebook{filepath.Join(s.Dir, "inbox", "going")},
		look: s.dutyOf, sessionOf: s.sessionOf, sweep: s.duties, stock: s.stock, now: s.now,
		held: s.Sessions.Held, gone: s.Sessions.Gone, left: s.leftIn,
		tell: func(session, state string) {
			s.poke() // a run changes tickets
			s.announce(session, state)
		},
		run: func(ctx context.Context, id string) error {
			if s.Tickets.Moved() {
				return approval.ErrMoved
			}
			return s.Resume(ctx, id, s.added.of(id))
		},
		warn: func(what, session string, err error) {
			s.Log.Warn(what, "session", session, "err", mask(err.Error()))
		},
	}
	s.crew = c
	s.listeners = append(s.listeners, func(list []approval.Change) { c.hear(wordsOf(list)) })
	s.jobs = append(s.jobs, c.work)
	s.ailments = append(s.ailments, func() error {
		if err := c.sick.Load(); err != nil {
			return *err
		}
		return nil
	})
}

// goOn lets a session go on whose call was answered here a moment ago. Its change is seen as
// those of others are, but that takes a little longer.
func (s *Server) goOn(t approval.Ticket) {
	if s.crew != nil && t.Asker == "" {
		s.crew.want(t.Session, t.UnsettledUntil(s.now()), fresh)
		s.crew.nudge()
		runtime.Gosched() // the call goes first, and what the person is shown about it second
	}
}

// Progress tells whoever follows that something has happened in a session that goes on.
func (s *Server) Progress(session string) {
	s.poke()
	s.announce(session, "running")
}

// wordsOf are the changes after which a session may go on.
func wordsOf(list []approval.Change) []word {
	var all []word
	for _, c := range list {
		switch {
		case c.To == approval.Approved || c.To == approval.Denied || c.To == approval.Expired:
			all = append(all, word{c.Ticket, spoken})
		case c.From == approval.Unknown && c.To == approval.Pending: // nothing is unknown any more
			all = append(all, word{c.Ticket, spoken})
		case c.From == approval.Unknown:
			all = append(all, word{c.Ticket, certain})
		}
	}
	return all
}

// sessionOf is the session of a ticket; empty for a call that a guard holds, whose agent
// goes on by itself.
func (s *Server) sessionOf(ctx context.Context, id string) (string, time.Time, error) {
	t, err := s.Tickets.Find(ctx, id)
	if damaged, bad := errors.AsType[*approval.Damaged](err); bad {
		t, err = damaged.Ticket, nil
	}
	if _, gone := errors.AsType[*approval.NoTicket](err); gone || err == nil && t.Asker != "" {
		return "", time.Time{}, nil
	}
	return t.Session, t.UnsettledUntil(s.now()), err
}

// answered are the states of tickets after which a session has something to do, or must
// not go on.
var answered = []approval.State{approval.Approved, approval.Denied, approval.Expired, approval.Unknown}

func (s *Server) dutyOf(ctx context.Context, id string) (duty, error) {
	all, err := s.dutiesOf(ctx, id)
	return all[id], err
}

// duties are those of all sessions. Calls are marked first whose process has died.
func (s *Server) duties(ctx context.Context) (map[string]duty, error) {
	if _, err := s.Tickets.Sweep(ctx, s.Sessions.Held); err != nil {
		return nil, err
	}
	return s.dutiesOf(ctx, "")
}

// dutiesOf are those of one session, or of all when it is empty.
func (s *Server) dutiesOf(ctx context.Context, id string) (map[string]duty, error) {
	tickets, err := s.Tickets.Standings(ctx, id, answered...)
	if err != nil {
		return nil, err
	}
	all, prints := map[string]duty{}, map[string]hash.Hash{}
	for _, t := range tickets {
		if t.Asker != "" {
			continue
		}
		d, print := all[t.Session], prints[t.Session]
		if print == nil {
			print = sha256.New()
			prints[t.Session] = print
		}
		_, _ = io.WriteString(print, t.ID+" "+string(t.State)+" "+t.Print+"\n") // which never fails
		switch {
		case t.State == approval.Unknown:
			d.kind = toBeTold
		case d.kind == noDuty:
			d.kind = toGoOn
		}
		if t.Settles.After(d.from) {
			d.from = t.Settles
		}
		all[t.Session] = d
	}
	for id, d := range all {
		d.print = string(prints[id].Sum(nil))
		all[id] = d
	}
	return all, nil
}

// stock makes tickets of the calls that wait and have none, so that people see them, and
// finds the sessions that can go on although no ticket says so: a person has found out what
// became of a call.
func (s *Server) stock(ctx context.Context) ([]string, error) {
	s.added.prune(s.Sessions.Gone)
	var ids []string
	err := s.ask(ctx, func(c *clerk.Clerk) error {
		all, err := c.MakeTickets(ctx)
		for _, m := range all {
			if m.Standing == clerk.Ran && m.Waits && !slices.Contains(ids, m.Call.Session) {
				ids = append(ids, strings.Clone(m.Call.Session))
			}
		}
		return err
	})
	return ids, err
}
