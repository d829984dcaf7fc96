package launch

import (
	"context"
	"slices"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// always is a person who allows everything from now on.
type always struct{ asked []agent.Question }

func (*always) Name() string { return "always" }

func (a *always) Ask(_ context.Context, q agent.Question) (permission.Answer, error) {
	a.asked = append(a.asked, q)
	return permission.Answer{Behavior: permission.Allow, Updates: q.Suggestions, Answered: true}, nil
}

// TestS33_AlwaysInAnUntrustedWorkspace: it is written, held back, and holds for the session
// all the same; the person is told before.
func TestS33_AlwaysInAnUntrustedWorkspace(t *testing.T) {
	const script = "turns:\n  - call: {Bash: {command: touch a}}\n  - say: ok\n  - call: {Bash: {command: touch a}}\n  - say: ok\n"
	for _, trusted := range []bool{false, true} {
		w, p := newWorkshop(t, script), &always{}
		w.Asker, w.Settings.TrustWorkspace = p, trusted
		w.open()
		w.session.Agent.Prompt(t.Context(), agent.TextPrompt("go"))
		if err := w.session.writer.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		next, err := settings.Load(w.Settings)
		if err != nil {
			t.Fatal(err)
		}
		if held := len(next.HeldBack.Rules) > 0; held == trusted {
			t.Errorf("trusted %v: held back %v", trusted, next.HeldBack.Rules)
		}
		permissions, err := next.Context(nil)
		if err != nil {
			t.Fatal(err)
		}
		w.session.Agent.Rebase(permissions)
		w.session.Agent.Prompt(t.Context(), agent.TextPrompt("go on"))
		if len(p.asked) != 1 || !slices.ContainsFunc(p.asked[0].Suggestions, func(u permission.Update) bool { return u.Destination == rule.LocalSettings }) {
			t.Fatalf("trusted %v: %+v", trusted, p.asked)
		}
		if told := p.asked[0].HeldBack[rule.LocalSettings] != ""; told == trusted {
			t.Errorf("trusted %v: told %q", trusted, p.asked[0].HeldBack)
		}
	}
}

// A file that the session does not read keeps nothing for it.
func TestHeldBack_AFileThatIsNotRead(t *testing.T) {
	w := newWorkshop(t, "turns:\n  - say: ok\n")
	w.Settings.Sources = []rule.Source{rule.UserSettings}
	w.open()
	if w.session.heldBack(rule.LocalSettings) == "" || w.session.heldBack(rule.UserSettings) != "" {
		t.Errorf("%q, %q", w.session.heldBack(rule.LocalSettings), w.session.heldBack(rule.UserSettings))
	}
}
