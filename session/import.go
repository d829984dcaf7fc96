package session

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/strictjson"
)

const (
	// maxManifest is how long the first line of an exported session may be.
	maxManifest = 64 << 10
	// maxTranscript is how long its transcript may be.
	maxTranscript = 4 << 30
	// endLine is how long its last line is, with the line feed.
	endLine = int64(len(`{"end":""}`) + 2*sha256.Size + 1)
)

// BadExport: a file is no exported session, or not as it was written.
type BadExport struct{ Err error }

func (e *BadExport) Error() string {
	return fmt.Sprintf("the file is no exported session, or was damaged: %v (nothing was written; export the session again)", e.Err)
}

// Unwrap returns what is wrong.
func (e *BadExport) Unwrap() error { return e.Err }

// Exported is an exported session that was checked from the first byte to the last.
type Exported struct {
	Manifest
	// Pending are the calls that wait in it; nil means none.
	Pending *Pending

	transcript *io.SectionReader
	state      []byte // nil when it has none
	end        chain.Position
}

// ReadExport checks an exported session. Nothing is written. The file must not change
// until it is imported; if it does, the import notices.
func ReadExport(file io.ReaderAt, size int64) (*Exported, error) {
	x, err := readExport(file, size)
	if err != nil {
		return nil, &BadExport{err}
	}
	return x, nil
}

func readExport(file io.ReaderAt, size int64) (*Exported, error) {
	x := &Exported{}
	at, err := x.readManifest(file, size)
	if err != nil {
		return nil, err
	}
	if err := checkEnd(file, size); err != nil {
		return nil, err
	}
	sections := make([]*io.SectionReader, len(x.Files))
	for i, f := range x.Files {
		sections[i] = io.NewSectionReader(file, at, f.Bytes)
		at += f.Bytes
		if err := f.check(sections[i]); err != nil {
			return nil, err
		}
	}
	x.transcript = sections[0]
	if len(sections) > 1 {
		if x.state, err = io.ReadAll(io.NewSectionReader(sections[1], 0, sections[1].Size())); err != nil {
			return nil, err
		}
		var values hook.Values
		if err := strictjson.Unmarshal(x.state, &values); err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", stateName, err)
		}
	}
	return x, x.readTranscript()
}

// readManifest reads the first line, and returns where the first file begins.
func (x *Exported) readManifest(file io.ReaderAt, size int64) (at int64, err error) {
	first := make([]byte, min(size, maxManifest))
	if _, err := file.ReadAt(first, 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	line, _, found := bytes.Cut(first, []byte("\n"))
	if !found {
		return 0, errors.New("its first line is missing or too long")
	}
	var version struct {
		Format int `json:"assent_session"`
	}
	if err := strictjson.Unmarshal(line, &version); err != nil {
		return 0, fmt.Errorf("its first line cannot be read: %w", err)
	}
	if version.Format > exportVersion {
		return 0, fmt.Errorf("it was written by a newer assent (format %d, this one knows %d): update assent", version.Format, exportVersion)
	}
	if err := strictjson.UnmarshalKnown(line, &x.Manifest); err != nil {
		return 0, fmt.Errorf("its first line cannot be read: %w", err)
	}
	at = int64(len(line)) + 1
	return at, x.checkManifest(size - at - endLine)
}

// checkManifest looks whether the files are those that a session has. Their names are
// fixed: none leads to another place. room is how many bytes they have.
func (x *Exported) checkManifest(room int64) error {
	if x.Format != exportVersion {
		return errors.New("its first line does not say that it is one")
	}
	if err := CheckID(x.Session); err != nil {
		return err
	}
	limits := []struct {
		name string
		most int64
	}{{transcriptName, maxTranscript}, {stateName, hook.MaxState}}
	if len(x.Files) == 0 || len(x.Files) > len(limits) {
		return fmt.Errorf("it has %d files, and a session has %s and perhaps %s", len(x.Files), transcriptName, stateName)
	}
	for i, f := range x.Files {
		switch {
		case f.Name != limits[i].name:
			return fmt.Errorf("its file %d has the name %q and not %s", i+1, f.Name, limits[i].name)
		case f.Bytes < 0 || f.Bytes > limits[i].most:
			return fmt.Errorf("its file %s has %d bytes; at most %d are taken", f.Name, f.Bytes, limits[i].most)
		}
		room -= f.Bytes
	}
	if room != 0 {
		return errors.New("it has more or fewer bytes than its first line says")
	}
	return nil
}

// checkEnd proves that no byte has changed on the way.
func checkEnd(file io.ReaderAt, size int64) error {
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, size-endLine)); err != nil {
		return err
	}
	line := make([]byte, endLine)
	if _, err := file.ReadAt(line, size-endLine); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	want, err := strictjson.Marshal(exportEnd{sumText(sum)})
	if err != nil {
		return err
	}
	if string(line) != string(want)+"\n" {
		return errors.New("its last line is not the sum of what stands before")
	}
	return nil
}

func (f ExportedFile) check(r io.Reader) error {
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return err
	}
	if sumText(sum) != f.SHA256 {
		return fmt.Errorf("its file %s does not have the sum that its first line says", f.Name)
	}
	return nil
}

// readTranscript takes in every record as if the session was opened.
func (x *Exported) readTranscript() error {
	var s state
	for e, err := range x.entries() {
		if err != nil {
			return fmt.Errorf("%s: %w", transcriptName, err)
		}
		r, err := unwrap(e)
		if err == nil {
			err = s.take(r, e.Position)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", transcriptName, err)
		}
	}
	if err := s.check(x.Session); err != nil {
		return fmt.Errorf("%s: %w", transcriptName, err)
	}
	if s.end.Link.String() != x.Head || s.start.Cwd != x.Cwd {
		return errors.New("its first line is that of another session")
	}
	x.end, x.Pending = s.end, s.pending.clone()
	return x.checkConversation(s)
}

// checkConversation proves that an agent could go on with what the records say.
func (x *Exported) checkConversation(s state) error {
	since := chain.NewReader(io.NewSectionReader(x.transcript, s.since.Offset, s.end.Offset-s.since.Offset), s.since)
	c, err := s.settled().with(unwrapped(since, func(err error) error { return err }))
	if err == nil {
		err = c.check(s.start.Cwd)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", transcriptName, err)
	}
	return nil
}

func (x *Exported) entries() func(yield func(chain.Entry, error) bool) {
	return chain.NewReader(io.NewSectionReader(x.transcript, 0, x.transcript.Size()), chain.Position{}).All()
}
