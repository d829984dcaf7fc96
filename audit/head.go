package audit

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
)

// head is where the log ends: the last record, the segment it stands in, and the byte
// behind it.
type head struct {
	chain.Position
	segment string
}

const (
	headName = "head.json"
	lockName = "lock"
	// headSize is that of the file, always: it is written over in one piece, within one
	// block of any disk.
	headSize = 256
)

type headJSON struct {
	Number  int    `json:"n"`
	Sum     string `json:"sha256"`
	Segment string `json:"segment"`
	Offset  int64  `json:"offset"`
}

// text is the content of the file.
func (h head) text() ([]byte, error) {
	line, err := strictjson.Marshal(headJSON{h.Number, hex.EncodeToString(h.Sum[:]), h.segment, h.Offset})
	if err != nil {
		return nil, err
	}
	if len(line) >= headSize {
		return nil, fmt.Errorf("the head has %d bytes", len(line))
	}
	text := bytes.Repeat([]byte(" "), headSize)
	copy(text, line)
	text[headSize-1] = '\n'
	return text, nil
}

// readHead reads the head of a log. Without one the error is fs.ErrNotExist.
func readHead(dir string) (h head, err error) {
	text, err := durable.Read(filepath.Join(dir, headName), headSize)
	if err != nil {
		return h, err
	}
	var j headJSON
	if err := strictjson.UnmarshalKnown(bytes.TrimSpace(text), &j); err != nil {
		return h, err
	}
	if len(j.Sum) != 2*len(h.Sum) {
		return h, errors.New("the sum is none")
	}
	if _, err := hex.Decode(h.Sum[:], []byte(j.Sum)); err != nil {
		return h, errors.New("the sum is none")
	}
	if first, ok := firstOf(j.Segment); !ok || j.Number < 0 || j.Offset < 0 || first > j.Number+1 {
		return h, errors.New("it makes no sense")
	}
	h.Number, h.Offset, h.segment = j.Number, j.Offset, j.Segment
	return h, nil
}

// write writes the head over the one before. It need not be on the disk when write
// returns: a head that is behind is made good, and the record is safe already.
func (h head) write(dir string) error {
	text, err := h.text()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, headName), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(text, 0)
	return errors.Join(err, f.Close())
}

// check compares the head with the record that it stands for.
func (h head) check(disk chain.Disk) error {
	if h.Offset == 0 {
		return nil
	}
	last, ok, err := chain.Last(disk, h.Offset)
	if err != nil {
		return err
	}
	if !ok || last.Position != h.Position {
		return fmt.Errorf("%w: its head stands for another record %d than the one in %s", ErrTampered, h.Number, h.segment)
	}
	return nil
}

// begin makes the head of an empty log. It is there before the first record is, so
// that a log without a head is always one whose head was removed.
func begin(dir string) (head, error) {
	h := head{segment: segmentName(1)}
	text, err := h.text()
	if err != nil {
		return h, err
	}
	return h, durable.Replace(filepath.Join(dir, headName), text, 0o600, "")
}

// currentHead is the head of a log, or that of a new one. A log in which somebody knows of
// records is none: to begin it anew would hide that they are gone.
func currentHead(dir string, known int) (head, error) {
	h, err := readHead(dir)
	if err == nil {
		return h, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("%w: its head cannot be used: %w", ErrTampered, err)
	}
	names, err := segments(dir)
	if err != nil {
		return h, err
	}
	if len(names) > 0 || known > 0 {
		return h, fmt.Errorf("%w: its head %s is gone", ErrTampered, headName)
	}
	return begin(dir)
}
