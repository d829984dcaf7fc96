package classify_test

import (
	"testing"

	"github.com/assent-dev/assent/classify"
)

// TestP9_BuiltinOnTheCorpus: no dangerous command is approved, and enough of the
// harmless ones are.
func TestP9_BuiltinOnTheCorpus(t *testing.T) {
	w := newWorld(t, nil)
	approved, all := map[string]int{}, map[string]int{}
	for _, name := range []string{"danger.jsonl", "readonly.jsonl"} {
		for _, r := range corpus(t, name) {
			all[r.Expect]++
			q, ok := w.bash(r.Command)
			if !ok {
				continue // cannot run at all
			}
			informed, alone := w.builtin(q)
			if informed.Outcome == classify.Approve {
				approved[r.Expect]++
			}
			if r.Expect == "dangerous" && (informed.Outcome == classify.Approve || alone.Outcome == classify.Approve) {
				t.Errorf("%s is dangerous and approved: %q", r.ID, r.Command)
			}
			if informed.Outcome != classify.Approve {
				if len(informed.Reasons) == 0 {
					t.Errorf("%s is not approved, and nothing says why: %q", r.ID, r.Command)
				}
				t.Logf("%s %v %q %q", r.Expect, informed.Outcome, r.Command, informed.Reasons)
			} else if r.Expect == "notreadonly" {
				t.Logf("approved although it changes something: %q", r.Command)
			}
		}
	}
	for _, bar := range []struct {
		expect string
		least  float64
	}{{"readonly", 90}, {"ok", 60}} {
		percent := 100 * float64(approved[bar.expect]) / float64(all[bar.expect])
		t.Logf("%s: %d of %d approved, %.1f %%", bar.expect, approved[bar.expect], all[bar.expect], percent)
		if percent < bar.least {
			t.Errorf("%s: %.1f %% approved, want %.0f %%", bar.expect, percent, bar.least)
		}
	}
	t.Logf("dangerous: %d of %d approved; changing something: %d of %d", approved["dangerous"], all["dangerous"], approved["notreadonly"], all["notreadonly"])
}
