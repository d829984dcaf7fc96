package approval

import (
	"context"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/database"
)

// name is that under which the tables of the tickets are known.
const name = "approval"

// tables are those of the tickets.
var tables = database.Tables{Name: name, Steps: []string{firstTables, secondTables, thirdTables, fourthTables, fifthTables}, Adopt: adopt}

const firstTables = `
CREATE TABLE tickets (
	{rowid}
	id       {word} PRIMARY KEY,
	session  {word} NOT NULL,
	call     {word} NOT NULL,
	tool     TEXT NOT NULL,
	input    TEXT NOT NULL,
	cwd      TEXT NOT NULL,
	digest   TEXT NOT NULL,
	policy   TEXT NOT NULL,
	why      TEXT NOT NULL,
	state    {word} NOT NULL,
	fence    BIGINT NOT NULL,
	created  BIGINT NOT NULL,
	expires  BIGINT NOT NULL,
	outcome  TEXT NOT NULL,
	holder   TEXT NOT NULL,
	answer   TEXT NOT NULL,
	asker    {word} NOT NULL,
	risk     BIGINT NOT NULL,
	kin      {word} NOT NULL,
	edits    TEXT NOT NULL DEFAULT '',
	places   TEXT NOT NULL DEFAULT ''
);
CREATE INDEX tickets_by_call ON tickets (session, call);
CREATE INDEX tickets_by_state ON tickets (state, risk, created, id);
CREATE INDEX tickets_by_kin ON tickets (kin, created);
CREATE INDEX tickets_by_age ON tickets (created, id);
CREATE INDEX tickets_due ON tickets (state, expires);
CREATE TABLE history (
	serial {serial},
	ticket {word} NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
	number BIGINT NOT NULL,
	at     BIGINT NOT NULL,
	was    {word} NOT NULL,
	became {word} NOT NULL,
	fence  BIGINT NOT NULL,
	who    TEXT NOT NULL,
	note   TEXT NOT NULL,
	UNIQUE (ticket, number)
);
CREATE TABLE noes (
	session {word} NOT NULL,
	call    {word} NOT NULL,
	at      BIGINT NOT NULL,
	answer  TEXT NOT NULL,
	PRIMARY KEY (session, call, at)
);
`

// secondTables are for what has to be so before a yes counts, and for people who answer
// together. A program that knows only the first ones can use them still, because the columns
// have defaults; what it says to a call with terms does not count here, see [Ticket.fulfilled].
// Of the times of tickets only those that can come to an end are kept in order: the other
// changes of a ticket need not write there.
const secondTables = `
ALTER TABLE tickets ADD COLUMN requester TEXT NOT NULL DEFAULT '';
ALTER TABLE tickets ADD COLUMN terms TEXT NOT NULL DEFAULT '';
ALTER TABLE history ADD COLUMN kind {word} NOT NULL DEFAULT '';
CREATE TABLE votes (
	ticket  {word} NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
	voter   {word} NOT NULL,
	fence   BIGINT NOT NULL,
	at      BIGINT NOT NULL,
	digest  TEXT NOT NULL,
	places  TEXT NOT NULL,
	risk    BIGINT NOT NULL,
	message TEXT NOT NULL,
	who     TEXT NOT NULL,
	PRIMARY KEY (ticket, voter)
);
DROP INDEX tickets_due;
CREATE INDEX tickets_due ON tickets (state, expires) WHERE state = 'pending' AND expires > 0;
`

// thirdTables are for votes that no clock puts before or after what happens to people.
const thirdTables = `
ALTER TABLE votes ADD COLUMN moment BIGINT NOT NULL DEFAULT 0;
`

// fourthTables tell what was handed to the guard of another agent from what ran here, and keep until when
// that guard waits for its answer.
const fourthTables = `
ALTER TABLE tickets ADD COLUMN waits BIGINT NOT NULL DEFAULT 0;
UPDATE tickets SET state = 'handed' WHERE state = 'done' AND asker <> '';
UPDATE history SET became = 'handed' WHERE became = 'done' AND ticket IN (SELECT id FROM tickets WHERE asker <> '');
`

// fifthTables are for what everybody was shown who has said yes: that a change of a file was another one for
// one of several, and what it was also after the answer is gone.
const fifthTables = `
ALTER TABLE history ADD COLUMN shown TEXT NOT NULL DEFAULT '';
ALTER TABLE votes ADD COLUMN shown TEXT NOT NULL DEFAULT '';
`

// numbered is the number that a file with these tables has had before there were steps. New
// files have it as well: a program from then can use the tables of the first step.
const numbered = 5

// adopt finds out whether a file is from before there were steps.
func adopt(ctx context.Context, tx *database.Tx) (int, error) {
	if tx.Kind() != database.SQLite { // tickets were only ever in files then
		return 0, nil
	}
	found, err := numberOf(ctx, tx)
	switch {
	case err != nil:
		return 0, err
	case found == numbered:
		return 1, nil
	case found > numbered:
		return 0, &database.Newer{Name: name, Found: found, Known: numbered}
	case found > 0:
		return 0, fmt.Errorf("they were written before the first release of assent (version %d, this one knows %d): remove the file; the calls wait on in their sessions, and have to be answered again", found, numbered)
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", numbered))
	return 0, err
}

func numberOf(ctx context.Context, q database.Querier) (found int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found)
	return found, err
}

// known is an error unless the tables are those of this program, or of fewer steps, also in a file
// that nobody has opened since there are steps. read is how the latter are read; nil means as they
// are.
func known(ctx context.Context, db *database.DB) (read *strings.Replacer, err error) {
	if err = db.Check(ctx, tables); err == nil {
		return nil, nil
	}
	for i, read := range []*strings.Replacer{asOfFirst, asOfSecond, asOfThird, asOfFourth} {
		before := tables
		before.Steps = before.Steps[:i+1]
		if db.Check(ctx, before) == nil {
			return read, nil
		}
	}
	var steps int
	if bad := db.Reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_master WHERE name = 'assent_tables'").Scan(&steps); bad != nil || steps > 0 {
		return nil, err
	}
	switch found, bad := numberOf(ctx, db.Reads()); {
	case bad != nil:
		return nil, bad
	case found != numbered:
		return nil, fmt.Errorf("they are of another version of assent (%d, this one knows %d)", found, numbered)
	}
	return asOfFirst, nil
}
