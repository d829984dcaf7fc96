package testlimit

import (
	"testing"
	"time"
)

// recorder is a test that only notes that it has failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

func TestWatchSeesSlowInputs(t *testing.T) {
	for _, work := range []time.Duration{0, Time + Time/10} {
		r := &recorder{TB: t}
		done := Watch(r)
		for from := used(); used()-from < work; {
		}
		if done(); r.failed != (work > Time) {
			t.Errorf("%v of work failed: %v", work, r.failed)
		}
	}
}
