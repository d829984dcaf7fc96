package hook

import (
	"fmt"
	"slices"

	"github.com/assent-dev/assent/rule"
)

// Select leaves out the entries that settings switch off. disabling are the sources
// of the settings that say "disableAllHooks": true.
//
// A source switches off its own hooks and those of sources that are trusted less:
// project and local settings those of both, user settings also the user's, settings
// of the command line also their own, managed settings those of all settings. So
// managed hooks can only be switched off by managed settings. Hooks of a Go program
// or a host are not the settings' to switch off.
func Select(entries []Entry, disabling ...rule.Source) ([]Entry, []Report) {
	var kept []Entry
	var reports []Report
	for _, e := range entries {
		if by, off := switchedOff(e.Origin.Source, disabling); off {
			name, _, _ := identity(e.Handler)
			reports = append(reports, Report{
				Origin: e.Origin,
				Text:   fmt.Sprintf("the %s hook %s does not run: disableAllHooks in %s", e.Event, name, by),
			})
			continue
		}
		kept = append(kept, e)
	}
	return kept, reports
}

func switchedOff(source rule.Source, disabling []rule.Source) (by rule.Source, off bool) {
	i := slices.IndexFunc(disabling, func(d rule.Source) bool { return standing(source) > 0 && standing(source) <= standing(d) })
	if i < 0 {
		return 0, false
	}
	return disabling[i], true
}

// standing orders the sources of settings by who may switch off whom; zero for what
// is no settings file.
func standing(s rule.Source) int {
	switch s {
	case rule.ProjectSettings, rule.LocalSettings:
		return 1
	case rule.UserSettings:
		return 2
	case rule.FlagSettings:
		return 3
	case rule.PolicySettings:
		return 4
	case rule.CLIArg, rule.Command, rule.Session:
		return 0
	}
	return 0
}

// HeldBack is the matcher of a hook that a workspace would have if somebody trusted
// it, given as the names in its settings; ok is false for a hook that judges no
// calls. A matcher that cannot be understood is for every call.
func HeldBack(event, matcher string) (m Matcher, ok bool) {
	if known, _ := knownEvent(event); known != PreToolUse {
		return Matcher{}, false
	}
	m, err := ParseMatcher(matcher)
	if err != nil {
		m = Matcher{}
	}
	return m, true
}
