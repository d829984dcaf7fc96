package alarm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/riverqueue/river/rivershared/uniquestates"
	"github.com/riverqueue/river/rivertype"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
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

// soon is how long before its time a bell is laid out for those who hear it. River's scheduler
// looks every five seconds, which would be too late for what comes earlier.
const soon = 5 * time.Second

// waiting are the states in which a bell keeps others of its kind out. One that is being heard
// does not: whoever hears it may have looked before the ticket changed.
var waiting = uniquestates.UniqueStatesToBitmask([]rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStateScheduled, rivertype.JobStatePending,
})

// key is the same for bells of which one is enough.
func key(k Kind, ticket, arg string) []byte {
	h := sha256.New()
	for _, text := range []string{string(k), ticket, arg} {
		_ = binary.Write(h, binary.BigEndian, uint32(len(text))) // a hash takes everything
		h.Write([]byte(text))
	}
	return h.Sum(nil)
}

// A person who answers waits until the bell is set, and River takes as long for that as the
// answer itself. So its row is written here, with the same text for one each. River's own
// client says in a test what the row must be.

// rowOf puts a bell in. One that waits already is brought forward if it must be. PostgreSQL
// locks it in any case until the transaction is over: whoever hears it sees what that has
// changed.
var rowOf = map[database.Kind]string{
	database.SQLite: fmt.Sprintf(`
INSERT INTO river_job (args, created_at, kind, max_attempts, priority, queue, scheduled_at, state, unique_key, unique_states)
VALUES (jsonb($1), $2, '%s', %d, 1, $3, $4, $5, $6, %d)
ON CONFLICT (unique_key)
	WHERE unique_key IS NOT NULL AND unique_states IS NOT NULL AND CASE state
		WHEN 'available' THEN unique_states & (1 << 0)
		WHEN 'cancelled' THEN unique_states & (1 << 1)
		WHEN 'completed' THEN unique_states & (1 << 2)
		WHEN 'discarded' THEN unique_states & (1 << 3)
		WHEN 'pending'   THEN unique_states & (1 << 4)
		WHEN 'retryable' THEN unique_states & (1 << 5)
		WHEN 'running'   THEN unique_states & (1 << 6)
		WHEN 'scheduled' THEN unique_states & (1 << 7)
		ELSE 0
	END >= 1`, due{}.Kind(), tries, waiting) + forward,
	database.PostgreSQL: fmt.Sprintf(`
INSERT INTO river_job (args, created_at, kind, max_attempts, priority, queue, scheduled_at, state, unique_key, unique_states)
VALUES ($1, $2, '%s', %d, 1, $3, $4, $5, $6, B'%08b')
ON CONFLICT (unique_key)
	WHERE unique_key IS NOT NULL AND unique_states IS NOT NULL AND river_job_state_in_bitmask(unique_states, state)`,
		due{}.Kind(), tries, waiting) + forward,
}

// forward makes a bell that waits ring earlier.
const forward = `
	DO UPDATE SET scheduled_at = EXCLUDED.scheduled_at, state = CASE EXCLUDED.state WHEN 'available' THEN EXCLUDED.state ELSE river_job.state END
	WHERE EXCLUDED.scheduled_at < river_job.scheduled_at`

// changes are what sets bells, each once.
func (r *river[T]) changes(bells []Bell) ([]database.Change, error) {
	var all []database.Change
	var before []byte
	now := time.Now()
	for _, b := range inOrder(bells) {
		if bytes.Equal(before, b.key) {
			continue
		}
		before = b.key
		args, err := strictjson.Marshal(due{b.Ticket, b.Arg, b.Try})
		if err != nil {
			return nil, err
		}
		at, state := b.At, rivertype.JobStateScheduled
		if at.Before(now) {
			at = now
		}
		if at.Sub(now) < soon {
			state = rivertype.JobStateAvailable
		}
		all = append(all, database.Change{Text: rowOf[r.db.Kind()], Args: []any{string(args), r.moment(now), string(b.Kind), r.moment(at), string(state), b.key}})
	}
	return all, nil
}

// keyed is a bell with its key.
type keyed struct {
	Bell
	key []byte
}

// inOrder: everybody locks bells in the same order, so nobody waits for each other, and the
// earliest of those that are the same comes first.
func inOrder(bells []Bell) []keyed {
	all := make([]keyed, len(bells))
	for i, b := range bells {
		all[i] = keyed{b, key(b.Kind, b.Ticket, b.Arg)}
	}
	slices.SortStableFunc(all, func(a, b keyed) int {
		if order := bytes.Compare(a.key, b.key); order != 0 {
			return order
		}
		return a.At.Compare(b.At)
	})
	return all
}

// moment is a time as the tables have it.
func (r *river[T]) moment(t time.Time) any {
	if r.db.Kind() == database.PostgreSQL {
		return t
	}
	return t.UTC().Format("2006-01-02 15:04:05.000") // which SQLite compares as text
}
