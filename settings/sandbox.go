package settings

import "slices"

// sandboxSetting is what a file says about a sandbox.
type sandboxSetting struct {
	enabled entry // commands are to run in one
	// required is what stops the start where they must not run without; nil if they may.
	required *BrokenError
	// switched: the file says whether there is to be one.
	switched bool
	// strict are the keys that restrict what runs in one.
	strict []entry
}

var (
	sandboxKeys     = append([]string{"enabled", "failIfUnavailable", "allowUnsandboxedCommands"}, sandboxContents...)
	sandboxContents = []string{"network", "filesystem", "credentials"}
)

const sandboxHint = "start assent inside a sandbox or a container, and set sandbox.enabled to false"

func (r *reader) sandbox(m member, c *content) (s sandboxSetting) {
	for _, m := range r.object(m.value, "sandbox", sandboxKeys) {
		on := false
		switch m.name {
		case "enabled":
			s.enabled, s.switched = r.toggle(m), true
		case "failIfUnavailable":
			on = r.toggle(m).set()
		case "allowUnsandboxedCommands":
			on = !r.toggle(m).set()
		default:
			r.noteKey(c, "sandbox", m)
		}
		if on || slices.Contains(sandboxContents, m.name) && says(m.value) {
			s.strict = append(s.strict, entry{text: "sandbox." + m.name, line: m.line})
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

// sandboxLimits reports what a file says about a sandbox and does not get. That there is none need not
// be said where it is switched off.
func (a *assembly) sandboxLimits(s sandboxSetting, t text) {
	switched := func(t text) bool { return t.selected && t.said != nil && t.said.sandbox.switched }
	switch {
	case s.required != nil && sandboxed(a.s.texts):
		a.report(Report{Kind: NotEnforced, File: t.path, Line: s.required.Line, Text: s.required.Problem, Hint: s.required.Hint})
	case s.enabled.set():
		a.report(Report{Kind: NotEnforced, File: t.path, Line: s.enabled.line, Text: "sandbox.enabled asks for a sandbox, and assent has none", Hint: sandboxHint})
	case !slices.ContainsFunc(a.s.texts, switched):
		for _, key := range s.strict {
			a.report(Report{Kind: NoEffect, File: t.path, Line: key.line, Text: key.text + " has no effect, because sandbox.enabled is not set", Hint: sandboxHint})
		}
	}
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
