package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/room"
)

// Kind is who acts by a token.
type Kind string

// The kinds of sign-ins.
const (
	PersonSignIn  Kind = "person"
	ProgramSignIn Kind = "program"
)

// SignedIn is a sign-in that counts.
type SignedIn struct {
	Number int64
	// Name is that of the person.
	Name string
	Kind Kind
	// Label is what people call the token of a program.
	Label string
	// Role is what may be done by this token: never more than the person may.
	Role           Role
	Created, Until time.Time
	// Moment is when [Store.Who] has found it: the number of the last change of people before that. It
	// is kept with what is said by the sign-in, see [Said].
	Moment int64
}

// lasts is how long a person stays signed in.
const lasts = 12 * time.Hour

const (
	tokenPrefix = "asp_"
	tokenBytes  = 32
)

var tokenLength = len(tokenPrefix) + base64.RawURLEncoding.EncodedLen(tokenBytes)

func newToken() string {
	secret := make([]byte, tokenBytes)
	_, _ = rand.Read(secret) // it never fails
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
}

// digestOf is what is kept of a token: whoever reads the database has none.
func digestOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// SignIn signs a person in who says his password, from an address of the network; see [Behind]. The error
// is a [*WrongSignIn], whatever is wrong, or a [*Throttled]; a [*NotSignedIn] when the password is
// right, and another server that knows him has not confirmed him.
func (s *Store) SignIn(ctx context.Context, name, password, from string) (token string, p Person, err error) {
	tried := attempted(name, from)
	done, err := s.signIns.Take(ctx, tried.proxy, tried.place)
	if errors.Is(err, room.ErrGivenUp) {
		return "", Person{}, &Throttled{time.Second}
	}
	if err != nil {
		return "", Person{}, err
	}
	defer done()
	if err := s.charge(ctx, &tried); err != nil {
		return "", Person{}, err
	}
	kept, err := s.passwordOf(ctx, name)
	if err != nil {
		return "", Person{}, err
	}
	match, err := s.hasher.compare(ctx, kept, password)
	if err != nil {
		return "", Person{}, err
	}
	if match == differs {
		return "", Person{}, &WrongSignIn{}
	}
	hash := kept
	if match == outdated {
		if hash, err = s.hasher.hash(ctx, password); err != nil {
			return "", Person{}, err
		}
	}
	token = newToken()
	err = s.db.Within(ctx, func(tx *database.Tx) error {
		if p, err = s.unchanged(ctx, tx, name, kept); err != nil {
			return err
		}
		if err := s.succeed(ctx, tx, tried); err != nil {
			return err
		}
		if hash != kept {
			if _, err := tx.ExecContext(ctx, "UPDATE people SET password = $1 WHERE name = $2", hash, name); err != nil {
				return err
			}
		}
		return s.open(ctx, tx, p, token, tried.place)
	})
	if err != nil {
		return "", Person{}, err
	}
	return token, p, nil
}

// passwordOf is what is kept of somebody's password; empty when he does not sign in with one.
func (s *Store) passwordOf(ctx context.Context, name string) (kept string, err error) {
	if CheckName(name) != nil {
		name = "" // nobody has it, and some texts a database does not take
	}
	err = s.db.Reads().QueryRowContext(ctx, "SELECT password FROM people WHERE name = $1 AND disabled = 0", name).Scan(&kept)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return kept, s.db.Explain(err)
}

// unchanged is a person whose password was right. It may have been changed while it was
// compared, or he disabled: that has ended his sign-ins, and this is one of them.
func (s *Store) unchanged(ctx context.Context, tx *database.Tx, name, kept string) (Person, error) {
	var now string
	p, err := readPerson(tx.QueryRowContext(ctx, "SELECT "+columns+", p.password FROM people p WHERE p.name = $1"+tx.ToChange(), name), &now)
	switch {
	case err != nil:
	case now != kept || p.Disabled:
		err = &WrongSignIn{}
	case s.unconfirmed(p): // which he may know, as the password is his
		err = &NotSignedIn{NotConfirmed}
	}
	return p, err
}

// open writes down that a person is signed in, and forgets who is no longer.
func (s *Store) open(ctx context.Context, tx *database.Tx, p Person, token, place string) error {
	now := s.now()
	if _, err := tx.ExecContext(ctx, "DELETE FROM people_sign_ins WHERE person = $1 AND until <= $2", p.Name, micros(now)); err != nil {
		return err
	}
	_, err := writeSignIn(ctx, tx, token, place, SignedIn{Name: p.Name, Kind: PersonSignIn, Role: p.Role, Created: now, Until: now.Add(lasts)})
	return err
}

func writeSignIn(ctx context.Context, tx *database.Tx, token, place string, in SignedIn) (number int64, err error) {
	err = tx.QueryRowContext(ctx, `INSERT INTO people_sign_ins (digest, person, kind, label, role, place, created, until)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING number`,
		digestOf(token), in.Name, string(in.Kind), in.Label, in.Role.String(), place, micros(in.Created), micros(in.Until)).Scan(&number)
	return number, err
}

// byToken finds who acts by a token. It is asked with every request.
const byToken = "SELECT " + columns + `, s.number, s.kind, s.label, s.role, s.created, s.until, ` + latest + `
	FROM people_sign_ins s JOIN people p ON p.name = s.person WHERE s.digest = $1`

// Who is the person who acts by a token. The error is a [*NotSignedIn] when nobody does.
func (s *Store) Who(ctx context.Context, token string) (Person, SignedIn, error) {
	if len(token) != tokenLength || !strings.HasPrefix(token, tokenPrefix) {
		return Person{}, SignedIn{}, &NotSignedIn{NoToken}
	}
	var in SignedIn
	var kind, role string
	var created, until int64
	row := s.db.Reads().QueryRowContext(ctx, byToken, digestOf(token))
	p, err := readPerson(row, &in.Number, &kind, &in.Label, &role, &created, &until, &in.Moment)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Person{}, SignedIn{}, &NotSignedIn{NoToken}
	case err != nil:
		return Person{}, SignedIn{}, s.db.Explain(err)
	}
	if err := s.lapsed(p, until); err != nil {
		return Person{}, SignedIn{}, err
	}
	if in.Role, err = ParseRole(role); err != nil {
		return Person{}, SignedIn{}, &Damaged{p.Name, err}
	}
	in.Name, in.Kind, in.Role, in.Created, in.Until = p.Name, Kind(kind), min(in.Role, p.Role), fromMicros(created), fromMicros(until)
	return p, in, nil
}

// SignOut ends a sign-in. One that has ended is none any more, which is what was wanted.
func (s *Store) SignOut(ctx context.Context, token string) error {
	return s.db.Within(ctx, func(tx *database.Tx) error {
		tx.News()
		_, err := tx.ExecContext(ctx, "DELETE FROM people_sign_ins WHERE digest = $1", digestOf(token))
		return err
	})
}

// SignOutAll ends all sign-ins of a person, those of his programs as well. He may do that
// himself, and an admin for anybody.
func (s *Store) SignOutAll(ctx context.Context, by By, name string) error {
	return s.manage(ctx, func(tx *database.Tx) error {
		if _, err := s.own(ctx, tx, by, name, fmt.Sprintf("sign %q out", clipped(name))); err != nil {
			return err
		}
		if _, err := find(ctx, tx, name, tx.ToChange()); err != nil {
			return err
		}
		return s.endAll(ctx, tx, by.String(), name, SignedOut, "")
	})
}
