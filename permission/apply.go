package permission

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// Apply makes the context that results from an update. The receiver does not
// change. An error means that nothing was applied.
func (c *Context) Apply(u Update) (*Context, error) {
	if err := u.Validate(); err != nil {
		return nil, err
	}
	if c.parent != nil && u.Type != SetMode && !u.Restricts() { // WithMode judges modes
		return nil, fmt.Errorf("permission update %s: %w", u.Type, ErrSubAgent)
	}
	switch u.Type {
	case SetMode:
		return c.WithMode(u.Mode)
	case AddDirectories, RemoveDirectories:
		return c.withDirectories(u), nil
	case AddRules, ReplaceRules, RemoveRules:
		return c.withRules(u)
	}
	return nil, fmt.Errorf("unknown permission update %q", u.Type)
}

// ApplyAll applies updates in order and reports those that were refused; the rest
// still hold.
func (c *Context) ApplyAll(updates []Update) (*Context, error) {
	var errs []error
	for _, u := range updates {
		next, err := c.Apply(u)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		c = next
	}
	return c, errors.Join(errs...)
}

func (c *Context) withRules(u Update) (*Context, error) {
	if u.Type != RemoveRules && !c.config.counts(u.Destination, u.Behavior) {
		return nil, ErrManagedRulesOnly
	}
	given := make([]rule.Rule, 0, len(u.Rules))
	for _, text := range u.Rules {
		r, ok, err := rule.Read(text, u.Behavior, rule.Origin{Source: u.Destination})
		if err != nil && (u.Behavior == rule.Allow || u.Type == RemoveRules) && !ok {
			return nil, err
		}
		given = append(given, r)
	}
	var rules []rule.Rule
	if set := c.sets[u.Destination]; set != nil {
		rules = set.Rules()
	}
	switch u.Type {
	case AddRules:
		for _, r := range given {
			if !slices.ContainsFunc(rules, func(have rule.Rule) bool { return sameRule(have, r) }) {
				rules = append(rules, r)
			}
		}
	case ReplaceRules:
		rules = slices.DeleteFunc(rules, func(have rule.Rule) bool { return have.List == u.Behavior })
		rules = append(rules, given...)
	case RemoveRules:
		rules = slices.DeleteFunc(rules, func(have rule.Rule) bool {
			return slices.ContainsFunc(given, func(r rule.Rule) bool { return sameRule(have, r) })
		})
	}
	next := *c
	next.sets[u.Destination] = nil
	if len(rules) > 0 {
		next.sets[u.Destination] = rule.Adopt(rules, c.anchors(u.Destination))
	}
	next.index()
	return &next, nil
}

func sameRule(a, b rule.Rule) bool {
	return a.List == b.List && (a.Text == b.Text || !a.Quarantined && !b.Quarantined && a.String() == b.String())
}

func (c *Context) withDirectories(u Update) *Context {
	next := *c
	dirs := slices.Clone(c.config.Directories)
	for _, dir := range u.Directories {
		dir = absolute(dir, c.config.Root, c.config.Home)
		same := func(d Directory) bool { return d.Path == dir && d.Source == u.Destination }
		if u.Type == RemoveDirectories {
			dirs = slices.DeleteFunc(dirs, func(d Directory) bool {
				return same(d) || d.Given == dir && d.Source == u.Destination
			})
		} else if !slices.ContainsFunc(dirs, same) {
			dirs = append(dirs, Directory{Path: dir, Source: u.Destination})
		}
	}
	next.config.Directories = dirs
	return &next
}

// Validate says whether an update is complete and names a destination that exists.
func (u Update) Validate() error {
	if u.Type == "" {
		return errors.New("permission update: the type is missing: want addRules, replaceRules, removeRules, setMode, addDirectories or removeDirectories")
	}
	switch u.Destination {
	case rule.Session, rule.LocalSettings, rule.ProjectSettings, rule.UserSettings, rule.CLIArg:
	case 0:
		return fmt.Errorf("permission update %s: destination is missing: want session, localSettings, projectSettings or userSettings", u.Type)
	default:
		return fmt.Errorf("permission update %s: destination %q: want session, localSettings, projectSettings or userSettings", u.Type, u.Destination)
	}
	switch u.Type {
	case AddRules, ReplaceRules, RemoveRules:
		if u.Behavior == 0 {
			return fmt.Errorf("permission update %s: behavior is missing: want allow, ask or deny", u.Type)
		}
		if len(u.Rules) == 0 && u.Type != ReplaceRules {
			return fmt.Errorf("permission update %s: no rules", u.Type)
		}
	case SetMode:
		if u.Mode == 0 || u.Mode >= Bubble {
			return fmt.Errorf("permission update setMode: mode %q: want one of %s", u.Mode, strings.Join(Modes, ", "))
		}
	case AddDirectories, RemoveDirectories:
		if len(u.Directories) == 0 {
			return fmt.Errorf("permission update %s: no directories", u.Type)
		}
	default:
		return fmt.Errorf("unknown permission update %q", u.Type)
	}
	return nil
}

// Restricts reports whether an update can only take permissions away: it may then
// stand beside a denial.
func (u Update) Restricts() bool {
	switch u.Type {
	case AddRules:
		return u.Behavior == rule.Deny || u.Behavior == rule.Ask
	case RemoveRules:
		return u.Behavior == rule.Allow
	case RemoveDirectories:
		return true
	case ReplaceRules, SetMode, AddDirectories:
		return false
	}
	return false
}
