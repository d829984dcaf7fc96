package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
)

// ErrKept is why a file is not opened: see [Keep].
var ErrKept = errors.New("it belongs to the tickets that this process has open, and is left to them (`assent sessions list` shows the tickets)")

// Kept is a database that this process has open; see [Keep].
type Kept struct {
	file   fs.FileInfo
	beside []string
	// strays are further openings of its files, which must not be closed before it.
	strays []*os.File
}

// keeping are the databases that this process has open. The locks of a process are the
// process's, and so is this list.
var keeping struct {
	any atomic.Bool // most processes have none, and do not pay for it
	mu  sync.RWMutex
	all []*Kept
}

// Keep says that this process has a database open, until it is released: nothing else of
// this process may open its file, or those that lie beside it with such endings. Closing a
// file gives up all locks that the process has on it, whoever took them, and then another
// process may put away what this one has written.
//
// Whoever opens a file that a model, a call, a project or a command line names does so with
// [Open] or [Read], or asks [MayOpen] before and [Opened] after.
func Keep(path string, endings ...string) (*Kept, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil { // the others lie beside the file itself
		return nil, err
	}
	k := &Kept{file: info}
	for _, ending := range endings {
		k.beside = append(k.beside, path+ending)
	}
	keeping.mu.Lock()
	defer keeping.mu.Unlock()
	keeping.all = append(keeping.all, k)
	keeping.any.Store(true)
	return k, nil
}

// Release says that the database is closed.
func (k *Kept) Release() {
	keeping.mu.Lock()
	defer keeping.mu.Unlock()
	keeping.all = slices.DeleteFunc(keeping.all, func(other *Kept) bool { return other == k })
	keeping.any.Store(len(keeping.all) > 0)
	strays := k.strays
	k.strays = nil
	for _, other := range keeping.all {
		if os.SameFile(other.file, k.file) { // it is open a second time
			other.strays = append(other.strays, strays...)
			return
		}
	}
	for _, f := range strays {
		_ = f.Close() // nothing was written there
	}
}

// Is: the database that is kept is this file.
func (k *Kept) Is(info fs.FileInfo) bool { return os.SameFile(k.file, info) }

// Beside are the names of the files beside the database.
func (k *Kept) Beside() []string { return k.beside }

// Keeping: this process has a database open. Otherwise nobody needs to look at a file to
// ask [MayOpenThis].
func Keeping() bool { return keeping.any.Load() }

// MayOpen refuses a file of a database that this process has open, by whatever name, with
// [ErrKept]. It does not open it; what is not there may be opened, and whoever does is told.
func MayOpen(path string) error {
	if !Keeping() {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return MayOpenThis(info)
}

// MayOpenThis is [MayOpen] for a file that somebody has looked at already.
func MayOpenThis(info fs.FileInfo) error { return mayOpen(sameAs(info)) }

// sameAs tells a file from others. Of one at which nobody can look nobody knows.
func sameAs(info fs.FileInfo) func(fs.FileInfo) bool {
	return func(other fs.FileInfo) bool { return info == nil || os.SameFile(info, other) }
}

func mayOpen(same func(fs.FileInfo) bool) error {
	if !Keeping() {
		return nil
	}
	keeping.mu.RLock()
	defer keeping.mu.RUnlock()
	if keeper(same) != nil {
		return ErrKept
	}
	return nil
}

// keeper is the database to which a file belongs; nil when it belongs to none. Somebody holds
// the list.
func keeper(same func(fs.FileInfo) bool) *Kept {
	for _, k := range keeping.all {
		if same(k.file) {
			return k
		}
		for _, name := range k.beside { // which come and go
			if now, err := os.Stat(name); err == nil && same(now) {
				return k
			}
		}
	}
	return nil
}

// keepOpen leaves a file of a database open until that is closed. If that has happened in
// between, or if its name has gone elsewhere, the file stays open for the next one: nobody
// can say whose locks closing it would cost.
func keepOpen(f *os.File, same func(fs.FileInfo) bool) error {
	keeping.mu.Lock()
	defer keeping.mu.Unlock()
	k := keeper(same)
	if k == nil && len(keeping.all) > 0 {
		k = keeping.all[0]
	}
	if k == nil { // no database is open any more
		_ = f.Close()
		return ErrKept
	}
	k.strays = append(k.strays, f)
	return ErrKept
}
