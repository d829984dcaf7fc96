package inbox

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// Whoever reads the log must not look for a restart where another machine has taken a session.
func TestD8_ASessionThatAnotherMachineTookIsLoggedAsThat(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.Resume = func(ctx context.Context, _ string, _ []permission.Update) error { return ctx.Err() }
	ctx, take := context.WithCancelCause(t.Context())
	take(&session.Taken{ID: ticket.Session})
	_ = w.letGoOn(ctx, ticket.Session)
	if got := w.logged(); !strings.Contains(got, "a session was taken over by another machine") || strings.Contains(got, "because the server ends") {
		t.Error(got)
	}
}
