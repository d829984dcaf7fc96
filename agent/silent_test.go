package agent_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// generous is a host that allows everything, and counts how often it is asked.
type generous struct{ asked atomic.Int32 }

func (*generous) Name() string { return "host" }

func (g *generous) Ask(context.Context, agent.Question) (permission.Answer, error) {
	g.asked.Add(1)
	return permission.Answer{Behavior: permission.Allow}, nil
}

// TestS46_NobodyIsAsked: with denyInsteadOfPrompting a call that would ask is denied at once, by
// a sub-agent as by the session, and no host is asked. Hooks decide first.
func TestS46_NobodyIsAsked(t *testing.T) {
	bash := []model.Block{use("t1", "Bash", `{"command":"make"}`)}
	for name, c := range map[string]struct {
		turns []reply
		rules []string
		hooks []hook.Entry
		runs  int
	}{
		"a call":            {turns: []reply{{calls: bash}, {text: "ok"}}},
		"an ask rule":       {rules: []string{"ask Bash"}, turns: []reply{{calls: bash}, {text: "ok"}}},
		"what is allowed":   {rules: []string{"allow Bash"}, turns: []reply{{calls: bash}, {text: "ok"}}, runs: 1},
		"a hook that wants": {hooks: []hook.Entry{function(hook.PreToolUse, func() hook.Output { return hook.Ask("look") })}, turns: []reply{{calls: bash}, {text: "ok"}}},
		"a hook allows":     {hooks: []hook.Entry{function(hook.PermissionRequest, hook.AnswerAllow)}, turns: []reply{{calls: bash}, {text: "ok"}}, runs: 1},
		"a hook denies":     {hooks: []hook.Entry{function(hook.PermissionRequest, func() hook.Output { return hook.AnswerDeny("no") })}, turns: []reply{{calls: bash}, {text: "ok"}}},
		"a sub-agent":       {turns: []reply{{calls: []model.Block{use("a", "Task", subtask)}}, {calls: bash}, {text: "sub"}, {text: "ok"}}},
		"a question":        {turns: []reply{{calls: []model.Block{use("t1", "AskUserQuestion", `{"questions":[{"question":"q?","header":"h","multiSelect":false,"options":[{"label":"a","description":"d"},{"label":"b","description":"d"}]}]}`)}}, {text: "ok"}}},
	} {
		t.Run(name, func(t *testing.T) {
			host := &generous{}
			w := newWorld(t, config{asker: host, hooks: c.hooks, turns: c.turns, change: func(config *agent.Config) {
				var err error
				config.Permissions, err = permission.NewContext(permission.Config{Cwd: "/project", Home: "/home/dev", Rules: readRules(t, c.rules), Limits: permission.Limits{NoPrompts: true}})
				if err != nil {
					t.Fatal(err)
				}
			}})
			w.prompt("go")
			if got := len(w.tools.ran); got != c.runs {
				t.Errorf("%d calls ran, want %d", got, c.runs)
			}
			if host.asked.Load() > 0 {
				t.Error("the host was asked")
			}
			if c.runs == 0 && c.hooks == nil && !strings.Contains(w.model.heard(), "denyInsteadOfPrompting") {
				t.Errorf("the model is not told why: %s", w.model.heard())
			}
			for _, offered := range w.model.requests[0].Tools {
				if offered.Name == "AskUserQuestion" {
					t.Error("questions are offered")
				}
			}
		})
	}
}

// heard is what the model was told in all its turns.
func (p *turns) heard() string {
	var all strings.Builder
	for _, r := range p.requests {
		for _, m := range r.Messages {
			for _, b := range m.Content {
				all.WriteString(said(b))
			}
		}
	}
	return all.String()
}
