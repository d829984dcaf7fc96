package launch

import (
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings"
)

// hooks makes the hooks of the settings run in this session. Their state is still
// missing.
func hooks(loaded *settings.Settings, o Options, dir string, env variables) hook.Config {
	entries, reports := policy.Hooks(loaded)
	for _, r := range reports {
		o.Warn(r.String())
	}
	var heldBack []hook.Matcher
	for _, h := range loaded.HeldBack.Hooks {
		if m, ok := hook.HeldBack(h.Event, h.Matcher); ok {
			heldBack = append(heldBack, m)
		}
	}
	return hook.Config{Entries: entries, HeldBack: heldBack, Dir: dir, Home: o.Settings.Home, Env: env.added()}
}
