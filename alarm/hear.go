package alarm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	queue "github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"github.com/assent-dev/assent/internal/database"
)

// Outcome is what came of hearing a bell: [Done] or [Again]. Nil means Again.
type Outcome interface{ outcome() }

// Done: it was looked at, and nothing more is to be done.
type Done struct{}

// Again: it is to be looked at once more.
type Again struct {
	// After is how long to wait; zero means longer each time, from a second to five minutes.
	After time.Duration
	// Why is what went wrong, for the log; nil when nothing did.
	Why error
}

func (Done) outcome()  {}
func (Again) outcome() {}

// ear hears the bells that River brings.
type ear[T any] struct {
	queue.WorkerDefaults[due]
	*river[T]
	Config
}

// Work hears one bell. Its error is that the database does not work.
func (e *ear[T]) Work(ctx context.Context, job *queue.Job[due]) error {
	b := bellOf(job.JobRow, job.Args)
	switch o := e.hear(ctx, b).(type) {
	case Done:
		return nil
	case Again:
		return e.ringAgain(ctx, job.ID, b, o)
	default:
		return e.ringAgain(ctx, job.ID, b, Again{})
	}
}

func bellOf(job *rivertype.JobRow, d due) Bell {
	return Bell{Kind: Kind(job.Queue), Ticket: d.Ticket, Arg: d.Arg, At: job.ScheduledAt, Try: d.Try}
}

// hear lets somebody hear a bell. Whoever panics has not looked.
func (e *ear[T]) hear(ctx context.Context, b Bell) (o Outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			e.Log.Error("hearing a bell has panicked", "kind", b.Kind, "ticket", b.Ticket, "panic", fault, "stack", string(debug.Stack()))
			o = Again{}
		}
	}()
	return e.Hear[b.Kind](ctx, b)
}

// ringAgain puts a fresh bell in the place of one that was heard in vain, in one transaction:
// River would count, and keep, what went wrong each time with the old one.
func (e *ear[T]) ringAgain(ctx context.Context, id int64, b Bell, o Again) error {
	if o.Why != nil {
		e.Log.Warn("something did not work, and is tried again", "kind", b.Kind, "ticket", b.Ticket, "try", b.Try+1, "err", o.Why)
	}
	b.At = time.Now().Add(o.wait(b.Try))
	b.Try++
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second) // also when the process is about to end
	defer stop()
	err := e.db.Within(ctx, func(tx *database.Tx) error { return e.replace(ctx, tx, id, b) })
	if err != nil {
		return errors.New("a bell cannot be set again: " + err.Error()) // for River, a context that has ended means something else
	}
	return nil
}

// wait is how long to wait after a number of tries.
func (a Again) wait(try int) time.Duration {
	if a.After > 0 {
		return a.After
	}
	const most = 5 * time.Minute
	wait := most
	if try < 9 {
		wait = min(most, time.Second<<try)
	}
	return wait + rand.N(wait/4)
}

// replace ends a bell that is being heard and sets another one, unless it has ended already.
func (r *river[T]) replace(ctx context.Context, tx *database.Tx, id int64, b Bell) error {
	var ended []*rivertype.JobRow
	err := r.join(ctx, tx, func(t T) (err error) {
		end := riverdriver.JobSetStateCompleted(id, time.Now(), nil)
		ended, err = r.driver.UnwrapExecutor(t).JobSetStateIfRunningMany(ctx, &riverdriver.JobSetStateIfRunningManyParams{
			ID: []int64{id}, Attempt: []*int{end.Attempt}, ErrData: [][]byte{end.ErrData}, FinalizedAt: []*time.Time{end.FinalizedAt},
			MetadataDoMerge: []bool{false}, MetadataUpdates: [][]byte{nil}, ScheduledAt: []*time.Time{end.ScheduledAt}, State: []rivertype.JobState{end.State},
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("a bell cannot be ended: %w", err)
	}
	if len(ended) == 0 {
		return nil
	}
	changes, err := r.changes([]Bell{b})
	if err == nil {
		_, err = tx.Make(ctx, changes...)
	}
	tx.News()
	return err
}

// later is when River tries again what we could not write down ourselves. It is later than
// River's scheduler looks, which then sees whether the same bell waits already.
type later struct{}

// NextRetry is part of River's retry policy.
func (later) NextRetry(*rivertype.JobRow) time.Time { return time.Now().Add(2 * soon) }
