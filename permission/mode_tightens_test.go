package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// TestP8_Tightens: from everything to a mode that tightens it, and to itself; a sub-agent
// may choose exactly those.
func TestP8_Tightens(t *testing.T) {
	all := []permission.Mode{permission.Default, permission.AcceptEdits, permission.Plan, permission.Auto, permission.BypassPermissions, permission.DontAsk}
	tighter := map[permission.Mode][]permission.Mode{
		permission.Default:           {permission.Default, permission.Plan, permission.DontAsk},
		permission.AcceptEdits:       {permission.Default, permission.Plan, permission.DontAsk},
		permission.Auto:              {permission.Default, permission.Plan, permission.DontAsk},
		permission.Plan:              {permission.Plan},
		permission.DontAsk:           {permission.DontAsk},
		permission.BypassPermissions: {permission.Default, permission.AcceptEdits, permission.Auto, permission.Plan, permission.DontAsk},
	}
	for _, from := range all {
		for _, to := range all {
			want := false
			for _, m := range tighter[from] {
				want = want || m == to
			}
			if got := to.Tightens(from); got != want {
				t.Errorf("%v tightens %v: %v", to, from, got)
			}
			w := newWorld(t, lists{}, inMode(from))
			if _, err := w.ctx.Bubble().WithMode(to); (err == nil) != (want || from == to) {
				t.Errorf("a sub-agent in %v below %v: %v", to, from, err)
			}
		}
	}
}
