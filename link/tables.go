package link

import "github.com/assent-dev/assent/internal/database"

// tables are those of the package. Times are microseconds since 1970; zero stands for never.
var tables = database.Tables{Name: "link", Steps: []string{`
CREATE TABLE link_key (
	number BIGINT PRIMARY KEY,
	secret {bytes} NOT NULL
);
CREATE TABLE links (
	nonce  {bytes} PRIMARY KEY,
	ticket {word} NOT NULL,
	digest TEXT NOT NULL,
	target {word} NOT NULL,
	until  BIGINT NOT NULL,
	used   BIGINT NOT NULL
);
CREATE INDEX links_by_ticket ON links (ticket, target);
CREATE INDEX links_by_end ON links (until);
`}}
