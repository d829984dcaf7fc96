package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// commit writes updates into one settings file: read, patch and replace under a
// lock, so that no other process's update is lost.
func (p *places) commit(dest rule.Source, updates []permission.Update) error {
	path, err := p.path(dest)
	if err != nil {
		return err
	}
	place, err := p.place(dest)
	if err != nil {
		return err
	}
	if place.Source != dest {
		return fmt.Errorf("%s is the file of the user's settings, which count everywhere (choose the user's settings, or remove the link if it is one)", path)
	}
	target := place.File
	// The workspace comes first: its trust covers both of its files.
	locks := []string{target}
	if fromWorkspace(dest) {
		locks = []string{p.realDir, target}
	}
	unlock, err := p.lockAll(locks...)
	if err != nil {
		return err
	}
	defer unlock()
	for range 5 {
		before, err := current(target)
		if err != nil {
			return unreadable(path, err)
		}
		done, err := p.commitOver(before, dest, path, target, updates)
		if done || err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: another program keeps changing it (try again when it is done)", path)
}

// commitOver writes the updates over a file that says before. It reports false,
// and writes nothing, when somebody who does not take the lock, an editor, has
// changed the file meanwhile.
func (p *places) commitOver(before []byte, dest rule.Source, path, target string, updates []permission.Update) (done bool, err error) {
	after, err := p.patch(path, before, dest, updates)
	if err != nil {
		return false, err
	}
	if before != nil && bytes.Equal(before, after) {
		return true, nil
	}
	if err := durable.MakeDir(filepath.Dir(target), dirMode(dest)); err != nil {
		return false, err
	}
	settle, err := p.keepTrust(dest, before, after)
	if err != nil {
		return false, err
	}
	again, err := current(target)
	if err != nil || !bytes.Equal(before, again) || (before == nil) != (again == nil) {
		return false, errors.Join(err, settle(false))
	}
	if err := p.replaceFile(target, after, fileMode(dest)); err != nil {
		return false, errors.Join(fmt.Errorf("%s cannot be written: %w", path, err), settle(false))
	}
	return true, settle(true)
}

// current reads a file; nil when there is none.
func current(path string) ([]byte, error) {
	data, err := readFile(path, maxFileSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []byte(data), nil
}

// Project settings are shared with the team; the others are this person's.
func fileMode(dest rule.Source) fs.FileMode {
	if dest == rule.ProjectSettings {
		return 0o644
	}
	return 0o600
}

func dirMode(dest rule.Source) fs.FileMode {
	if dest == rule.UserSettings {
		return 0o700
	}
	return 0o755
}
