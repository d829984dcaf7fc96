package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
)

// beyondName is that of a file with what a depot has lost.
const beyondName = "beyond-%s.jsonl"

// Beyond is the file with what the depot of a session has lost, the last one if there are several;
// empty when there is none.
func (s *Store) Beyond(id string) string {
	all, _ := filepath.Glob(filepath.Join(s.path(id), fmt.Sprintf(beyondName, "*"))) // the pattern is right
	if CheckID(id) != nil || len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// keeping is a copy of a transcript that becomes what the depot has. What it has beyond that does
// not count, and is kept all the same: the depot may have been restored, and what it has lost is
// nowhere else. The whole transcript, as it was, is put beside the new one.
type keeping struct {
	chain.Disk
	dir  string
	size int64

	kept string // the file with all that was there; empty when nothing was cut off
	from int64  // from where on
}

// Truncate keeps what it is about to cut off.
func (k *keeping) Truncate(size int64) error {
	if size < k.size {
		if err := k.keep(size); err != nil {
			return fmt.Errorf("what the database does not have of a session cannot be kept, so it stays as it is: %w", err)
		}
	}
	return k.Disk.Truncate(size)
}

func (k *keeping) keep(from int64) error {
	text, err := io.ReadAll(io.NewSectionReader(k.Disk, 0, k.size))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text) // the same is kept once
	path := filepath.Join(k.dir, fmt.Sprintf(beyondName, hex.EncodeToString(sum[:6])))
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := durable.Replace(path, text, 0o600, ""); err != nil {
		return err
	}
	k.kept, k.from = path, from
	return nil
}

// review removes what was kept for nothing: the depot has it, and the copy was only brought here
// in part.
func (k *keeping) review() error {
	if k.kept == "" {
		return nil
	}
	was, err := os.ReadFile(k.kept)
	if err != nil {
		return err
	}
	is := make([]byte, k.size-k.from)
	if n, err := k.ReadAt(is, k.from); err != nil && err != io.EOF || !bytes.Equal(is[:n], was[k.from:]) {
		return nil
	}
	path := k.kept
	k.kept = ""
	return os.Remove(path)
}
