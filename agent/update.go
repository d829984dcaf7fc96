package agent

import (
	"fmt"
	"slices"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// SetMode changes the permission mode for the decisions that follow, also while a
// question is open.
func (a *Agent) SetMode(mode permission.Mode) error {
	tell, err := a.ChangeMode(mode)
	if err != nil {
		return err
	}
	tell()
	return nil
}

// ChangeMode is SetMode for somebody who says something first: tell then tells everybody.
func (a *Agent) ChangeMode(mode permission.Mode) (tell func(), err error) {
	a = a.root()
	before, after, err := a.put(permission.Update{Type: permission.SetMode, Destination: rule.Session, Mode: mode})
	if err != nil {
		return nil, err
	}
	return func() { a.tellMode(before, after) }, nil
}

// put is update for who does not hold mu.
func (a *Agent) put(u permission.Update) (before, after *permission.Context, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.update(u)
}

// change applies one update, at once for all decisions that follow, and makes it last
// where its destination does.
func (a *Agent) change(u permission.Update) error {
	a = a.root() // what somebody answers to a sub-agent holds for the session
	before, after, err := a.put(u)
	if err != nil {
		return err
	}
	a.tellMode(before, after)
	a.warnUnremoved(before, after, u)
	if lasts(u.Destination) && a.config.Persist != nil {
		if err := a.config.Persist(u); err != nil {
			return fmt.Errorf("it holds for this session but could not be kept: %w", err)
		}
	}
	return nil
}

// leavePlan ends plan mode, for the mode in which it was entered; the given one is for a
// session that began in it. It does so only while plan mode is in force: whoever chose
// another one meanwhile meant it.
func (a *Agent) leavePlan(mode permission.Mode) error {
	a = a.root()
	a.mu.Lock()
	if now := a.permissions.Load().Mode(); now != permission.Plan {
		a.mu.Unlock()
		return fmt.Errorf("somebody has changed it to %v meanwhile", now)
	}
	if a.resume != 0 {
		mode = a.resume
	}
	before, after, err := a.update(permission.Update{Type: permission.SetMode, Destination: rule.Session, Mode: mode})
	a.mu.Unlock()
	if err != nil {
		return err
	}
	a.tellMode(before, after)
	return nil
}

// update puts one update on record and in force, in this order: what cannot be recorded
// loosens nothing, and ends the session. What restricts holds all the same. The caller
// holds mu.
func (a *Agent) update(u permission.Update) (before, after *permission.Context, err error) {
	before = a.permissions.Load()
	effect := inEffect(u)
	if after, err = before.ApplyAll(effect); err != nil {
		return before, before, err
	}
	err = a.config.Transcript.Append(session.Ruled, u)
	if err == nil {
		err = a.recordMode(before, after)
	}
	if err != nil {
		_ = a.giveUp(err)
	}
	if err != nil && !u.Restricts() {
		return before, before, err
	}
	a.permissions.Store(after)
	if !a.leftToFile(u) {
		a.overrides = append(a.overrides, effect...)
	}
	switch {
	case after.Mode() == permission.Plan && before.Mode() != permission.Plan:
		a.resume = before.Mode()
	case after.Mode() != permission.Plan:
		a.resume = 0
	}
	return before, after, err
}

// leftToFile: the file that an update is written to says from then on whether it holds.
// What restricts holds for this session whether its file could be written or not, and
// what a person has permitted holds for it where the file is held back.
func (a *Agent) leftToFile(u permission.Update) bool {
	return lasts(u.Destination) && u.Type != permission.SetMode && !u.Restricts() && a.heldBack(u.Destination) == ""
}

// heldBack is why what files of a source permit does not count; empty when it does.
func (a *Agent) heldBack(s rule.Source) string {
	if a.config.HeldBack == nil || !lasts(s) {
		return ""
	}
	return a.config.HeldBack(s)
}

// recordMode writes a change of the mode down: a session goes on in the mode it had.
func (a *Agent) recordMode(before, after *permission.Context) error {
	if before.Mode() == after.Mode() {
		return nil
	}
	return a.config.Transcript.Append(session.Moded, session.Mode{Mode: after.Mode().String()})
}

func (a *Agent) tellMode(before, after *permission.Context) {
	if before.Mode() != after.Mode() {
		a.tell(&wire.Status{PermissionMode: after.Mode().String()})
	}
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
	a.overrides = slices.DeleteFunc(a.overrides, a.leftToFile) // somebody has trusted the file since
	for _, u := range a.overrides {
		if next, err := after.Apply(u); err == nil {
			after = next
		}
	}
	if a.allowed != nil {
		after = commanded(after, a.allowed)
	}
	if err := a.recordMode(before, after); err != nil {
		_ = a.giveUp(err) // nothing runs any more, so the settings may hold
	}
	a.permissions.Store(after)
	a.mu.Unlock()
	a.tellMode(before, after)
}
