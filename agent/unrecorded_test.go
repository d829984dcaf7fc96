package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
)

// flaky is a transcript that cannot write what fails says.
type flaky struct {
	*session.Transcript
	fails func(session.Kind) bool
}

func (f flaky) Append(kind session.Kind, body any) error {
	if f.fails(kind) {
		return errors.New("the disk is full")
	}
	return f.Transcript.Append(kind, body)
}

// failing makes the transcript of a world fail for one kind of record, and for all
// behind it.
func failing(kind session.Kind) func(*agent.Config) {
	return func(c *agent.Config) {
		failed := false
		c.Transcript = flaky{c.Transcript.(*session.Transcript), func(k session.Kind) bool {
			failed = failed || k == kind
			return failed
		}}
	}
}

func TestADecisionOfASubAgentThatIsNotRecordedEndsTheSession(t *testing.T) {
	w := newWorld(t, config{mode: permission.BypassPermissions})
	w.model.list = []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}},
		{calls: []model.Block{use("s1", "Bash", push)}, during: func(context.Context) { w.audit.fail(errors.New("the disk is full")) }},
		{calls: []model.Block{use("t2", "Bash", push)}, during: func(context.Context) { w.audit.fail(nil) }},
		{text: "done"},
	}
	result := w.prompt("go")
	if w.agent.Broken() == nil || !result.IsError || len(w.model.requests) != 2 || len(w.tools.list()) != 0 {
		t.Errorf("broken: %v, %+v, the model was asked %d times, ran %v", w.agent.Broken(), result, len(w.model.requests), w.tools.list())
	}
	if got := strings.Count(strings.Join(result.Errors, " "), "the disk is full"); got != 1 {
		t.Errorf("the reason is told %d times: %v", got, result.Errors)
	}
}

// A change of permissions that cannot be recorded loosens nothing, and ends the session.
func TestAnUpdateThatIsNotRecordedLoosensNothing(t *testing.T) {
	for name, update := range map[string]permission.Update{
		"mode": {Type: permission.SetMode, Destination: rule.Session, Mode: permission.BypassPermissions},
		"deny": {Type: permission.AddRules, Destination: rule.Session, Behavior: rule.Deny, Rules: []string{"Read"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &person{answer: func(context.Context, agent.Question) (permission.Answer, error) {
				return permission.Answer{Behavior: permission.Allow, Updates: []permission.Update{update}}, nil
			}}
			w := newWorld(t, config{
				asker: p, change: failing(session.Ruled),
				turns: []reply{{calls: []model.Block{use("t1", "Bash", push), use("t2", "Read", read1), use("t3", "Bash", push)}}, {text: "next"}},
			})
			result := w.prompt("go")
			if len(w.tools.list()) != 0 || !result.IsError || w.agent.Broken() == nil || len(w.model.requests) != 1 {
				t.Errorf("ran %v, %+v", w.tools.list(), result)
			}
			if got := w.agent.Mode(); got != permission.Default {
				t.Errorf("the mode is %v", got)
			}
		})
	}
}

func TestAResultThatIsNotRecordedEndsTheSession(t *testing.T) {
	replace := function(hook.PostToolUse, func() hook.Output {
		out, err := hook.ReplaceResult("x")
		if err != nil {
			t.Error(err)
		}
		return out
	})
	w := newWorld(t, config{
		mode: permission.BypassPermissions, hooks: []hook.Entry{replace}, change: failing(session.Ran),
		turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "next"}},
	})
	if result := w.prompt("go"); !result.IsError || w.agent.Broken() == nil || len(w.model.requests) != 1 {
		t.Errorf("broken: %v, %+v", w.agent.Broken(), result)
	}
}

// Settings that change the mode are like anybody who does: a session goes on in the mode
// it had.
func TestS26_AModeOfSettingsIsOnRecord(t *testing.T) {
	w := newWorld(t, config{mode: permission.AcceptEdits})
	settings, err := permission.NewContext(permission.Config{Cwd: "/project", Home: "/home/dev", Mode: permission.Plan})
	if err != nil {
		t.Fatal(err)
	}
	w.agent.Rebase(settings)
	before, err := w.transcript.Conversation()
	if err != nil || before.Mode != "plan" {
		t.Errorf("on record is %s: %v", before.Mode, err)
	}
}

func TestAModeOfSettingsThatIsNotRecordedEndsTheSession(t *testing.T) {
	w := newWorld(t, config{change: failing(session.Moded), turns: []reply{{text: "ok"}}})
	settings, err := permission.NewContext(permission.Config{Cwd: "/project", Home: "/home/dev", Mode: permission.BypassPermissions, AllowBypass: true})
	if err != nil {
		t.Fatal(err)
	}
	w.agent.Rebase(settings)
	if result := w.prompt("go"); !result.IsError || len(w.model.requests) != 0 {
		t.Errorf("%+v", result)
	}
}
