package agent

import (
	"context"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// fullAt is the share of the context window, in percent, from which a conversation is
// summed up: the rest has to hold the summary and the next answer.
const fullAt = 80

const summaryRequest = `Sum this conversation up for somebody who goes on with the work and has seen nothing of it.
Say what was asked for, what was decided and why, what was done and what came of it, which files matter, what is open, and what the next step is.
Keep names, paths, commands and numbers exact. Answer with the summary only.`

// bytesPerToken is more than a token has in any language: a conversation that is too long
// by this measure is too long, whatever a model says about it.
const bytesPerToken = 8

// pictureTokens is about what an image or a page costs, however many bytes it has.
const pictureTokens = 2000

// bulk is how large a conversation is, in bytes.
func bulk(conversation []model.Message) int {
	n := 0
	for _, m := range conversation {
		n += bulkOf(m.Content)
	}
	return n
}

func bulkOf(blocks []model.Block) int {
	n := 0
	for _, b := range blocks {
		n += len(b.Text) + len(b.Input) + len(b.Garbled) + bulkOf(b.Result)
		switch b.Kind {
		case "image", "document": // a model looks at it: its bytes are no text
			n += min(len(b.Raw), pictureTokens*bytesPerToken)
		default:
			n += len(b.Raw)
		}
	}
	return n
}

// makeRoom sums the conversation up when it nearly fills the model's context window. One
// that a summary leaves as full is not summed up again before it has grown by a tenth:
// that would cost a question for each turn and win nothing.
func (r *run) makeRoom(ctx context.Context) (end ending, stop bool) {
	window, size := model.ContextWindow(r.Model()), bulk(r.conversation)
	if window <= 0 || max(r.weight, size/bytesPerToken) < window*fullAt/100 || size < r.settled+r.settled/10 {
		return ending{}, false
	}
	return r.compact(ctx, "auto", nil)
}

// asksToCompact: the prompt is "/compact", perhaps with instructions for the summary.
func asksToCompact(text string) (instructions *string, ok bool) {
	rest, ok := strings.CutPrefix(text, "/compact")
	if !ok || rest != "" && !strings.HasPrefix(rest, " ") {
		return nil, false
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		return &rest, true
	}
	return nil, true
}

// compact replaces the conversation by a summary that the model writes. Hooks are told
// before and after; one that objects keeps the conversation as it is.
func (r *run) compact(ctx context.Context, trigger string, instructions *string) (end ending, stop bool) {
	verdict := r.hooks(ctx, hook.Occasion{Input: hook.PreCompactInput{Base: r.base(), Trigger: trigger, CustomInstructions: instructions}})
	if verdict.Block || verdict.Halt {
		r.weight, r.settled = 0, bulk(r.conversation) // ask again only after the conversation has grown
		r.warn("A hook kept the conversation from being summed up: %s", strings.Join(append(verdict.Feedback, verdict.HaltReason), " "))
		return ending{}, false
	}
	task := summaryRequest
	if instructions != nil {
		task += "\n" + *instructions
	}
	before, messages := r.weight, append(r.conversation[:len(r.conversation):len(r.conversation)], model.Message{Role: model.User, Content: []model.Block{model.TextBlock(task)}})
	turn, err := r.config.Provider.Ask(ctx, model.Request{Model: r.Model(), System: r.config.System, Messages: messages, Tools: r.tools.described(r.context())}, nil)
	switch {
	case stopped(ctx):
		return r.interrupted(), true
	case err != nil:
		return r.failed(err), true
	}
	r.count(r.Model(), turn.Usage)
	summary := model.PlainText(turn.Content)
	if strings.TrimSpace(summary) == "" { // better a long conversation than none
		return r.failed(&model.Error{Kind: model.Nonsense, Text: "the model did not sum the conversation up"}), true
	}
	if err := r.restart(ctx, summary, trigger); err != nil {
		return broken(err), true
	}
	r.tell(&wire.CompactBoundary{Trigger: trigger, PreTokens: before})
	return ending{}, false
}

// restart begins the conversation anew: with the summary, what SessionStart hooks have to
// say about it, and what the model is asked for, word for word. That must not depend on
// how well it was summed up.
func (r *run) restart(ctx context.Context, summary, trigger string) error {
	content := []model.Block{model.TextBlock(summaryHead + summary)}
	if r.descent == nil {
		r.Start(ctx, "compact")
		content = append(content, contextBlocks(r.opening)...)
		r.opening = nil
	}
	wanted := r.wanted()
	from, to := len(content)+wanted.from, len(content)+wanted.to
	content = append(content, wanted.blocks...)
	anew := []model.Message{{Role: model.User, Content: content}}
	if err := r.config.Transcript.Append(session.Compacted, session.Compaction{Messages: anew, Trigger: trigger}); err != nil {
		return r.giveUp(err)
	}
	r.conversation, r.words, r.weight, r.settled, r.summedUp = anew, nil, 0, bulk(anew), true
	r.mark(from, to)
	return nil
}

// wanted is what the work is about: the prompt, and what a Stop hook wants beside it. For
// "/compact", which is no work, it is what was asked before.
func (r *run) wanted() request {
	if r.request.blocks == nil {
		return r.lastRequest()
	}
	wanted := r.request
	wanted.blocks = append(wanted.blocks[:len(wanted.blocks):len(wanted.blocks)], r.feedback...)
	return wanted
}

// compactNow is the prompt "/compact": nothing else is asked of the model.
func (r *run) compactNow(ctx context.Context, instructions *string) ending {
	if len(r.conversation) == 0 {
		return ending{kind: refused, text: "There is no conversation to sum up yet."}
	}
	if end, stop := r.compact(ctx, "manual", instructions); stop {
		return end
	}
	if !r.summedUp {
		return ending{kind: refused, text: "The conversation was not summed up: a hook objected."}
	}
	return ending{kind: refused, text: "The conversation was summed up."}
}
