package launch

import (
	"path/filepath"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// protectState keeps the agent's hands off its own records. The usual place is protected
// by its name; another one needs rules.
func (s *Session) protectState(o settings.Options) error {
	dir := stateDir(o)
	if filepath.Base(dir) == ".assent" {
		return nil
	}
	names := []string{dir}
	if target, err := filepath.EvalSymlinks(dir); err == nil && target != dir {
		names = append(names, target)
	}
	for _, name := range names {
		text := "Edit(/" + literally(name)
		u := permission.Update{
			Type: permission.AddRules, Destination: rule.Session, Behavior: rule.Deny, Rules: []string{text + ")", text + "/**)"},
		}
		if err := s.Agent.Restrict(u); err != nil {
			return err
		}
	}
	return nil
}

// literally is a path in a rule in which every letter is itself.
func literally(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
