package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

func TestS9_AutoMode(t *testing.T) {
	for name, tt := range map[string]struct {
		call model.Block
		ran  int
		who  string
	}{
		"an edit inside":     {use("t1", "Write", `{"file_path":"/project/a","content":"x"}`), 1, "classifier"},
		"a harmless command": {use("t1", "Bash", `{"command":"mkdir -p build"}`), 1, "classifier"},
		"a push":             {use("t1", "Bash", push), 0, "classifier"},
		"a protected path":   {use("t1", "Write", `{"file_path":"/project/.git/config","content":"x"}`), 0, ""},
		"the danger floor":   {use("t1", "Bash", `{"command":"rm -rf ~"}`), 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, config{mode: permission.Auto, turns: []reply{{calls: []model.Block{tt.call}}, {text: "ok"}}})
			result := w.prompt("go")
			if got := w.tools.list(); len(got) != tt.ran || len(result.Denials) != 1-tt.ran {
				t.Errorf("ran %v, denials %+v, told %q", got, result.Denials, said(w.results()["t1"]))
			}
			if r := w.audit.records[0]; r.Trust != tt.who {
				t.Errorf("decided by %q: %+v", r.Trust, r)
			}
		})
	}
}

func TestS9_TheThirdRefusalInARowGoesToThePerson(t *testing.T) {
	p := says(permission.Allow)
	call := func(id string) reply { return reply{calls: []model.Block{use(id, "Bash", push)}} }
	w := newWorld(t, config{mode: permission.Auto, asker: p, turns: []reply{call("t1"), call("t2"), call("t3"), call("t4"), {text: "ok"}}})
	w.prompt("go")
	if len(p.asked) != 1 || p.asked[0].ToolUseID != "t3" || len(w.tools.list()) != 1 {
		t.Errorf("asked %d times, ran %v: the person's yes closes the breaker", len(p.asked), w.tools.list())
	}
	if !slices.ContainsFunc(w.messages, func(m wire.Message) bool {
		n, ok := m.(*wire.Informational)
		return ok && strings.Contains(n.Text, "refus")
	}) {
		t.Error("nobody was told why the question came")
	}
}

type broken struct{}

func (broken) Name() string { return "broken" }

func (broken) Classify(context.Context, classify.Question) (classify.Verdict, error) { panic("boom") }

func TestS9_AClassifierThatFailsAllowsNothing(t *testing.T) {
	w := newWorld(t, config{mode: permission.Auto, turns: []reply{{calls: []model.Block{use("t1", "Bash", `{"command":"mkdir x"}`)}}, {text: "ok"}}, change: func(c *agent.Config) {
		c.Classifier = broken{}
	}})
	w.prompt("go")
	if got := w.tools.list(); len(got) != 0 {
		t.Errorf("ran %v", got)
	}
}

func TestH15_ARefusalMayBeTriedAgain(t *testing.T) {
	w := newWorld(t, config{mode: permission.Auto, hooks: []hook.Entry{function(hook.PermissionDenied, hook.TryAgain)}, turns: []reply{
		{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"},
	}})
	w.prompt("go")
	if last := w.model.last(); !strings.Contains(last, "may be tried again") || !strings.Contains(last, "the refused call t1 (Bash ") || strings.Count(last, "git push") < 2 {
		t.Errorf("the model was told %s", w.model.last())
	}
	if !slices.ContainsFunc(w.messages, func(m wire.Message) bool { u, ok := m.(*wire.User); return ok && u.Synthetic }) {
		t.Error("the host was not told")
	}
}
