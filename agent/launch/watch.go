package launch

import (
	"context"

	"github.com/assent-dev/assent/settings"
)

// watch keeps the rules current while the session runs. Hooks stay those of the start:
// what judges a session does not change under it.
func (s *Session) watch(o settings.Options, loaded *settings.Settings, warn func(string)) {
	ctx, cancel := context.WithCancel(context.Background())
	s.watching, s.watched = cancel, make(chan struct{})
	go func() {
		defer close(s.watched)
		err := settings.Watch(ctx, o, loaded, func(next *settings.Settings, reports []settings.Report) {
			for _, r := range reports {
				warn(r.String())
			}
			permissions, err := next.Context(nil)
			if err != nil {
				warn("the changed settings are not in force: " + err.Error())
				return
			}
			s.current.Store(next)
			s.Agent.Rebase(permissions)
		})
		if err != nil {
			warn("changes of settings are not noticed any more: " + err.Error())
		}
	}()
}
