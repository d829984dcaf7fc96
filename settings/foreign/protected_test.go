package foreign

import (
	"testing"

	"github.com/assent-dev/assent/shell"
)

// TestWhatHoldsTheGuardIsProtected: no agent rewires its own guard.
func TestWhatHoldsTheGuardIsProtected(t *testing.T) {
	places := Places{Home: "/home/dev", Dir: "/home/dev/app"}
	for _, agent := range Agents {
		for _, scope := range []Scope{User, Project} {
			for _, file := range []string{places.file(agent, scope), places.policyFile(scope)} {
				if !shell.Protected(file) {
					t.Errorf("%s: %s is not protected", agent, file)
				}
			}
		}
	}
}
