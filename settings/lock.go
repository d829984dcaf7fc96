package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/assent-dev/assent/internal/durable"
)

// lock takes the lock of a path among all processes of this user. Lock files are
// kept in the state directory, so that none appear in a project.
func (p *places) lock(path string) (unlock func(), err error) {
	if p.StateDir == "" {
		return nil, errNoHome
	}
	dir := filepath.Join(p.StateDir, "locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot lock %s: %w", path, err)
	}
	return durable.Lock(filepath.Join(dir, durable.LockName(path)), path, durable.Patience)
}

// lockAll takes several locks in the order given, which must be the same
// everywhere.
func (p *places) lockAll(paths ...string) (unlock func(), err error) {
	var held []func()
	unlock = func() {
		for i := len(held) - 1; i >= 0; i-- {
			held[i]()
		}
	}
	var names []string
	for _, path := range paths {
		if slices.Contains(names, durable.LockName(path)) {
			continue // one lock for both
		}
		names = append(names, durable.LockName(path))
		one, err := p.lock(path)
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, one)
	}
	return unlock, nil
}
