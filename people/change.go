package people

import (
	"cmp"
	"context"
	"fmt"

	"github.com/assent-dev/assent/internal/database"
)

// Add adds a person who signs in with a password. Only an admin may.
func (s *Store) Add(ctx context.Context, by By, p Person, password string) error {
	p.Issuer, p.Subject = "", "" // that is for Admit and Link
	if err := cmp.Or(p.check(), CheckEmail(p.Email)); err != nil {
		return err
	}
	if err := CheckPassword(p.Name, password); err != nil {
		return err
	}
	if err := s.db.Explain(s.admin(ctx, s.db.Reads(), by, "add people")); err != nil { // before anything is hashed
		return err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.manage(ctx, func(tx *database.Tx) error {
		if err := s.admin(ctx, tx, by, "add people"); err != nil {
			return err
		}
		if err := s.insert(ctx, tx, p, hash); err != nil {
			return err
		}
		return s.note(ctx, tx, by.String(), p.Name, Added, "as "+p.Role.String())
	})
}

// SetPassword gives a person a new password, and ends all that was signed in with the old
// one. A person may do that himself, and an admin for anybody. It also forgets how often
// somebody has tried a wrong one.
func (s *Store) SetPassword(ctx context.Context, by By, name, password string) error {
	if err := CheckPassword(name, password); err != nil {
		return err
	}
	what := fmt.Sprintf("set the password of %q", clipped(name))
	if _, err := s.own(ctx, s.db.Reads(), by, name, what); err != nil { // before anything is hashed
		return s.db.Explain(err)
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.manage(ctx, func(tx *database.Tx) error {
		if _, err := s.own(ctx, tx, by, name, what); err != nil {
			return err
		}
		if _, err := find(ctx, tx, name, tx.ToChange()); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE people SET password = $1 WHERE name = $2", hash, name); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM people_attempts WHERE name = $1", name); err != nil {
			return err
		}
		return s.endAll(ctx, tx, by.String(), name, PasswordSet, "")
	})
}

// SetRole gives a person another role, and ends all his sign-ins. Only an admin may, and the
// last one stays.
func (s *Store) SetRole(ctx context.Context, by By, name string, role Role) error {
	if !role.valid() {
		_, err := ParseRole(role.String())
		return err
	}
	return s.manage(ctx, func(tx *database.Tx) error {
		if err := s.admin(ctx, tx, by, "change roles"); err != nil {
			return err
		}
		p, err := find(ctx, tx, name, tx.ToChange())
		if err != nil || p.Role == role {
			return err
		}
		return s.setRole(ctx, tx, by.String(), p, role)
	})
}

func (s *Store) setRole(ctx context.Context, tx *database.Tx, who string, p Person, role Role) error {
	if !role.Manage() {
		if err := s.anotherAdmin(ctx, tx, p); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "UPDATE people SET role = $1 WHERE name = $2", role.String(), p.Name); err != nil {
		return err
	}
	return s.endAll(ctx, tx, who, p.Name, RoleSet, fmt.Sprintf("from %s to %s", p.Role, role))
}

// Disable keeps a person from doing anything, and ends all his sign-ins. Only an admin may,
// and the last one stays.
func (s *Store) Disable(ctx context.Context, by By, name string) error {
	return s.manage(ctx, func(tx *database.Tx) error {
		if err := s.admin(ctx, tx, by, "disable people"); err != nil {
			return err
		}
		p, err := find(ctx, tx, name, tx.ToChange())
		if err != nil || p.Disabled {
			return err
		}
		if err := s.anotherAdmin(ctx, tx, p); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE people SET disabled = $1 WHERE name = $2", micros(s.now()), name); err != nil {
			return err
		}
		return s.endAll(ctx, tx, by.String(), name, Disabled, "")
	})
}

// Enable lets a person in again who was disabled, or whom another server has not confirmed. He
// has to sign in anew. Only an admin may, who stands up for him by that.
func (s *Store) Enable(ctx context.Context, by By, name string) error {
	return s.manage(ctx, func(tx *database.Tx) error {
		if err := s.admin(ctx, tx, by, "enable people"); err != nil {
			return err
		}
		p, err := find(ctx, tx, name, tx.ToChange())
		if err != nil || s.Active(p) {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE people SET disabled = 0 WHERE name = $1", name); err != nil {
			return err
		}
		if err := s.confirm(ctx, tx, name); err != nil {
			return err
		}
		return s.note(ctx, tx, by.String(), name, Enabled, "")
	})
}

// anotherAdmin refuses that the last admin who is enabled stops being one. Those whom another
// server has dropped do not count, nor do those who can sign in neither by one nor with a password.
func (s *Store) anotherAdmin(ctx context.Context, tx *database.Tx, p Person) error {
	if p.Disabled || !p.Role.Manage() {
		return nil
	}
	var others int
	err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM people WHERE role = $1 AND disabled = 0 AND name <> $2 AND (issuer = '' AND password <> '' OR issuer <> '' AND confirmed > $3)",
		Admin.String(), p.Name, micros(s.now().Add(-confirmedFor))).Scan(&others)
	if err == nil && others == 0 {
		err = &LastAdmin{p.Name}
	}
	return err
}

// endAll ends all sign-ins of a person and writes down why. Somebody else may have had one of
// them, so what was said in his name until now does not count any more either.
func (s *Store) endAll(ctx context.Context, tx *database.Tx, who, name string, what What, note string) error {
	if !what.ends() {
		return fmt.Errorf("%q is no change that ends what was said before", what)
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM people_sign_ins WHERE person = $1", name); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE people SET since = $1 WHERE name = $2", micros(s.now()), name); err != nil {
		return err
	}
	return s.note(ctx, tx, who, name, what, note)
}
