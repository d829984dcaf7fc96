package permission

import (
	"fmt"
	"strings"
)

// Mode is the standing instruction for calls that no rule settles.
type Mode uint8

// The modes.
const (
	Default Mode = iota + 1
	AcceptEdits
	Plan
	Auto
	BypassPermissions
	DontAsk
	// Bubble is what sub-agents run in: they decide like their parent and their
	// questions are answered through the parent. It cannot be chosen.
	Bubble
)

var modeNames = [...]string{
	Default: "default", AcceptEdits: "acceptEdits", Plan: "plan", Auto: "auto",
	BypassPermissions: "bypassPermissions", DontAsk: "dontAsk", Bubble: "bubble",
}

// Modes are the names that may be chosen, in the order of help texts.
var Modes = []string{"default", "acceptEdits", "plan", "auto", "bypassPermissions", "dontAsk"}

func (m Mode) String() string {
	if m != 0 && int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "unknown"
}

// ParseMode reads the name of a mode that may be chosen. "manual" is what newer
// clients call "default".
func ParseMode(name string) (Mode, error) {
	if name == "manual" {
		return Default, nil
	}
	for m := Default; m < Bubble; m++ {
		if modeNames[m] == name {
			return m, nil
		}
	}
	if name == "bubble" {
		return 0, fmt.Errorf("mode bubble cannot be chosen: sub-agents get it")
	}
	return 0, fmt.Errorf("unknown permission mode %q: want one of %s", name, strings.Join(Modes, ", "))
}

// Loosens: the mode lets calls run that default would ask about.
func (m Mode) Loosens() bool {
	switch m {
	case Default, Plan, DontAsk:
		return false
	case AcceptEdits, Auto, BypassPermissions, Bubble:
		return true
	}
	return true
}

// Tightens: going there from another mode takes nothing from the person. Plan and
// dontAsk refuse different calls, so neither is tighter than the other.
func (m Mode) Tightens(from Mode) bool {
	switch m {
	case Plan:
		return from != DontAsk
	case DontAsk:
		return from != Plan
	case Default:
		return from == Default || from.Loosens()
	case AcceptEdits, Auto: // which of the two lets more through depends on the call
		return from == BypassPermissions
	case BypassPermissions, Bubble:
		return false
	}
	return false
}

// Within: the mode is not looser than a limit; zero is no limit, and neither is
// bypassPermissions, the loosest of all.
func (m Mode) Within(limit Mode) bool {
	return limit == 0 || limit == BypassPermissions || m == limit || m.Tightens(limit)
}
