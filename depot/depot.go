package depot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// Depot is the sessions in a database. It is safe for concurrent use.
type Depot struct {
	db *database.DB
	// name tells this database from every other one; see [nameOf].
	name string
	// host says to people on which machine a session is open.
	host string
	// lasts is how long a lease is good without being renewed.
	lasts time.Duration
	// Lost is told of a file here with what the database has lost of a session. It is set before use.
	Lost func(id, path string)
	// Comes is told of a session that was begun without a database, before it is in this one, and its
	// error keeps it away; nil means nobody. It is set before use.
	Comes func(ctx context.Context, id string) error

	// time ends when the process has none any more; see [Depot.Hurry].
	time     context.Context
	timeIsUp context.CancelFunc

	// opened is when this process began to look, and seen what it has seen of the leases of others.
	opened time.Time
	seen   sightings

	watch        watchers
	undertakings undertakings
}

// lease is how long a machine that does not answer keeps its sessions. It renews its leases
// several times in that time.
const lease = 8 * time.Second

var tables = database.Tables{Name: "depot", Steps: []string{`
CREATE TABLE depot_sessions (
	id      {word} PRIMARY KEY,
	fence   BIGINT NOT NULL,
	holder  TEXT NOT NULL,
	until   BIGINT NOT NULL,
	size    BIGINT NOT NULL,
	started BIGINT NOT NULL,
	written BIGINT NOT NULL,
	cwd     TEXT NOT NULL,
	labels  TEXT NOT NULL
);
CREATE TABLE depot_pieces (
	digest {word} PRIMARY KEY,
	data   {bytes} NOT NULL
);
CREATE TABLE depot_parts (
	session {word} NOT NULL REFERENCES depot_sessions (id) ON DELETE CASCADE,
	place   BIGINT NOT NULL,
	size    BIGINT NOT NULL,
	digest  {word} NOT NULL REFERENCES depot_pieces (digest),
	PRIMARY KEY (session, place)
);
CREATE INDEX depot_parts_by_piece ON depot_parts (digest);
CREATE TABLE depot_files (
	session {word} NOT NULL REFERENCES depot_sessions (id) ON DELETE CASCADE,
	name    {word} NOT NULL,
	data    {bytes} NOT NULL,
	PRIMARY KEY (session, name)
);
`, `
ALTER TABLE depot_sessions ADD COLUMN going BIGINT NOT NULL DEFAULT 0;
CREATE INDEX depot_sessions_going ON depot_sessions (id) WHERE going > 0;
`, `
CREATE TABLE depot_name (
	place BIGINT PRIMARY KEY,
	name  {word} NOT NULL
);
CREATE TABLE depot_removed (
	id {word} PRIMARY KEY,
	at BIGINT NOT NULL
);
`, `
ALTER TABLE depot_sessions ADD COLUMN outlined BIGINT NOT NULL DEFAULT 0;
CREATE TABLE depot_outlines (
	session {word} PRIMARY KEY REFERENCES depot_sessions (id) ON DELETE CASCADE,
	waits   BIGINT NOT NULL,
	noted   BIGINT NOT NULL,
	data    {bytes} NOT NULL
);
CREATE INDEX depot_outlines_waiting ON depot_outlines (session) WHERE waits > 0;
CREATE INDEX depot_outlines_noted ON depot_outlines (session) WHERE noted > 0;
`}}

// On is the depot in a database. host says to people which machine this is.
func On(ctx context.Context, db *database.DB, host string) (*Depot, error) {
	if err := db.Install(ctx, tables); err != nil {
		return nil, err
	}
	name, err := nameOf(ctx, db)
	if err != nil {
		return nil, err
	}
	d := &Depot{db: db, name: name, host: host, lasts: lease, opened: time.Now(), Lost: func(string, string) {}}
	d.time, d.timeIsUp = context.WithCancel(context.Background())
	return d, nil
}

// Info is what is known about a session without reading its transcript.
type Info struct {
	ID  string
	Cwd string
	// Labels are what a machine must have to work on it, sorted.
	Labels []string
	// Size is that of the transcript.
	Size             int64
	Started, Written time.Time
	// Holder is who works on it; empty when nobody does.
	Holder string
	// Outline is how it stands; nil when nobody has written that down, or asked for it. Noted is zero
	// unless somebody has noted to recheck it as it stands.
	Outline *session.Outline
	Noted   int64
}

// Unknown: there is no such session.
type Unknown struct{ ID string }

func (e *Unknown) Error() string { return fmt.Sprintf("there is no session %s in the database", e.ID) }

// Exists: there is such a session already.
type Exists struct{ ID string }

func (e *Exists) Error() string {
	return fmt.Sprintf("there is a session %s in the database already", e.ID)
}

// now is the time of the database in microseconds, as SQL: the clocks of machines differ.
func (d *Depot) now() string {
	if d.db.Kind() == database.PostgreSQL {
		return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"
	}
	return "CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)"
}

// columns are those of an [Info], of depot_sessions as s and, where outlines are wanted, depot_outlines as o.
func (d *Depot) columns(outlines bool) string {
	text := "s.id, s.cwd, s.labels, s.size, s.started, s.written, CASE WHEN " + d.current() + " THEN s.holder ELSE '' END"
	if outlines {
		return text + ", COALESCE(o.waits, 0), COALESCE(o.noted, 0), CASE WHEN s.outlined = s.size THEN o.data END"
	}
	return text + ", 0, 0, NULL"
}

const withOutlines = " FROM depot_sessions s LEFT JOIN depot_outlines o ON o.session = s.id"

// Find is what is known about a session. The error may be an [*Unknown].
func (d *Depot) Find(ctx context.Context, id string) (Info, error) {
	var r row
	i, err := readInfo(d.db.Reads().QueryRowContext(ctx, "SELECT "+d.columns(true)+", "+d.rowColumns()+withOutlines+" WHERE id = $1", id), &r.id, &r.holder, &r.fence, &r.until, &r.current)
	switch {
	case errors.Is(err, database.ErrNoRows):
		return Info{}, &Unknown{id}
	case err != nil:
		return Info{}, d.db.Explain(err)
	}
	if i.Holder = r.holder; d.free(r) {
		i.Holder = ""
	}
	return i, nil
}

// List is the sessions that are sought, the one that was written last first.
func (d *Depot) List(ctx context.Context, sought session.Sought) ([]Info, error) {
	if sought.IDs != nil && len(sought.IDs) == 0 {
		return nil, nil
	}
	where, args := d.where(sought)
	rows, err := d.db.Reads().QueryContext(ctx, "SELECT "+d.columns(sought.Outlines)+withOutlines+where, args...)
	if err != nil {
		return nil, d.db.Explain(err)
	}
	defer rows.Close()
	var all []Info
	for rows.Next() {
		i, err := readInfo(rows)
		if err != nil {
			return nil, d.db.Explain(err)
		}
		all = append(all, i)
	}
	return all, d.db.Explain(rows.Err())
}

// where is which sessions are sought, and in which order they come.
func (d *Depot) where(sought session.Sought) (text string, args []any) {
	var all []string
	mark := func(arg any) string {
		args = append(args, arg)
		return "$" + strconv.Itoa(len(args))
	}
	if sought.IDs != nil {
		var marks []string
		for _, id := range sought.IDs {
			marks = append(marks, mark(id))
		}
		all = append(all, "s.id IN ("+strings.Join(marks, ", ")+")")
	}
	if sought.Prefix != "" { // as a range, for which the database has an index
		all = append(all, "s.id BETWEEN "+mark(sought.Prefix)+" AND "+mark(sought.Prefix+"\U0010FFFF"))
	}
	if sought.Cwd != nil {
		all = append(all, "s.cwd = "+mark(*sought.Cwd))
	}
	switch sought.Only {
	case session.WithCalls:
		all = append(all, "o.waits > 0")
	case session.ToRecheck:
		all = append(all, "o.noted > 0", "NOT ("+d.current()+")")
	case session.Unoutlined:
		all = append(all, "s.outlined <> s.size")
	case session.AnyKin:
	}
	if len(all) > 0 {
		text = " WHERE " + strings.Join(all, " AND ")
	}
	if text += " ORDER BY s.written DESC, s.id"; sought.Most > 0 {
		text += " LIMIT " + strconv.Itoa(sought.Most)
	}
	return text, args
}

// Count is how many sessions there are.
func (d *Depot) Count(ctx context.Context) (n int, err error) {
	err = d.db.Reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM depot_sessions").Scan(&n)
	return n, d.db.Explain(err)
}

func readInfo(row interface{ Scan(...any) error }, further ...any) (i Info, err error) {
	var labels string
	var started, written, waits int64
	var outline []byte
	if err := row.Scan(append([]any{&i.ID, &i.Cwd, &labels, &i.Size, &started, &written, &i.Holder, &waits, &i.Noted, &outline}, further...)...); err != nil {
		return Info{}, err
	}
	if outline != nil {
		i.Outline = &session.Outline{Waits: waits > 0, Text: outline}
	}
	i.Started, i.Written = time.UnixMicro(started).UTC(), time.UnixMicro(written).UTC()
	if labels != "" {
		if err := strictjson.Unmarshal([]byte(labels), &i.Labels); err != nil {
			return Info{}, fmt.Errorf("the labels of session %s cannot be read: %w", i.ID, err)
		}
	}
	return i, nil
}
