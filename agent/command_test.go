package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// shipping is a command /ship that may run what texts allow.
func shipping(t *testing.T, modelName string, texts ...string) func(*agent.Config) {
	t.Helper()
	var rules []rule.Rule
	for _, text := range texts {
		r, ok, err := rule.Read(text, rule.Allow, rule.Origin{Source: rule.Command, File: "ship.md", Line: 2})
		if !ok {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	return func(c *agent.Config) {
		c.Command = func(prompt string) (*agent.Command, error) {
			switch {
			case strings.HasPrefix(prompt, "/ship"):
				return &agent.Command{Name: "ship", File: "ship.md", Text: "Ship it all.", Allow: rules, Model: modelName}, nil
			case strings.HasPrefix(prompt, "/"):
				return nil, errors.New("there is no such command")
			}
			return nil, nil
		}
	}
}

func onePush(id string) reply { return reply{calls: []model.Block{use(id, "Bash", push)}} }

func TestS43_RulesOfACommandHoldForItsPromptOnly(t *testing.T) {
	w := newWorld(t, config{change: shipping(t, "", "Bash(git push:*)"), turns: []reply{
		onePush("c1"), {text: "shipped"}, onePush("c2"), {text: "not shipped"},
	}})
	if result := w.prompt("/ship now"); len(result.Denials) > 0 || result.Text != "shipped" {
		t.Errorf("%+v", result)
	}
	if first := w.model.requests[0].Messages[0].Content; len(first) != 1 || first[0].Text != "Ship it all." {
		t.Errorf("the model was asked %+v", first)
	}
	if result := w.prompt("go on"); len(result.Denials) != 1 {
		t.Errorf("%+v", result)
	}
	if got := w.tools.list(); len(got) != 1 {
		t.Errorf("ran %v", got)
	}
	if r := w.audit.records[0]; r.File != "ship.md" || r.Line != 2 || r.Rule != "Bash(git push:*)" {
		t.Errorf("recorded %+v", r)
	}
}

// However a prompt ends, what its command was allowed ends before anybody hears of the
// result.
func TestS43_RulesOfACommandEndWithIt(t *testing.T) {
	halt := []hook.Entry{{Event: hook.PostToolUse, Handler: hook.Function{Label: "halt", Func: func(context.Context, hook.Invocation) (hook.Output, error) {
		return hook.Output{Continue: new(bool), StopReason: "enough"}, nil
	}}}}
	for name, c := range map[string]config{
		"success":      {turns: []reply{onePush("c1"), {text: "done"}}},
		"model error":  {turns: []reply{onePush("c1"), {err: errors.New("down")}}},
		"turn limit":   {turns: []reply{onePush("c1"), onePush("c2")}, maxTurns: 1},
		"halted":       {turns: []reply{onePush("c1"), {text: "never"}}, hooks: halt},
		"same id":      {turns: []reply{{calls: []model.Block{use("c1", "Bash", push), use("c1", "Bash", push)}}}},
		"interrupted":  {turns: []reply{onePush("c1"), {text: "never"}}},
		"empty answer": {turns: []reply{{}}},
	} {
		t.Run(name, func(t *testing.T) {
			var w *world
			var atResult []rule.Rule
			if name == "interrupted" {
				c.turns[1].during = func(context.Context) { w.agent.Interrupt() }
			}
			c.change = func(a *agent.Config) {
				shipping(t, "other-model", "Bash(git push:*)")(a)
				a.Emit = func(m wire.Message) {
					if _, ok := m.(*wire.Result); ok {
						atResult = w.agent.Permissions().Rules()
					}
				}
			}
			w = newWorld(t, c)
			w.prompt("/ship")
			if len(atResult) > 0 || len(w.agent.Permissions().Rules()) > 0 {
				t.Errorf("rules are left: %v", atResult)
			}
			if w.agent.Model() != "test-model" {
				t.Errorf("the model stays %s", w.agent.Model())
			}
			if len(w.model.requests) == 0 || w.model.requests[0].Model != "other-model" {
				t.Error("the command's model was not asked")
			}
		})
	}
}

func TestS43_DenyRulesWinOverACommand(t *testing.T) {
	for _, restricting := range []string{"deny Bash(git push:*)", "ask Bash(git push:*)"} {
		w := newWorld(t, config{rules: []string{restricting}, change: shipping(t, "", "Bash", "Bash(git push:*)"), turns: []reply{onePush("c1"), {text: "done"}}})
		if result := w.prompt("/ship"); len(result.Denials) != 1 || len(w.tools.list()) > 0 {
			t.Errorf("%s: %+v", restricting, result)
		}
	}
}

// Sub-agents of a command follow their parent. A model that asks one for "/ship" gets a
// sub-agent that reads "/ship", not the command.
func TestS43_CommandsAndSubAgents(t *testing.T) {
	w := newWorld(t, config{change: shipping(t, "", "Bash(git push:*)"), turns: []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}},
		onePush("s1"),
		{text: "sub done"},
		{text: "done"},
		{calls: []model.Block{use("t2", "Task", `{"description":"d","prompt":"/ship"}`)}},
		onePush("s2"),
		{text: "sub done"},
		{text: "done"},
	}})
	if result := w.prompt("/ship"); len(result.Denials) > 0 {
		t.Errorf("%+v", result)
	}
	if result := w.prompt("an ordinary prompt"); len(result.Denials) != 1 || result.Denials[0].ToolUseID != "s2" {
		t.Errorf("%+v", result)
	}
	if got := w.model.requests[5].Messages[0].Content[0].Text; got != "/ship" {
		t.Errorf("the sub-agent was asked %q", got)
	}
}

// Settings that change while a command runs neither end its rules nor make them last.
func TestS43_SettingsChangeWhileACommandRuns(t *testing.T) {
	base, err := permission.NewContext(permission.Config{Cwd: "/project", Home: "/home/dev", Rules: readRules(t, []string{"deny Read(.env)"})})
	if err != nil {
		t.Fatal(err)
	}
	var w *world
	again := onePush("c2")
	again.during = func(context.Context) { w.agent.Rebase(base) }
	w = newWorld(t, config{change: shipping(t, "", "Bash(git push:*)"), turns: []reply{onePush("c1"), again, {text: "done"}}})
	if result := w.prompt("/ship"); len(result.Denials) > 0 || len(w.tools.list()) != 2 {
		t.Errorf("%+v", result)
	}
	if rules := w.agent.Permissions().Rules(); len(rules) != 1 || rules[0].Text != "Read(.env)" {
		t.Errorf("%v", rules)
	}
}

func TestS43_ACommandThatCannotRunAsksNobody(t *testing.T) {
	var heard string
	w := newWorld(t, config{change: shipping(t, ""), hooks: []hook.Entry{{Event: hook.UserPromptSubmit, Handler: hook.Function{
		Label: "hear", Func: func(_ context.Context, call hook.Invocation) (hook.Output, error) {
			heard = string(call.JSON)
			return hook.Output{}, nil
		},
	}}}})
	result := w.prompt("/unknown thing")
	if !result.IsError || result.Subtype != wire.ErrorDuringExecution || !slices.Equal(result.Errors, []string{"there is no such command"}) || len(w.model.requests) > 0 {
		t.Errorf("%+v", result)
	}
	if !strings.Contains(heard, `"/unknown thing"`) {
		t.Errorf("hooks were told %s", heard)
	}
}

// A hook that refuses the prompt refuses the command: its file is not even looked for.
func TestS43_AHookThatRefusesACommand(t *testing.T) {
	asked := false
	w := newWorld(t, config{change: func(c *agent.Config) {
		c.Command = func(string) (*agent.Command, error) { asked = true; return nil, nil }
	}, hooks: []hook.Entry{{Event: hook.UserPromptSubmit, Handler: hook.Function{Label: "no", Func: func(context.Context, hook.Invocation) (hook.Output, error) {
		return hook.Block("no"), nil
	}}}}})
	if w.prompt("/ship"); asked || len(w.model.requests) > 0 {
		t.Error("the command was looked for")
	}
}

func TestS43_ImagesStayWithACommand(t *testing.T) {
	w := newWorld(t, config{change: shipping(t, ""), turns: []reply{{text: "done"}}})
	image := model.Block{Kind: "image", Raw: []byte(`{"type":"image"}`)}
	w.agent.Prompt(t.Context(), agent.Prompt{Content: []model.Block{image, model.TextBlock("/ship")}})
	if got := w.model.requests[0].Messages[0].Content; len(got) != 2 || got[0].Text != "Ship it all." || got[1].Kind != "image" {
		t.Errorf("%+v", got)
	}
}

// The transcript says where a prompt comes from that nobody typed.
func TestS43_TheTranscriptNamesTheCommand(t *testing.T) {
	w := newWorld(t, config{change: shipping(t, "", "Bash(git push:*)"), turns: []reply{{text: "done"}}})
	w.prompt("/ship")
	for record, err := range w.transcript.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if record.Kind == session.Noted && strings.Contains(string(record.Body), "/ship of ship.md. Until its result it may use Bash(git push:*)") {
			return
		}
	}
	t.Error("no record names the command")
}

// A host that sets the model while a command runs means the prompts after it, too.
func TestS43_AModelThatIsSetWhileACommandRuns(t *testing.T) {
	var w *world
	w = newWorld(t, config{change: shipping(t, "other-model"), turns: []reply{
		{calls: onePush("c1").calls, during: func(context.Context) { w.agent.SetModel("third-model") }}, {text: "done"},
	}})
	w.prompt("/ship")
	if got := w.model.requests; got[0].Model != "other-model" || got[1].Model != "third-model" || w.agent.Model() != "third-model" {
		t.Errorf("asked %s and %s, then %s", got[0].Model, got[1].Model, w.agent.Model())
	}
}
