package clerk

import (
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// heldWorld is a state directory in which a guard holds a call.
func heldWorld(t *testing.T, toolName string) (*Clerk, approval.Ticket, *approval.Store) {
	t.Helper()
	dir, cwd := t.TempDir(), t.TempDir()
	tickets, err := approval.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tickets.Close() })
	call := approval.Call{Session: "thread-1", Tool: toolName, Input: strictjson.Raw(`{"command":"deploy"}`), Cwd: cwd}
	ticket, err := tickets.Hold(t.Context(), "codex", approval.Parking{Call: call, Why: "a rule asks", By: "guard", Lasts: time.Hour, Risk: permission.MediumRisk})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	c.Checker = func(cwd string) (*policy.Checker, error) {
		set, err := tool.NewSet(tool.Builtin()...)
		if err != nil {
			return nil, err
		}
		return &policy.Checker{Tools: set, Links: permission.NoLinks{}, Settings: settings.Options{
			Dir: cwd, Home: dir, ManagedFiles: []string{}, DisallowedTools: []string{"Bash(forbidden)"},
		}}, nil
	}
	return c, ticket, tickets
}

func TestA2_HeldCallsAreMattersOfTheirOwn(t *testing.T) {
	for _, name := range []string{"Bash", "codex:apply_patch"} {
		t.Run(name, func(t *testing.T) {
			c, ticket, tickets := heldWorld(t, name)
			all, _, err := c.Matters(t.Context())
			if err != nil || len(all) != 1 {
				t.Fatalf("%+v, %v", all, err)
			}
			if m := all[0]; m.Asker() != "codex" || m.Standing != Pending || !m.Waits || m.Problem != "" || m.Why != "a rule asks" {
				t.Errorf("%+v", m)
			}
			if s, err := c.Show(t.Context(), ticket.ID[:6]); err != nil || s.State != "of codex" || len(s.Calls) != 1 || s.Calls[0].Asker != "codex" || s.Calls[0].Problem != "" {
				t.Errorf("%+v, %v", s, err)
			}
			if _, err := c.Approve(t.Context(), ticket.ID, Yes{By: "ana", Input: strictjson.Raw(`{"command":"ls"}`)}); KindOf(err) != Invalid || !strings.Contains(err.Error(), "codex runs exactly the call") {
				t.Errorf("%v", err)
			}
			m, err := c.Approve(t.Context(), ticket.ID, Yes{By: "ana", Digest: ticket.Digest})
			if err != nil || m.Standing != Approved {
				t.Fatalf("%+v, %v", m, err)
			}
			if _, err := c.Approve(t.Context(), ticket.ID, Yes{By: "bob"}); KindOf(err) != Refused {
				t.Errorf("approved twice: %v", err)
			}
			if m, err = c.Deny(t.Context(), ticket.ID, No{By: "bob", Reason: "no"}); err != nil || m.Standing != Denied { // nobody has taken the yes
				t.Errorf("%+v, %v", m, err)
			}
			if got, err := tickets.Hand(t.Context(), ticket.ID, "guard"); err != nil || got.State != approval.Refused {
				t.Errorf("%+v, %v", got, err)
			}
			if all, _, err := c.Matters(t.Context()); err != nil || len(all) != 0 {
				t.Errorf("%+v, %v", all, err)
			}
			if _, err := c.Approve(t.Context(), ticket.ID, Yes{By: "ana"}); KindOf(err) != Refused || !strings.Contains(err.Error(), "cannot be answered any more") {
				t.Errorf("%v", err)
			}
		})
	}
}

// What a rule of today denies nobody can approve, held or not.
func TestT5_HeldCallsAndTheRulesOfToday(t *testing.T) {
	c, _, tickets := heldWorld(t, "Bash")
	call := approval.Call{Session: "thread-1", Tool: "Bash", Input: strictjson.Raw(`{"command":"forbidden"}`), Cwd: t.TempDir()}
	ticket, err := tickets.Hold(t.Context(), "codex", approval.Parking{Call: call, By: "guard"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Approve(t.Context(), ticket.ID, Yes{By: "ana"}); KindOf(err) != Refused || !strings.Contains(err.Error(), "denies it") {
		t.Errorf("%v", err)
	}
}
