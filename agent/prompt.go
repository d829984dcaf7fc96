package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// Prompt is what a person or host wants.
type Prompt struct {
	// Content is the text, and images if there are any.
	Content []model.Block
	// Begins is called once, behind the init message of this prompt, or before its result if
	// there is none: results that are told earlier are about the calls that waited. Nil means
	// that nobody wants to know.
	Begins func()
}

func (p Prompt) begins() {
	if p.Begins != nil {
		p.Begins()
	}
}

// TextPrompt is a prompt that is only text.
func TextPrompt(text string) Prompt { return Prompt{Content: []model.Block{model.TextBlock(text)}} }

// text is what hooks are told.
func (p Prompt) text() string {
	var texts []string
	for _, b := range p.Content {
		if b.Kind == model.Text {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// errInterrupted is why the context of a prompt ends when somebody interrupts.
var errInterrupted = errors.New("interrupted")

// run is the work on one prompt.
type run struct {
	*Agent
	tally
	// cut: the person who denied a call wants the agent to stop.
	cut bool
	// stopActive: the agent goes on because a Stop hook told it to.
	stopActive bool
	// summedUp: the conversation began anew on the way.
	summedUp bool
	// progressed: a call that was parked has got its result, or the model was told those
	// that an earlier process has left.
	progressed bool
	// kept: what waits has kept the prompt from its turn.
	kept bool
	// followed: what waits is taken up before a prompt, which takes the place of calls that
	// nobody has answered.
	followed   bool
	stopReason string
	said       string        // the last text of the model
	asked      int           // how often the model was asked
	request    request       // what the model is asked for
	feedback   []model.Block // what a Stop hook wanted last beside it
}

// Prompt works off one prompt. What waits is taken up first; if that goes wrong, the result
// says so and the prompt is not worked off. Before the first prompt of a session that was
// resumed it has a result of its own, which is told before that of the prompt. Later there
// is one result for every prompt, as hosts expect it. It is also the last message that is
// told.
func (a *Agent) Prompt(ctx context.Context, p Prompt) *wire.Result {
	ctx, done := a.interruptible(ctx)
	defer done()
	p.Begins = sync.OnceFunc(p.begins)
	if a.pending != nil && a.heritage == untouched {
		if result := a.takeUpBefore(ctx, p); result != nil && result.IsError {
			return result
		}
	}
	result := a.attempt(ctx, func(r *run) (ending, bool) { return r.carryOut(ctx, p), false })
	p.begins()
	return a.told(result)
}

// interruptible lets Interrupt end ctx until done is called.
func (a *Agent) interruptible(ctx context.Context) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	a.mu.Lock()
	a.interrupt, a.prompted = cancel, true
	a.mu.Unlock()
	return ctx, func() {
		a.mu.Lock()
		a.interrupt = nil
		a.mu.Unlock()
		cancel(nil)
	}
}

// told tells a result, and returns it.
func (a *Agent) told(result *wire.Result) *wire.Result {
	a.tell(result)
	return result
}

// attempt does a piece of work that ends with a result, which is still to be told; nil if
// the work says that there is nothing to tell.
func (a *Agent) attempt(ctx context.Context, do func(*run) (end ending, silent bool)) *wire.Result {
	r := &run{Agent: a, tally: tally{started: time.Now()}}
	a.setOut()
	a.troubles = nil
	var result *wire.Result
	open := false
	if err := a.Broken(); err != nil { // the session has been stopped
		result = r.result(broken(err))
	} else {
		end, silent := do(r)
		if silent {
			return nil
		}
		a.troubles = end.troubles
		open = a.config.Unattended && (end.kind == interrupted || end.kind == unanswered)
		result = r.result(end)
		result.Errors = append(result.Errors, end.brokenOff(ctx)...)
		if r.kept && end.kind != interrupted { // who interrupts knows
			result.Errors = append(result.Errors, notWorkedOff)
		}
	}
	if open {
		return result
	}
	if err := a.config.Transcript.Append(session.Ended, ended{Subtype: string(result.Subtype), StopReason: result.StopReason}); err != nil && !result.IsError {
		result = r.result(broken(err))
	}
	return result
}

type ended struct {
	Subtype    string `json:"subtype"`
	StopReason string `json:"stop_reason"`
}

// carryOut works the prompt off, behind what waits. What a custom command brought ends
// with it.
func (r *run) carryOut(ctx context.Context, p Prompt) ending {
	defer r.dismiss()
	if end := r.takeUpFirst(ctx); end.kind != 0 {
		return end
	}
	return r.begin(ctx, p)
}

// begin hears the UserPromptSubmit hooks, which see the prompt as it was typed, and lets
// the work start.
func (r *run) begin(ctx context.Context, p Prompt) ending {
	var verdict hook.Verdict
	if r.descent == nil { // what a sub-agent is asked was judged as a call of its parent
		verdict = r.hooks(ctx, hook.Occasion{Input: hook.UserPromptSubmitInput{Base: r.base(), Prompt: p.text()}})
	}
	r.renew(ctx)
	r.tellInit()
	p.begins()
	if r.descent != nil {
		r.tell(&wire.User{Content: p.Content, Task: true})
	}
	r.tellHalt(verdict)
	if why := r.root().forbidden.Load(); why != nil {
		return ending{kind: refused, text: *why}
	}
	if verdict.Block || verdict.Halt {
		return ending{kind: refused, text: strings.Join(slices.DeleteFunc(append(verdict.Feedback, verdict.HaltReason), empty), "\n")}
	}
	if stopped(ctx) {
		return r.interrupted()
	}
	if instructions, ok := asksToCompact(p.text()); ok {
		if r.pending != nil {
			return ending{kind: rejected, text: "a call waits for an answer: the conversation cannot be summed up before it has one"}
		}
		return r.compactNow(ctx, instructions)
	}
	p, left, end := r.makeWay(ctx, p)
	if end.kind != 0 {
		return end
	}
	content := append(left, contextBlocks(r.opening)...)
	from := len(content)
	content = append(content, p.Content...)
	to := len(content)
	content = append(content, contextBlocks(verdict.Context)...)
	r.opening, r.request = nil, request{content[len(left):], from - len(left), to - len(left)}
	r.turns++
	if err := r.hears(model.Message{Role: model.User, Content: content}, from, to); err != nil {
		return broken(err)
	}
	r.pending = nil
	return r.work(ctx)
}

// makeWay spells the prompt out, and goes on without the calls that wait: they are only
// cancelled for a prompt that is worked off. What somebody has answered at the last moment
// is finished before, when nothing that a custom command brings holds yet. The end is zero
// if the prompt can be worked off.
func (r *run) makeWay(ctx context.Context, p Prompt) (spelt Prompt, left []model.Block, end ending) {
	for {
		spelt, err := r.spellOut(p)
		if err != nil {
			return p, nil, ending{kind: rejected, text: err.Error()}
		}
		left, end, answered := r.abandon(ctx)
		if !answered {
			return spelt, left, end
		}
		r.dismiss()
		if end := r.takeUpFirst(ctx); end.kind != 0 {
			return p, nil, end
		}
	}
}

func empty(text string) bool { return text == "" }

// contextBlocks are what hooks want the model to know.
func contextBlocks(texts []string) []model.Block {
	var blocks []model.Block
	for _, text := range texts {
		if text != "" {
			blocks = append(blocks, model.TextBlock(text))
		}
	}
	return blocks
}

// remember adds a message to the conversation, first on disk.
func (a *Agent) remember(m model.Message) error {
	if err := a.config.Transcript.Append(session.Said, m); err != nil {
		return a.giveUp(err)
	}
	a.conversation = append(a.conversation, m)
	return nil
}

func (a *Agent) tellInit() {
	ctx, env := a.context(), a.config.Environment
	a.tell(&wire.Init{
		Cwd: ctx.Cwd(), Tools: a.tools.names(ctx), MCPServers: env.MCPServers, Model: a.Model(), PermissionMode: ctx.Mode().String(),
		SlashCommands: env.Commands, APIKeySource: env.APIKeySource, Version: env.Version, OutputStyle: "default", Agents: env.Agents,
	})
}

// stopped: nobody wants the work any more.
func stopped(ctx context.Context) bool { return ctx.Err() != nil }

// quoted is a text as JSON.
func quoted(text string) strictjson.Raw {
	raw, err := strictjson.Marshal(strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return strictjson.Raw(`""`)
	}
	return raw
}
