package settings

import (
	"errors"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// standIn is what is in force instead of a file that broke while running.
type standIn uint8

const (
	// lastGood: what it said when it could last be read.
	lastGood standIn = iota
	// lastLimits: the part of that which restricts, because the file was gone in
	// between, and what it allowed with it.
	lastLimits
	// denyAll: nothing is known about it.
	denyAll
)

func (s standIn) String() string {
	switch s {
	case lastGood:
		return "its last good content stays in force"
	case lastLimits:
		return "what it forbade before it was gone is in force again"
	case denyAll:
		return "could never be read; until it is mended or moved away every call is denied"
	}
	return "nothing stands in for it"
}

// standInFor is what is in force instead of the broken file t.
func standInFor(t *text, last *Settings) (*content, standIn) {
	old := last.found(t)
	_, away := errors.AsType[*linkError](t.broken)
	switch {
	case old.said == nil && (away || !t.selected):
		// The way to a file that did not exist is lost, or only what it would grant
		// matters: both were nothing.
		return nil, lastGood
	case old.said == nil:
		return &content{deny: []rule.Written{rule.Note("*", max(t.broken.Line, 1))}}, denyAll
	case old.broken != nil:
		return old.said, old.broken.instead
	case !old.exists:
		return old.said.limits(), lastLimits
	}
	return old.said, lastGood
}

// limits is the part of a content that restricts: rules that deny and ask, limits,
// hooks, what approvals need, and a mode that lets nothing run that default would ask about.
func (c *content) limits() *content {
	l := &content{
		deny: c.deny, ask: c.ask, disableBypass: c.disableBypass, hooks: c.hooks,
		unknown: c.unknown, limiting: c.limiting, ignored: c.ignored, kept: c.kept, allowedServers: c.allowedServers, deniedServers: c.deniedServers, managedServers: c.managedServers, onlyServers: c.onlyServers, hookURLs: c.hookURLs, hookVariables: c.hookVariables, sandbox: c.sandbox, approvals: c.approvals,
	}
	if mode, err := permission.ParseMode(c.mode.text); err != nil || !mode.Loosens() {
		l.mode = c.mode
	}
	return l
}
