package agent_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// world is an agent with everything around it that a test looks at.
type world struct {
	t     *testing.T
	agent *agent.Agent
	config
	model      *turns
	tools      *workshop
	transcript *session.Transcript
	audit      *ledger

	mu       sync.Mutex
	messages []wire.Message
}

// config is what a test may set before the agent is made.
type config struct {
	rules    []string // "deny Bash(rm:*)"
	mode     permission.Mode
	hooks    []hook.Entry
	asker    agent.Asker
	maxTurns int
	turns    []reply
	change   func(*agent.Config)
}

func newWorld(t *testing.T, c config) *world {
	t.Helper()
	w := &world{t: t, config: c, model: &turns{list: c.turns}, tools: &workshop{}, audit: &ledger{}}
	var err error
	if w.transcript, err = session.Memory(session.NewID(), session.Start{Cwd: "/project", Mode: "default"}); err != nil {
		t.Fatal(err)
	}
	permissions, err := permission.NewContext(permission.Config{Cwd: "/project", Home: "/home/dev", Mode: c.mode, AllowBypass: true, Rules: readRules(t, c.rules)})
	if err != nil {
		t.Fatal(err)
	}
	config := agent.Config{
		Provider: w.model, Model: "test-model", Tools: w.tools.all(t), Permissions: permissions, Transcript: w.transcript, Audit: w.audit,
		Asker: c.asker, MaxTurns: c.maxTurns, Emit: w.hear,
	}
	config.Hooks.Entries = c.hooks
	if c.change != nil {
		c.change(&config)
	}
	if w.agent, err = agent.New(config); err != nil {
		t.Fatal(err)
	}
	return w
}

func readRules(t *testing.T, texts []string) []rule.Rule {
	t.Helper()
	var list []rule.Rule
	for _, text := range texts {
		word, content, _ := strings.Cut(text, " ")
		behavior := map[string]rule.Behavior{"allow": rule.Allow, "ask": rule.Ask, "deny": rule.Deny}[word]
		r, _, err := rule.Read(content, behavior, rule.Origin{Source: rule.UserSettings, File: "settings.json", Line: 1})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

func (w *world) hear(m wire.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages = append(w.messages, m)
}

// prompt works a prompt off and returns the result.
func (w *world) prompt(text string) *wire.Result {
	w.t.Helper()
	return w.agent.Prompt(w.t.Context(), agent.TextPrompt(text))
}

// results are the tool results that were told, by the id of the call.
func (w *world) results() map[string]model.Block {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := map[string]model.Block{}
	for _, m := range w.messages {
		if user, ok := m.(*wire.User); ok {
			for _, b := range user.Content {
				if b.Kind == model.ToolResult {
					found[b.ToolUseID] = b
				}
			}
		}
	}
	return found
}

// said is the text of a result.
func said(b model.Block) string {
	var texts []string
	for _, part := range b.Result {
		texts = append(texts, part.Text)
	}
	return strings.Join(texts, "\n")
}

// reply is one turn of the scripted model.
type reply struct {
	text  string
	calls []model.Block
	err   error
	usage model.Usage
	// during is called while the model "thinks".
	during func(ctx context.Context)
}

// turns is a model that plays replies.
type turns struct {
	mu       sync.Mutex
	list     []reply
	requests []model.Request
}

func (*turns) Name() string { return "test" }

func (p *turns) Ask(ctx context.Context, r model.Request, _ func(model.Event)) (model.Turn, error) {
	p.mu.Lock()
	r.Messages = append([]model.Message(nil), r.Messages...)
	p.requests = append(p.requests, r)
	if len(p.list) == 0 {
		p.mu.Unlock()
		return model.Turn{}, errors.New("the script is over")
	}
	next := p.list[0]
	p.list = p.list[1:]
	p.mu.Unlock()
	if next.during != nil {
		next.during(ctx)
	}
	if next.err != nil {
		return model.Turn{}, next.err
	}
	if ctx.Err() != nil {
		return model.Turn{}, ctx.Err()
	}
	turn := model.Turn{ID: "msg", Model: r.Model, StopReason: "end_turn", Usage: next.usage}
	if next.text != "" {
		turn.Content = append(turn.Content, model.TextBlock(next.text))
	}
	if len(next.calls) > 0 {
		turn.StopReason = "tool_use"
		turn.Content = append(turn.Content, next.calls...)
	}
	return turn, nil
}

// last is what the model was told last, as one text.
func (p *turns) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text, err := strictjson.Marshal(p.requests[len(p.requests)-1].Messages)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func use(id, name, input string) model.Block { return model.Call(id, name, input) }

// workshop is tools that note what they were asked to do.
type workshop struct {
	mu   sync.Mutex
	ran  []string
	run  func(ctx context.Context, job tool.Job) tool.Result // nil means success
	more []tool.Runner
}

func (w *workshop) all(t *testing.T) []tool.Runner {
	t.Helper()
	var list []tool.Runner
	for _, d := range tool.Builtin() {
		switch d.Name() {
		case "Bash", "Read", "Write", "Edit", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "TodoWrite":
			list = append(list, fake{d, w})
		}
	}
	return append(list, w.more...)
}

func (w *workshop) list() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.ran...)
}

type fake struct {
	*tool.Definition
	shop *workshop
}

func (fake) Description() string { return "a tool" }

func (f fake) Order(*permission.Call) tool.Order {
	if f.Name() == "Read" {
		return tool.Beside
	}
	return tool.Alone
}

func (f fake) Run(ctx context.Context, job tool.Job) tool.Result {
	f.shop.mu.Lock()
	f.shop.ran = append(f.shop.ran, f.Name()+" "+string(job.Input))
	f.shop.mu.Unlock()
	if f.shop.run != nil {
		return f.shop.run(ctx, job)
	}
	switch f.Name() {
	case "EnterPlanMode":
		return tool.Result{Text: "planning", Outcome: tool.Succeeded, Mode: permission.Plan}
	case "ExitPlanMode":
		return tool.Result{Text: "approved", Outcome: tool.Succeeded, Mode: permission.Default}
	}
	return tool.Succeed("done: " + job.ToolUseID)
}

// ledger keeps audit records, until it is told to fail.
type ledger struct {
	mu      sync.Mutex
	records []audit.Record
	err     error
	during  func() // called while a record is written
}

func (l *ledger) Append(r audit.Record) error {
	if l.during != nil {
		l.during()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	l.records = append(l.records, r)
	return nil
}

// fail makes every append fail from now on; nil ends that.
func (l *ledger) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

// decisions are those on record, in order.
func (l *ledger) decisions() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var words []string
	for _, r := range l.records {
		words = append(words, r.Decision)
	}
	return strings.Join(words, " ")
}

// person answers questions.
type person struct {
	mu     sync.Mutex
	asked  []agent.Question
	answer func(ctx context.Context, q agent.Question) (permission.Answer, error)
}

func (*person) Name() string { return "person" }

func (p *person) Ask(ctx context.Context, q agent.Question) (permission.Answer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, q)
	p.mu.Unlock()
	return p.answer(ctx, q)
}

func says(behavior permission.Behavior) *person {
	return &person{answer: func(context.Context, agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: behavior, Message: "the person says so", Answered: true}, nil
	}}
}
