package settings

import (
	"cmp"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// wish is a defaultMode that a file asks for; the mode is zero when it has no
// such name.
type wish struct {
	mode    permission.Mode
	trusted bool
	file    *File
}

// mode settles the mode to start in: the flag, else the nearest file's wish, as far
// as the administrator's own wish leaves it open.
func (a *assembly) mode() {
	managed, wishes := a.wishes()
	limit, by := limitOf(managed)
	base := a.Mode
	if base == 0 {
		base = nearest(wishes, limit, func(w wish) bool { return w.trusted })
	}
	mode := a.Mode
	if mode == 0 {
		mode = nearest(wishes, limit, func(w wish) bool { return w.trusted || w.mode.Tightens(base) })
	}
	for _, w := range wishes {
		switch within := w.mode.Within(limit); {
		case w.mode == 0: // reported before
		case w.trusted && !within:
			a.refuse(w.mode, limit, w.file)
		case (w.trusted || w.mode.Tightens(base)) && within:
			w.file.Mode = w.mode
		case a.s.HeldBack.Mode == 0:
			a.s.HeldBack.Mode = w.mode
		}
	}
	for _, w := range managed {
		w.file.Mode = w.mode
	}
	if !mode.Within(limit) {
		a.refuse(mode, limit, by)
		mode = limit
	}
	if a.Mode == 0 && a.ForgoBypass && mode == permission.BypassPermissions {
		mode = permission.Default
	}
	a.s.config.ModeLimit = limit
	a.bypass(mode)
}

// limitOf is the mode that nothing may be looser than, and the file that says so:
// the administrator's, zero when there is none. A name that does not exist may have
// been meant to restrict.
func limitOf(managed []wish) (limit permission.Mode, by *File) {
	for _, w := range managed {
		if mode := cmp.Or(w.mode, permission.Default); by == nil || mode.Within(limit) {
			limit, by = mode, w.file
		}
	}
	return limit, by
}

// refuse tells that a mode is looser than the administrator's; where is the file that
// asks for it, or for the command line the one that forbids it.
func (a *assembly) refuse(mode, limit permission.Mode, where *File) {
	a.report(Report{
		Kind: ModeRefused, File: where.Path, Line: a.text(where).said.mode.line,
		Text: "mode " + mode.String() + " is refused: managed settings say " + limit.String() + ", which it would loosen",
		Hint: "choose " + limit.String() + " or a stricter mode, or ask the administrator",
	})
}

// wishes lists the modes that files ask for, nearest first: the administrator's,
// and those of everybody else.
func (a *assembly) wishes() (managed, others []wish) {
	for i := range a.s.Files {
		f := &a.s.Files[i]
		t := a.text(f)
		if t.said == nil || !t.said.mode.set() {
			continue
		}
		mode, err := permission.ParseMode(t.said.mode.text)
		if err != nil {
			a.report(Report{
				Kind: UnknownMode, File: f.Path, Line: t.said.mode.line,
				Text: "defaultMode " + visible(t.said.mode.text) + " cannot be chosen; it is ignored",
				Hint: "use one of " + strings.Join(permission.Modes, ", "),
			})
		}
		w := wish{mode: mode, trusted: f.Trusted, file: f}
		if f.Source == rule.PolicySettings {
			managed = append(managed, w)
		} else {
			others = append(others, w)
		}
	}
	return managed, others
}

// text finds what the file f said.
func (a *assembly) text(f *File) text {
	for _, t := range a.s.texts {
		if t.source == f.Source && t.path == f.Path {
			return t
		}
	}
	return text{}
}

// nearest picks the first mode that counts, the limit when there is none. A name
// that does not exist may have been meant to restrict, so nothing looser than default
// is taken from behind it.
func nearest(wishes []wish, limit permission.Mode, counts func(wish) bool) permission.Mode {
	mode, unknown := cmp.Or(limit, permission.Default), false
	for _, w := range wishes {
		if w.mode == 0 {
			unknown = true
		} else if counts(w) && w.mode.Within(limit) {
			mode = w.mode
			break
		}
	}
	if unknown && mode.Loosens() {
		return permission.Default
	}
	return mode
}

// disablesBypass reads disableBypassPermissionsMode. Any value counts as
// "disable": a misspelt limit is still a limit.
func (a *assembly) disablesBypass(c *content, t text) bool {
	e := c.disableBypass
	if e.set() && e.text != "disable" {
		a.report(Report{
			Kind: UnknownValue, File: t.path, Line: e.line,
			Text: "disableBypassPermissionsMode " + visible(e.text) + ` is taken as "disable"`,
			Hint: `write "disable" or remove the key`,
		})
	}
	return e.set()
}

// bypass applies the bans on modes, which hold whoever set them.
func (a *assembly) bypass(mode permission.Mode) {
	c := &a.s.config
	if mode == permission.Auto && c.DisableAuto {
		file, said := a.s.limitedBy("permissions.disableAutoMode", "disableAutoMode", autoModeKey)
		a.report(Report{
			Kind: ModeRefused, File: file, Line: said.line, Text: "mode auto is refused: " + said.text + " restricts it",
			Hint: "choose another mode, or ask whoever set it",
		})
		mode = permission.Default
	}
	c.Mode, c.AllowBypass = mode, a.AllowBypass || mode == permission.BypassPermissions
	var by *File
	for i := range a.s.Files {
		if a.s.Files[i].DisableBypass {
			by = &a.s.Files[i]
			break
		}
	}
	if by == nil {
		return
	}
	c.DisableBypass = true
	if c.AllowBypass {
		a.report(Report{
			Kind: BypassDisabled, File: by.Path, Line: a.text(by).said.disableBypass.line,
			Text: "bypassPermissions was asked for and is disabled here",
			Hint: "choose another mode, or ask whoever set disableBypassPermissionsMode",
		})
	}
	c.AllowBypass = false
	if mode == permission.BypassPermissions {
		c.Mode = permission.Default
	}
}
