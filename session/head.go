package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
)

// Beside a transcript lies its head: number and sum of the last record. It is written
// over when a record is on the disk, and nobody waits until the head is there as well:
// after a crash it may be behind, but never ahead. So a transcript that ends before its
// head was cut off.
const (
	headName = "head"
	// headSize is that of the file, always, so that it is written over in one piece.
	headSize = 96
)

func headPath(dir string) string { return filepath.Join(dir, headName) }

// readHead is where a transcript ends at least. Without a head, or with an empty one as a
// crash of the machine may leave it, nothing is known: the zero link.
func readHead(dir string) (chain.Link, error) {
	text, err := durable.Read(headPath(dir), headSize)
	if errors.Is(err, fs.ErrNotExist) {
		return chain.Link{}, nil
	}
	if err != nil {
		return chain.Link{}, badHead(dir, err)
	}
	text = bytes.Trim(text, "\x00 \n")
	if len(text) == 0 {
		return chain.Link{}, nil
	}
	l, ok := chain.ParseLink(string(text))
	if !ok {
		return l, badHead(dir, errors.New("it is damaged"))
	}
	return l, nil
}

func badHead(dir string, err error) error {
	return fmt.Errorf("%s, which says where it ends, cannot be used: %w (to go on all the same, remove that file)", headPath(dir), err)
}

// watchHead reads the head of a transcript that another process may be writing: what is
// read twice was not read in the middle of a change.
func watchHead(dir string) (l chain.Link, err error) {
	const tries = 10
	for range tries {
		var again chain.Link
		l, err = readHead(dir)
		if again, _ = readHead(dir); err == nil && again == l {
			break
		}
	}
	return l, err
}

// head writes the head of a transcript.
type head struct {
	dir  string
	file *os.File // nil until it is needed
	text []byte
}

func (h *head) write(l chain.Link) error {
	if h.dir == "" {
		return nil
	}
	if h.file == nil {
		path := headPath(h.dir)
		// Opening a pipe would wait for ever, and a link leads elsewhere.
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return &fs.PathError{Op: "write", Path: path, Err: chain.ErrNotRegular}
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		h.file = file
	}
	h.text = l.Append(h.text[:0])
	for len(h.text) < headSize-1 {
		h.text = append(h.text, ' ')
	}
	h.text = append(h.text, '\n')
	_, err := h.file.WriteAt(h.text, 0)
	return err
}

func (h *head) close() {
	if h.file != nil {
		_ = h.file.Close() // it may be behind
		h.file = nil
	}
}
