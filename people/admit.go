package people

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/database"
)

// Identity is somebody whom another server knows, as OpenID Connect says it.
type Identity struct {
	// Issuer and Subject are who it is. Nothing else is: names and e-mail addresses are given
	// to others one day.
	Issuer, Subject string
	// Name is the one that he gets here when he comes first. It has to be one that
	// [CheckName] takes.
	Name, Shown   string
	Email         string
	EmailVerified bool
	// Role is what this server makes of what the other one says about him, each time anew.
	Role Role
	// From is the address of the network that he comes from.
	From string
}

// Arrival is what happens to somebody who comes first.
type Arrival uint8

// The ways to treat him.
const (
	// OnlyKnown lets only those in whom an admin has linked.
	OnlyKnown Arrival = iota
	// Create makes a person of him.
	Create
)

// Admit signs somebody in whom another server knows. He has the role of his identity from
// then on. The error is a [*NotAdmitted] when he is not let in: nobody is linked to him and no
// person is to be made, or somebody else has his name, whom he never takes over. It is a
// [*NotSignedIn] when he is disabled.
//
// Whoever has no role there any more has nothing here from then on, see [Store.Active]. The same
// goes for the last admin who would have less: the error is a [*LastAdmin] then, and he stays one
// in name, so that he is told so each time until there is another.
func (s *Store) Admit(ctx context.Context, id Identity, arrival Arrival) (token string, p Person, err error) {
	if err := checkIdentity(id.Issuer, id.Subject); err != nil {
		return "", Person{}, err
	}
	if !id.EmailVerified {
		id.Email = ""
	}
	token = newToken()
	var dropped error // which is written down all the same
	err = s.manage(ctx, func(tx *database.Tx) error {
		p, err = readPerson(tx.QueryRowContext(ctx, "SELECT "+columns+" FROM people p WHERE p.issuer = $1 AND p.subject = $2"+tx.ToChange(), id.Issuer, id.Subject))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			p, err = s.arrive(ctx, tx, id, arrival)
		case err == nil && p.Disabled:
			err = &NotSignedIn{PersonDisabled}
		case err == nil && !id.Role.valid():
			dropped, err = s.dismiss(ctx, tx, p, id)
		case err == nil:
			p, dropped, err = s.renew(ctx, tx, p, id)
		}
		if err != nil || dropped != nil {
			return err
		}
		place, _ := placeOf(id.From)
		return s.open(ctx, tx, p, token, place)
	})
	if err = cmp.Or(err, dropped); err != nil {
		return "", Person{}, err
	}
	return token, p, nil
}

// Known is the person to whom an identity is linked. The error is an [*Unknown] when there is none.
func (s *Store) Known(ctx context.Context, issuer, subject string) (Person, error) {
	if checkIdentity(issuer, subject) != nil {
		return Person{}, &Unknown{subject}
	}
	p, err := readPerson(s.db.Reads().QueryRowContext(ctx, "SELECT "+columns+" FROM people p WHERE p.issuer = $1 AND p.subject = $2", issuer, subject))
	if errors.Is(err, sql.ErrNoRows) {
		return Person{}, &Unknown{subject}
	}
	return p, s.db.Explain(err)
}

func checkIdentity(issuer, subject string) error {
	const most = 255
	if issuer == "" || subject == "" {
		return &BadValue{Subject: "identity", Why: "it has no issuer or no subject", Hint: "both are needed"}
	}
	return errors.Join(checkText("issuer", issuer, most), checkText("subject", subject, most))
}

// arrive makes a person of somebody who comes first. The other server is who has done it.
func (s *Store) arrive(ctx context.Context, tx *database.Tx, id Identity, arrival Arrival) (Person, error) {
	if !id.Role.valid() {
		return Person{}, noRole(id.Name, id.Issuer)
	}
	if arrival != Create {
		return Person{}, &NotAdmitted{id.Name, id.Issuer, "nobody here is linked to him", fmt.Sprintf("an admin can link a person to the subject %q", clipped(id.Subject))}
	}
	p := Person{Name: id.Name, Shown: id.Shown, Email: id.Email, Role: id.Role, Issuer: id.Issuer, Subject: id.Subject, Confirmed: fromMicros(micros(s.now())), Created: fromMicros(micros(s.now()))}
	if err := p.check(); err != nil {
		return Person{}, &NotAdmitted{id.Name, id.Issuer, err.Error(), fmt.Sprintf("an admin can add a person with another name and link it to the subject %q", clipped(id.Subject))}
	}
	if err := s.newcomer(ctx, tx, p); err != nil {
		return Person{}, err
	}
	err := s.insert(ctx, tx, p, "")
	if _, taken := errors.AsType[*Taken](err); taken {
		return Person{}, &NotAdmitted{id.Name, id.Issuer, "somebody here has that name", fmt.Sprintf("if it is the same person, an admin can link him to the subject %q", clipped(id.Subject))}
	}
	if err != nil {
		return Person{}, err
	}
	return p, s.note(ctx, tx, id.Issuer, p.Name, Added, fmt.Sprintf("as %s, with the subject %q", p.Role, p.Subject))
}

// newcomer refuses somebody who comes first and could be a person who is here: with two names he
// would be two people, where two have to approve something. Only an admin can say who he is.
func (s *Store) newcomer(ctx context.Context, tx *database.Tx, p Person) error {
	all, err := everybody(ctx, tx)
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.Name == p.Name { // which is said in its own words
			continue
		}
		if by := p.Alike(other); by != "" {
			why := fmt.Sprintf("%s is here, who could be the same person by %s", other.Name, by)
			return &NotAdmitted{p.Name, p.Issuer, why, fmt.Sprintf("an admin can link %s to the subject %q, or add a person with another name and link that one", other.Name, clipped(p.Subject))}
		}
	}
	return nil
}

func noRole(name, issuer string) error {
	return &NotAdmitted{name, issuer, "he has no role here", "see that the server gives a role to one of his groups"}
}

// dismiss drops somebody who has no role any more, and is what he is told.
func (s *Store) dismiss(ctx context.Context, tx *database.Tx, p Person, id Identity) (told, err error) {
	told = noRole(p.Name, id.Issuer)
	err = s.anotherAdmin(ctx, tx, p)
	if last, ok := errors.AsType[*LastAdmin](err); ok {
		told, err = fmt.Errorf("%s gives no role here to the last admin, who was dropped: %w", id.Issuer, last), nil
	}
	if err != nil {
		return nil, err
	}
	return told, s.drop(ctx, tx, p, "he has no role there")
}

// renew takes over what the other server says now. His name stays. The last admin is dropped if
// he gets less, and told.
func (s *Store) renew(ctx context.Context, tx *database.Tx, p Person, id Identity) (renewed Person, dropped, err error) {
	if p.Role.Manage() && !id.Role.Manage() {
		err := s.anotherAdmin(ctx, tx, p)
		if last, ok := errors.AsType[*LastAdmin](err); ok {
			told := fmt.Errorf("%s gives the role %s to the last admin, who was dropped: %w", id.Issuer, id.Role, last)
			return Person{}, told, s.drop(ctx, tx, p, "he is the last admin, and has the role "+id.Role.String()+" there")
		}
		if err != nil {
			return Person{}, nil, err
		}
	}
	renewed, err = s.update(ctx, tx, p, id)
	return renewed, nil, err
}

// update writes down what the other server says of somebody who stays. An e-mail that it has not
// verified, or none, takes the place of no other one.
func (s *Store) update(ctx context.Context, tx *database.Tx, p Person, id Identity) (Person, error) {
	now := p.reachedAt(cmp.Or(id.Email, p.Email))
	now.Shown, now.Role, now.Confirmed = id.Shown, id.Role, fromMicros(micros(s.now()))
	if err := now.check(); err != nil {
		return Person{}, &NotAdmitted{p.Name, id.Issuer, err.Error(), "mend that at the other server"}
	}
	if len(now.Earlier()) > mostEarlier {
		return Person{}, &NotAdmitted{p.Name, id.Issuer, fmt.Sprintf("he has had %d other e-mail addresses", mostEarlier), fmt.Sprintf("whoever runs the server can say which one counts, and whom that makes another person: `assent people email %s ADDRESS`", p.Name)}
	}
	if err := s.confirm(ctx, tx, p.Name); err != nil {
		return Person{}, err
	}
	if now.Shown != p.Shown || now.Email != p.Email {
		if _, err := tx.ExecContext(ctx, "UPDATE people SET shown = $1 WHERE name = $2", now.Shown, p.Name); err != nil {
			return Person{}, err
		}
		if err := s.writeEmail(ctx, tx, now); err != nil {
			return Person{}, err
		}
		if err := s.note(ctx, tx, id.Issuer, p.Name, Renewed, fmt.Sprintf("shown as %q, e-mail %q", now.Shown, now.Email)); err != nil {
			return Person{}, err
		}
	}
	if now.Role == p.Role {
		return now, nil
	}
	return now, s.setRole(ctx, tx, id.Issuer, p, now.Role)
}
