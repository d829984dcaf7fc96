package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/people"
)

// errOnlyLooks is why nothing is changed.
var errOnlyLooks = errors.New("assent doctor changes nothing")

// checkDatabase looks at the database, and at what only it knows.
func (d *doctor) checkDatabase(ctx context.Context) {
	const name = "database"
	if !d.shared() && !approval.Exists(d.dir) {
		d.note(name, unasked, "there are no tickets yet", "")
		return
	}
	db, err := d.look(ctx)
	if err != nil {
		d.note(name, broken, err.Error(), "")
		return
	}
	defer db.Close()
	switch only, err := d.onlyReads(ctx); {
	case err != nil:
		d.note(name, broken, err.Error(), "")
		return
	case only:
		d.note(name, broken, db.Name()+" only reads, so nothing can be answered or recorded", "name the server that can be written: this one is a copy of another (pg_is_in_recovery()), or its default_transaction_read_only is on")
	default:
		d.note(name, fine, db.Name()+" answers", "")
	}
	if db.Kind() == database.PostgreSQL {
		d.judgeEncryption(db.Encryption())
		d.checkServer(ctx, db)
		d.checkClock(ctx, db)
	}
	ready := d.checkTables(ctx, db)
	found, err := stepsOf(ctx, db)
	switch signIn := err == nil && len(found[peopleTables]) > 0; {
	case signIn && ready:
		d.checkPeople(ctx, db)
	case signIn:
		d.countPeople(ctx, db)
	}
	if ready {
		d.checkWorkers(ctx, db)
	}
}

// countPeople is for a database that no server or worker has used yet: people are added before
// there are tickets. Tables of people that this program does not know are left alone.
func (d *doctor) countPeople(ctx context.Context, db *database.DB) {
	store, err := people.Look(ctx, db)
	if err != nil || store == nil {
		return // which tables are to be brought forward, or cannot be, is said already
	}
	list, err := store.List(ctx)
	if err != nil {
		d.note("people", broken, err.Error(), "")
		return
	}
	for i, p := range list {
		list[i].Disabled = !store.Active(p)
	}
	d.judgePeople(list)
}

// look opens the database so that nothing can be changed in it.
func (d *doctor) look(ctx context.Context) (*database.DB, error) {
	if !d.shared() {
		return database.Look(filepath.Join(d.dir, "state.db"), errOnlyLooks, func(db *database.DB) error {
			var n int
			return db.Reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_master").Scan(&n)
		})
	}
	address := d.address()
	if u, err := url.Parse(address); err == nil && database.IsAddress(address) { // what is none is said by who connects
		asked := u.Query()
		asked.Set("default_transaction_read_only", "on")
		u.RawQuery = asked.Encode()
		address = u.String()
	}
	return database.Connect(ctx, address)
}

// onlyReads asks the server whether anything can be changed there. The connection with which the rest
// is looked at changes nothing by itself, so it is another one.
func (d *doctor) onlyReads(ctx context.Context) (bool, error) {
	if !d.shared() {
		return false, nil
	}
	db, err := database.Connect(ctx, d.address())
	if err != nil {
		return false, err
	}
	defer db.Close()
	return db.OnlyReads(ctx)
}

// judgeEncryption says who on the way to the database could read what goes there, or be taken for it.
func (d *doctor) judgeEncryption(e database.Encryption) {
	const name, verify = "tls", "use sslmode=verify-full, with the certificate of its authority as sslrootcert=FILE"
	switch e {
	case database.Local:
		d.note(name, fine, "the database is on this machine", "")
	case database.Verified:
		d.note(name, fine, "the connection is encrypted, and the server verified by its name", "")
	case database.AnyName:
		d.note(name, worth, "the connection is encrypted, and any server with a certificate of that authority is taken for the database", verify)
	case database.Unverified:
		d.note(name, worth, "the connection is encrypted, and whoever answers is taken for the database", verify)
	case database.Unprotected:
		d.note(name, worth, "the connection may go without TLS, as insecure_no_tls allows: others on the way can read the password and answer for people", verify)
	}
}

// oldestServer is the oldest PostgreSQL that its makers still looked after when this was written.
const oldestServer = 14

func (d *doctor) checkServer(ctx context.Context, db *database.DB) {
	var number int
	if err := db.Reads().QueryRowContext(ctx, "SELECT current_setting('server_version_num')::int").Scan(&number); err != nil {
		d.note("server", broken, db.Explain(err).Error(), "")
		return
	}
	d.judgeServer(number / 10000)
}

func (d *doctor) judgeServer(major int) {
	if major < oldestServer {
		d.note("server", worth, fmt.Sprintf("PostgreSQL %d is looked after by nobody any more", major), fmt.Sprintf("use %d or newer", oldestServer))
		return
	}
	d.note("server", fine, fmt.Sprintf("PostgreSQL %d", major), "")
}

// checkClock compares the clock of this machine with that of the database, which all machines
// can be compared with.
func (d *doctor) checkClock(ctx context.Context, db *database.DB) {
	const name, some, much = "clock", time.Second, 5 * time.Second
	var micros int64
	before := d.now()
	if err := db.Reads().QueryRowContext(ctx, "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)").Scan(&micros); err != nil {
		d.note(name, broken, db.Explain(err).Error(), "")
		return
	}
	took := d.now().Sub(before)
	apart := before.Add(took / 2).Sub(time.UnixMicro(micros)).Abs()
	said := fmt.Sprintf("this machine and the database are %s apart", apart.Round(10*time.Millisecond))
	const hint = "let all machines take the time from the same place, as with NTP: tickets expire by their clocks"
	switch off := apart - took/2; { // so much of it may be the way there
	case off > much:
		d.note(name, broken, said, hint)
	case off > some:
		d.note(name, worth, said, hint)
	default:
		d.note(name, fine, said, "")
	}
}

// stepsOf are the tables of a database as it notes them: by the name of their package the steps
// that they have gone through, ours by their digests and those of River by their numbers.
func stepsOf(ctx context.Context, db *database.DB) (map[string][]string, error) {
	all := map[string][]string{}
	for table, query := range map[string]string{
		"assent_tables":   "SELECT name, digest FROM assent_tables ORDER BY name, step",
		"river_migration": "SELECT 'bells', CAST(version AS TEXT) FROM river_migration WHERE line = 'main' ORDER BY version",
	} {
		there := "SELECT COUNT(*) FROM sqlite_master WHERE name = $1"
		if db.Kind() == database.PostgreSQL {
			there = "SELECT COUNT(to_regclass($1))"
		}
		some := 0
		if err := db.Reads().QueryRowContext(ctx, there, table).Scan(&some); err != nil {
			return nil, db.Explain(err)
		}
		if some == 0 {
			continue
		}
		if err := addSteps(ctx, db, query, all); err != nil {
			return nil, db.Explain(err)
		}
	}
	return all, nil
}

func addSteps(ctx context.Context, db *database.DB, query string, all map[string][]string) error {
	rows, err := db.Reads().QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name, step string
		if err := rows.Scan(&name, &step); err != nil {
			return err
		}
		all[name] = append(all[name], step)
	}
	return rows.Err()
}

// knownSteps are those that this program would make, in a database of their own.
func knownSteps(ctx context.Context) (_ map[string][]string, err error) {
	dir, err := os.MkdirTemp("", "assent-doctor-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	db, err := database.OpenFile(filepath.Join(dir, "state.db"))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var tickets *approval.Store
	for _, on := range []func() error{
		func() (err error) { tickets, err = approval.On(ctx, db); return err },
		func() error { _, err := people.On(ctx, db); return err },
		func() error { _, err := depot.On(ctx, db, thisProcess()); return err },
		func() error { _, err := herald.New(ctx, herald.Config{Tickets: tickets}); return err },
		func() error { _, err := link.On(ctx, db); return err },
	} {
		if err := on(); err != nil {
			return nil, err
		}
	}
	return stepsOf(ctx, db)
}

// checkTables: this program knows the tables. It reports whether they can be used as they are.
func (d *doctor) checkTables(ctx context.Context, db *database.DB) bool {
	const name = "tables"
	known, err := knownSteps(ctx)
	if err != nil {
		d.note(name, broken, err.Error(), "see that files can be made in the directory for temporary ones")
		return false
	}
	found, err := stepsOf(ctx, db)
	if err != nil {
		d.note(name, broken, err.Error(), "")
		return false
	}
	making, err := mayMakeTables(ctx, db)
	if err != nil {
		d.note(name, broken, err.Error(), "")
		return false
	}
	return d.judgeTables(known, found, making)
}

// right is whether the user of the database may make tables there.
type right uint8

const (
	mayNot right = iota
	may
)

// mayMakeTables: since PostgreSQL 15 only the owner of a database may make tables in it, unless
// somebody says otherwise, and all rights on the database itself do not say so.
func mayMakeTables(ctx context.Context, db *database.DB) (right, error) {
	if db.Kind() != database.PostgreSQL {
		return may, nil
	}
	allowed := false
	err := db.Reads().QueryRowContext(ctx, "SELECT COALESCE(has_schema_privilege(current_schema(), 'CREATE'), FALSE)").Scan(&allowed)
	if allowed {
		return may, nil
	}
	return mayNot, db.Explain(err)
}

func (d *doctor) judgeTables(known, found map[string][]string, making right) bool {
	const name = "tables"
	var behind []string
	for _, part := range slices.Sorted(maps.Keys(known)) {
		want, have := known[part], found[part]
		switch common := min(len(want), len(have)); {
		case !slices.Equal(want[:common], have[:common]):
			d.note(name, broken, "those of "+part+" are of another build of assent", "use the assent that has made them, or another database")
			return false
		case len(have) > len(want):
			d.note(name, broken, "those of "+part+" were written by a newer assent", "update assent: an older one leaves them alone")
			return false
		case len(have) < len(want) && (len(have) > 0 || !slices.Contains(mayBeAbsent, part) || part == depotTables && d.shared()):
			behind = append(behind, part)
		}
	}
	switch {
	case len(behind) > 0 && making == mayNot:
		d.note(name, broken, "those of "+strings.Join(behind, " and ")+" are not there yet, or from before this version, and the user of the database may not make tables", "ALTER DATABASE … OWNER TO this user, or GRANT CREATE ON SCHEMA public TO it")
		return false
	case len(behind) > 0:
		d.note(name, worth, "those of "+strings.Join(behind, " and ")+" are not there yet, or from before this version", "the next start of assent serve or assent worker brings them forward; back up before, there is no way back")
		return false
	}
	d.note(name, fine, "they are those of this version", "")
	return true
}

// Where nobody signs in there need not be tables of people, and in a state directory none of
// sessions. Those of heralds, links and bells come with the first server or worker.
const peopleTables, depotTables = "people", "depot"

var mayBeAbsent = []string{peopleTables, depotTables, "herald", "link", "bells"}
