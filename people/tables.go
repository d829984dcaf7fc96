package people

import "github.com/assent-dev/assent/internal/database"

// tables are those of the package. Times are microseconds since 1970; zero stands for never.
//
// An attempt without an address counts for a name wherever it comes from, one without a name
// for an address whatever name it tries. The earlier e-mail addresses of a person stand in lines of one
// text.
var tables = database.Tables{Name: "people", Steps: []string{`
CREATE TABLE people (
	name     {word} PRIMARY KEY,
	shown    TEXT NOT NULL,
	email    TEXT NOT NULL,
	role     TEXT NOT NULL,
	disabled BIGINT NOT NULL,
	password TEXT NOT NULL,
	issuer   {word} NOT NULL,
	subject  {word} NOT NULL,
	created  BIGINT NOT NULL
);
CREATE UNIQUE INDEX people_by_identity ON people (issuer, subject) WHERE issuer <> '';
CREATE TABLE people_sign_ins (
	number  {serial},
	digest  {bytes} NOT NULL UNIQUE,
	person  {word} NOT NULL REFERENCES people (name),
	kind    TEXT NOT NULL,
	label   TEXT NOT NULL,
	role    TEXT NOT NULL,
	place   TEXT NOT NULL,
	created BIGINT NOT NULL,
	until   BIGINT NOT NULL
);
CREATE INDEX people_sign_ins_by_person ON people_sign_ins (person);
CREATE INDEX people_sign_ins_by_end ON people_sign_ins (until);
CREATE TABLE people_attempts (
	name    {word} NOT NULL,
	address {word} NOT NULL,
	wrong   BIGINT NOT NULL,
	next    BIGINT NOT NULL,
	known   BIGINT NOT NULL,
	PRIMARY KEY (name, address)
);
CREATE INDEX people_attempts_by_age ON people_attempts (next);
CREATE TABLE people_deputies (
	number  {serial},
	person  {word} NOT NULL REFERENCES people (name),
	deputy  {word} NOT NULL REFERENCES people (name),
	until   BIGINT NOT NULL,
	reason  TEXT NOT NULL,
	made_by TEXT NOT NULL,
	made_as TEXT NOT NULL,
	created BIGINT NOT NULL
);
CREATE INDEX people_deputies_by_deputy ON people_deputies (deputy, until);
CREATE TABLE people_changes (
	number {serial},
	at     BIGINT NOT NULL,
	who    TEXT NOT NULL,
	whom   {word} NOT NULL,
	what   TEXT NOT NULL,
	note   TEXT NOT NULL
);
CREATE INDEX people_changes_by_person ON people_changes (whom, number);
`, `
ALTER TABLE people ADD COLUMN confirmed BIGINT NOT NULL DEFAULT 0;
CREATE TABLE people_accounts (
	account {word} NOT NULL,
	person  {word} NOT NULL,
	PRIMARY KEY (account, person)
);
`, `
ALTER TABLE people ADD COLUMN since BIGINT NOT NULL DEFAULT 0;
`, `
ALTER TABLE people ADD COLUMN earlier TEXT NOT NULL DEFAULT '';
`}}
