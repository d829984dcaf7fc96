package settings

import (
	"strings"

	"github.com/assent-dev/assent/permission"
)

// wish is a defaultMode that a file asks for; the mode is zero when it has no
// such name.
type wish struct {
	mode    permission.Mode
	trusted bool
	file    *File
}

// mode settles the mode to start in: the flag, else the nearest file's wish.
func (a *assembly) mode() {
	wishes := a.wishes()
	base := a.Mode
	if base == 0 {
		base = nearest(wishes, func(w wish) bool { return w.trusted })
	}
	mode := a.Mode
	if mode == 0 {
		mode = nearest(wishes, func(w wish) bool { return w.trusted || tightens(base, w.mode) })
	}
	for _, w := range wishes {
		switch {
		case w.trusted || tightens(base, w.mode):
			w.file.Mode = w.mode
		case w.mode != 0 && a.s.HeldBack.Mode == 0:
			a.s.HeldBack.Mode = w.mode
		}
	}
	a.bypass(mode)
}

// wishes lists the modes that files ask for, nearest first.
func (a *assembly) wishes() []wish {
	var all []wish
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
		all = append(all, wish{mode: mode, trusted: f.Trusted, file: f})
	}
	return all
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

// nearest picks the first mode that counts. A name that does not exist may have
// been meant to restrict, so nothing looser than default is taken from behind it.
func nearest(wishes []wish, counts func(wish) bool) permission.Mode {
	unknown := false
	for _, w := range wishes {
		switch {
		case w.mode == 0:
			unknown = true
		case !counts(w):
		case unknown && looser(w.mode):
			return permission.Default
		default:
			return w.mode
		}
	}
	return permission.Default
}

// looser: the mode lets calls run that default would ask about.
func looser(m permission.Mode) bool {
	switch m {
	case permission.Default, permission.Plan, permission.DontAsk:
		return false
	case permission.AcceptEdits, permission.Auto, permission.BypassPermissions, permission.Bubble:
		return true
	}
	return true
}

// tightens: going from one mode to the other takes nothing from the person. It is
// what a workspace that nobody has trusted may do. Plan and dontAsk refuse
// different calls, so neither is tighter than the other.
func tightens(from, to permission.Mode) bool {
	switch to {
	case permission.Plan:
		return from != permission.DontAsk
	case permission.DontAsk:
		return from != permission.Plan
	case permission.Default:
		return from == permission.Default || looser(from)
	default:
		return false
	}
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

// bypass applies the ban on bypassPermissions, which holds whoever set it.
func (a *assembly) bypass(mode permission.Mode) {
	c := &a.s.config
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
