package policy

import (
	"slices"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// limits are what the administrator's settings take away, whoever brings permissions.
// What they grant is no part of it.
type limits struct {
	rules []rule.Rule
	mode  permission.Mode
	permission.Limits
}

// managed reads the administrator's settings alone, and looks at their files first:
// what changes in between is noticed the next time.
func (c *Checker) managed(mode permission.Mode) (limits, snapshot, error) {
	o := settings.Options{Dir: "/", ManagedFiles: c.Settings.ManagedFiles, Sources: []rule.Source{}, Mode: mode, TrustWorkspace: true}
	files := takeManaged(o.ManagedFiles)
	s, news, err := c.load(o, c.administrators)
	if err != nil {
		return limits{}, nil, err
	}
	c.notice(news)
	c.administrators = s
	config := s.Config()
	return limits{
		rules: slices.DeleteFunc(config.Rules, func(r rule.Rule) bool { return r.Behavior == rule.Allow }),
		mode:  config.ModeLimit, Limits: config.Limits,
	}, files, nil
}
