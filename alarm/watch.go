package alarm

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
)

// River lays out bells whose time has come, and finds those that were lost with a process, in
// one elected process. When that one is killed, another is elected up to twenty seconds later,
// and it looks for lost ones every thirty seconds. So each process does both here, too. It only
// reads, mostly.

// interval is how often a process looks.
const interval = 2 * time.Second

// watch looks until the context ends.
func (r *river[T]) watch(ctx context.Context, c Config) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := r.look(ctx, c); err != nil && ctx.Err() == nil {
			c.Log.Warn("bells whose time has come, or that were lost with a process, cannot be found", "err", r.db.Explain(err))
		}
	}
}

// look lays out bells whose time comes soon, and finds lost ones. Mostly there are none: it asks once, and
// an index has the answer, however many bells wait.
func (r *river[T]) look(ctx context.Context, c Config) error {
	until := time.Now().Add(soon)
	args := []any{r.moment(until), lost.Seconds()}
	var marks []string
	for kind := range c.Hear {
		args = append(args, string(kind))
		marks = append(marks, fmt.Sprint("$", len(args)))
	}
	ago := "now() - make_interval(secs => $2)"
	if r.db.Kind() != database.PostgreSQL {
		ago = "$2"
		args[1] = r.moment(time.Now().Add(-lost))
	}
	var due, stuck bool
	err := r.db.Reads().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM river_job WHERE state = 'scheduled' AND queue IN ("+strings.Join(marks, ", ")+") AND priority = 1 AND scheduled_at <= $1), "+
		"EXISTS (SELECT 1 FROM river_job WHERE state = 'running' AND attempted_at < "+ago+")", args...).Scan(&due, &stuck)
	if err == nil && due {
		_, err = r.driver.GetExecutor().JobSchedule(ctx, &riverdriver.JobScheduleParams{Max: atOnce, Now: &until})
	}
	if err == nil && stuck {
		err = r.findLost(ctx)
	}
	return err
}

// atOnce is how many bells are dealt with in one transaction.
const atOnce = 1000

// findLost rings bells again that somebody has begun to hear too long ago.
func (r *river[T]) findLost(ctx context.Context) error {
	now, err := r.now(ctx)
	if err != nil {
		return err
	}
	since := now.Add(-lost)
	return r.db.Within(ctx, func(tx *database.Tx) error {
		var found []*rivertype.JobRow
		err := r.join(ctx, tx, func(t T) (err error) {
			found, err = r.driver.UnwrapExecutor(t).JobGetStuck(ctx, &riverdriver.JobGetStuckParams{Max: atOnce, StuckHorizon: since})
			return err
		})
		if err != nil {
			return err
		}
		for _, job := range found {
			var d due
			if err := strictjson.Unmarshal(job.EncodedArgs, &d); err != nil {
				return err
			}
			b := bellOf(job, d)
			b.At = time.Now().Add(Again{}.wait(b.Try)) // it may be what has ended the process
			b.Try++
			if err := r.replace(ctx, tx, job.ID, b); err != nil {
				return err
			}
		}
		return nil
	})
}

// some: there is a row.
func (r *river[T]) some(ctx context.Context, query string, args ...any) (bool, error) {
	var one int
	return database.Found(r.db.Reads().QueryRowContext(ctx, query, args...).Scan(&one))
}

// now is the time by which the database says when somebody has begun: several machines may not
// agree.
func (r *river[T]) now(ctx context.Context) (time.Time, error) {
	now := time.Now()
	if r.db.Kind() != database.PostgreSQL {
		return now, nil
	}
	err := r.db.Reads().QueryRowContext(ctx, "SELECT now()").Scan(&now)
	return now, err
}
