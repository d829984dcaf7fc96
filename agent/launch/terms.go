package launch

import (
	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// terms are what settings say about calls that are parked.
func terms(loaded *settings.Settings) agent.Terms {
	said := loaded.Parking()
	t := agent.Terms{Policy: loaded.Version(), Lasts: said.Lasts, Outcome: permission.Deny, Approvals: loaded.Approvals}
	if said.Outcome == permission.Allow.String() {
		t.Outcome = permission.Allow
	}
	return t
}
