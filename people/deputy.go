package people

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Deputy is somebody who may answer in place of another person for some time.
type Deputy struct {
	Number int64
	// To may answer in place of From.
	From, To string
	Until    time.Time
	Reason   string
	// By made him that.
	By      string
	Created time.Time
	// Dormant is why he may not at the moment; empty when he may.
	Dormant string
	// since is that of the person.
	since time.Time
}

// The ways in which somebody was made a deputy.
const (
	madeByHimself = "himself"
	madeByAdmin   = "admin"
)

// Delegate makes somebody the deputy of a person until a time that is within a year. A person
// may choose somebody who answers himself; an admin may choose for anybody, and anybody.
func (s *Store) Delegate(ctx context.Context, by By, from, to string, until time.Time, reason string) (Deputy, error) {
	const most = 500
	if err := checkText("reason", reason, most); err != nil {
		return Deputy{}, err
	}
	if err := s.checkEnd(until); err != nil {
		return Deputy{}, err
	}
	if from == to {
		return Deputy{}, &BadValue{Subject: "deputy", Why: "it is the person himself", Hint: "choose somebody else"}
	}
	d := Deputy{From: from, To: to, Until: fromMicros(micros(until)), Reason: reason, By: by.String(), Created: fromMicros(micros(s.now()))}
	err := s.manage(ctx, func(tx *database.Tx) error {
		as, err := s.own(ctx, tx, by, from, fmt.Sprintf("choose a deputy of %q", clipped(from)))
		if err != nil {
			return err
		}
		made := madeByHimself
		if as == asAdmin {
			made = madeByAdmin
		}
		person, err := find(ctx, tx, from, "")
		if err != nil {
			return err
		}
		deputy, err := find(ctx, tx, to, "")
		if err != nil {
			return err
		}
		if why := s.dormant(person, deputy, made); why != "" {
			return &BadValue{Subject: "deputy", Why: why, Hint: "choose somebody who may answer; an admin may also choose a viewer, for somebody who may answer"}
		}
		err = tx.QueryRowContext(ctx, `INSERT INTO people_deputies (person, deputy, until, reason, made_by, made_as, created)
			VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING number`,
			from, to, micros(d.Until), reason, d.By, made, micros(d.Created)).Scan(&d.Number)
		if err != nil {
			return err
		}
		return s.note(ctx, tx, by.String(), from, DeputyMade, fmt.Sprintf("%d, %s until %s: %s", d.Number, to, d.Until.Format(time.RFC3339), reason))
	})
	if err != nil {
		return Deputy{}, err
	}
	return d, nil
}

// dormant is why a deputy may not answer; empty when he may. Roles change, so it is asked each
// time: who lends his right to answer must still have it, and one who was chosen by a person
// like himself must still be one.
func (s *Store) dormant(person, deputy Person, made string) string {
	switch {
	case !s.Active(person):
		return s.inactive(person)
	case !person.Role.Answer():
		return fmt.Sprintf("%s may not answer himself, as a %s", person.Name, person.Role)
	case !s.Active(deputy):
		return s.inactive(deputy)
	case made != madeByAdmin && !deputy.Role.Answer():
		return fmt.Sprintf("%s is only a %s, whom no admin has chosen", deputy.Name, deputy.Role)
	}
	return ""
}

// RevokeDeputy ends that somebody is a deputy. The person may, the deputy himself, and an
// admin. The error is a [*Gone] when there is no such deputy.
func (s *Store) RevokeDeputy(ctx context.Context, by By, number int64) error {
	return s.manage(ctx, func(tx *database.Tx) error {
		var from, to string
		err := tx.QueryRowContext(ctx, "SELECT person, deputy FROM people_deputies WHERE number = $1", number).Scan(&from, &to)
		if errors.Is(err, sql.ErrNoRows) {
			return &Gone{"deputy", number}
		}
		if err != nil {
			return err
		}
		as, err := s.towards(ctx, tx, by, to)
		if err == nil && as == asNobody {
			_, err = s.own(ctx, tx, by, from, "revoke that deputy")
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM people_deputies WHERE number = $1", number); err != nil {
			return err
		}
		return s.note(ctx, tx, by.String(), from, DeputyRevoked, fmt.Sprintf("%d, %s", number, to))
	})
}

// Deputies are all whose time is not over at a moment, also those who may not answer for some
// reason, the oldest first.
func (s *Store) Deputies(ctx context.Context, now time.Time) ([]Deputy, error) {
	all, err := s.deputies(ctx, s.db.Reads(), "d.until > $1", micros(now))
	return all, s.db.Explain(err)
}

func (s *Store) deputies(ctx context.Context, q database.Querier, which string, args ...any) ([]Deputy, error) {
	read := func(row scanner) (d Deputy, err error) {
		var until, created int64
		var made string
		var from, to personRow
		into := append([]any{&d.Number, &until, &d.Reason, &d.By, &made, &created}, from.fields()...)
		if err := row.Scan(append(into, to.fields()...)...); err != nil {
			return Deputy{}, err
		}
		person, err := from.person()
		if err != nil {
			return Deputy{}, err
		}
		deputy, err := to.person()
		if err != nil {
			return Deputy{}, err
		}
		d.From, d.To, d.Until, d.Created = person.Name, deputy.Name, fromMicros(until), fromMicros(created)
		d.Dormant, d.since = s.dormant(person, deputy, made), person.Since
		return d, nil
	}
	return readAll(ctx, q, read, "SELECT d.number, d.until, d.reason, d.made_by, d.made_as, d.created, "+columns+", "+strings.ReplaceAll(columns, "p.", "t.")+`
		FROM people_deputies d JOIN people p ON p.name = d.person JOIN people t ON t.name = d.deputy WHERE `+which+" ORDER BY d.number"+relying(q), args...)
}

// Effective is for whom a person may answer at a moment: himself, if his role says so, and
// those whose deputy he is. Whoever a person has lent his right to cannot lend it on.
func (s *Store) Effective(ctx context.Context, name string, now time.Time) ([]string, error) {
	p, err := s.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	if !s.Active(p) {
		return nil, nil
	}
	var names []string
	if p.Role.Answer() {
		names = append(names, p.Name)
	}
	found, err := s.deputies(ctx, s.db.Reads(), "d.deputy = $1 AND d.until > $2", name, micros(now))
	if err != nil {
		return nil, s.db.Explain(err)
	}
	for _, d := range found {
		if d.Dormant == "" {
			names = append(names, d.From)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// AnswersFor is for whom somebody may answer by a sign-in now. A program is nobody's deputy:
// it answers for its person, if its own role says so.
func (s *Store) AnswersFor(ctx context.Context, in SignedIn) ([]string, error) {
	if in.Kind == PersonSignIn {
		return s.Effective(ctx, in.Name, s.now())
	}
	if !in.Role.Answer() {
		return nil, nil
	}
	return []string{in.Name}, nil
}
