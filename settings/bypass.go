package settings

import (
	"fmt"

	"github.com/assent-dev/assent/permission"
)

// checkBypass refuses to write bypassPermissions where a context would refuse to
// switch to it: in a file it would wait for the next start, and start there
// without the flag.
func (p *places) checkBypass(u permission.Update) error {
	if u.Type != permission.SetMode || u.Mode != permission.BypassPermissions {
		return nil
	}
	// Starting in that mode counts as the flag.
	if !p.AllowBypass && p.Mode != permission.BypassPermissions {
		return notWritten(permission.ErrBypass)
	}
	s, err := Load(p.Options)
	if err != nil {
		return notWritten(err) // the file that cannot be read may be the one that forbids it
	}
	if err := s.config.Refuses(u.Mode); err != nil {
		return notWritten(err)
	}
	return nil
}

func notWritten(why error) error {
	return fmt.Errorf("defaultMode bypassPermissions is not written: %w", why)
}
