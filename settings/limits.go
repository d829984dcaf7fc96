package settings

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// keptLimits are the keys whose limits are kept, with the sources in which they count: nil means
// all of them, also a workspace that nobody has trusted, because they only restrict.
var keptLimits = []struct {
	key     string
	sources []rule.Source
	put     func(*permission.Limits)
	// words: the key is switched on by "disable", and any other text counts as that.
	words bool
}{
	{key: "permissions.blockReadsOutsideWorkingDirectories", put: func(l *permission.Limits) { l.BlockReads = true }},
	{key: "permissions.blockWritesOutsideWorkingDirectories", put: func(l *permission.Limits) { l.BlockWrites = true }},
	{key: "permissions.denyInsteadOfPrompting", sources: notWorkspace, put: func(l *permission.Limits) { l.NoPrompts = true }},
	{key: "permissions.disableAutoMode", put: disableAuto, words: true},
	{key: "disableAutoMode", put: disableAuto, words: true},
	{key: autoModeKey, put: disableAuto},
	{key: "allowManagedPermissionRulesOnly", sources: managedOnly, put: func(l *permission.Limits) { l.ManagedRulesOnly = true }},
	{key: managedHooksKey, sources: managedOnly, put: func(*permission.Limits) {}},
	{key: noSideloadKey, sources: managedOnly, put: func(*permission.Limits) {}},
}

// Keys that are read in their own way.
const (
	autoModeKey     = "autoMode"
	managedHooksKey = "allowManagedHooksOnly"
	noSideloadKey   = "disableSideloadFlags"
	exemptKey       = "permissions.blockReadsExemptPaths"
)

var (
	managedOnly  = []rule.Source{rule.PolicySettings}
	notWorkspace = []rule.Source{rule.UserSettings, rule.FlagSettings, rule.PolicySettings}
)

func disableAuto(l *permission.Limits) { l.DisableAuto = true }

// keptLimit is a limit that a file sets.
type keptLimit struct {
	entry     // its name
	index int // of the key in keptLimits
	odd   string
}

func (l keptLimit) countsIn(source rule.Source) bool {
	sources := keptLimits[l.index].sources
	return sources == nil || slices.Contains(sources, source)
}

// limit reads a key whose limit is kept; ok is false for any other key.
func (r *reader) limit(c *content, key string, m member) (ok bool) {
	if key == exemptKey && m.value.Kind != 'n' {
		c.readsExempt = r.strings(m)
		return true
	}
	for i, k := range keptLimits {
		if k.key != key {
			continue
		}
		e := entry{text: key, line: m.line}
		switch {
		case key == autoModeKey:
			r.object(m.value, key, nil)
			if e.text = judgesStricter(m.value); e.text != "" {
				c.kept = append(c.kept, keptLimit{entry: e, index: i})
			}
		case m.value.Kind == 'n':
		case k.words && says(m.value):
			c.kept = append(c.kept, keptLimit{entry: e, index: i, odd: oddWord(m.value)})
		case !k.words && r.toggle(m).set():
			c.kept = append(c.kept, keptLimit{entry: e, index: i})
		}
		return true
	}
	return false
}

// oddWord is a value that is not the one that switches a key on.
func oddWord(value strictjson.Node) string {
	if value.Text() == "disable" {
		return ""
	}
	return value.Raw()
}

// judgesStricter names what of the key autoMode makes the vendor's classifier stricter; empty if
// nothing does. The classifiers of assent are not told.
func judgesStricter(autoMode strictjson.Node) string {
	for _, name := range []string{"hard_deny", "soft_deny", "classifyAllShell"} {
		value := autoMode.Member(name)
		own := value.Kind != 0 && says(value)
		if value.Kind == '[' {
			own = false
			for n := range value.Elements() {
				own = own || n.Text() != "$defaults"
			}
		}
		if own {
			return autoModeKey + "." + name
		}
	}
	return ""
}

// limits puts the limits of all files in force, and says what follows from them.
func (a *assembly) limits() {
	l := &a.s.config.Limits
	for _, t := range a.s.texts {
		if !t.selected || t.said == nil {
			continue
		}
		for _, k := range t.said.kept {
			key := &keptLimits[k.index]
			if !k.countsIn(t.source) {
				continue
			}
			key.put(l)
			a.managedHooks = a.managedHooks || key.key == managedHooksKey
			if k.odd != "" {
				a.report(Report{
					Kind: UnknownValue, File: t.path, Line: k.line, Text: k.text + " " + visible(k.odd) + ` is taken as "disable"`,
					Hint: `write "disable" or remove the key`,
				})
			}
		}
		if t.source == rule.FlagSettings {
			for _, e := range t.said.readsExempt {
				if exempts(e.text) {
					l.ReadsExempt = append(l.ReadsExempt, e.text)
				}
			}
		}
	}
}

// exempts: the text is a path that may be exempt, and no way to exempt everything.
func exempts(text string) bool { return path.IsAbs(text) && path.Clean(text) == text && text != "/" }

// limitedBy finds the file and the line of a limit.
func (s *Settings) limitedBy(keys ...string) (file string, said entry) {
	for _, t := range s.texts {
		if !t.selected || t.said == nil {
			continue
		}
		for _, k := range t.said.kept {
			if k.countsIn(t.source) && slices.Contains(keys, keptLimits[k.index].key) {
				return t.path, k.entry
			}
		}
	}
	return "", entry{}
}

// notInForce tells about a file what does not count because only managed settings may say it.
func (a *assembly) notInForce(c *content, t text) {
	if t.source == rule.PolicySettings {
		return
	}
	var what []string
	if len(c.allow) > 0 && a.s.config.ManagedRulesOnly {
		what = append(what, "its allow rules do")
	}
	if len(c.hooks.members) > 0 && a.managedHooks {
		what = append(what, "its hooks do")
	}
	if len(what) > 0 {
		file, said := a.s.limitedBy("allowManagedPermissionRulesOnly", managedHooksKey)
		a.report(Report{
			Kind: ManagedOnly, File: t.path, Text: strings.Join(what, " not count, and ") + " not count: " + said.text + " is set in " + file,
			Hint: "ask the administrator",
		})
	}
}

// NoSideload says where settings forbid that servers and agents come along with flags; empty if they do not.
func (s *Settings) NoSideload() string {
	file, said := s.limitedBy(noSideloadKey)
	if !said.set() {
		return ""
	}
	return fmt.Sprintf("%s (%s:%d)", noSideloadKey, file, said.line)
}

// NoPrompts reports whether no person is asked about anything.
func (s *Settings) NoPrompts() bool { return s.config.NoPrompts }
