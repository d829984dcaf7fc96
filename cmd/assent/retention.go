package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
)

// retention removes finished sessions that nobody has used for long, again and again.
type retention struct {
	// unused is for how long nobody has used them; zero keeps all.
	unused time.Duration
	// most is how many are looked at in a row.
	most   int
	office *office
	// asking lets a clerk run an errand.
	asking func(ctx context.Context, errand func(*clerk.Clerk) error) error
	log    *slog.Logger

	after string // the session that was looked at last
}

const (
	// pruneBatch is how many sessions are looked at in a row, pruneRest the pause after that, and
	// pruneEvery that after all of them.
	pruneBatch = 100
	pruneRest  = 10 * time.Second
	pruneEvery = time.Hour
	// leastUnused is the shortest time: whoever has begun a session may go on with it at once.
	leastUnused = time.Hour
)

const pruneAfterUsage = "remove finished sessions that nobody has used for so long, like 30d (default: keep them)"

// unusedFor is the flag for how long nobody has used a session that is removed.
type unusedFor time.Duration

func (u *unusedFor) String() string {
	if *u == 0 {
		return ""
	}
	return time.Duration(*u).String()
}

// Type is what help calls it.
func (u *unusedFor) Type() string { return "TIME" }

// Set reads how long.
func (u *unusedFor) Set(text string) error {
	age, err := parseAge(text)
	if err == nil && age < leastUnused {
		err = fmt.Errorf("%s: want an hour or more (`assent sessions prune --older-than %s` removes them once)", text, text)
	}
	*u = unusedFor(age)
	return err
}

// run prunes until the context ends. What cannot be removed now is tried again the next time.
func (r *retention) run(ctx context.Context) error {
	for r.unused > 0 && ctx.Err() == nil {
		more, err := r.batch(ctx)
		if err != nil && ctx.Err() == nil {
			r.log.Warn("old sessions cannot be removed at the moment", "err", err)
		}
		rest := pruneEvery
		if more {
			rest = pruneRest
		}
		select {
		case <-ctx.Done():
		case <-time.After(rest):
		}
	}
	<-ctx.Done()
	return nil
}

// batch looks at some sessions, and says whether there are more. Those that are kept are passed by, so
// that they keep nobody from the others.
func (r *retention) batch(ctx context.Context) (more bool, err error) {
	ids, err := r.idle(ctx)
	if err != nil {
		return false, err
	}
	removed := 0
	err = r.asking(ctx, func(c *clerk.Clerk) error {
		for _, id := range ids {
			gone, err := r.retire(ctx, c, id)
			if err != nil {
				return err // from here on again
			}
			if r.after = id; gone {
				removed++
			}
		}
		return nil
	})
	if removed > 0 {
		r.log.Info("old sessions were removed", "sessions", removed, "not_used_for", r.unused.String())
	}
	if more = len(ids) == r.most; err == nil && !more {
		r.after = ""
	}
	return more, err
}

// retire removes a session, or says why it stays. The error is that nothing can be removed now.
func (r *retention) retire(ctx context.Context, c *clerk.Clerk, id string) (gone bool, err error) {
	err = c.Retire(ctx, id, r.unused)
	_, kept := errors.AsType[*clerk.Kept](err)
	_, away := errors.AsType[*database.Unusable](err)
	switch {
	case err == nil:
		return true, nil
	case away, ctx.Err() != nil:
		return false, err
	case kept, errors.Is(err, session.ErrUnknown):
		r.log.Debug("an old session is kept", "session", id, "why", err)
	default:
		r.log.Warn("an old session cannot be removed", "session", id, "err", err)
	}
	return false, nil
}

// idle are the sessions to look at next.
func (r *retention) idle(ctx context.Context) ([]string, error) {
	if r.office.joined != nil {
		return r.office.joined.depot.Idle(ctx, r.after, r.unused, r.most)
	}
	ids, err := r.office.sessions.IDs()
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool {
		written, err := r.office.sessions.Written(id)
		return strings.Compare(id, r.after) <= 0 || err != nil || time.Since(written) < r.unused
	})
	slices.Sort(ids)
	return ids[:min(len(ids), r.most)], nil
}
