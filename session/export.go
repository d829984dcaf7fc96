package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
)

// An exported session is one file:
//
//	{"assent_session":1,"session":…,"files":[{"name":"transcript.jsonl","bytes":…,"sha256":…},…],…}
//	the bytes of the first file, the bytes of the second
//	{"end":"the SHA-256 sum of all that stands before this line"}
//
// The files are exactly as the session has them, so the transcript is lines of JSON that
// every tool for such lines can read.

// exportVersion is that of the format.
const exportVersion = 1

// stateName is the state of the session's hooks.
const stateName = "state.json"

// Manifest says what an exported session is.
type Manifest struct {
	Format  int    `json:"assent_session"`
	Session string `json:"session"`
	// Head is number and sum of the last record.
	Head string `json:"head"`
	// Cwd is where the session worked.
	Cwd string `json:"cwd"`
	// Exported and By are when and by whom, Version is that of the program.
	Exported time.Time      `json:"exported"`
	By       string         `json:"by"`
	Version  string         `json:"version"`
	Files    []ExportedFile `json:"files"`
}

// ExportedFile is one file of an exported session.
type ExportedFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

type exportEnd struct {
	End string `json:"end"`
}

// Export writes a session as one file. Nobody has it open meanwhile: the error is an
// [*InUse] otherwise. by and version are for the manifest.
func (s *Store) Export(id string, w io.Writer, by, version string) (Manifest, error) {
	t, err := s.Resume(id) // which proves that it is whole
	if err != nil {
		return Manifest{}, err
	}
	defer t.Close()
	end := t.place()
	m := Manifest{
		Format: exportVersion, Session: id, Head: end.Link.String(), Cwd: t.state.start.Cwd,
		Exported: s.now().UTC(), By: wellFormed(by), Version: version,
	}
	disk, err := chain.OpenToRead(t.Path())
	if err != nil {
		return m, err
	}
	defer disk.Close()
	transcript := io.NewSectionReader(disk, 0, end.Offset)
	sum := sha256.New()
	if _, err := io.Copy(sum, transcript); err != nil {
		return m, err
	}
	m.Files = append(m.Files, ExportedFile{transcriptName, end.Offset, sumText(sum)})
	state, err := durable.Read(filepath.Join(t.Dir(), stateName), hook.MaxState)
	switch {
	case errors.Is(err, fs.ErrNotExist): // a session without hooks' state is exported as it is
	case err != nil:
		return m, fmt.Errorf("the state of the hooks of session %s cannot be read: %w", id, err)
	default:
		sum := sha256.Sum256(state)
		m.Files = append(m.Files, ExportedFile{stateName, int64(len(state)), hex.EncodeToString(sum[:])})
	}
	if _, err := transcript.Seek(0, io.SeekStart); err != nil {
		return m, err
	}
	return m, writeExport(w, m, transcript, state)
}

func writeExport(w io.Writer, m Manifest, transcript io.Reader, state []byte) error {
	head, err := strictjson.Marshal(m)
	if err != nil {
		return err
	}
	all := sha256.New()
	to := io.MultiWriter(w, all)
	if _, err := to.Write(append(head, '\n')); err != nil {
		return err
	}
	if _, err := io.Copy(to, transcript); err != nil {
		return err
	}
	if _, err := to.Write(state); err != nil {
		return err
	}
	end, err := strictjson.Marshal(exportEnd{sumText(all)})
	if err != nil {
		return err
	}
	_, err = w.Write(append(end, '\n'))
	return err
}

func sumText(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
