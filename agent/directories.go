package agent

import (
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// inEffect is what an update does. Who takes a directory away from the session means the
// one of the command line as well: that is nothing but a directory of the session, and no
// host could name it otherwise.
func inEffect(u permission.Update) []permission.Update {
	if u.Type != permission.RemoveDirectories || u.Destination != rule.Session {
		return []permission.Update{u}
	}
	given := u
	given.Destination = rule.CLIArg
	return []permission.Update{u, given}
}

// warnUnremoved tells which directories an update was to take away and did not: somebody
// believes that they are gone.
func (a *Agent) warnUnremoved(before, after *permission.Context, u permission.Update) {
	if u.Type != permission.RemoveDirectories {
		return
	}
	for _, dir := range u.Directories {
		one := permission.Update{Type: u.Type, Directories: []string{dir}, Destination: u.Destination}
		if from, stays := holder(after, one); stays {
			a.warn("The directory %s is still one that may be worked in: it comes from %s, and was to be removed from %s.", dir, from, u.Destination)
		} else if _, was := holder(before, one); !was {
			a.warn("The directory %s was not removed: it is not one that was added.", dir)
		}
	}
}

// holder is the source that a directory comes from.
func holder(c *permission.Context, u permission.Update) (rule.Source, bool) {
	for _, source := range []rule.Source{rule.Session, rule.CLIArg, rule.LocalSettings, rule.ProjectSettings, rule.UserSettings} {
		u.Destination = source
		if next, err := c.Apply(u); err == nil && len(next.Directories()) < len(c.Directories()) {
			return source, true
		}
	}
	return 0, false
}
