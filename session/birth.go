package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/assent-dev/assent/internal/chain"
)

// MostOfBirth is how much of the beginning of a transcript its birth is made of, at most.
const MostOfBirth = 64 << 10

// birthOf is by what a session is known besides its ID: its first record. One that is begun anew under
// the ID has another one.
func birthOf(transcript io.ReaderAt) (string, error) {
	text := make([]byte, MostOfBirth)
	n, err := transcript.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	line, _, _ := bytes.Cut(text[:n], []byte("\n"))
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:16]), nil
}

// Answers is nil when the tickets beside this store have what was said about the calls of the nearest n
// sessions of which one is a fork: they lie here, or in the depot. Else the error says why nobody can
// tell: one may lie elsewhere by now, and people may answer there.
func (s *Store) Answers(fork string, n int) error {
	if n == 0 {
		return nil
	}
	start, err := s.first(fork)
	if err != nil {
		return err
	}
	forks := start.Forks()
	if n > len(forks) {
		return fmt.Errorf("session %s does not say which sessions it is a fork of", fork)
	}
	for i, of := range forks[:n] {
		birth, err := s.birth(of)
		switch {
		case err != nil:
			return err
		case i >= len(start.Births):
			return fmt.Errorf("an earlier version has made a fork of session %s, and did not write down which one that is", of)
		case birth != start.Births[i]:
			return fmt.Errorf("session %s is another one by now", of)
		}
	}
	return nil
}

// birth is that of a session that lies here, or in the depot.
func (s *Store) birth(id string) (string, error) {
	if err := CheckID(id); err != nil {
		return "", err
	}
	if s.Depot == nil {
		return s.birthHere(id)
	}
	text, err := s.Depot.Opening(id)
	if errors.Is(err, ErrUnknown) {
		return "", fmt.Errorf("session %s does not lie in this database", id)
	}
	if err != nil {
		return "", err
	}
	return birthOf(bytes.NewReader(text))
}

func (s *Store) birthHere(id string) (string, error) {
	if err := s.Elsewhere(id); err != nil {
		return "", err
	}
	if !s.begun(id) {
		return "", fmt.Errorf("session %s is not on this machine any more", id)
	}
	disk, err := chain.OpenToRead(filepath.Join(s.path(id), transcriptName))
	if err != nil {
		return "", err
	}
	defer disk.Close()
	return birthOf(disk)
}
