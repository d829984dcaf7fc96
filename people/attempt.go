package people

import (
	"context"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Who tries passwords has to wait after some wrong ones, longer each time. Whoever tries
// wrong ones for the name of somebody else must not keep him out, so that counts for the name
// and the address together; behind a proxy that is the one which the proxy says, as [Behind]
// has it. Those who have many addresses, or try many names, are held up by
// limits that are slower; and these do not hold for a person where he has signed in before.

// limit is how many wrong ones are free, and how long one has to wait at most.
type limit struct {
	free int64
	most time.Duration
}

var (
	here     = limit{5, 15 * time.Minute} // a name from an address
	anywhere = limit{50, time.Minute}     // a name from wherever, or an address with whatever name
)

const (
	// forgotten is how long after somebody could have tried again his wrong ones count.
	forgotten = 24 * time.Hour
	// familiar is how long an address where a person has signed in is known to be his.
	familiar = 90 * 24 * time.Hour
	// mostFamiliar is at how many places behind one address a person is known: the last ones. Anybody can
	// invent more, to be free of the limit for that address there.
	mostFamiliar = 8
)

// wait is how long the next one has to wait after so many wrong ones.
func (l limit) wait(wrong int64) time.Duration {
	if wrong < l.free {
		return 0
	}
	const doublings = 20 // more than any limit lasts
	return min(time.Second<<min(wrong-l.free, doublings), l.most)
}

// attempt is somebody who tries a password.
type attempt struct {
	name, place string
	// proxy is the address of the connection; it is the place unless it is that of a proxy.
	proxy string
	// known: the person has signed in there not long ago, so only the limit of here counts.
	known bool
}

// attempted is who tries a password for a name from somewhere. A name that nobody can have is
// tried as well as any, under one that stands for all of those.
func attempted(name, from string) attempt {
	if CheckName(name) != nil {
		name = "-"
	}
	place, proxy := placeOf(from)
	return attempt{name: name, place: place, proxy: proxy}
}

// charge counts an attempt as a wrong one before anybody looks whether it is: of many who try
// at the same time none is free. The error is a [*Throttled] when he has to wait; then it does
// not count.
func (s *Store) charge(ctx context.Context, a *attempt) error {
	return s.db.Within(ctx, func(tx *database.Tx) (err error) {
		now := s.now()
		if _, err := tx.ExecContext(ctx, "DELETE FROM people_attempts WHERE next < $1 AND known < $2", micros(now.Add(-forgotten)), micros(now)); err != nil {
			return err
		}
		if a.known, err = chargeOne(ctx, tx, a.name, a.place, here, now); err != nil || a.known {
			return err
		}
		if _, err := chargeOne(ctx, tx, a.name, "", anywhere, now); err != nil {
			return err
		}
		_, err = chargeOne(ctx, tx, "", a.proxy, anywhere, now)
		return err
	})
}

// chargeOne counts for one limit.
func chargeOne(ctx context.Context, tx *database.Tx, name, place string, l limit, now time.Time) (known bool, err error) {
	var wrong, next, until int64
	err = tx.QueryRowContext(ctx, `INSERT INTO people_attempts (name, address, wrong, next, known) VALUES ($1, $2, 1, 0, 0)
		ON CONFLICT (name, address) DO UPDATE SET wrong = people_attempts.wrong + 1 RETURNING wrong, next, known`, name, place).Scan(&wrong, &next, &until)
	if err != nil {
		return false, err
	}
	if wait := fromMicros(next).Sub(now); wait > 0 && wait <= l.most { // a longer one comes from a clock that was wrong
		return false, &Throttled{wait}
	}
	_, err = tx.ExecContext(ctx, "UPDATE people_attempts SET next = $1 WHERE name = $2 AND address = $3", micros(now.Add(l.wait(wrong))), name, place)
	return until > micros(now), err
}

// succeed forgets the wrong ones of a person, and remembers where he was. Those of the address
// stay: somebody with a password of his own must not be free to try those of all others.
func (s *Store) succeed(ctx context.Context, tx *database.Tx, a attempt) error {
	now := s.now()
	if _, err := tx.ExecContext(ctx, "UPDATE people_attempts SET wrong = 0, next = $1, known = $2 WHERE name = $3 AND address = $4", micros(now), micros(now.Add(familiar)), a.name, a.place); err != nil {
		return err
	}
	if a.place != a.proxy {
		invented := a.proxy + behind
		if _, err := tx.ExecContext(ctx, `UPDATE people_attempts SET known = 0 WHERE name = $1 AND known > 0 AND substr(address, 1, $2) = $3 AND address NOT IN (
			SELECT address FROM people_attempts WHERE name = $1 AND substr(address, 1, $2) = $3 ORDER BY known DESC, address LIMIT $4)`, a.name, len(invented), invented, mostFamiliar); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM people_attempts WHERE name = $1 AND address = ''", a.name); err != nil {
		return err
	}
	if a.known { // it was not counted there
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE people_attempts SET wrong = wrong - 1 WHERE name = '' AND address = $1 AND wrong > 0", a.proxy)
	return err
}
