package assent_test

import (
	"context"
	"testing"
	"time"

	"github.com/assent-dev/assent"
)

// TestK4_TheCacheHoldsUpNobody: whoever copies the example has sub-agents that are asked
// about at once.
func TestK4_TheCacheHoldsUpNobody(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	began, other := make(chan struct{}), make(chan struct{})
	cache := &answers{known: map[string]assent.Answer{}, decide: func(ctx context.Context, call assent.ToolCall) (assent.Answer, error) {
		if call.ToolName == "Write" {
			close(other)
			return assent.Yes(), nil
		}
		close(began)
		select { // a person who takes their time
		case <-other:
			return assent.Yes(), nil
		case <-ctx.Done():
			return assent.Answer{}, ctx.Err()
		}
	}}
	first := make(chan error)
	go func() {
		_, err := cache.canUseTool(ctx, assent.ToolCall{ToolName: "Bash"})
		first <- err
	}()
	<-began
	if _, err := cache.canUseTool(ctx, assent.ToolCall{ToolName: "Write"}); err != nil {
		t.Error(err)
	}
	if err := <-first; err != nil {
		t.Error("one question waited for the answer to another:", err)
	}
}
