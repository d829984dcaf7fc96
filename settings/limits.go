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
	key     keyPath
	sources []rule.Source
	put     func(*permission.Limits)
	// words: the key is switched on by "disable", and any other text counts as that.
	words bool
}{
	{key: keyPath{"permissions", "blockReadsOutsideWorkingDirectories"}, put: func(l *permission.Limits) { l.BlockReads = true }},
	{key: keyPath{"permissions", "blockWritesOutsideWorkingDirectories"}, put: func(l *permission.Limits) { l.BlockWrites = true }},
	{key: keyPath{"permissions", "denyInsteadOfPrompting"}, sources: notWorkspace, put: func(l *permission.Limits) { l.NoPrompts = true }},
	{key: keyPath{"permissions", "disableAutoMode"}, put: disableAuto, words: true},
	{key: keyPath{name: "disableAutoMode"}, put: disableAuto, words: true},
	{key: keyPath{name: autoModeKey}, put: disableAuto},
	{key: keyPath{name: managedRulesKey}, sources: managedOnly, put: func(l *permission.Limits) { l.ManagedRulesOnly = true }},
	{key: keyPath{name: managedHooksKey}, sources: managedOnly, put: func(*permission.Limits) {}},
	{key: keyPath{name: noSideloadKey}, sources: managedOnly, put: func(*permission.Limits) {}},
}

// Keys that are read in their own way.
const (
	autoModeKey     = "autoMode"
	managedRulesKey = "allowManagedPermissionRulesOnly"
	managedHooksKey = "allowManagedHooksOnly"
	noSideloadKey   = "disableSideloadFlags"
)

var exemptKey = keyPath{"permissions", "blockReadsExemptPaths"}

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
func (r *reader) limit(c *content, key keyPath, m member) (ok bool) {
	if key == exemptKey {
		c.readsExempt = r.strings(m)
		return true
	}
	for i, k := range keptLimits {
		if k.key != key {
			continue
		}
		e := entry{text: key.String(), line: m.line}
		switch {
		case m.name == autoModeKey && key.parent == "":
			if e.text = r.judgesStricter(c, m); e.text != "" {
				c.kept = append(c.kept, keptLimit{entry: e, index: i})
			}
		case k.words && m.value.Kind == 'n':
			r.string(m) // which fails
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

// judgesStricter names what of the key autoMode makes the vendor's classifier stricter, or may do so;
// empty if nothing does. The classifiers of assent are not told.
func (r *reader) judgesStricter(c *content, autoMode member) (stricter string) {
	for _, m := range r.object(autoMode.value, autoModeKey, ReadKeys(autoModeKey)) {
		key := keyPath{autoModeKey, m.name}
		how, _ := vendorKey(key)
		if how == unheardOf {
			c.unknown = append(c.unknown, Key{Path: key.String(), Line: m.line})
		}
		own := says(m.value)
		if m.value.Kind == '[' {
			own = false
			for n := range m.value.Elements() {
				own = own || n.Text() != "$defaults"
			}
		}
		if own && how != harmless && stricter == "" {
			stricter = key.String()
		}
	}
	return stricter
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
				a.noEffect(t, k.entry, key.sources...)
				continue
			}
			key.put(l)
			a.managedHooks = a.managedHooks || key.key.name == managedHooksKey
			if k.odd != "" {
				a.report(Report{
					Kind: UnknownValue, File: t.path, Line: k.line, Text: k.text + " " + visible(k.odd) + ` is taken as "disable"`,
					Hint: `write "disable" or remove the key`,
				})
			}
		}
		for _, l := range t.said.limiting {
			if !l.countsIn(t.source) {
				a.noEffect(t, l.key, l.only)
			}
		}
		for _, e := range t.said.ignored {
			a.report(Report{Kind: NoEffect, File: t.path, Line: e.line, Text: e.text})
		}
		if e := t.said.managedServers; e.set() && t.source != rule.PolicySettings {
			a.noEffect(t, e, rule.PolicySettings)
		}
		if exempt := t.said.readsExempt; len(exempt) > 0 && t.source != rule.FlagSettings {
			a.noEffect(t, entry{text: exemptKey.String(), line: exempt[0].line}, rule.FlagSettings)
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

// noEffect reports a key that means nothing in the file where it stands.
func (a *assembly) noEffect(t text, key entry, counts ...rule.Source) {
	var where []string
	for _, source := range counts {
		where = append(where, placeNames[source])
	}
	a.report(Report{
		Kind: NoEffect, File: t.path, Line: key.line, Text: key.text + " has no effect in this file: it counts only in " + strings.Join(where, ", "),
		Hint: "move it there, or take it out",
	})
}

// placeNames say in a sentence where settings of a source are.
var placeNames = map[rule.Source]string{
	rule.UserSettings: "user settings", rule.FlagSettings: "--settings", rule.PolicySettings: "managed settings",
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
			if k.countsIn(t.source) && slices.Contains(keys, keptLimits[k.index].key.name) {
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
		file, said := a.s.limitedBy(managedRulesKey, managedHooksKey)
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
