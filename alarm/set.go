package alarm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	queue "github.com/riverqueue/river"
	"github.com/riverqueue/river/rivershared/uniquestates"
	"github.com/riverqueue/river/rivertype"

	"github.com/assent-dev/assent/internal/database"
)

// due is a bell as River keeps it: these are the arguments of its job. The kind is the queue,
// so that each process takes only what it hears, and what takes long does not keep the rest
// waiting.
type due struct {
	Ticket string `json:"ticket"`
	Arg    string `json:"arg,omitempty"`
	Try    int    `json:"try,omitempty"`
}

// Kind is that of River's job.
func (due) Kind() string { return "bell" }

// tries is the most that River can count. Bells are never given up: the ticket says when it
// is over.
const tries = 32767

func (b Bell) job() queue.InsertManyParams {
	return queue.InsertManyParams{
		Args:       due{b.Ticket, b.Arg, b.Try},
		InsertOpts: &queue.InsertOpts{Queue: string(b.Kind), ScheduledAt: b.At, MaxAttempts: tries},
	}
}

// soon is how long before its time a bell is laid out for those who hear it. River's scheduler
// looks every five seconds, which would be too late for what comes earlier.
const soon = 5 * time.Second

// waiting are the states in which a bell keeps others of its kind out. One that is being heard
// does not: whoever hears it may have looked before the ticket changed.
var waiting = uniquestates.UniqueStatesToBitmask([]rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStateScheduled, rivertype.JobStatePending,
})

// settle adds to a job what River's options cannot say.
func settle(_ context.Context, p *rivertype.JobInsertParams) error {
	d, ok := p.Args.(due)
	if !ok {
		return fmt.Errorf("a job of type %T is no bell", p.Args)
	}
	p.UniqueKey, p.UniqueStates = key(Kind(p.Queue), d), waiting
	if p.ScheduledAt != nil && time.Until(*p.ScheduledAt) < soon {
		p.State = rivertype.JobStateAvailable
	}
	return nil
}

// key is the same for bells of which one is enough.
func key(k Kind, d due) []byte {
	h := sha256.New()
	for _, text := range []string{string(k), d.Ticket, d.Arg} {
		_ = binary.Write(h, binary.BigEndian, uint32(len(text))) // a hash takes everything
		h.Write([]byte(text))
	}
	return h.Sum(nil)
}

// set puts bells in, each once. One that waits already is brought forward if it must be, and
// stays locked until the transaction is over: whoever hears it sees what that has changed.
func (r *river[T]) set(ctx context.Context, tx *database.Tx, bells []Bell) error {
	wanted := map[string]time.Time{}
	var jobs []queue.InsertManyParams
	for _, b := range inOrder(bells) {
		k := string(key(b.Kind, due{Ticket: b.Ticket, Arg: b.Arg}))
		if _, twice := wanted[k]; !twice {
			wanted[k] = b.At
			jobs = append(jobs, b.job())
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	var made []*rivertype.JobInsertResult
	err := r.join(tx, func(t T) (err error) {
		made, err = r.inserts.InsertManyTx(ctx, t, jobs)
		return err
	})
	if err != nil {
		return fmt.Errorf("bells cannot be set: %w", err)
	}
	for _, m := range made {
		at := wanted[string(m.Job.UniqueKey)]
		if m.UniqueSkippedAsDuplicate && at.Before(m.Job.ScheduledAt) {
			if err := r.forward(ctx, tx, m.Job, at); err != nil {
				return fmt.Errorf("a bell cannot be brought forward: %w", err)
			}
		}
	}
	return nil
}

// inOrder: everybody locks bells in the same order, so nobody waits for each other, and the
// earliest of those that are the same comes first.
func inOrder(bells []Bell) []Bell {
	return slices.SortedFunc(slices.Values(bells), func(a, b Bell) int {
		ka, kb := key(a.Kind, due{Ticket: a.Ticket, Arg: a.Arg}), key(b.Kind, due{Ticket: b.Ticket, Arg: b.Arg})
		if order := bytes.Compare(ka, kb); order != 0 {
			return order
		}
		return a.At.Compare(b.At)
	})
}

// forward makes a bell that waits ring earlier.
func (r *river[T]) forward(ctx context.Context, tx *database.Tx, job *rivertype.JobRow, at time.Time) error {
	now := time.Now()
	if at.Before(now) {
		if at = now; !at.Before(job.ScheduledAt) { // it rings already
			return nil
		}
	}
	state := job.State
	if time.Until(at) < soon {
		state = rivertype.JobStateAvailable
	}
	_, err := tx.ExecContext(ctx, "UPDATE river_job SET scheduled_at = $1, state = $2 WHERE id = $3", r.moment(at), string(state), job.ID)
	return err
}

// moment is a time as the tables have it.
func (r *river[T]) moment(t time.Time) any {
	if r.db.Kind() == database.PostgreSQL {
		return t
	}
	return t.UTC().Format("2006-01-02 15:04:05.000") // which SQLite compares as text
}
