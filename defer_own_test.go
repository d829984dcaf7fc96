package assent_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
)

// TestD_AToolOfOnesOwnWaits: a call of a tool that this program serves can wait, and when a
// person has approved it, the next process that serves the tool runs it, once.
func TestD_AToolOfOnesOwnWaits(t *testing.T) {
	for name, more := range map[string][]assent.Option{"in this process": nil, "external": {assent.External(buildAssent(t))}} {
		t.Run(name, func(t *testing.T) {
			dir, home := t.TempDir(), t.TempDir()
			state := filepath.Join(home, "state")
			t.Setenv("HOME", home)
			t.Setenv("ASSENT_HOME", state)
			var ran atomic.Int32
			with := func(turns string, own ...assent.Option) []assent.Option {
				shop := assent.Serve("shop", tool(t, "go", func(context.Context, struct{}) (string, error) {
					ran.Add(1)
					return "it went", nil
				}))
				model := assent.Model("script:" + put(t, filepath.Join(home, "script.yaml"), turns))
				return append(append([]assent.Option{assent.Dir(dir), shop, model}, own...), more...)
			}
			waits := assent.On("mcp__shop__go", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
				return hook.Defer("somebody has to look at it"), nil
			})
			_, result := watch(t, "go", with("turns:\n  - call: {mcp__shop__go: {}}\n", waits, assent.SessionID(anID)))
			if len(result.Deferred) != 1 || ran.Load() != 0 {
				t.Fatalf("ran %d times: %+v", ran.Load(), result)
			}

			store, err := approval.Open(state)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			ticket, err := store.OfCall(t.Context(), anID, result.Deferred[0].ToolUseID)
			if err != nil || ticket == nil {
				t.Fatal(ticket, err)
			}
			if _, err := store.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "go ahead", nil); err != nil {
				t.Fatal(err)
			}
			all, _ := watch(t, "and now?", with("turns: []\nafterwards: Well.\n", assent.Resume(anID)))
			if text := strings.Join(all, "\n"); ran.Load() != 1 || !strings.Contains(text, "it went") || !strings.Contains(text, "Well.") {
				t.Errorf("ran %d times: %q", ran.Load(), all)
			}
		})
	}
}
