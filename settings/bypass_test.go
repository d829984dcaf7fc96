package settings

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// What a context refuses in memory must not come in through the file at the next
// start.
func TestS11_BypassIsWrittenOnlyWhereAContextAcceptsIt(t *testing.T) {
	forbid := `{"permissions": {"disableBypassPermissionsMode": "disable"}}`
	for _, c := range []struct {
		name    string
		prepare func(w *world)
		want    error
	}{
		{"no flag", func(*world) {}, permission.ErrBypass},
		{"started in another mode", func(w *world) { w.Mode = permission.AcceptEdits }, permission.ErrBypass},
		{"trusted", func(w *world) { w.TrustWorkspace = true }, permission.ErrBypass},
		{"flag", func(w *world) { w.AllowBypass = true }, nil},
		{"started in it", func(w *world) { w.Mode = permission.BypassPermissions }, nil},
		{"flag, but managed settings forbid it", func(w *world) {
			w.AllowBypass = true
			w.put(rule.PolicySettings, forbid)
		}, permission.ErrBypassDisabled},
		{"flag, but the project forbids it", func(w *world) {
			w.AllowBypass = true
			w.put(rule.ProjectSettings, forbid)
		}, permission.ErrBypassDisabled},
		{"started in it, but the project forbids it", func(w *world) {
			w.Mode = permission.BypassPermissions
			w.put(rule.ProjectSettings, forbid)
		}, permission.ErrBypassDisabled},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			c.prepare(w)
			u := permission.Update{Type: permission.SetMode, Mode: permission.BypassPermissions, Destination: rule.UserSettings}
			ctx, err := permission.NewContext(w.load().Config())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ctx.Apply(u); !errors.Is(err, c.want) {
				t.Fatalf("the context says %v, want %v", err, c.want)
			}
			writer := NewWriter(w.Options)
			if err := writer.Queue(u); !errors.Is(err, c.want) {
				t.Errorf("the writer says %v, want %v", err, c.want)
			}
			if err := writer.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			text, _ := os.ReadFile(w.path(rule.UserSettings))
			if written := strings.Contains(string(text), "bypassPermissions"); written != (c.want == nil) {
				t.Errorf("the file says %q", text)
			}
		})
	}
}

func TestS11_BypassIsNotWrittenWhileAFileCannotBeRead(t *testing.T) {
	w := newWorld(t)
	w.AllowBypass = true
	w.put(rule.PolicySettings, `{`)
	writer := NewWriter(w.Options)
	u := permission.Update{Type: permission.SetMode, Mode: permission.BypassPermissions, Destination: rule.UserSettings}
	err := writer.Queue(u)
	if _, ok := errors.AsType[*BrokenError](err); !ok {
		t.Errorf("queue says %v", err)
	}
	u.Mode = permission.Plan
	if err := writer.Queue(u); err != nil {
		t.Errorf("another mode: %v", err)
	}
	if err := writer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}
