package people

import (
	"context"
	"fmt"

	"github.com/assent-dev/assent/internal/database"
)

// By is who changes something. The zero value may change nothing.
type By struct {
	name     string
	number   int64 // that of the sign-in
	limit    Role  // what the sign-in may at most
	kind     Kind
	operator bool
}

// Operator is whoever runs commands where the database is, and has not signed in. He may do
// everything: he could write the database as well.
func Operator(name string) By { return By{name: name, operator: true} }

// By is the person who is signed in.
func (s SignedIn) By() By { return By{name: s.Name, number: s.Number, limit: s.Role, kind: s.Kind} }

// String is how he stands in the history. No name of a person looks like that of an operator.
func (b By) String() string {
	switch {
	case b.operator:
		return b.name + " (operator)"
	case b.name == "":
		return "whoever has not signed in"
	}
	return b.name
}

// standing is as what somebody changes something.
type standing uint8

const (
	asNobody standing = iota
	asHimself
	asAdmin
)

// towards says as what somebody changes something about a person, as things are now. The error is a
// [*NotSignedIn] when the sign-in by which he came counts no more: he was looked at before his request
// was read, and may have waited since. A program is not the person it works for, and changes nothing
// about anybody: its token may lie in a file for a year, and whoever finds it must not become everybody.
func (s *Store) towards(ctx context.Context, q database.Querier, by By, name string) (standing, error) {
	switch {
	case by.operator:
		return asAdmin, nil
	case by.number == 0: // nobody has signed in
		return asNobody, nil
	}
	p, err := s.holder(ctx, q, by.name, by.number)
	switch {
	case err != nil:
		return asNobody, err
	case !by.limit.valid() || by.kind != PersonSignIn:
		return asNobody, nil
	case min(p.Role, by.limit).Manage():
		return asAdmin, nil
	case p.Name == name:
		return asHimself, nil
	}
	return asNobody, nil
}

// admin refuses everybody but admins.
func (s *Store) admin(ctx context.Context, q database.Querier, by By, what string) error {
	as, err := s.towards(ctx, q, by, "")
	if err == nil && as != asAdmin {
		err = by.refused(what, "ask an admin")
	}
	return err
}

// own refuses everybody but admins and the person himself.
func (s *Store) own(ctx context.Context, q database.Querier, by By, name, what string) (standing, error) {
	as, err := s.towards(ctx, q, by, name)
	if err == nil && as == asNobody {
		err = by.refused(what, "sign in as that person, or ask an admin")
	}
	return as, err
}

// refused is that somebody may not do something. A program is told that it is one: whatever its role, no
// admin could help it.
func (b By) refused(what, hint string) error {
	if b.kind == ProgramSignIn {
		return &NotAllowed{fmt.Sprintf("the token %d of %s", b.number, b.name), what, "a program changes nothing about people, whatever its role: sign in as the person"}
	}
	return &NotAllowed{b.String(), what, hint}
}
