package people

import (
	"context"
	"fmt"
	"net/mail"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/database"
)

// Whoever could be another person by his e-mail must not become a second one by signing in with another
// address. So those that he once had, because another server has verified them or an admin has written
// them down, count as long as no admin says that they do not, see [Person.Alike] and [Store.SetEmail]. They
// stand in the row of the person: whoever relies on that relies on them.

// mostEarlier is how many addresses are kept that somebody once had. Nobody is let in with one more: if
// the oldest were left out then, he could be rid of any.
const mostEarlier = 20

// Earlier are the e-mail addresses that the person once had, without the one that he has.
func (p Person) Earlier() []string {
	return strings.FieldsFunc(p.earlier, func(r rune) bool { return r == '\n' })
}

// reachedAt is the person with another e-mail, who keeps the ones that he had as earlier ones.
func (p Person) reachedAt(email string) Person {
	var kept []string
	for _, one := range append(p.Earlier(), p.Email) {
		if one != "" && !sameAddress(one, email) {
			kept = append(kept, one)
		}
	}
	p.Email, p.earlier = email, strings.Join(kept, "\n") // which stands in no address
	return p
}

// sameAddress: two addresses are one, whatever their case. Nobody has an empty one.
func sameAddress(one, other string) bool {
	one, other = strings.TrimSpace(one), strings.TrimSpace(other)
	return one != "" && strings.EqualFold(one, other)
}

// shares: two lists have an address in common.
func shares(some, others []string) bool {
	return slices.ContainsFunc(some, func(one string) bool {
		return slices.ContainsFunc(others, func(other string) bool { return sameAddress(one, other) })
	})
}

// CheckEmail refuses what is no address. It is what people write down themselves: by a slip of the hand one
// human would be two. What another server has verified is not looked at. None is fine, and so are
// blanks around one, which do not count. The error is a [*BadValue].
func CheckEmail(email string) error {
	if email == "" {
		return nil
	}
	bare := strings.TrimSpace(email)
	if parsed, err := mail.ParseAddress(bare); err != nil || parsed.Address != bare { // which has no name before it
		return &BadValue{Subject: "e-mail", Why: fmt.Sprintf("%q is no address", clipped(email)), Hint: "write it as in ben@example.org"}
	}
	return nil
}

// SetEmail gives a person another e-mail, or none, and says that those which he had before do not
// count any more: they are somebody else's now, or were his by mistake. Only an admin may, because it can
// make two people of one. Another server that knows him can give him another one the next time.
func (s *Store) SetEmail(ctx context.Context, by By, name, email string) error {
	if err := CheckEmail(email); err != nil {
		return err
	}
	return s.manage(ctx, func(tx *database.Tx) error {
		if err := s.admin(ctx, tx, by, "change e-mail addresses"); err != nil {
			return err
		}
		p, err := find(ctx, tx, name, tx.ToChange())
		if err != nil || p.Email == email && p.earlier == "" {
			return err
		}
		gone := p.reachedAt(email).Earlier()
		p.Email, p.earlier = email, ""
		if err := p.check(); err != nil {
			return err
		}
		if err := s.writeEmail(ctx, tx, p); err != nil {
			return err
		}
		return s.note(ctx, tx, by.String(), name, EmailSet, fmt.Sprintf("%q, and no more %q", email, gone))
	})
}

// writeEmail writes the addresses of a person down.
func (s *Store) writeEmail(ctx context.Context, tx *database.Tx, p Person) error {
	_, err := tx.ExecContext(ctx, "UPDATE people SET email = $1, earlier = $2 WHERE name = $3", p.Email, p.earlier, p.Name)
	return err
}
