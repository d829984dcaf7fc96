package people

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Person is somebody who may use the inbox.
type Person struct {
	// Name is what stands under answers. It never changes, and nobody else ever has it.
	Name string
	// Shown is how people call him. Several may be called the same, and nobody checks it: it
	// is only ever shown beside the name.
	Shown string
	Email string
	// earlier are the addresses that he had before, each in a line: people are compared as values.
	earlier string
	Role    Role
	// Disabled: he may do nothing.
	Disabled bool
	// HasPassword: he can sign in with one, unless something else keeps him out.
	HasPassword bool
	// Issuer and Subject are how another server knows him; empty when none does.
	Issuer, Subject string
	// Confirmed is when that server, or an admin in its place, has last stood up for him; zero
	// when it has taken that back. See [Store.Active].
	Confirmed time.Time
	// Since is when all his sign-ins have last ended, for whatever reason: what was said in his
	// name until then counts for nothing. It is zero when they never have. It is the time of one
	// machine, and decides only where nothing else can, see [Said].
	Since   time.Time
	Created time.Time
}

const columns = "p.name, p.shown, p.email, p.earlier, p.role, p.disabled, CASE WHEN p.password = '' THEN 0 ELSE 1 END, p.issuer, p.subject, p.confirmed, p.since, p.created"

type scanner interface{ Scan(...any) error }

// personRow is what the columns hold.
type personRow struct {
	Person
	role                                          string
	disabled, password, confirmed, since, created int64
}

// fields are where the columns go.
func (r *personRow) fields() []any {
	return []any{&r.Name, &r.Shown, &r.Email, &r.earlier, &r.role, &r.disabled, &r.password, &r.Issuer, &r.Subject, &r.confirmed, &r.since, &r.created}
}

// person is the one of the row.
func (r *personRow) person() (p Person, err error) {
	p = r.Person
	if p.Role, err = ParseRole(r.role); err != nil {
		return Person{}, &Damaged{p.Name, err}
	}
	p.Disabled, p.HasPassword = r.disabled != 0, r.password != 0
	p.Confirmed, p.Since, p.Created = fromMicros(r.confirmed), fromMicros(r.since), fromMicros(r.created)
	return p, nil
}

// readPerson reads a row with the columns, and what stands behind them.
func readPerson(row scanner, more ...any) (Person, error) {
	var r personRow
	if err := row.Scan(append(r.fields(), more...)...); err != nil {
		return Person{}, err
	}
	return r.person()
}

// find finds a person by his name; lock is [database.Tx.ToChange] or nothing.
func find(ctx context.Context, q database.Querier, name, lock string) (Person, error) {
	if CheckName(name) != nil { // nobody has it, and some texts a database does not take
		return Person{}, &Unknown{name}
	}
	p, err := readPerson(q.QueryRowContext(ctx, "SELECT "+columns+" FROM people p WHERE p.name = $1"+lock, name))
	if errors.Is(err, sql.ErrNoRows) {
		return Person{}, &Unknown{name}
	}
	return p, err
}

// Find finds a person by his name. The error is an [*Unknown] when nobody has it.
func (s *Store) Find(ctx context.Context, name string) (Person, error) {
	p, err := find(ctx, s.db.Reads(), name, "")
	return p, s.db.Explain(err)
}

// List is all people, by their names.
func (s *Store) List(ctx context.Context) ([]Person, error) {
	all, err := everybody(ctx, s.db.Reads())
	return all, s.db.Explain(err)
}

func everybody(ctx context.Context, q database.Querier) ([]Person, error) {
	return readAll(ctx, q, func(row scanner) (Person, error) { return readPerson(row) }, "SELECT "+columns+" FROM people p ORDER BY p.name")
}

func readAll[T any](ctx context.Context, q database.Querier, read func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := read(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// check refuses a person who cannot be written down.
func (p Person) check() error {
	const longest = 200
	if err := CheckName(p.Name); err != nil {
		return err
	}
	if !p.Role.valid() {
		_, err := ParseRole(p.Role.String())
		return err
	}
	return errors.Join(checkText("shown name", p.Shown, longest), checkText("e-mail", p.Email, longest))
}

// insert writes a new person down, whose name nobody may have.
func (s *Store) insert(ctx context.Context, tx *database.Tx, p Person, hash string) error {
	made, err := tx.ExecContext(ctx, `INSERT INTO people (name, shown, email, role, disabled, password, issuer, subject, confirmed, created)
		VALUES ($1, $2, $3, $4, 0, $5, $6, $7, $8, $9) ON CONFLICT (name) DO NOTHING`,
		p.Name, p.Shown, p.Email, p.Role.String(), hash, p.Issuer, p.Subject, micros(p.Confirmed), micros(s.now()))
	return some(made, err, &Taken{p.Name})
}
