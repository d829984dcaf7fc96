package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/assent-dev/assent/internal/chain"
)

// own makes an open transcript this process's own. The lock file says so at first, but
// it is a name that can be removed, and then two processes would each hold one. The
// open file is the same for both.
func own(id, path string, disk chain.Disk) error {
	if err := privateFile(path, disk); err != nil {
		return err
	}
	switch held, err := tryLock(disk.File); {
	case err != nil:
		return fmt.Errorf("session %s cannot be used: %w", id, err)
	case !held:
		return &InUse{ID: id} // whoever has it, the lock file does not say
	}
	return nil
}

// owned is a transcript of this process. It is given back at once when it is closed: a
// command that starts at that moment has the file open, too, until it is there, and would
// hold it so long.
type owned struct{ chain.Disk }

func (o owned) Close() error {
	unlockFile(o.File)
	return o.Disk.Close()
}

// unchanged: the file is still the one of that name, and it ends where this process
// has ended it.
func unchanged(path string, disk chain.Disk, end int64) error {
	ours, err := disk.Stat()
	if err != nil {
		return err
	}
	named, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s is gone", ErrForeign, path)
	case err != nil:
		return err
	case !os.SameFile(ours, named):
		return fmt.Errorf("%w: %s is another file now", ErrForeign, path)
	case ours.Size() != end:
		return fmt.Errorf("%w: %s has %d bytes and should have %d", ErrForeign, path, ours.Size(), end)
	}
	return nil
}

// private refuses what the group or others can write. The chain of a transcript needs
// no key, so whoever can write one can make it say anything.
func private(path string, info fs.FileInfo) error {
	if info.Mode()&writableByOthers != 0 {
		return &Exposed{Path: path, Mode: info.Mode()}
	}
	return nil
}

func privateFile(path string, disk chain.Disk) error {
	info, err := disk.Stat()
	if err != nil {
		return err
	}
	return private(path, info)
}
