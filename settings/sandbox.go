package settings

import "slices"

// sandboxSetting is what a file says about a sandbox.
type sandboxSetting struct {
	enabled entry // commands are to run in one
	// required is what stops the start where they must not run without; nil if they may.
	required *BrokenError
}

var sandboxKeys = []string{"enabled", "failIfUnavailable", "allowUnsandboxedCommands", "network", "filesystem", "credentials"}

const sandboxHint = "start assent inside a sandbox or a container, and set sandbox.enabled to false"

func (r *reader) sandbox(m member, c *content) (s sandboxSetting) {
	for _, m := range r.object(m.value, "sandbox", sandboxKeys) {
		on := false
		switch m.name {
		case "enabled":
			s.enabled = r.toggle(m)
		case "failIfUnavailable":
			on = r.toggle(m).set()
		case "allowUnsandboxedCommands":
			on = !r.toggle(m).set()
		default:
			r.noteKey(c, "sandbox", m)
		}
		if on {
			s.required = r.broken(m.value.Start(), "sandbox."+m.name+" demands a sandbox, and assent has none", sandboxHint)
		}
	}
	return s
}

// sandboxed: some file asks for a sandbox.
func sandboxed(all []text) bool {
	return slices.ContainsFunc(all, func(t text) bool { return t.selected && t.said != nil && t.said.sandbox.enabled.set() })
}

// refuseLimits breaks the files whose limits assent cannot keep: nothing starts with them. That
// commands run in a sandbox may stand in another file than that they must.
func refuseLimits(all []text, startsServers bool) {
	wanted := sandboxed(all)
	for i := range all {
		t := &all[i]
		if t.said == nil || !t.selected {
			continue
		}
		if required := t.said.sandbox.required; required != nil && wanted {
			t.broken = required
		}
		for _, l := range t.said.limiting {
			if l.countsIn(t.source) && !(l.starters && startsServers) && !(l.agents && !startsServers) {
				t.broken = l.refused
			}
		}
		if t.broken != nil {
			t.said = nil
		}
	}
}
