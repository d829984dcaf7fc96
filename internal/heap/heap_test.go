package heap

import (
	"runtime/debug"
	"testing"
)

// The room is that of the package, unless whoever starts the program says another.
func TestRoomy(t *testing.T) {
	was := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(was) })
	for env, want := range map[string]int{"": percent, "50": 100} { // the runtime has read it at the start
		debug.SetGCPercent(100)
		t.Setenv("GOGC", env)
		Roomy()
		if got := debug.SetGCPercent(100); got != want {
			t.Errorf("GOGC=%s: %d, want %d", env, got, want)
		}
	}
}
