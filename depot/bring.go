package depot

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
)

// Damaged: the database does not have what was written.
type Damaged struct {
	ID    string
	Place int64
	What  string
}

func (e *Damaged) Error() string {
	return fmt.Sprintf("session %s is damaged in the database at byte %d: %s (restore the database from a backup)", e.ID, e.Place, e.What)
}

// part is a piece of a transcript.
type part struct {
	place, size int64
	digest      string
}

// Copy is a transcript on this machine, which may be behind, or have more than counts.
type Copy interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
}

// Bring makes a copy of a transcript the one that counts: what it has in common with it is
// left as it is, and only the rest is fetched. The error may be an [*Unknown] or a [*Damaged].
func (d *Depot) Bring(ctx context.Context, id string, to Copy, size int64) error {
	info, err := d.Find(ctx, id)
	if err != nil {
		return err
	}
	parts, err := d.parts(ctx, id, info.Size)
	if err != nil {
		return err
	}
	same, err := inCommon(to, size, parts)
	if err != nil {
		return err
	}
	if same == size && same == info.Size {
		return nil
	}
	if err := to.Truncate(same); err != nil {
		return err
	}
	return d.fetch(ctx, id, same, info.Size, to)
}

// Opening is the beginning of a transcript, or as much of it as was written first. The error is an
// [*Unknown] when there is none.
func (d *Depot) Opening(ctx context.Context, id string, most int) (text []byte, err error) {
	err = d.db.Reads().QueryRowContext(ctx, "SELECT substr(b.data, 1, $1) FROM depot_parts p JOIN depot_pieces b ON b.digest = p.digest WHERE p.session = $2 AND p.place = 0", most, id).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &Unknown{id}
	}
	return text, d.db.Explain(err)
}

// parts are those of a transcript, which must leave no gap.
func (d *Depot) parts(ctx context.Context, id string, size int64) ([]part, error) {
	rows, err := d.db.Reads().QueryContext(ctx, "SELECT place, size, digest FROM depot_parts WHERE session = $1 AND place < $2 ORDER BY place", id, size)
	if err != nil {
		return nil, d.db.Explain(err)
	}
	defer rows.Close()
	var all []part
	var end int64
	for rows.Next() {
		var p part
		if err := rows.Scan(&p.place, &p.size, &p.digest); err != nil {
			return nil, d.db.Explain(err)
		}
		if p.place != end {
			return nil, &Damaged{id, end, "something is missing"}
		}
		end += p.size
		all = append(all, p)
	}
	if err := rows.Err(); err != nil {
		return nil, d.db.Explain(err)
	}
	if end != size {
		return nil, &Damaged{id, end, fmt.Sprintf("it has %d bytes and should have %d", end, size)}
	}
	return all, nil
}

// inCommon is up to where a copy is right.
func inCommon(from io.ReaderAt, size int64, parts []part) (same int64, err error) {
	var buffer []byte
	for _, p := range parts {
		if p.place+p.size > size {
			break
		}
		if int64(cap(buffer)) < p.size {
			buffer = make([]byte, p.size)
		}
		data := buffer[:p.size]
		if _, err := from.ReadAt(data, p.place); err != nil && err != io.EOF {
			return 0, err
		}
		if sumOf(data) != p.digest {
			break
		}
		same = p.place + p.size
	}
	return same, nil
}

// fetch fetches a transcript from a place on, and checks each piece.
func (d *Depot) fetch(ctx context.Context, id string, from, to int64, into io.WriterAt) error {
	rows, err := d.db.Reads().QueryContext(ctx, "SELECT p.place, p.digest, b.data FROM depot_parts p JOIN depot_pieces b ON b.digest = p.digest WHERE p.session = $1 AND p.place >= $2 AND p.place < $3 ORDER BY p.place", id, from, to)
	if err != nil {
		return d.db.Explain(err)
	}
	defer rows.Close()
	at := from
	for rows.Next() {
		var place int64
		var digest string
		var data []byte
		if err := rows.Scan(&place, &digest, &data); err != nil {
			return d.db.Explain(err)
		}
		if place != at {
			return &Damaged{id, at, "something is missing"}
		}
		if sumOf(data) != digest {
			return &Damaged{id, at, "it is not what was written"}
		}
		if _, err := into.WriteAt(data, at); err != nil {
			return err
		}
		at += int64(len(data))
	}
	if err := rows.Err(); err != nil {
		return d.db.Explain(err)
	}
	if at != to {
		return &Damaged{id, at, "something is missing"}
	}
	return nil
}

// Files are what else a session consists of, by their names.
func (d *Depot) Files(ctx context.Context, id string) (map[string][]byte, error) {
	rows, err := d.db.Reads().QueryContext(ctx, "SELECT name, data FROM depot_files WHERE session = $1", id)
	if err != nil {
		return nil, d.db.Explain(err)
	}
	defer rows.Close()
	all := map[string][]byte{}
	for rows.Next() {
		var name string
		var data []byte
		if err := rows.Scan(&name, &data); err != nil {
			return nil, d.db.Explain(err)
		}
		all[name] = data
	}
	return all, d.db.Explain(rows.Err())
}
