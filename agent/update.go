package agent

import (
	"fmt"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// SetMode changes the permission mode for the decisions that follow, also while a
// question is open.
func (a *Agent) SetMode(mode permission.Mode) error {
	return a.change(permission.Update{Type: permission.SetMode, Destination: rule.Session, Mode: mode})
}

// change applies one update, at once for all decisions that follow, and makes it last
// where its destination does.
func (a *Agent) change(u permission.Update) error {
	a = a.root() // what somebody answers to a sub-agent holds for the session
	a.mu.Lock()
	before := a.permissions.Load()
	after, err := before.Apply(u)
	if err != nil {
		a.mu.Unlock()
		return err
	}
	a.permissions.Store(after)
	// What restricts holds for this session whether its file could be written or not.
	if !lasts(u.Destination) || u.Type == permission.SetMode || u.Restricts() {
		a.overrides = append(a.overrides, u)
	}
	switch {
	case after.Mode() == permission.Plan && before.Mode() != permission.Plan:
		a.resume = before.Mode()
	case after.Mode() != permission.Plan:
		a.resume = 0
	}
	err = a.config.Transcript.Append(session.Ruled, u)
	if err == nil && before.Mode() != after.Mode() {
		err = a.config.Transcript.Append(session.Moded, session.Mode{Mode: after.Mode().String()})
	}
	a.mu.Unlock()
	if err != nil {
		return err
	}
	if before.Mode() != after.Mode() {
		a.tell(&wire.Status{PermissionMode: after.Mode().String()})
	}
	if lasts(u.Destination) && a.config.Persist != nil {
		if err := a.config.Persist(u); err != nil {
			return fmt.Errorf("it holds for this session but could not be kept: %w", err)
		}
	}
	return nil
}

// lasts: updates of that source are written to a file.
func lasts(s rule.Source) bool {
	switch s {
	case rule.LocalSettings, rule.ProjectSettings, rule.UserSettings:
		return true
	case rule.Session, rule.Command, rule.CLIArg, rule.PolicySettings, rule.FlagSettings:
		return false
	}
	return false
}

// applyAll applies what came with an answer. One that makes no sense or is not allowed
// is left out and reported; the answer counts all the same.
func (a *Agent) applyAll(updates []permission.Update, allowed bool) {
	for _, u := range updates {
		if !allowed && !u.Restricts() {
			a.warn("An update of permissions came with a denial and was ignored: it would have loosened something (%s).", u.Type)
			continue
		}
		if err := a.change(u); err != nil {
			a.warn("An update of permissions was not made (%s): %v.", u.Type, err)
		}
	}
}

// Rebase puts new settings in force: what this session has changed for itself is
// changed again on top of them.
func (a *Agent) Rebase(settings *permission.Context) {
	a.mu.Lock()
	before, after := a.permissions.Load(), settings
	for _, u := range a.overrides {
		if next, err := after.Apply(u); err == nil {
			after = next
		}
	}
	a.permissions.Store(after)
	a.mu.Unlock()
	if before.Mode() != after.Mode() {
		a.tell(&wire.Status{PermissionMode: after.Mode().String()})
	}
}
