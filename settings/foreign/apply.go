package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/assent-dev/assent/internal/durable"
)

const stateHint = " (make it writable for you, or name another one with ASSENT_HOME)"

// Apply does what the plan says, or nothing: when one file cannot be written the
// others get their old text back.
func (p *Plan) Apply() error {
	if len(p.Changes) == 0 {
		return nil
	}
	unlock, err := p.lock()
	if err != nil {
		return err
	}
	defer unlock()
	for _, c := range p.Changes {
		if err := c.unchanged(); err != nil {
			return err
		}
	}
	known, err := readRecords(p.options.stateDir())
	if err != nil {
		return err
	}
	// The record comes first: undoing copes with one that says too much.
	if err := known.with(p.records()).save(p.options.stateDir()); err != nil {
		return fmt.Errorf("the record of what is changed cannot be written to %s: %w; nothing was changed%s", p.options.stateDir(), cause(err), stateHint)
	}
	for i, c := range p.Changes {
		if err := p.write(c, c.After); err != nil {
			failed := fmt.Errorf("%s cannot be written: %w; nothing was changed%s", c.File, cause(err), permissionHint(err, "writable"))
			return errors.Join(failed, p.rollBack(i), known.save(p.options.stateDir()))
		}
	}
	return nil
}

func (p *Plan) records() []record {
	var all []record
	for _, c := range p.Changes {
		all = append(all, c.record)
	}
	return all
}

// unchanged: the file still says what was shown.
func (c Change) unchanged() error {
	now, err := readFile(c.target)
	if errors.Is(err, fs.ErrNotExist) {
		now, err = nil, nil
	}
	if err == nil && (!bytes.Equal(now, c.Before) || (now == nil) != (c.Before == nil)) {
		err = errors.New("somebody changed it meanwhile")
	}
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was changed (run this again)", c.File, err)
	}
	return nil
}

// write makes a file say text; nil removes it, with the directories that were made
// for it as far as they are empty.
func (p *Plan) write(c Change, text []byte) error {
	fileMode, dirMode := fs.FileMode(0o600), fs.FileMode(0o700)
	if p.options.Scope == Project {
		fileMode, dirMode = 0o644, 0o755
	}
	if text != nil {
		if err := durable.MakeDir(filepath.Dir(c.target), dirMode); err != nil {
			return err
		}
		return durable.Replace(c.target, text, fileMode, filepath.Join(p.options.stateDir(), "tmp"))
	}
	if err := os.Remove(c.target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, dir := range slices.Backward(c.record.Dirs) {
		if os.Remove(dir) != nil {
			break // there is something else in it
		}
	}
	return nil
}

// rollBack restores the files before the one that failed, and removes the
// directories that were made for that one.
func (p *Plan) rollBack(failed int) error {
	var all []error
	for _, c := range slices.Backward(p.Changes[:failed+1]) {
		if c.unchanged() == nil {
			if c.Before == nil {
				all = append(all, p.write(c, nil))
			}
			continue
		}
		all = append(all, p.write(c, c.Before))
	}
	return errors.Join(all...)
}

// lock keeps other processes away: those that run this, and those that write "always
// allow" into the same settings file.
func (p *Plan) lock() (unlock func(), err error) {
	dir := filepath.Join(p.options.stateDir(), "locks")
	if err := durable.MakeDir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the state directory %s cannot be used: %w; nothing was changed%s", p.options.stateDir(), cause(err), stateHint)
	}
	paths := []string{filepath.Join(dir, "init.lock")}
	for _, c := range p.Changes {
		paths = append(paths, filepath.Join(dir, durable.LockName(c.target)))
	}
	slices.Sort(paths[1:])
	var held []func()
	unlock = func() {
		for _, release := range slices.Backward(held) {
			release()
		}
	}
	for _, path := range slices.Compact(paths) {
		release, err := durable.Lock(path, "the files of the agents", durable.Patience)
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, release)
	}
	return unlock, nil
}
