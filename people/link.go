package people

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"net/url"

	"github.com/assent-dev/assent/internal/database"
)

// Link lets somebody whom another server knows sign in as a person who is there. Only an
// admin may. The person's sign-ins end, and so does a link that he had; another person who has
// that identity keeps it, which is an [*AlreadyLinked].
func (s *Store) Link(ctx context.Context, by By, name, issuer, subject string) error {
	if err := cmp.Or(checkIdentity(issuer, subject), CheckIssuer(issuer)); err != nil {
		return err
	}
	return s.manage(ctx, func(tx *database.Tx) error {
		if err := s.admin(ctx, tx, by, "link people"); err != nil {
			return err
		}
		p, err := find(ctx, tx, name, tx.ToChange())
		if err != nil || p.Issuer == issuer && p.Subject == subject {
			return err
		}
		other, err := readPerson(tx.QueryRowContext(ctx, "SELECT "+columns+" FROM people p WHERE p.issuer = $1 AND p.subject = $2", issuer, subject))
		if err == nil {
			return &AlreadyLinked{other.Name, issuer, subject}
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE people SET issuer = $1, subject = $2 WHERE name = $3", issuer, subject, name); err != nil {
			return err
		}
		if err := s.confirm(ctx, tx, name); err != nil {
			return err
		}
		return s.endAll(ctx, tx, by.String(), name, Linked, fmt.Sprintf("to the subject %q of %s", subject, issuer))
	})
}

// Unlink lets a person sign in by no other server any more, but with his password alone: whoever has none
// cannot sign in until he is given one. Only an admin may. The person's sign-ins end. From then on nobody
// else says whether he is still there, so he stays until an admin disables him; who is disabled stays so.
// The last admin needs a password first, which is a [*NotAllowed] otherwise.
func (s *Store) Unlink(ctx context.Context, by By, name string) error {
	return s.manage(ctx, func(tx *database.Tx) error {
		if err := s.admin(ctx, tx, by, "unlink people"); err != nil {
			return err
		}
		p, err := find(ctx, tx, name, tx.ToChange())
		if err != nil || p.Issuer == "" {
			return err
		}
		if !p.HasPassword {
			err := s.anotherAdmin(ctx, tx, p)
			if _, last := errors.AsType[*LastAdmin](err); last {
				err = &NotAllowed{by.String(), fmt.Sprintf("unlink %s, the last admin, who has no password to sign in with", name), "give him one first"}
			}
			if err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, "UPDATE people SET issuer = '', subject = '', confirmed = 0 WHERE name = $1", name); err != nil {
			return err
		}
		return s.endAll(ctx, tx, by.String(), name, Unlinked, fmt.Sprintf("from the subject %q of %s", p.Subject, p.Issuer))
	})
}

// CheckIssuer refuses an address to which nobody should entrust who people are. Whoever is on
// the way to one without TLS can be everybody. The error is a [*BadValue].
func CheckIssuer(issuer string) error {
	u, err := url.Parse(issuer)
	switch {
	case err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.Opaque != "":
		return &BadValue{Subject: "issuer", Why: "it is no address of a server", Hint: "write that of the other server exactly as it does itself, as in https://login.example.com"}
	case !Guarded(u):
		return &BadValue{Subject: "issuer", Why: "it is not encrypted, and whoever is on the way could be anybody", Hint: "write https://…; http:// is for this machine only"}
	}
	return nil
}

// Guarded: nobody on the way to an address can change what is said there.
func Guarded(u *url.URL) bool {
	if u.Scheme != "http" {
		return u.Scheme == "https"
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && address.IsLoopback()
}
