//go:build unix

package main

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/people"
)

// newPatient is a doctor before a state directory of its own.
func newPatient(t *testing.T) *doctor {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	d := &doctor{counter: counter{app: &app{in: strings.NewReader(""), out: new(bytes.Buffer), err: new(bytes.Buffer)}}, now: time.Now}
	d.dir = filepath.Join(home, ".assent")
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return d
}

// expects says what the last check must have found.
func (d *doctor) expects(t *testing.T, f finding, words ...string) {
	t.Helper()
	if len(d.found) == 0 {
		t.Fatal("nothing was found")
	}
	last := d.found[len(d.found)-1]
	if last.Finding != f || !containsAll(last.Said, words) || f == broken && last.Hint == "" && !strings.Contains(last.Said, "(") {
		t.Errorf("%+v, want %s with %q", last, f, words)
	}
}

func TestDoctor_StateDirectory(t *testing.T) {
	d := newPatient(t)
	d.checkDirectory()
	d.expects(t, fine)
	tickets := filepath.Join(d.dir, "state.db")
	if err := os.WriteFile(tickets, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d.checkDirectory()
	d.expects(t, broken, "others may use", "state.db")
	if err := os.Chmod(d.dir, 0o750); err != nil {
		t.Fatal(err)
	}
	d.checkDirectory()
	d.expects(t, broken, "others may use")
	if os.Geteuid() == 0 {
		if err := os.Chmod(d.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(d.dir, 54321, -1); err != nil {
			t.Fatal(err)
		}
		d.checkDirectory()
		d.expects(t, broken, "somebody else")
	}
	d.dir = tickets
	d.checkDirectory()
	d.expects(t, broken, "no directory")
	d.dir = filepath.Join(t.TempDir(), "none")
	d.checkDirectory()
	d.expects(t, worth, "not there yet")
}

// An agent of the same user can answer for people, which is said.
func TestT1_DoctorSaysThatAgentsShareTheUser(t *testing.T) {
	d := newPatient(t)
	d.checkUser()
	d.expects(t, fine)
	if err := os.MkdirAll(filepath.Join(d.dir, "sessions", chosenID), 0o700); err != nil {
		t.Fatal(err)
	}
	d.checkUser()
	d.expects(t, worth, "agents work as the user of the server")

	// A server has copies of the sessions in a database. What agents leave is the record.
	d.joining.given = "postgres://ann@127.0.0.1:1/none"
	d.checkUser()
	d.expects(t, fine)
	if err := audit.Open(filepath.Join(d.dir, "audit")).Append(audit.Record{Session: chosenID}); err != nil {
		t.Fatal(err)
	}
	d.checkUser()
	d.expects(t, worth, "agents work as the user of the server")
}

func TestDoctor_Token(t *testing.T) {
	d := newPatient(t)
	d.checkToken()
	d.expects(t, unasked)
	d.given.tokenFile = filepath.Join(d.dir, "token")
	if err := os.WriteFile(d.given.tokenFile, []byte(serveToken), 0o644); err != nil {
		t.Fatal(err)
	}
	d.checkToken()
	d.expects(t, broken, "others may read")
	if err := os.Chmod(d.given.tokenFile, 0o600); err != nil {
		t.Fatal(err)
	}
	d.checkToken()
	d.expects(t, fine)
}

func TestDoctor_Certificate(t *testing.T) {
	d := newPatient(t)
	p := newPlace(t)
	cert, key, _ := p.certificate("inbox.test") // it is good for an hour from now
	d.given.cert = key
	d.checkCertificate()
	d.expects(t, broken, "no certificate")
	d.given.cert = cert
	now := time.Now()
	for later, want := range map[time.Duration]finding{0: worth, 2 * time.Hour: broken, -2 * time.Hour: broken, -59 * time.Minute: worth} {
		d.now = func() time.Time { return now.Add(later) }
		d.checkCertificate()
		d.expects(t, want)
	}
}

func TestDoctor_Notifications(t *testing.T) {
	d := newPatient(t)
	d.checkNotifications(d.checkSettings())
	d.expects(t, unasked)
	settings := filepath.Join(filepath.Dir(d.dir), ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	say := func(target string) {
		if err := os.WriteFile(settings, []byte(`{"assent": {"notifications": [`+target+`]}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		d.checkNotifications(d.checkSettings())
	}
	const target = `{"name": "ops", "type": "webhook", "url": "https://hooks.example.com/x", "secret": {"env": "ASSENT_TEST_SECRET"}}`
	say(target)
	d.expects(t, broken, "ops")
	t.Setenv("ASSENT_TEST_SECRET", "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	say(target)
	d.expects(t, fine, "1 target")
	say(`{"name": "ops", "type": "pigeon"}`)
	d.expects(t, broken, "settings.json:1", "type")
	d.dir = filepath.Join(d.dir, "not", "yet") // before the first start
	d.checkNotifications(d.checkSettings())
	d.expects(t, broken, "settings.json:1", "type")
}

func TestDoctor_DatabaseThatDoesNotAnswer(t *testing.T) {
	d := newPatient(t)
	d.joining.given = "postgres://ann:canary-password@127.0.0.1:1/none"
	d.checkDatabase(t.Context())
	d.expects(t, broken, "127.0.0.1:1")
	if strings.Contains(d.found[len(d.found)-1].Said, "canary") {
		t.Errorf("%+v", d.found)
	}
}

// What is set wrong for the way to the database is named, and not blamed on the password.
func TestDoctor_DatabaseThatIsSetWrong(t *testing.T) {
	for name, c := range map[string]struct{ address, variable, value, want string }{
		"sslmode": {
			"postgres://ann:canary-password@db.example.com/none?sslmode=verify_full", "PGSSLMODE", "verify-full",
			"sslmode in the address is wrong (it has to be disable, allow, prefer, require, verify-ca or verify-full)",
		},
		"PGSSLMODE": {
			"postgres://ann:canary-password@db.example.com/none", "PGSSLMODE", "verify_full",
			"the environment variable PGSSLMODE is wrong (it has to be disable, allow, prefer, require, verify-ca or verify-full)",
		},
		"PGPORT": {
			"postgres://ann:canary-password@db.example.com/none", "PGPORT", "abc",
			"the environment variable PGPORT is wrong (it has to be a number from 1 to 65535)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			d := newPatient(t)
			d.joining.given = c.address
			d.checkDatabase(t.Context())
			d.expects(t, broken, "postgres://ann@db.example.com/none", c.want)
			if strings.Contains(d.found[len(d.found)-1].Said, "canary") {
				t.Errorf("%+v", d.found)
			}
		})
	}
}

// Who could read what goes to the database is said, and an address that leaves it open is broken.
func TestS26_DoctorLooksAtTLS(t *testing.T) {
	d := newPatient(t)
	d.joining.given = "postgres://ann:canary-password@db.example.com/none"
	d.checkDatabase(t.Context())
	d.expects(t, broken, "db.example.com", "without TLS", "sslmode=verify-full")
	for e, want := range map[database.Encryption]finding{
		database.Unprotected: worth, database.Unverified: worth, database.AnyName: worth, database.Verified: fine, database.Local: fine,
	} {
		d.judgeEncryption(e)
		d.expects(t, want)
		if last := d.found[len(d.found)-1]; (last.Hint != "") != (want == worth) {
			t.Errorf("%+v", last)
		}
	}
}

// Settings that cannot be read keep a server from starting, so they are named.
func TestS26_DoctorReadsTheSettings(t *testing.T) {
	d := newPatient(t)
	d.checkSettings()
	d.expects(t, fine, "neither")
	file := filepath.Join(filepath.Dir(d.dir), ".claude", "settings.json")
	if err := os.MkdirAll(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if s := d.checkSettings(); s != nil {
		t.Error("they are read all the same")
	}
	d.expects(t, broken, file, "cannot be read")
	if err := errors.Join(os.Remove(file), os.WriteFile(file, []byte("{}"), 0o600)); err != nil {
		t.Fatal(err)
	}
	d.checkSettings()
	d.expects(t, fine, file)
	for text, want := range map[string]string{
		`{"permissions":{"foo":true}}`:                          "settings.json:1:23: permissions.foo is not known and may restrict",
		`{"sandbox":{"enabled":true,"failIfUnavailable":true}}`: "settings.json:1:48: sandbox.failIfUnavailable demands a sandbox",
		`{"availableModels":["opus"]}`:                          "settings.json:1:20: availableModels says which models may be used",
		`{"env":{"A":1}}`:                                       "settings.json:1: env: ",
	} {
		settingsOf(t, filepath.Dir(d.dir), text)
		if s := d.checkSettings(); s != nil {
			t.Errorf("with %s sessions start", text)
		}
		d.expects(t, broken, want)
	}
	settingsOf(t, filepath.Dir(d.dir), oddSettings)
	d.found = nil
	if s := d.checkSettings(); s == nil {
		t.Error("with warnings alone no session starts")
	}
	if len(d.found) != len(oddWords) {
		t.Errorf("%+v", d.found)
	}
	for _, word := range oddWords {
		if !slices.ContainsFunc(d.found, func(one diagnosis) bool { return one.Finding == worth && strings.Contains(one.Said, word) }) {
			t.Errorf("%q is not told: %+v", word, d.found)
		}
	}
}

// What is no address for the other commands is none here.
func TestDoctor_AddressInCapitals(t *testing.T) {
	d := newPatient(t)
	d.joining.given = "POSTGRES" + strings.TrimPrefix(testpostgres.Database(t), "postgres")
	d.checkDatabase(t.Context())
	d.expects(t, broken, "no address of PostgreSQL")
}

// A server that only reads answers every question, and nobody can answer a call there.
func TestDoctor_DatabaseThatOnlyReads(t *testing.T) {
	d := newPatient(t)
	address := testpostgres.Database(t)
	d.joining.given = address
	s, err := d.join(t.Context(), d.dir)
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	d.joining.given = address + "&default_transaction_read_only=on"
	d.checkDatabase(t.Context())
	if !slices.ContainsFunc(d.found, func(one diagnosis) bool {
		return one.Check == "database" && one.Finding == broken && strings.Contains(one.Said, "only reads") && one.Hint != ""
	}) {
		t.Errorf("%+v", d.found)
	}
	d = newPatient(t)
	d.joining.given = address
	d.checkDatabase(t.Context())
	if slices.ContainsFunc(d.found, func(one diagnosis) bool { return one.Finding == broken }) {
		t.Errorf("%+v", d.found)
	}
}

func TestDoctor_Tables(t *testing.T) {
	d := newPatient(t)
	d.joining.given = testpostgres.Database(t)
	look := func() *database.DB {
		db, err := d.look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	db := look()
	if d.checkTables(t.Context(), db) {
		t.Error("there are none")
	}
	d.expects(t, worth, "not there yet")
	var n int
	if err := db.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'").Scan(&n); err != nil || n != 0 {
		t.Errorf("it has made %d tables, %v", n, err)
	}
	s, err := d.join(t.Context(), d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if !d.checkTables(t.Context(), look()) { // nobody signs in, so nobody misses those of people
		t.Errorf("%+v", d.found)
	}
	if _, err := herald.New(t.Context(), herald.Config{Tickets: s.tickets}); err != nil {
		t.Fatal(err)
	}
	if !d.checkTables(t.Context(), look()) {
		t.Errorf("%+v", d.found)
	}
	const newer = "INSERT INTO river_migration (line, version) VALUES ('main', 99)"
	if _, err := s.db.Writer().ExecContext(t.Context(), newer); err != nil {
		t.Fatal(err)
	}
	if d.checkTables(t.Context(), look()) {
		t.Error("those of bells are newer")
	}
	d.expects(t, broken, "bells", "newer assent")
	if _, err := s.db.Writer().ExecContext(t.Context(), "DELETE FROM river_migration WHERE version = 99"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Writer().ExecContext(t.Context(), "INSERT INTO assent_tables (name, step, digest) SELECT name, MAX(step) + 1, 'x' FROM assent_tables WHERE name = 'approval' GROUP BY name"); err != nil {
		t.Fatal(err)
	}
	if d.checkTables(t.Context(), look()) {
		t.Error("they are newer")
	}
	d.expects(t, broken, "newer assent")
}

// All rights on a database are not the one to make tables in it, which the first start needs.
func TestDoctor_NobodyMayMakeTables(t *testing.T) {
	d := newPatient(t)
	address := testpostgres.Database(t)
	owner, err := database.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"CREATE ROLE lodger LOGIN", "GRANT ALL ON DATABASE " + strings.TrimPrefix(u.Path, "/") + " TO lodger", "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
	} {
		if _, err := owner.Writer().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	asked := u.Query()
	asked.Set("user", "lodger")
	u.RawQuery = asked.Encode()
	d.joining.given = u.String()
	d.checkDatabase(t.Context())
	d.expects(t, broken, "may not make tables")
	if _, err := owner.Writer().ExecContext(t.Context(), "GRANT CREATE ON SCHEMA public TO lodger"); err != nil {
		t.Fatal(err)
	}
	d.checkDatabase(t.Context())
	d.expects(t, worth, "not there yet")
}

// People are added before the first server is started, and counted then.
func TestDoctor_PeopleBeforeTheFirstStart(t *testing.T) {
	d := newPatient(t)
	d.joining.given = testpostgres.Database(t)
	add := func(store *people.Store) error {
		return store.Add(t.Context(), people.Operator("olga@machine"), people.Person{Name: "ana", Role: people.Admin}, "correct horse battery")
	}
	if err := d.withPeople(t.Context(), add); err != nil {
		t.Fatal(err)
	}
	d.checkDatabase(t.Context())
	d.expects(t, fine, "1, with an admin")
}

func TestDoctor_TablesOfOtherVersions(t *testing.T) {
	d := newPatient(t)
	known := map[string][]string{"approval": {"a", "b"}, "depot": {"c"}, "people": {"p", "q"}, "herald": {"h"}, "link": {"l"}}
	for _, c := range []struct {
		name  string
		found map[string][]string
		want  finding
	}{
		{"the same", known, fine},
		{"of before", map[string][]string{"approval": {"a"}}, worth},
		{"of before people had two steps", map[string][]string{"approval": {"a", "b"}, "people": {"p"}}, worth},
		{"without people and sessions", map[string][]string{"approval": {"a", "b"}}, fine},
		{"newer heralds", map[string][]string{"approval": {"a", "b"}, "herald": {"h", "i"}}, broken},
		{"newer", map[string][]string{"approval": {"a", "b", "c"}}, broken},
		{"of others", map[string][]string{"approval": {"a", "x"}}, broken},
	} {
		if ok := d.judgeTables(known, c.found, may); ok != (c.want == fine) {
			t.Errorf("%s: %v", c.name, ok)
		}
		d.expects(t, c.want)
	}
	if d.judgeTables(known, map[string][]string{"approval": {"a"}}, mayNot) {
		t.Error("they cannot be brought forward")
	}
	d.expects(t, broken, "may not make tables")
}

func TestDoctor_Clock(t *testing.T) {
	d := newPatient(t)
	d.joining.given = testpostgres.Database(t)
	db, err := d.look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for apart, want := range map[time.Duration]finding{0: fine, 3 * time.Second: worth, -3 * time.Second: worth, time.Minute: broken, -time.Minute: broken} {
		d.now = func() time.Time { return time.Now().Add(apart) }
		d.checkClock(t.Context(), db)
		d.expects(t, want, "apart")
	}
	d.checkServer(t.Context(), db)
	d.expects(t, fine, "PostgreSQL")
	d.judgeServer(oldestServer - 1)
	d.expects(t, worth)
}

func TestDoctor_People(t *testing.T) {
	d := newPatient(t)
	admin, ben := people.Person{Name: "ana", Role: people.Admin}, people.Person{Name: "ben", Role: people.Approver}
	for _, c := range []struct {
		list []people.Person
		want finding
	}{
		{nil, unasked},
		{[]people.Person{admin, ben}, fine},
		{[]people.Person{ben}, worth},
		{[]people.Person{{Name: "ana", Role: people.Admin, Disabled: true}, ben}, worth},
		{[]people.Person{{Name: "ana", Role: people.Admin, Disabled: true}}, broken},
	} {
		d.judgePeople(c.list)
		d.expects(t, c.want)
	}
}

func TestDoctor_Workers(t *testing.T) {
	d := newPatient(t)
	asked := map[string][]string{"s1": {"gpu"}, "s2": {"gpu", "linux"}, "s3": nil}
	d.judgeWorkers([][]string{{"gpu", "linux"}}, asked)
	d.expects(t, fine)
	d.judgeWorkers([][]string{{"gpu"}, {"linux"}}, asked)
	d.expects(t, broken, "1 session", "s2 wants gpu,linux")
	d.judgeWorkers([][]string{{"gpu", "linux", "gpuu"}}, asked)
	d.expects(t, worth, "gpuu")
}

// A session in the database that no worker serves is found, by its labels.
func TestDoctor_ASessionThatNoWorkerServes(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	m.parks(chosenID, "touch deployed", "--labels", "gpu")
	for flag, want := range map[string]string{"linux": "no worker serves 1 session: " + chosenID + " wants gpu", "gpu": "ok       workers"} {
		said, complained, _ := m.says("doctor", "--worker", flag)
		if !strings.Contains(said, want) {
			t.Errorf("--worker %s: %s%s", flag, said, complained)
		}
	}
}

// A doctor whose clock is wrong ends the time of no call.
func TestDoctor_EndsTheTimeOfNoCall(t *testing.T) {
	d := newPatient(t)
	d.joining.given = testpostgres.Database(t)
	d.given.workers = []string{"gpu"}
	s, err := d.join(t.Context(), d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	parked, err := s.tickets.Park(t.Context(), approval.Parking{Call: approval.Call{Session: chosenID, ToolUseID: "toolu_1", Tool: "Deploy", Input: strictjson.Raw(`{}`), Cwd: "/srv"}, By: "test", Lasts: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Writer().ExecContext(t.Context(), "UPDATE tickets SET expires = 1 WHERE id = $1", parked.ID); err != nil {
		t.Fatal(err)
	}
	d.checkDatabase(t.Context())
	d.expects(t, worth, "gpu")
	var state approval.State
	if err := s.db.Reads().QueryRowContext(t.Context(), "SELECT state FROM tickets WHERE id = $1", parked.ID).Scan(&state); err != nil || state != approval.Pending {
		t.Errorf("%s, %v", state, err)
	}
}

// The whole of it: what is broken is the exit status, and programs can read it.
func TestDoctor_AsJSON(t *testing.T) {
	d := newPatient(t)
	tickets, err := approval.Open(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := tickets.Close(); err != nil {
		t.Fatal(err)
	}
	examine := func() (status int, findings map[string]finding) {
		var out, complaints bytes.Buffer
		status = run([]string{"doctor", "--json"}, strings.NewReader(""), &out, &complaints)
		var report struct {
			Checks []diagnosis `json:"checks"`
		}
		if err := strictjson.Unmarshal(out.Bytes(), &report); err != nil {
			t.Fatalf("%v\n%s%s", err, &out, &complaints)
		}
		findings = map[string]finding{}
		for _, c := range report.Checks {
			findings[c.Check] = c.Finding
		}
		return status, findings
	}
	if status, found := examine(); status != statusOK || found["state"] != fine || found["database"] != fine || found["token"] != unasked {
		t.Errorf("exit status %d, %v", status, found)
	}
	if err := os.Chmod(d.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if status, found := examine(); status != statusNo || found["state"] != broken {
		t.Errorf("exit status %d, %v", status, found)
	}
}
