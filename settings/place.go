package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// Place is where updates for a source are written, and where they count.
type Place struct {
	// File is the file that is written, links followed; empty for a source that is in no file.
	File string
	// Source says where it counts. It is [rule.UserSettings] for a file of the workspace that is the
	// user's own, which counts in every workspace.
	Source rule.Source
}

// Place finds where updates for a source would be written. Whoever lets others choose a place asks it: a
// file of the workspace is the user's where the workspace is the home directory, where the user's settings
// were moved into it, or where a link leads to them. The error says why nothing can be written.
func (o Options) Place(s rule.Source) (Place, error) {
	if !persists(s) {
		return Place{Source: s}, nil
	}
	p, err := locate(o)
	if err != nil {
		return Place{}, err
	}
	return p.place(s)
}

// place is [Options.Place]. A workspace must not steer what somebody allows in it into the settings of
// another place.
func (p *places) place(s rule.Source) (Place, error) {
	path, err := p.path(s)
	if err != nil {
		return Place{}, err
	}
	if link, _ := danglingLink(path); link != "" {
		return Place{}, unreadable(path, &linkError{link})
	}
	found := Place{resolved(path), s}
	if !fromWorkspace(s) {
		return found, nil
	}
	for _, file := range ManagedPlaces(p.ManagedFiles) {
		if sameFile(resolved(file), found.File) {
			return Place{}, fmt.Errorf("%s is a link to %s, which counts everywhere (remove the link)", path, file)
		}
	}
	if user, err := p.path(rule.UserSettings); err == nil && sameFile(resolved(user), found.File) {
		return Place{found.File, rule.UserSettings}, nil
	}
	if within(p.realDir, found.File) {
		return found, nil
	}
	loaded, err := Load(p.Options)
	if err != nil {
		return Place{}, err
	}
	if loaded.trust.Status != Trusted {
		return Place{}, fmt.Errorf("%s leads to %s, outside of the workspace, which nobody has trusted (run `assent trust %s` or remove the link)", path, found.File, p.Dir)
	}
	return found, nil
}

// sameFile says whether two paths without links lead to one file, also where their names differ in letter
// case only, or their directories are mounted twice. Neither needs to exist.
func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil || errB == nil {
		return errA == nil && errB == nil && os.SameFile(infoA, infoB)
	}
	dirA, dirB := filepath.Dir(a), filepath.Dir(b)
	return dirA != a && dirB != b && strings.EqualFold(filepath.Base(a), filepath.Base(b)) && sameFile(dirA, dirB)
}
