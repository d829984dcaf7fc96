//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/session"
)

// What a transcript is about in these tests, and what somebody else would like it to be.
const meantCommand, forgedCommand = "echo meant >> effects", "echo forged >> effects"

// forge is the transcript of a session in which a command waits, as somebody writes it on a
// machine of his own: every sum in it is right.
func (p *place) forge(id, command string) []byte {
	p.t.Helper()
	input, err := strictjson.Marshal(map[string]string{"command": command})
	if err != nil {
		p.t.Fatal(err)
	}
	away := p.t.TempDir()
	cmd := exec.Command("assent-park", away, p.dir, id, "Bash", string(input), time.Now().Format(time.RFC3339Nano))
	cmd.Env = p.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(away, id, "transcript.jsonl"))
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// forgery is what somebody makes of a transcript. Other is one of another session.
type forgery struct {
	name string
	make func(p *place, id string, text, other []byte) []byte
	// sound: every sum is right. The chain has no key, so whoever can also change what says
	// where it ends, as everybody can who writes the tables of a database, is not noticed.
	// What was approved does not run all the same, nor anything else without a new yes.
	sound bool
}

// without is what becomes of it where nothing else says how the transcript ended.
func (f forgery) without() fate {
	switch {
	case f.make == nil:
		return goesOn
	case f.sound:
		return runsNothing
	}
	return isRefused
}

// beside is what becomes of it where a head lies beside it that says how it ended.
func (f forgery) beside() fate {
	if f.make == nil {
		return goesOn
	}
	return isRefused
}

// fate is what becomes of a session whose transcript was exchanged.
type fate int

const (
	isRefused   fate = iota // it is not taken up, and somebody is told why
	runsNothing             // nothing of it runs
	goesOn                  // it was not exchanged
)

// forgeries are what one can do to a transcript.
var forgeries = []forgery{
	{name: "a bit is another one", make: func(_ *place, _ string, text, _ []byte) []byte {
		text[len(text)/2] ^= 1
		return text
	}},
	{name: "the history is another one", make: func(_ *place, _ string, text, _ []byte) []byte {
		return bytes.Replace(text, []byte(`"go"`), []byte(`"no"`), 1)
	}},
	{name: "the call is another one", make: func(_ *place, _ string, text, _ []byte) []byte {
		return bytes.ReplaceAll(text, []byte("echo meant"), []byte("echo forge"))
	}},
	{name: "a record is gone", make: func(_ *place, _ string, text, _ []byte) []byte {
		lines := bytes.SplitAfter(text, []byte("\n"))
		return bytes.Join(append(lines[:1:1], lines[2:]...), nil)
	}},
	{name: "two records have changed places", make: func(_ *place, _ string, text, _ []byte) []byte {
		lines := bytes.SplitAfter(text, []byte("\n"))
		lines[1], lines[2] = lines[2], lines[1]
		return bytes.Join(lines, nil)
	}},
	{name: "a record is there twice", make: func(_ *place, _ string, text, _ []byte) []byte {
		lines := bytes.SplitAfter(text, []byte("\n"))
		return bytes.Join(append(lines[:2:2], lines[1:]...), nil)
	}},
	{name: "the end is that of another session", make: func(_ *place, _ string, text, other []byte) []byte {
		lines, others := bytes.SplitAfter(text, []byte("\n")), bytes.SplitAfter(other, []byte("\n"))
		return bytes.Join(append(lines[:2:2], others[2:]...), nil)
	}},
	{name: "it is that of another session", make: func(_ *place, _ string, _, other []byte) []byte { return other }},
	{name: "the end is gone", make: func(_ *place, _ string, text, _ []byte) []byte {
		lines := bytes.SplitAfter(text, []byte("\n"))
		return bytes.Join(lines[:3], nil)
	}},
	{name: "it is written anew, and every sum is right", make: func(p *place, id string, _, _ []byte) []byte {
		return p.forge(id, forgedCommand)
	}, sound: true},
}

// A person has approved a call. Before the session goes on its transcript is exchanged for one
// that comes from somebody else: the session is refused, and nothing runs.
func TestT17_ATranscriptFromSomebodyElse(t *testing.T) {
	t.Parallel()
	for _, f := range append(forgeries, forgery{name: "nothing"}) {
		for _, head := range []string{"", " and its head is gone"} {
			t.Run(f.name+head, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				p.write("end.yaml", "turns: []\nafterwards: Done.\n")
				tickets, err := approval.Open(filepath.Join(p.home, ".assent"))
				if err != nil {
					t.Fatal(err)
				}
				defer tickets.Close()
				id := session.NewID()
				ticket := p.lay(tickets, id, "Bash", map[string]string{"command": meantCommand})
				if said, complained, status := p.say("approve", ticket.ID); status != 0 {
					t.Fatal(said, complained)
				}
				dir := filepath.Join(p.home, ".assent", "sessions", id)
				text, err := os.ReadFile(filepath.Join(dir, "transcript.jsonl"))
				if err != nil {
					t.Fatal(err)
				}
				if f.make != nil {
					text = f.make(p, id, text, p.forge(session.NewID(), forgedCommand))
				}
				if err := os.WriteFile(filepath.Join(dir, "transcript.jsonl"), text, 0o600); err != nil {
					t.Fatal(err)
				}
				want := f.beside()
				if head != "" {
					want = f.without()
					if err := os.Remove(filepath.Join(dir, "head")); err != nil {
						t.Fatal(err)
					}
				}
				said, complained, status := p.say("-p", "--resume", id, "--model", "script:"+filepath.Join(p.dir, "end.yaml"))
				p.concluded(t, want, mustFind(t, tickets, ticket.ID), said+complained, status)
			})
		}
	}
}

// concluded: a session has had its fate.
func (p *place) concluded(t *testing.T, want fate, ticket approval.Ticket, said string, status int) {
	t.Helper()
	ran, _ := os.ReadFile(filepath.Join(p.dir, "effects")) // without one nothing ran
	right := false
	switch want {
	case isRefused:
		right = status != 0 && len(ran) == 0 && ticket.State == approval.Approved && (strings.Contains(said, "cannot be used") || strings.Contains(said, "is damaged"))
	case runsNothing:
		right = len(ran) == 0 && ticket.State == approval.Approved
	case goesOn:
		right = status == 0 && string(ran) == "meant\n" && ticket.State == approval.Done
	}
	if !right {
		t.Errorf("exit status %d, it is %s, and ran %q: %s", status, ticket.State, ran, said)
	}
}

// The same where transcripts lie in a database, and somebody who has no more than the role of a
// worker there writes into the tables.
func TestT17_ATranscriptThatIsForgedInTheDatabase(t *testing.T) {
	t.Parallel()
	address := testpostgres.Database(t)
	role := asWorker(t, address)
	for _, f := range append(forgeries, forgery{name: "nothing"}) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			m := newMoved(t, address)
			if f.make != nil {
				exchange(t, role, m.id, f.make(m.place, m.id, m.bring(), m.forge(session.NewID(), forgedCommand)))
			}
			said, status := m.resumeElsewhere()
			m.concluded(t, f.without(), mustFind(t, m.all.tickets, m.ticket), said, status)
		})
	}
	t.Run("a piece is another one under its old name", func(t *testing.T) {
		t.Parallel()
		m := newMoved(t, address)
		inDatabase(t, role, "UPDATE depot_pieces SET data = convert_to(replace(convert_from(data, 'UTF8'), 'meant', 'forge'), 'UTF8') WHERE digest IN (SELECT digest FROM depot_parts WHERE session = $1)", m.id)
		said, status := m.resumeElsewhere()
		m.concluded(t, isRefused, mustFind(t, m.all.tickets, m.ticket), said, status)
	})
	t.Run("a piece has changed its place with one of another session", func(t *testing.T) {
		t.Parallel()
		m, other := newMoved(t, address), newMoved(t, address)
		inDatabase(t, role, "UPDATE depot_parts SET digest = (SELECT digest FROM depot_parts WHERE session = $1 ORDER BY place DESC LIMIT 1) WHERE session = $2 AND place = (SELECT MAX(place) FROM depot_parts WHERE session = $2)", other.id, m.id)
		said, status := m.resumeElsewhere()
		m.concluded(t, isRefused, mustFind(t, m.all.tickets, m.ticket), said, status)
	})
}

// The call has run, and somebody puts the transcript back to where it waited: it does not run a
// second time.
func TestT17_ATranscriptThatIsPutBack(t *testing.T) {
	t.Parallel()
	address := testpostgres.Database(t)
	m := newMoved(t, address)
	before := m.bring()
	said, status := m.resumeElsewhere()
	m.concluded(t, goesOn, mustFind(t, m.all.tickets, m.ticket), said, status)
	owner, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	exchange(t, owner, m.id, before)
	said, _ = m.resumeElsewhere()
	if text, err := os.ReadFile(filepath.Join(m.dir, "effects")); err != nil || string(text) != "meant\n" {
		t.Errorf("%q, %v: %s", text, err, said)
	}
}

// moved is a session in a database, in which a call waits that a person has approved.
type moved struct {
	*place
	all        *joined
	address    string
	id, ticket string
}

func newMoved(t *testing.T, address string) *moved {
	t.Helper()
	m := &moved{place: newPlace(t), address: address, id: session.NewID()}
	m.write("end.yaml", "turns: []\nafterwards: Done.\n")
	j := joining{given: address}
	var err error
	if m.all, err = j.join(t.Context(), filepath.Join(filepath.Dir(m.home), "watcher")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.all.close)
	ticket := m.lay(m.all.tickets, m.id, "Bash", map[string]string{"command": meantCommand}, databaseVariable+"="+address)
	if _, err := m.all.tickets.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil); err != nil {
		t.Fatal(err)
	}
	m.ticket = ticket.ID
	return m
}

// bring is the transcript as the database has it.
func (m *moved) bring() []byte {
	m.t.Helper()
	var copied paper
	if err := m.all.depot.Bring(m.t.Context(), m.id, &copied, 0); err != nil {
		m.t.Fatal(err)
	}
	return copied
}

// resumeElsewhere goes on with the session on a machine that has never seen it.
func (m *moved) resumeElsewhere() (said string, status int) {
	m.t.Helper()
	c := m.start(m.env("HOME="+m.t.TempDir(), databaseVariable+"="+m.address), "-p", "--resume", m.id, "--model", "script:"+filepath.Join(m.dir, "end.yaml"))
	said = c.rest()
	status = c.end()
	return said + c.stderr.String(), status
}

// asWorker is a database for somebody who may read and write the tables of assent, and nothing
// else.
func asWorker(t *testing.T, address string) *sql.DB {
	t.Helper()
	j := joining{given: address}
	all, err := j.join(t.Context(), t.TempDir()) // which makes the tables
	if err != nil {
		t.Fatal(err)
	}
	all.close()
	owner, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	name := "worker_" + session.NewID()[:8] // all databases of a server have the same roles
	inDatabase(t, owner, "CREATE ROLE "+name+" LOGIN")
	inDatabase(t, owner, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "+name)
	role, err := sql.Open("pgx", strings.Replace(address, "user=assent", "user="+name, 1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { role.Close() })
	var who string
	if err := role.QueryRowContext(t.Context(), "SELECT current_user").Scan(&who); err != nil || who != name {
		t.Fatalf("%s, %v", who, err)
	}
	return role
}

func inDatabase(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", query, err))
	}
}

// exchange puts another transcript into the place of that of a session, in one piece whose sum
// is right.
func exchange(t *testing.T, db *sql.DB, id string, text []byte) {
	t.Helper()
	sum := sha256.Sum256(text)
	digest := hex.EncodeToString(sum[:])
	inDatabase(t, db, "DELETE FROM depot_parts WHERE session = $1", id)
	inDatabase(t, db, "INSERT INTO depot_pieces (digest, data) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING", digest, text)
	inDatabase(t, db, "INSERT INTO depot_parts (session, place, size, digest) VALUES ($1, 0, $2, $3)", id, len(text), digest)
	inDatabase(t, db, "UPDATE depot_sessions SET size = $1 WHERE id = $2", len(text), id)
}
