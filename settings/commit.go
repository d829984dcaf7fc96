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
	target, err := p.target(dest, path)
	if err != nil {
		return err
	}
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

// target is the file behind path when links are followed. A workspace must not
// steer what somebody allows in it into another place's settings.
func (p *places) target(dest rule.Source, path string) (string, error) {
	if link, _ := danglingLink(path); link != "" {
		return "", unreadable(path, &linkError{link})
	}
	target := resolved(path)
	if !fromWorkspace(dest) || within(p.realDir, target) {
		return target, p.notShared(dest, path, target)
	}
	if err := p.notShared(dest, path, target); err != nil {
		return "", err
	}
	s, err := Load(p.Options)
	if err != nil {
		return "", err
	}
	if s.trust.Status != Trusted {
		return "", fmt.Errorf("%s leads to %s, outside of the workspace, which nobody has trusted (run `assent trust %s` or remove the link)", path, target, p.Dir)
	}
	return target, nil
}

// notShared refuses a workspace file that is really the user's or the
// administrator's.
func (p *places) notShared(dest rule.Source, path, target string) error {
	if !fromWorkspace(dest) || dest == rule.ProjectSettings && p.atHome() {
		return nil
	}
	others := ManagedPlaces(p.ManagedFiles)
	if user, err := p.path(rule.UserSettings); err == nil {
		others = append(others, user)
	}
	for _, other := range others {
		if resolved(other) == target {
			return fmt.Errorf("%s is a link to %s, which counts everywhere (remove the link, or choose that destination)", path, other)
		}
	}
	return nil
}
