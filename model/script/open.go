package script

import (
	"fmt"
	"io"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/model"
)

// maxFile is how large a script may be.
const maxFile = 16 << 20

// Open reads a script file. It takes plain files only: opening a pipe would wait, and
// a device may have no end.
func Open(path string) (model.Provider, error) {
	f, err := durable.Open(path, durable.NoWait)
	if err != nil {
		return nil, fmt.Errorf("the script cannot be read: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("the script cannot be read: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the script cannot be read: %s is not a regular file", path)
	}
	// The size is not asked for: a file may grow, and some do not know theirs.
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("the script cannot be read: %w", err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("the script %s has more than the limit of %d bytes", path, maxFile)
	}
	return New(path, text)
}
