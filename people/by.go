package people

import (
	"context"
	"errors"

	"github.com/assent-dev/assent/internal/database"
)

// By is who changes something. The zero value may change nothing.
type By struct {
	name     string
	limit    Role // what the sign-in may at most
	kind     Kind
	operator bool
}

// Operator is whoever runs commands where the database is, and has not signed in. He may do
// everything: he could write the database as well.
func Operator(name string) By { return By{name: name, operator: true} }

// By is the person who is signed in.
func (s SignedIn) By() By { return By{name: s.Name, limit: s.Role, kind: s.Kind} }

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

// towards says as what somebody changes something about a person, as things are now. A
// program is not the person it works for, and changes nothing about anybody: its token may lie in
// a file for a year, and whoever finds it must not become everybody.
func (b By) towards(ctx context.Context, q database.Querier, name string) (standing, error) {
	if b.operator {
		return asAdmin, nil
	}
	p, err := find(ctx, q, b.name, "")
	if _, unknown := errors.AsType[*Unknown](err); unknown {
		return asNobody, nil
	}
	if err != nil {
		return asNobody, err
	}
	switch {
	case p.Disabled || p.dropped() || !b.limit.valid() || b.kind != PersonSignIn:
		return asNobody, nil
	case min(p.Role, b.limit).Manage():
		return asAdmin, nil
	case p.Name == name:
		return asHimself, nil
	}
	return asNobody, nil
}

// admin refuses everybody but admins.
func (b By) admin(ctx context.Context, q database.Querier, what string) error {
	as, err := b.towards(ctx, q, "")
	if err == nil && as != asAdmin {
		err = &NotAllowed{b.String(), what, "ask an admin"}
	}
	return err
}

// own refuses everybody but admins and the person himself.
func (b By) own(ctx context.Context, q database.Querier, name, what string) (standing, error) {
	as, err := b.towards(ctx, q, name)
	if err == nil && as == asNobody {
		err = &NotAllowed{b.String(), what, "sign in as that person, or ask an admin"}
	}
	return as, err
}
