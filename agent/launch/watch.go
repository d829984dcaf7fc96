package launch

import (
	"context"

	"github.com/assent-dev/assent/settings"
)

// watch keeps the rules current while the session runs. Hooks stay those of the start:
// what judges a session does not change under it.
func (s *Session) watch(o Options, loaded *settings.Settings) {
	ctx, cancel := context.WithCancel(context.Background())
	s.watching, s.watched = cancel, make(chan struct{})
	adopt := func(next *settings.Settings, reports []settings.Report) { s.adopt(o, next, reports) }
	go func() {
		defer close(s.watched)
		if err := settings.Watch(ctx, o.Settings, loaded, adopt); err != nil {
			o.Warn("changes of settings are not noticed any more: " + err.Error())
		}
	}()
}

// adopt puts settings in force that have changed.
func (s *Session) adopt(o Options, next *settings.Settings, reports []settings.Report) {
	o.withhold(next)
	for _, r := range reports {
		o.Warn(r.String())
	}
	permissions, err := next.Context(nil)
	if err != nil {
		o.Warn("the changed settings are not in force: " + err.Error())
		return
	}
	s.current.Store(next)
	s.Agent.Rebase(permissions)
}
