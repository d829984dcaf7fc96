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
	go func() {
		defer close(s.watched)
		err := settings.Watch(ctx, o.Settings, loaded, func(next *settings.Settings, reports []settings.Report) {
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
		})
		if err != nil {
			o.Warn("changes of settings are not noticed any more: " + err.Error())
		}
	}()
}
