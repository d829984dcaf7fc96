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
	"strings"
	"syscall"
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
	t, err := s.resume(id) // which proves that it is whole
	if errors.Is(err, syscall.EROFS) {
		return s.exportUnlocked(id, w, by, version)
	}
	if err != nil {
		return Manifest{}, err
	}
	defer t.Close()
	disk, err := chain.OpenToRead(t.Path())
	if err != nil {
		return Manifest{}, err
	}
	defer disk.Close()
	return s.export(w, t.manifest(), t.place().Offset, disk, by, version)
}

// exportUnlocked exports from a disk that cannot be written: nobody can take the session
// there, and nobody can change it either.
func (s *Store) exportUnlocked(id string, w io.Writer, by, version string) (Manifest, error) {
	v, err := s.look(id)
	if err != nil {
		return Manifest{}, err
	}
	defer v.disk.Close()
	m := Manifest{Session: id, Head: v.state.end.Link.String(), Cwd: v.state.start.Cwd}
	return s.export(w, m, v.state.end.Offset, v.disk, by, version)
}

func (t *Transcript) manifest() Manifest {
	return Manifest{Session: t.id, Head: t.Head(), Cwd: t.state.start.Cwd}
}

// export writes the file of a session whose transcript has so many bytes that count.
func (s *Store) export(w io.Writer, m Manifest, bytes int64, disk io.ReaderAt, by, version string) (Manifest, error) {
	m.Format, m.Exported, m.By, m.Version = exportVersion, s.now().UTC(), wellFormed(by), version
	transcript := func() io.Reader { // the last line may lack its line feed
		return io.LimitReader(io.MultiReader(io.NewSectionReader(disk, 0, bytes), strings.NewReader("\n")), bytes)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, transcript()); err != nil {
		return m, err
	}
	m.Files = append(m.Files, ExportedFile{transcriptName, bytes, sumText(sum)})
	state, err := durable.Read(filepath.Join(s.path(m.Session), stateName), hook.MaxState)
	switch {
	case errors.Is(err, fs.ErrNotExist): // a session without hooks' state is exported as it is
	case err != nil:
		return m, fmt.Errorf("the state of the hooks of session %s cannot be read: %w", m.Session, err)
	default:
		sum := sha256.Sum256(state)
		m.Files = append(m.Files, ExportedFile{stateName, int64(len(state)), hex.EncodeToString(sum[:])})
	}
	return m, writeExport(w, m, transcript(), state)
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
