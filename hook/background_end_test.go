package hook

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/rule"
)

// A function that ignores its context was told to end: the session that ends waits for it
// only briefly, and for a hook that may go on as long as ever.
func TestS39_TheEndWaitsOnlyBrieflyForAHookThatShouldHaveEnded(t *testing.T) {
	for name, tt := range map[string]struct {
		others []Entry
		least  time.Duration
		most   time.Duration
	}{
		"alone": {nil, 0, time.Second},
		"beside one that may go on": {
			[]Entry{{Event: PreToolUse, Async: true, Handler: Function{Label: "slow", Func: func(context.Context, Invocation) (Output, error) {
				time.Sleep(10 * time.Second)
				return Output{}, nil
			}}}},
			8 * time.Second, 11 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				deaf := Entry{Event: PreToolUse, Timeout: time.Second, Handler: Function{Label: "deaf", Func: func(context.Context, Invocation) (Output, error) {
					<-release
					return Output{}, nil
				}}}
				s := newSession(t, Config{Entries: append([]Entry{deaf}, tt.others...)}, textRule(t, rule.Allow, "Bash"))
				s.bash("ls")
				before := time.Now()
				ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
				defer cancel()
				s.pipeline.Hooks.Close(ctx)
				if took := time.Since(before); took < tt.least || took > tt.most {
					t.Errorf("the end took %v", took)
				}
				close(release)
			})
		})
	}
}
