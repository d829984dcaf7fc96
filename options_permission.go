package assent

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// PermissionMode is the mode to start with. For [permission.BypassPermissions] the option
// is the permission to use it, too; deny rules, ask rules and safety checks hold all the
// same.
func PermissionMode(mode permission.Mode) Option {
	return func(c *config) error {
		if _, err := permission.ParseMode(mode.String()); err != nil {
			return fmt.Errorf("assent.PermissionMode: %w", err)
		}
		c.Settings.Mode = mode
		c.Settings.AllowBypass = c.Settings.AllowBypass || mode == permission.BypassPermissions
		return nil
	}
}

// AllowBypass permits [Client.SetPermissionMode] to switch to
// [permission.BypassPermissions].
func AllowBypass() Option {
	return func(c *config) error {
		c.Settings.AllowBypass = true
		return nil
	}
}

// Allow lets calls run without a question: "Read", "Bash(go test:*)", "mcp__shop".
func Allow(rules ...string) Option {
	return func(c *config) error {
		c.Settings.AllowedTools = append(c.Settings.AllowedTools, rules...)
		return checkRules(rule.Allow, rules)
	}
}

// Ask lets calls be asked about, also where another rule allows them.
func Ask(rules ...string) Option {
	return func(c *config) error {
		c.Settings.AskTools = append(c.Settings.AskTools, rules...)
		return checkRules(rule.Ask, rules)
	}
}

// Deny refuses calls, whatever else would allow them. The name of a tool takes it away from
// the model altogether.
func Deny(rules ...string) Option {
	return func(c *config) error {
		c.Settings.DisallowedTools = append(c.Settings.DisallowedTools, rules...)
		return checkRules(rule.Deny, rules)
	}
}

// checkRules says what is wrong with rules. In a settings file a broken one is made the best
// of; here whoever wrote it can mend it at once.
func checkRules(b rule.Behavior, rules []string) error {
	option := map[rule.Behavior]string{rule.Allow: "Allow", rule.Ask: "Ask", rule.Deny: "Deny"}[b]
	var errs []error
	for _, text := range rules {
		switch _, err := rule.Parse(text); {
		case err != nil:
			errs = append(errs, fmt.Errorf("assent.%s: %w", option, err))
		case !settings.IsOneRule(text, b):
			errs = append(errs, fmt.Errorf("assent.%s: %q can be read as several rules (pass each as an argument of its own; a parenthesis that belongs to a command is written as \\( or \\))", option, text))
		}
	}
	return errors.Join(errs...)
}

// AddDirs are further directories in which the session may work, relative to [Dir].
func AddDirs(paths ...string) Option {
	return func(c *config) error {
		c.Settings.AddDirs = append(c.Settings.AddDirs, paths...)
		return nil
	}
}

// SettingSources says which settings files count: any of [rule.UserSettings],
// [rule.ProjectSettings] and [rule.LocalSettings]. None does unless given; those of an
// administrator always do.
func SettingSources(sources ...rule.Source) Option {
	return func(c *config) error {
		for _, s := range sources {
			if s != rule.UserSettings && s != rule.ProjectSettings && s != rule.LocalSettings {
				return fmt.Errorf("assent.SettingSources: %s is no source to choose (use rule.UserSettings, rule.ProjectSettings or rule.LocalSettings)", s)
			}
		}
		c.Settings.Sources = append([]rule.Source{}, sources...)
		return nil
	}
}

// Settings are further settings: a file, or JSON. There can be one of them: a second would
// take away what the first denies.
func Settings(fileOrJSON string) Option {
	return func(c *config) error {
		if c.Options.Settings.Flag != "" {
			return errors.New("assent.Settings is given twice (write both into one)")
		}
		c.Options.Settings.Flag = fileOrJSON
		return nil
	}
}

// TrustWorkspace lets the workspace grant what its settings say, as `assent trust` does.
func TrustWorkspace() Option {
	return func(c *config) error {
		c.Settings.TrustWorkspace = true
		return nil
	}
}

// Classifier says who judges calls in auto mode: "builtin", or the name of a model. One that
// cannot be reached is an error for a session that starts in that mode; later, calls are
// asked about in its place.
func Classifier(name string) Option {
	return func(c *config) error {
		c.Options.Classifier = name
		return nil
	}
}
