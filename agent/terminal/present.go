package terminal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assent-dev/assent/internal/durable"
)

// presence is what is known about the file that a call would replace.
type presence uint8

const (
	present presence = iota + 1
	absent
	unreadable
)

// maxPresent is how large a file may be to be compared.
const maxPresent = 1 << 20

// read is what a file holds now. Only ordinary files are read: a pipe would wait for
// somebody who writes.
func (a *Asker) read(path string) (string, presence) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(*a.dir.Load(), path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", absent
	case err != nil || !info.Mode().IsRegular() || info.Size() > maxPresent:
		return "", unreadable
	}
	file, err := durable.Open(path, durable.NoWait)
	if err != nil {
		return "", unreadable
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxPresent+1))
	if err != nil || len(text) > maxPresent {
		return "", unreadable
	}
	return string(text), present
}
