package herald

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/notify"
)

// Config is what a herald works with.
type Config struct {
	Tickets *approval.Store
	// TakeUp lets the session of an answered call go on, if it can here; false means that it is
	// for others. Nil means that none goes on here.
	TakeUp func(context.Context, approval.Ticket) (bool, error)
	// Log is told what goes wrong; nil means nobody.
	Log *slog.Logger
	// Telling is how people are told; nil means that others do that.
	Telling *Telling
}

// Telling is how people elsewhere are told.
type Telling struct {
	// Targets are those of the settings of now.
	Targets func() ([]notify.Target, error)
	// Send brings a message to a target; see [notify.Sender.Send].
	Send func(context.Context, notify.Target, notify.Message) notify.Outcome
	// Describe says what a call would do, without what could be a secret, and Input is what
	// would run, as it may be shown.
	Describe func(approval.Ticket) string
	Input    func(approval.Ticket) strictjson.Raw
	// Page is the address of the page on which people answer, with a slash at its end; empty
	// where nobody can reach one by a link.
	Page string
}

// Herald hears bells. It is safe for concurrent use.
type Herald struct {
	Config
	alarm *alarm.Alarm
	links *link.Links
	now   func() time.Time
	// often is how often the tickets are looked through, and pause the least time before a
	// session is tried again that cannot go on here.
	often, pause time.Duration
	// round is how far the patrol has come; patrolling guards it.
	patrolling sync.Mutex
	round      round
}

// New makes a herald, and the tables that it needs. The error is an [*approval.Unusable].
func New(ctx context.Context, c Config) (*Herald, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	db := c.Tickets.Database()
	if err := db.Install(ctx, tables); err != nil {
		return nil, err
	}
	h := &Herald{Config: c, now: time.Now, often: 30 * time.Second, pause: 2 * time.Second}
	var err error
	if h.alarm, err = alarm.On(ctx, db); err != nil {
		return nil, err
	}
	if c.Telling != nil && c.Telling.Page != "" {
		if h.links, err = link.On(ctx, db); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// Work hears bells until the context ends, and waits then for those that are being heard. A
// database that fails for a moment does not end it.
func (h *Herald) Work(ctx context.Context) error {
	hear := map[alarm.Kind]func(context.Context, alarm.Bell) alarm.Outcome{look: h.look}
	if h.Telling != nil {
		hear[news], hear[tell] = h.spread, h.tell
	}
	var patrol sync.WaitGroup
	patrol.Go(func() { h.patrol(ctx) })
	defer patrol.Wait()
	const shortest, longest = time.Second, 30 * time.Second
	for pause := shortest; ; pause = min(2*pause, longest) {
		began := h.now()
		err := h.alarm.Work(ctx, alarm.Config{Hear: hear, Log: h.Log})
		if ctx.Err() != nil {
			if err != nil {
				h.Log.Warn("the bells did not end in time", "err", err)
			}
			return nil
		}
		if h.now().Sub(began) > longest { // they were heard for some time
			pause = shortest
		}
		h.Log.Error("bells cannot be heard, and are tried again", "err", err, "after", pause)
		wait(ctx, pause)
	}
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// find is a ticket of which a bell speaks; nil when nothing is to be done about it any more. One
// on which nobody can rely is what can be read of it.
func (h *Herald) find(ctx context.Context, id string) (*approval.Ticket, error) {
	t, err := h.Tickets.Find(ctx, id)
	if _, gone := errors.AsType[*approval.NoTicket](err); gone {
		return nil, nil
	}
	if damaged, bad := errors.AsType[*approval.Damaged](err); bad {
		return &damaged.Ticket, nil
	}
	if err != nil {
		return nil, err
	}
	return &t, nil
}
