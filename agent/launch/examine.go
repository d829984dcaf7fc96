package launch

import (
	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/settings"
)

// prepared is what settings make of a session.
type prepared struct {
	settings *settings.Settings
	config   agent.Config // what settings say of it
	servers  []mcp.Server
}

// prepare reads the settings, before anybody is asked and anything is started or written. It is the one
// place that says what is wrong with them: its error is what nothing starts with, and a person is told
// of the rest.
func (s *Session) prepare(o Options) (p prepared, err error) {
	s.options = o
	if p.settings, err = settings.Load(o.Settings); err != nil {
		return p, err
	}
	for _, r := range p.settings.Reports {
		o.Warn(r.String())
	}
	if by := p.settings.NoSideload(); by != "" && o.Agents != "" {
		return p, sideloaded("--agents", by)
	}
	o.withhold(p.settings)
	if s.env, err = environment(p.settings, o.Env); err != nil {
		return p, err
	}
	if p.config.Permissions, err = p.settings.Context(nil); err != nil {
		return p, err
	}
	p.config.Hooks = hooks(p.settings, o, p.config.Permissions.Cwd(), s.env)
	p.config.Terms = terms(p.settings)
	p.config.Classifier = classifier(o, p.settings, s.env)
	if err := s.customize(&p.config, o, p.settings); err != nil {
		return p, err
	}
	p.servers, err = s.configuredServers(o, p.settings)
	return p, err
}

// Examine looks at the settings that hold for all sessions of this user, wherever they work: those of
// the administrator, of the user and of the command line. It tells o.Warn what each session would say
// about them, and the error is that with which none of them would start. Settings.Dir may be any
// directory that there is; no session is opened.
func Examine(o Options) (*settings.Settings, error) {
	o.complete()
	o.Settings.Everywhere = true
	p, err := (&Session{}).prepare(o)
	if err != nil {
		return nil, err
	}
	warnUnmatched(o, p.settings, nil)
	return p.settings, nil
}
