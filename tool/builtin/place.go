package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/permission"
)

// place is where a file is or will be: a directory that is held open, and a name in it.
// Between the moment a call was judged and the moment it runs somebody may have put a
// link into the path. A place is found without following any, so it is the place that
// was judged or it is none.
type place struct {
	path string // as it was judged
	name string
	dir  *folder
}

// errLink is a link where none was when the call was judged.
var errLink = errors.New("there is a symbolic link now where none was when this call was judged; nothing was touched. Call the tool again to have the new place judged")

// judgedPath is the place that the engine has looked at.
func judgedPath(p permission.Path) (string, error) {
	switch {
	case p.Problem != "":
		return "", fmt.Errorf("%s: %s", plainName(p.Given), p.Problem)
	case p.Real == "" || !path.IsAbs(p.Real) || path.Clean(p.Real) != p.Real:
		return "", fmt.Errorf("%q is not a path that can be judged", p.Given)
	case p.Real == "/":
		return "", errors.New("/ is a directory")
	}
	return p.Real, nil
}

// parents is what to do about directories that are missing.
type parents uint8

const (
	mustExist parents = iota
	makeThem
)

// findPlace opens the directory of a path. The caller closes the place.
func findPlace(file string, missing parents) (*place, error) {
	dir, name := path.Split(file)
	d, err := openFolder(path.Clean(dir), missing)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plainName(file), explainPath(err))
	}
	return &place{path: file, name: name, dir: d}, nil
}

func (p *place) close() { p.dir.close() }

// state is what the system says about a file.
type state struct {
	mode     fs.FileMode
	size     int64
	modified time.Time
	// device, number, owner and group are zero where the system has none.
	device, number uint64
	owner, group   uint32
	links          uint64 // how many names the file has
}

// same: it is the same file, and nobody has written to it.
func (s state) same(t state) bool {
	return s.device == t.device && s.number == t.number && s.size == t.size && s.modified.Equal(t.modified)
}

// look says what is at the place; fs.ErrNotExist when nothing is. What is not a plain
// file is refused: reading a pipe or a device may wait for ever, and writing one does
// something.
func (p *place) look() (state, error) {
	s, err := p.dir.lstat(p.name)
	if err == nil {
		err = s.touchable()
	}
	if err != nil {
		return state{}, p.failed(err)
	}
	return s, nil
}

// touchable refuses what is no plain file, and the tickets that this process has open.
func (s state) touchable() error {
	if err := plainFile(s.mode); err != nil {
		return err
	}
	return durable.MayOpenNumbered(s.device, s.number)
}

func plainFile(mode fs.FileMode) error {
	const only = "; only plain files can be read and written"
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return errors.New("it is a directory, not a file; list it with Glob or with ls")
	case mode&fs.ModeSymlink != 0:
		return errLink
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("it is a pipe" + only)
	case mode&fs.ModeSocket != 0:
		return errors.New("it is a socket" + only)
	case mode&fs.ModeDevice != 0:
		return errors.New("it is a device" + only)
	}
	return errors.New("it is no plain file" + only)
}

// open opens the file for reading.
func (p *place) open() (*os.File, state, error) {
	if _, err := p.look(); err != nil {
		return nil, state{}, err
	}
	f, err := p.dir.open(p.name)
	if err != nil {
		return nil, state{}, p.failed(err)
	}
	s, err := stateOf(f)
	if err == nil {
		err = plainFile(s.mode) // it may have been exchanged since we looked
	}
	if err != nil {
		_ = f.Close()
		return nil, state{}, p.failed(err)
	}
	return f, s, nil
}

// shown is the path for people, models and programs, which only take text.
func (p *place) shown() string { return plainName(p.path) }

// failed is an error of the system or of ours with the path that it is about.
func (p *place) failed(err error) error { return fmt.Errorf("%s: %w", p.shown(), explainPath(err)) }

// explainPath takes the path out of an error of the system, which names only a part of
// it, and keeps what matters.
func explainPath(err error) error {
	switch {
	case errors.Is(err, errLink):
		return errLink
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case errors.Is(err, fs.ErrPermission):
		return fs.ErrPermission
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// components of a clean absolute path.
func components(dir string) []string {
	if dir == "/" {
		return nil
	}
	return strings.Split(strings.TrimPrefix(dir, "/"), "/")
}
