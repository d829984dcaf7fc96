package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings"
)

// revokeTrust forgets a workspace, and says whether anything else still trusts it:
// then the answer is no.
func (a *app) revokeTrust(o settings.Options, dir string, asJSON bool) error {
	if dir != "" {
		var err error
		if o.Dir, err = absolute(dir); err != nil {
			return err
		}
	}
	reply, err := revoke(o)
	if err != nil {
		return err
	}
	if asJSON {
		err = a.printJSON(reply)
	} else {
		_, err = fmt.Fprintln(a.out, policy.Visible(revoked(reply)))
	}
	if err == nil && reply.Status == settings.Trusted.String() {
		return errNo
	}
	return err
}

func revoke(o settings.Options) (trustReply, error) {
	reply := trustReply{Workspace: policy.WellFormed(o.Dir), Status: settings.Untrusted.String(), Was: settings.Untrusted.String(), Grants: []string{}}
	recorded, err := isRecorded(o)
	if err != nil {
		return reply, err
	}
	_, err = os.Stat(o.Dir)
	gone := errors.Is(err, fs.ErrNotExist)
	switch {
	case recorded:
		reply.Was = settings.Trusted.String()
	case gone:
		return reply, fmt.Errorf("there is no workspace %s, and none of that name was trusted (see `assent trust --list`)", o.Dir)
	}
	if err := settings.Untrust(o, o.Dir); err != nil {
		return reply, err
	}
	if gone {
		return reply, nil // a workspace that is gone can still be forgotten
	}
	return stillTrusted(o, reply)
}

// isRecorded: the workspace was trusted with assent, under this name or the one
// that links lead to.
func isRecorded(o settings.Options) (bool, error) {
	at := o
	at.Dir = string(filepath.Separator) // the workspace itself may be gone
	all, err := settings.ListTrusted(at)
	if err != nil {
		return false, err
	}
	names := []string{o.Dir}
	for _, dir := range []string{o.Dir, filepath.Dir(o.Dir)} {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			names = append(names, filepath.Join(real, strings.TrimPrefix(o.Dir, dir)))
			break
		}
	}
	return slices.ContainsFunc(all, func(w settings.TrustedWorkspace) bool { return slices.Contains(names, w.Dir) }), nil
}

func stillTrusted(o settings.Options, reply trustReply) (trustReply, error) {
	s, err := settings.Load(o)
	if err != nil {
		return reply, fmt.Errorf("assent has no record of %s any more, but whether something else trusts it is not known: %w", o.Dir, err)
	}
	state := s.TrustState()
	if reply.Status, reply.By = state.Status.String(), policy.WellFormed(state.By); state.Status == settings.Trusted {
		reply.Was = state.Status.String()
	}
	return reply, nil
}

// revoked is the reply as a sentence.
func revoked(r trustReply) string {
	switch {
	case r.Status == settings.Trusted.String():
		return r.Workspace + " is still trusted, by " + r.By + " (assent itself has no record of it; remove it there)"
	case r.Was == settings.Trusted.String():
		return r.Workspace + " is not trusted any more"
	}
	return r.Workspace + " was not trusted"
}
