package policy

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// commandLine is what the command line says. It holds beside the settings on disk,
// and beside permissions that a query brings instead of them.
type commandLine struct {
	rules       []rule.Rule
	directories []string // as written
}

// commandLine reads the flags once. The settings package takes the lists apart; it
// is shown no file to read.
func (c *Checker) commandLine() (*commandLine, error) {
	if c.given != nil {
		return c.given, nil
	}
	o := c.Settings
	s, err := settings.Load(settings.Options{
		Dir: "/", ManagedFiles: []string{}, Sources: []rule.Source{}, TrustWorkspace: true,
		AllowedTools: o.AllowedTools, AskTools: o.AskTools, DisallowedTools: o.DisallowedTools,
	})
	if err != nil {
		return nil, err
	}
	c.notice(s.Reports)
	c.given = &commandLine{rules: slices.Concat(s.Config().Rules, c.Rules)}
	for _, dir := range o.AddDirs {
		if strings.TrimSpace(dir) != "" {
			c.given.directories = append(c.given.directories, dir)
		}
	}
	return c.given, nil
}

func (c *Checker) notice(reports []settings.Report) {
	if c.Notice != nil && len(reports) > 0 {
		c.Notice(reports)
	}
}
