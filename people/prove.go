package people

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
)

// DigestBy is what is kept of the token whose digest begins so; nil when there is none. Whether
// the token still counts is another question: [Store.Who] says why it does not.
func (s *Store) DigestBy(ctx context.Context, prefix []byte) (digest []byte, err error) {
	rest := sha256.Size - len(prefix)
	from, to := append(bytes.Clone(prefix), make([]byte, rest)...), append(bytes.Clone(prefix), bytes.Repeat([]byte{0xff}, rest)...)
	err = s.db.Reads().QueryRowContext(ctx, "SELECT digest FROM people_sign_ins WHERE digest >= $1 AND digest <= $2 ORDER BY digest LIMIT 1", from, to).Scan(&digest)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return digest, s.db.Explain(err)
}
