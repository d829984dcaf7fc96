package inbox

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// A list of calls that are as long as they can be is not slower each time it is looked at:
// what a call says is read once.
func TestT16_LongCallsAreReadOnce(t *testing.T) {
	var m memory
	long := func(command string) approval.Call {
		return approval.Call{Tool: "Bash", Input: bash(strings.Repeat(command+"\n", 60_000/len(command))).Input}
	}
	a, b := long("rm -rf /etc/$x"), long("rm -rf /usr/$x")
	first, again, runs := time.Hour, time.Hour, 5
	for range runs {
		m = memory{}
		begun := time.Now()
		m.of(a)
		first = min(first, time.Since(begun))
		begun = time.Now()
		m.of(a)
		again = min(again, time.Since(begun))
	}
	if again*20 > first {
		t.Errorf("%v, then %v", first, again)
	}
	for _, c := range []approval.Call{a, b, a, {Tool: "Write", Input: a.Input}} {
		if got := m.of(c); got != Sentence(c) {
			t.Errorf("%s: %s", c.Tool, got)
		}
	}
	for range maxRemembered {
		m.all[memorised{size: len(m.all)}] = saying{}
	}
	if c := long("ls $y"); m.of(c) != Sentence(c) || len(m.all) > maxRemembered {
		t.Errorf("%d are remembered", len(m.all))
	}
}

// The longest call that a guard can hold is quoted as fast as a short one.
func TestT16_QuotingLooksAtWhatItShows(t *testing.T) {
	text := strings.Repeat("é", 4<<20)
	least := uint64(1 << 30)
	for range 5 { // others may need memory at the same time
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		quoted(text)
		clippedBy(text)
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	if least > 1<<20 {
		t.Errorf("%d bytes", least)
	}
	if got := cut("äöüßéèê", 5, 2); got != "äö…èê" {
		t.Errorf("%q", got)
	}
}

// What sort of call it is stands in lists as well, so no secret stands in it.
func TestT19_TheKinIsMasked(t *testing.T) {
	i := itemOf(approval.Ticket{Kin: "Bash(deploy --token ghp_0123456789abcdef0123)", Risk: permission.LowRisk})
	if strings.Contains(i.Kin, "ghp_") || !strings.Contains(i.Kin, masked) {
		t.Errorf("%q", i.Kin)
	}
}
