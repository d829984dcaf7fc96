package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// longest is how long a program may have a token, and a person a deputy: what nobody looks
// after must end by itself.
const longest = 366 * 24 * time.Hour

// Issue makes a token for a program that works for a person, with a role that is at most his.
// A person may do that himself, and an admin for anybody. The token is shown this once. It
// ends with everything that ends the sign-ins of the person.
func (s *Store) Issue(ctx context.Context, by By, name, label string, role Role, until time.Time) (token string, in SignedIn, err error) {
	if err := s.checkToken(label, role, until); err != nil {
		return "", SignedIn{}, err
	}
	token = newToken()
	err = s.manage(ctx, func(tx *database.Tx) error {
		if _, err := s.own(ctx, tx, by, name, fmt.Sprintf("issue tokens of %q", clipped(name))); err != nil {
			return err
		}
		p, err := find(ctx, tx, name, tx.ToChange())
		if err != nil {
			return err
		}
		if why := s.inactive(p); why != "" { // it would count when he is enabled, and nobody would remember
			return &BadValue{Subject: "person", Why: why, Hint: "enable him first"}
		}
		if role > p.Role {
			return &BadValue{Subject: "role of the token", Why: fmt.Sprintf("%s is only %s", name, p.Role), Hint: "give it that role or a lower one"}
		}
		in = SignedIn{Name: name, Kind: ProgramSignIn, Label: label, Role: role, Created: fromMicros(micros(s.now())), Until: fromMicros(micros(until))}
		if in.Number, err = writeSignIn(ctx, tx, token, "", in); err != nil {
			return err
		}
		return s.note(ctx, tx, by.String(), name, TokenIssued, fmt.Sprintf("%d, %s, as %s until %s", in.Number, label, role, in.Until.Format(time.RFC3339)))
	})
	if err != nil {
		return "", SignedIn{}, err
	}
	return token, in, nil
}

func (s *Store) checkToken(label string, role Role, until time.Time) error {
	const most = 100
	if label == "" {
		return &BadValue{Subject: "label", Why: "it is empty", Hint: "say which program the token is for"}
	}
	if err := checkText("label", label, most); err != nil {
		return err
	}
	if !role.valid() {
		_, err := ParseRole(role.String())
		return err
	}
	return s.checkEnd(until)
}

// checkEnd refuses an end that is over, or so far away that nobody will remember.
func (s *Store) checkEnd(until time.Time) error {
	const hint = "choose one within a year"
	switch left := until.Sub(s.now()); {
	case left <= 0:
		return &BadValue{Subject: "end", Why: "it is over", Hint: hint}
	case left > longest:
		return &BadValue{Subject: "end", Why: "it is too far away", Hint: hint}
	}
	return nil
}

// Tokens are those of the programs of a person that have not expired, the oldest first.
func (s *Store) Tokens(ctx context.Context, name string) ([]SignedIn, error) {
	p, err := s.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	read := func(row scanner) (SignedIn, error) {
		in := SignedIn{Name: name, Kind: ProgramSignIn}
		var role string
		var created, until int64
		if err := row.Scan(&in.Number, &in.Label, &role, &created, &until); err != nil {
			return SignedIn{}, err
		}
		limit, err := ParseRole(role)
		if err != nil {
			return SignedIn{}, &Damaged{name, err}
		}
		in.Role, in.Created, in.Until = min(limit, p.Role), fromMicros(created), fromMicros(until)
		return in, nil
	}
	all, err := readAll(ctx, s.db.Reads(), read, "SELECT number, label, role, created, until FROM people_sign_ins WHERE person = $1 AND kind = $2 AND until > $3 ORDER BY number",
		name, string(ProgramSignIn), micros(s.now()))
	return all, s.db.Explain(err)
}

// RevokeToken ends the token of a program, and what it has said before does not count any more; see
// [Store.TokenHolds]. So one can be revoked whose time is over, too. Its person may, and an admin. The
// error is a [*Gone] when the person has no such token, or it was revoked.
func (s *Store) RevokeToken(ctx context.Context, by By, name string, number int64) error {
	return s.manage(ctx, func(tx *database.Tx) error {
		if _, err := s.own(ctx, tx, by, name, fmt.Sprintf("revoke tokens of %q", clipped(name))); err != nil {
			return err
		}
		if _, err := find(ctx, tx, name, tx.ToChange()); err != nil {
			return err
		}
		ended, err := tx.ExecContext(ctx, "DELETE FROM people_sign_ins WHERE number = $1 AND person = $2 AND kind = $3", number, name, string(ProgramSignIn))
		err = some(ended, err, &Gone{"token", number})
		if _, gone := errors.AsType[*Gone](err); gone {
			err = hadToken(ctx, tx, name, number)
		}
		if err != nil {
			return err
		}
		return s.note(ctx, tx, by.String(), name, TokenRevoked, fmt.Sprint(number))
	})
}

// hadToken is a [*Gone] unless a person once had a token that nobody has revoked.
func hadToken(ctx context.Context, q database.Querier, name string, number int64) error {
	issued, err := noted(ctx, q, name, TokenIssued, fmt.Sprint(number))
	if err != nil {
		return err
	}
	revoked, err := noted(ctx, q, name, TokenRevoked, fmt.Sprint(number))
	if err == nil && (issued == 0 || revoked != 0) {
		err = &Gone{"token", number}
	}
	return err
}
