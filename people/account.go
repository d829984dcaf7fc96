package people

import (
	"context"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/database"
)

// Nobody stands for the person of an account that no person uses himself, as that of a machine
// which builds things. Nobody is called so.
const Nobody = "nobody"

// Account is one of the operating system in which agents of a person work. Several people may
// use one.
type Account struct {
	// Name is that of the account on every machine, "root", or on one, "root@build-7".
	Name string
	// Person is who uses it, or [Nobody].
	Person string
}

// accountKey is an account as it is kept: systems differ in whether case counts, and who has
// another one in mind can be asked.
func accountKey(name string) (string, error) {
	const most = 255
	if err := checkText("account", name, most); err != nil {
		return "", err
	}
	if account.Check(name) != nil {
		return "", &BadValue{Subject: "account", Why: "it could be several", Hint: "write one, without a comma"}
	}
	key := strings.ToLower(strings.TrimSpace(name))
	if key == "" || strings.HasPrefix(key, "@") || strings.HasSuffix(key, "@") {
		return "", &BadValue{Subject: "account", Why: "it is empty, or half of one", Hint: "write it as root, or as root@build-7 for one machine"}
	}
	return key, nil
}

// GiveAccount says that a person, or [Nobody], uses an account. Only an admin may: somebody whose
// account it is could approve his own calls if he said that it is somebody else's.
func (s *Store) GiveAccount(ctx context.Context, by By, account, name string) error {
	key, err := accountKey(account)
	if err != nil {
		return err
	}
	return s.manage(ctx, func(tx *database.Tx) error {
		if err := s.admin(ctx, tx, by, "say whose an account is"); err != nil {
			return err
		}
		if name != Nobody {
			if err := lockAlike(ctx, tx, name); err != nil {
				return err
			}
		}
		given, err := tx.ExecContext(ctx, "INSERT INTO people_accounts (account, person) VALUES ($1, $2) ON CONFLICT (account, person) DO NOTHING", key, name)
		if err != nil {
			return err
		}
		if n, err := given.RowsAffected(); err != nil || n == 0 {
			return err
		}
		return s.note(ctx, tx, by.String(), name, AccountGiven, key)
	})
}

// lockAlike waits for calls that are about to begin by a yes of a person, or of somebody who could
// be one human with him: none of them may approve what an account of his wants. He comes last, as he
// does where such a call begins: first whoever has said yes, then whoever wanted it.
func lockAlike(ctx context.Context, tx *database.Tx, name string) error {
	p, err := find(ctx, tx, name, "")
	if err != nil {
		return err
	}
	all, err := everybody(ctx, tx)
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.Name == p.Name || p.Alike(other) == "" {
			continue
		}
		if _, err := find(ctx, tx, other.Name, tx.ToChange()); err != nil {
			return err
		}
	}
	_, err = find(ctx, tx, name, tx.ToChange())
	return err
}

// TakeAccount says that a person does not use an account any more. Only an admin may. The error
// is a [*NotOwned] when he did not.
func (s *Store) TakeAccount(ctx context.Context, by By, account, name string) error {
	key, err := accountKey(account)
	if err != nil {
		return err
	}
	return s.manage(ctx, func(tx *database.Tx) error {
		if err := s.admin(ctx, tx, by, "say whose an account is"); err != nil {
			return err
		}
		taken, err := tx.ExecContext(ctx, "DELETE FROM people_accounts WHERE account = $1 AND person = $2", key, name)
		if err := some(taken, err, &NotOwned{key, name}); err != nil {
			return err
		}
		return s.note(ctx, tx, by.String(), name, AccountTaken, key)
	})
}

// Accounts are all that were given, by their names.
func (s *Store) Accounts(ctx context.Context) ([]Account, error) {
	all, err := accounts(ctx, s.db.Reads())
	return all, s.db.Explain(err)
}

func accounts(ctx context.Context, q database.Querier) ([]Account, error) {
	read := func(row scanner) (a Account, err error) {
		err = row.Scan(&a.Name, &a.Person)
		return a, err
	}
	return readAll(ctx, q, read, "SELECT account, person FROM people_accounts ORDER BY account, person")
}

// Owners are the people to whom an account was given that wanted a call, as "root@build-7", or
// [Nobody]; none when nobody has said whose it is. Of several accounts, "ann@desk, root@build-7",
// it is the owners of any. It asks the querier and nothing else.
func (s *Store) Owners(ctx context.Context, q database.Querier, requester string) ([]string, error) {
	all, err := accounts(ctx, q)
	return owners(all, requester), err
}

func owners(all []Account, requester string) []string {
	var names []string
	for _, a := range all {
		if slices.ContainsFunc(account.Split(requester), a.is) {
			names = append(names, a.Person)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// is: the account is the one of a requester. Some systems put a domain before its name.
func (a Account) is(requester string) bool {
	full := strings.ToLower(strings.TrimSpace(requester))
	if _, short, domain := strings.Cut(full, `\`); domain && a.is(short) {
		return true
	}
	user := full
	if i := strings.LastIndex(full, "@"); i >= 0 {
		user = full[:i]
	}
	return full != "" && (a.Name == full || a.Name == user)
}
