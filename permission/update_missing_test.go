package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// What was left out of an update is called missing, and not by a value that nobody wrote.
func TestUpdate_SaysWhatIsMissing(t *testing.T) {
	for want, u := range map[string]permission.Update{
		"permission update addRules: destination is missing: want session, localSettings, projectSettings or userSettings": {
			Type: permission.AddRules, Behavior: rule.Deny, Rules: []string{"Bash"},
		},
		"permission update: the type is missing: want addRules, replaceRules, removeRules, setMode, addDirectories or removeDirectories": {},
	} {
		if err := u.Validate(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
