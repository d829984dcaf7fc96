package database

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Tables are those of one package. They are made step by step: a new database goes through
// all steps, an old one through those that it has not seen. A step that was released never
// changes, which is checked, and there is no way back: a program that is too old for a
// database leaves it alone.
type Tables struct {
	// Name is that of the package.
	Name string
	// Steps are SQL, one after the other. In it stand {serial} for a key that counts by itself,
	// {rowid} for the column in which rows are numbered as they come, {word} for the type of
	// texts that are ordered byte by byte, and {bytes} for that of bytes. Whole numbers are
	// BIGINT.
	Steps []string
	// Adopt says which steps a database of before has gone through, as a number; nil when there
	// was nothing before. Its error is why that database cannot be used.
	Adopt func(context.Context, *Tx) (int, error)
}

// Newer: the tables were written by a newer program.
type Newer struct {
	Name         string
	Found, Known int
}

func (e *Newer) Error() string {
	return fmt.Sprintf("they were written by a newer assent (version %d of its %s, this one knows %d): update assent", e.Found, e.Name, e.Known)
}

// Install makes tables, or brings them forward. The error is an [*Unusable].
func (d *DB) Install(ctx context.Context, t Tables) error {
	if found, err := d.version(ctx, d.Reads(), t); err == nil && found == len(t.Steps) { // mostly; who only looks waits for no writer
		return nil
	}
	err := d.Within(ctx, func(tx *Tx) error {
		if err := tx.Alone(ctx, "assent tables"); err != nil { // several may be started at the same time
			return err
		}
		if _, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS assent_tables (name TEXT NOT NULL, step INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (name, step))"); err != nil {
			return err
		}
		found, err := d.version(ctx, tx, t)
		if err != nil {
			return err
		}
		adopted := 0
		if found == 0 && t.Adopt != nil {
			if adopted, err = t.Adopt(ctx, tx); err != nil {
				return err
			}
		}
		for i := found; i < len(t.Steps); i++ {
			if i >= adopted {
				if _, err := tx.ExecContext(ctx, d.kind.text(t.Steps[i])); err != nil {
					return fmt.Errorf("step %d of the tables of %s: %w", i+1, t.Name, err)
				}
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO assent_tables (name, step, digest) VALUES ($1, $2, $3)", t.Name, i+1, digest(t.Steps[i])); err != nil {
				return err
			}
		}
		return nil
	})
	return d.unusable(err)
}

// Check is an error unless the tables are there as this program knows them.
func (d *DB) Check(ctx context.Context, t Tables) error {
	found, err := d.version(ctx, d.Reads(), t)
	if err == nil && found != len(t.Steps) {
		err = fmt.Errorf("they are of another version of assent (%d, this one knows %d)", found, len(t.Steps))
	}
	return err
}

// Try writes something that means nothing: whoever serves others knows by it that they can
// change something. A transaction alone would write nothing, so it would not notice that the
// disk is full.
func (d *DB) Try(ctx context.Context) error {
	return d.Within(ctx, func(tx *Tx) error {
		text := "UPDATE assent_tables SET digest = digest WHERE step = 1"
		if d.kind == SQLite { // which writes no row that stays as it is, and this number in any case
			var kept int64
			if err := tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&kept); err != nil {
				return err
			}
			text = fmt.Sprintf("PRAGMA application_id = %d", kept)
		}
		_, err := tx.ExecContext(ctx, text)
		return err
	})
}

// version is how many steps were gone through, each of which must be the one that is known.
func (d *DB) version(ctx context.Context, q Querier, t Tables) (int, error) {
	rows, err := q.QueryContext(ctx, "SELECT step, digest FROM assent_tables WHERE name = $1 ORDER BY step", t.Name)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	found := 0
	for rows.Next() {
		var step int
		var was string
		if err := rows.Scan(&step, &was); err != nil {
			return 0, err
		}
		if found++; step != found {
			return 0, fmt.Errorf("step %d of the tables of %s is missing: restore the database from a backup", found, t.Name)
		}
		if step <= len(t.Steps) && was != digest(t.Steps[step-1]) {
			return 0, fmt.Errorf("step %d of the tables of %s is not the one of this program: this is the database of another build of assent", step, t.Name)
		}
	}
	if found > len(t.Steps) {
		return found, &Newer{t.Name, found, len(t.Steps)}
	}
	return found, rows.Err()
}

func digest(step string) string {
	sum := sha256.Sum256([]byte(step))
	return hex.EncodeToString(sum[:8])
}

// text is SQL of one kind.
func (k Kind) text(step string) string {
	if k == PostgreSQL {
		return strings.NewReplacer(
			"{serial}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
			"{rowid}", "rowid BIGINT GENERATED ALWAYS AS IDENTITY,",
			"{word}", `TEXT COLLATE "C"`,
			"{bytes}", "BYTEA",
		).Replace(step)
	}
	return strings.NewReplacer("{serial}", "INTEGER PRIMARY KEY AUTOINCREMENT", "{rowid}", "", "{word}", "TEXT", "{bytes}", "BLOB").Replace(step)
}

// unusable is an error of opening.
func (d *DB) unusable(err error) error {
	if err == nil {
		return nil
	}
	if _, done := errors.AsType[*Unusable](err); done {
		return err
	}
	return &Unusable{d.name, err}
}
