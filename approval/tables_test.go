package approval

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/permission"
)

// numberedTables is how programs made the tables that numbered a file in place of noting the
// steps of its tables.
const numberedTables = `
CREATE TABLE tickets (
	id       TEXT PRIMARY KEY,
	session  TEXT NOT NULL,
	call     TEXT NOT NULL,
	tool     TEXT NOT NULL,
	input    TEXT NOT NULL,
	cwd      TEXT NOT NULL,
	digest   TEXT NOT NULL,
	policy   TEXT NOT NULL,
	why      TEXT NOT NULL,
	state    TEXT NOT NULL,
	fence    INTEGER NOT NULL,
	created  INTEGER NOT NULL,
	expires  INTEGER NOT NULL,
	outcome  TEXT NOT NULL,
	holder   TEXT NOT NULL,
	answer   TEXT NOT NULL,
	asker    TEXT NOT NULL,
	risk     INTEGER NOT NULL,
	kin      TEXT NOT NULL,
	edits    TEXT NOT NULL DEFAULT '',
	places   TEXT NOT NULL DEFAULT ''
);
CREATE INDEX tickets_by_call ON tickets (session, call);
CREATE INDEX tickets_by_state ON tickets (state, risk, created, id);
CREATE INDEX tickets_by_kin ON tickets (kin, created);
CREATE INDEX tickets_by_age ON tickets (created, id);
CREATE INDEX tickets_due ON tickets (state, expires);
CREATE TABLE history (
	serial INTEGER PRIMARY KEY AUTOINCREMENT,
	ticket TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
	number INTEGER NOT NULL,
	at     INTEGER NOT NULL,
	was    TEXT NOT NULL,
	became TEXT NOT NULL,
	fence  INTEGER NOT NULL,
	who    TEXT NOT NULL,
	note   TEXT NOT NULL,
	UNIQUE (ticket, number)
);
CREATE TABLE noes (
	session TEXT NOT NULL,
	call    TEXT NOT NULL,
	at      INTEGER NOT NULL,
	answer  TEXT NOT NULL,
	PRIMARY KEY (session, call, at)
);
`

// firstColumns are those that programs of before know.
const firstColumns = "id, session, call, tool, input, cwd, digest, policy, why, state, fence, created, expires, outcome, holder, answer, asker, risk, kin, edits, places"

// numberedFile makes a file as those programs did, with a ticket that waits and a no that was
// kept.
func numberedFile(t *testing.T, number int) (dir string, waiting Call) {
	t.Helper()
	dir, waiting = t.TempDir(), deploy("s1")
	db, err := database.OpenFile(filepath.Join(dir, fileName))
	must(t, err)
	digest, err := waiting.Digest()
	must(t, err)
	w := db.Writer()
	for _, text := range []string{
		numberedTables, fmt.Sprintf("PRAGMA user_version = %d", number),
		"INSERT INTO tickets (" + firstColumns + ") VALUES ('abc', 's1', 'toolu_1', 'Bash', '" + string(waiting.Input) + "', '/project', '" + digest + "', 'p1', 'why', 'pending', 0, 1000, 0, 'deny', '', '', '', 1, 'k', '', '')",
		"INSERT INTO history (ticket, number, at, was, became, fence, who, note) VALUES ('abc', 1, 1000, '', 'pending', 0, 'hook', '')",
		`INSERT INTO noes VALUES ('s0', 'toolu_0', 1000, '{"behavior":"deny","digest":"d","by":"ann","at":1}')`,
	} {
		_, err := w.Exec(text)
		must(t, err)
	}
	must(t, db.Close())
	return dir, waiting
}

// A file of before goes on with all that is in it, and can be looked at where nobody can
// write.
func TestA5_AFileFromBeforeThereWereSteps(t *testing.T) {
	dir, call := numberedFile(t, numbered)
	l, err := Look(dir, errors.New("the disk is full"))
	must(t, err)
	lookAround(t, l)
	must(t, l.Close())
	for range 2 {
		s, err := Open(dir)
		must(t, err)
		ticket, err := s.Find(t.Context(), "abc")
		if err != nil || ticket.State != Pending || ticket.Matches(call) != nil {
			t.Errorf("%+v, %v", ticket, err)
		}
		if no, err := s.NoIn(t.Context(), "s0", "toolu_0", fromMicros(1000)); err != nil || no == nil || no.By != "ann" {
			t.Errorf("%+v, %v", no, err)
		}
		must(t, s.Close())
	}
	s, err := Open(dir)
	must(t, err)
	defer s.Close()
	_, err = s.Approve(t.Context(), "abc", must1(call.Digest()), "ann", "", nil)
	must(t, err)
	history, err := s.History(t.Context(), "abc")
	if err != nil || len(history) != 2 || history[1].To != Approved {
		t.Errorf("%+v, %v", history, err)
	}
}

// lookAround reads everything that can be asked where nobody can write.
func lookAround(t *testing.T, l *Store) {
	t.Helper()
	ctx := t.Context()
	if list, err := l.List(ctx, Query{}); err != nil || len(list) != 1 || !list[0].Terms.IsZero() || list[0].Requester != "" {
		t.Errorf("%+v, %v", list, err)
	}
	if history, err := l.History(ctx, "abc"); err != nil || len(history) != 1 || history[0].Kind != "" || history[0].Who != "hook" {
		t.Errorf("%+v, %v", history, err)
	}
	if votes, err := l.Votes(ctx, "abc"); err != nil || len(votes) != 0 {
		t.Errorf("%+v, %v", votes, err)
	}
	if changes, err := l.changes(ctx, 0, 5); err != nil || len(changes) != 1 {
		t.Errorf("%+v, %v", changes, err)
	}
	if page, err := l.Queue(ctx, nil, "", 5); err != nil || len(page.Tickets) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
	if no, err := l.NoIn(ctx, "s0", "toolu_0", fromMicros(1000)); err != nil || no == nil {
		t.Errorf("%+v, %v", no, err)
	}
	if found, err := l.OfCall(ctx, "s1", "toolu_1"); err != nil || found == nil {
		t.Errorf("%+v, %v", found, err)
	}
}

// A file that has gone through the first step only is looked at as it is, and gets the second
// one from whoever can write.
func TestA4_AFileOfTheFirstStep(t *testing.T) {
	dir, call := numberedFile(t, numbered)
	db, err := database.OpenFile(filepath.Join(dir, fileName))
	must(t, err)
	first := tables
	first.Steps = first.Steps[:1]
	must(t, db.Install(t.Context(), first))
	must(t, db.Close())
	l, err := Look(dir, errors.New("the disk is full"))
	must(t, err)
	lookAround(t, l)
	must(t, l.Close())
	s, err := Open(dir)
	must(t, err)
	defer s.Close()
	two := permission.Terms{Approvers: 2}
	for i, voter := range []string{"ana", "ben"} {
		got, err := s.Say(t.Context(), "abc", must1(call.Digest()), Answer{Behavior: permission.Allow, By: voter, Voter: voter, Terms: two})
		if want := []State{Pending, Approved}[i]; err != nil || got.State != want {
			t.Errorf("%s: %s, %v", voter, got.State, err)
		}
	}
}

// Tables of the second step have votes without a moment. They are looked at as they are, and count
// with those that are given after the third one.
func TestT1_TablesOfTheSecondStep(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, fileName)
	address := testpostgres.Database(t)
	for kind, open := range map[string]func() (*database.DB, error){
		"SQLite":     func() (*database.DB, error) { return database.OpenFile(file) },
		"PostgreSQL": func() (*database.DB, error) { return database.Connect(t.Context(), address) },
	} {
		t.Run(kind, func(t *testing.T) {
			call, ctx := deploy("s1"), t.Context()
			digest := must1(call.Digest())
			db, err := open()
			must(t, err)
			defer db.Close()
			second := tables
			second.Steps = second.Steps[:2]
			must(t, db.Install(ctx, second))
			for _, text := range []string{
				"INSERT INTO tickets (" + firstColumns + ", requester, terms) VALUES ('abc', 's1', 'toolu_1', 'Bash', '" + string(call.Input) + "', '/project', '" + digest + "', 'p1', 'why', 'pending', 0, 1000, 0, 'deny', '', '', '', 1, 'k', '', '', '', '" + must1(termsText(two)) + "')",
				"INSERT INTO votes (ticket, voter, fence, at, digest, places, risk, message, who) VALUES ('abc', 'ana', 0, 2000, '" + digest + "', '', 1, '', 'ana')",
			} {
				_, err := db.Writer().Exec(text)
				must(t, err)
			}
			before := Vote{Voter: "ana", By: "ana", At: fromMicros(2000), Digest: digest, Risk: permission.LowRisk}
			if kind == "SQLite" {
				l, err := Look(dir, errors.New("the disk is full"))
				must(t, err)
				if votes, err := l.Votes(ctx, "abc"); err != nil || len(votes) != 1 || !reflect.DeepEqual(votes[0], before) {
					t.Errorf("%+v, %v", votes, err)
				}
				if tickets, err := l.List(ctx, Query{}); err != nil || len(tickets) != 1 || tickets[0].Terms.Need() != 2 {
					t.Errorf("%+v, %v", tickets, err)
				}
				must(t, l.Close())
			}
			s, err := On(ctx, db)
			must(t, err)
			got, err := s.Say(ctx, "abc", digest, Answer{Behavior: permission.Allow, By: "ben", Voter: "ben", Moment: 7})
			if err != nil || got.State != Approved || got.Answer.Moment != 7 || len(got.Answer.Others) != 1 || !reflect.DeepEqual(got.Answer.Others[0], before) {
				t.Errorf("%+v, %v", got.Answer, err)
			}
		})
	}
}

// Of a yes that was handed to the guard of another agent tables of the third step say that the call ran.
func TestA2_TablesOfTheThirdStep(t *testing.T) {
	db, err := database.OpenFile(filepath.Join(t.TempDir(), fileName))
	must(t, err)
	defer db.Close()
	third := tables
	third.Steps = third.Steps[:3]
	must(t, db.Install(t.Context(), third))
	for id, asker := range map[string]string{"own": "", "held": "codex"} {
		for _, text := range []string{
			"INSERT INTO tickets (" + firstColumns + ") VALUES ('" + id + "', 's1', 'toolu_" + id + "', 'Bash', '{}', '/project', 'd', 'p1', 'why', 'done', 1, 1000, 0, 'deny', '', '', '" + asker + "', 1, 'k', '', '')",
			"INSERT INTO history (ticket, number, at, was, became, fence, who, note) VALUES ('" + id + "', 1, 1000, 'running', 'done', 1, 'x', '')",
		} {
			_, err := db.Writer().Exec(text)
			must(t, err)
		}
	}
	s, err := On(t.Context(), db)
	must(t, err)
	for id, want := range map[string]State{"own": Done, "held": Handed} {
		got, err := s.Find(t.Context(), id)
		must(t, err)
		history, err := s.History(t.Context(), id)
		if err != nil || got.State != want || history[0].To != want {
			t.Errorf("%s: %s, %+v, %v", id, got.State, history, err)
		}
	}
}

func must1[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// What this program does not know it leaves alone.
func TestA5_FilesThatAreTooOldOrTooNew(t *testing.T) {
	for number, want := range map[int]string{numbered + 1: "update assent", 1: "written before the first release"} {
		dir, _ := numberedFile(t, number)
		s, err := Open(dir)
		if err == nil {
			_ = s.Close()
		}
		var unusable *Unusable
		if !errors.As(err, &unusable) || !strings.Contains(err.Error(), want) {
			t.Errorf("tables of version %d: %v", number, err)
		}
		if l, err := Look(dir, err); err == nil {
			t.Errorf("version %d can be looked at", number)
			_ = l.Close()
		}
	}
}

// A later program has gone through more steps.
func TestA5_TablesOfANewerProgram(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		_, err := s.db.Writer().Exec("INSERT INTO assent_tables (name, step, digest) VALUES ($1, $2, 'x')", name, len(tables.Steps)+1)
		must(t, err)
		var newer *database.Newer
		other, err := s.open()
		if err == nil {
			_ = other.Close()
		}
		if !errors.As(err, &newer) {
			t.Errorf("%v", err)
		}
	})
}

// Programs of before know a new file by its number, and can use it: its tables begin with
// theirs, and what they do not know has a default.
func TestA5_ANewFileIsOneThatProgramsOfBeforeKnow(t *testing.T) {
	s := newFileStore(t)
	if found, err := numberOf(t.Context(), s.db.Reads()); err != nil || found != numbered {
		t.Errorf("%d, %v", found, err)
	}
	dir, _ := numberedFile(t, numbered)
	before, err := database.OpenFile(filepath.Join(dir, fileName))
	must(t, err)
	defer before.Close()
	for _, table := range []string{"tickets", "history", "noes"} {
		a, b := shape(t, s.db.Writer(), table), shape(t, before.Writer(), table)
		more, same := strings.CutPrefix(a, b)
		if !same || b == "" {
			t.Errorf("%s:\n%s\nand before:\n%s", table, a, b)
		}
		for column := range strings.Lines(more) {
			if !strings.Contains(column, " 1 '' 0") && !strings.Contains(column, " 1 0 0") {
				t.Errorf("%s has a column that programs of before cannot leave out: %s", table, column)
			}
		}
	}
}

// shape is the columns of a table.
func shape(t *testing.T, db *sql.DB, table string) string {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), "SELECT name, \"notnull\", COALESCE(dflt_value, ''), pk FROM pragma_table_info('"+table+"') ORDER BY cid")
	must(t, err)
	defer rows.Close()
	var all strings.Builder
	for rows.Next() {
		var name, preset string
		var required, key int
		must(t, rows.Scan(&name, &required, &preset, &key))
		fmt.Fprintln(&all, name, required, preset, key)
	}
	must(t, rows.Err())
	return all.String()
}
