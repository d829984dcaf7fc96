package hook

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// short is a context for hooks that would go on for a minute.
func short(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

func wantFailure(t *testing.T, reply Reply, kind FailureKind, contains string) {
	t.Helper()
	if reply.Failure == nil || reply.Failure.Kind != kind || !strings.Contains(reply.Failure.Text, contains) {
		t.Fatalf("failure is %+v, want %v with %q\nreply: %s", reply.Failure, kind, contains, show(reply))
	}
	if reply.Output != nil {
		t.Errorf("a failure comes with the output %+v", *reply.Output)
	}
}

func show(r Reply) string {
	exit := "none"
	if r.Exit != nil {
		exit = fmt.Sprint(*r.Exit)
	}
	return fmt.Sprintf("exit %s, stdout %.300q, stderr %.300q, failure %+v, notes %q", exit, r.Text, r.Stderr, r.Failure, r.Notes)
}

func TestFailureKindsHaveNames(t *testing.T) {
	names := map[string]FailureKind{}
	for kind := CannotStart; kind <= Gone; kind++ {
		name := kind.String()
		if twin, ok := names[name]; ok || name == "unknown" || strings.TrimSpace(name) == "" {
			t.Errorf("kind %d is called %q, like %d", kind, name, twin)
		}
		names[name] = kind
	}
	if FailureKind(0).String() != "unknown" || (Gone+1).String() != "unknown" {
		t.Error("a kind that does not exist has a name")
	}
}
