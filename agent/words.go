package agent

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/model"
)

// words is where in the conversation the person's own blocks stand: in the message of
// that index, from a block up to another. What else is in messages of the user's role,
// hooks or assent have put there.
//
// It is known only to the process that was told: a transcript is no proof of what
// somebody said, so after a resume no earlier block is the person's.
type words struct{ message, from, to int }

// hears adds a message in which the blocks from one up to another are the person's.
func (a *Agent) hears(m model.Message, from, to int) error {
	if err := a.remember(m); err != nil {
		return err
	}
	a.mark(from, to)
	return nil
}

// mark notes that blocks of the last message are the person's. What a sub-agent is asked,
// a model wrote.
func (a *Agent) mark(from, to int) {
	if a.descent == nil && from < to {
		a.words = append(a.words, words{len(a.conversation) - 1, from, to})
	}
}

// testimony is the conversation as a classifier gets it: what stands there as the user's
// word was said by the person. A summary, what hooks say, and what an agent asks a
// sub-agent to do are not.
func (a *Agent) testimony() []model.Message {
	var all []model.Message
	if a.descent != nil {
		all = a.descent.parent.testimony() // which waits for this agent
	}
	for i, m := range a.conversation {
		if m.Role != model.User {
			all = append(all, m)
			continue
		}
		from, to := 0, 0
		if at := slices.IndexFunc(a.words, func(w words) bool { return w.message == i }); at >= 0 {
			from, to = a.words[at].from, a.words[at].to
		}
		for _, part := range []model.Message{
			{Role: model.Assistant, Content: m.Content[:from]}, {Role: model.User, Content: m.Content[from:to]}, {Role: model.Assistant, Content: m.Content[to:]},
		} {
			if len(part.Content) > 0 {
				all = append(all, part)
			}
		}
	}
	return all
}

// request is what the model is asked for; those of its blocks from one up to another are
// the person's own.
type request struct {
	blocks   []model.Block
	from, to int
}

// lastRequest is what the person asked last. In a session that another process began
// nobody knows for sure: there it is the last message that neither answers a call nor is
// one of assent's own, and nothing of it counts as the person's.
func (a *Agent) lastRequest() request {
	if len(a.words) > 0 {
		w := a.words[len(a.words)-1]
		return request{a.conversation[w.message].Content[w.from:], 0, w.to - w.from}
	}
	for _, m := range slices.Backward(a.conversation) {
		answers := slices.ContainsFunc(m.Content, func(b model.Block) bool { return b.Kind == model.ToolResult })
		if m.Role != model.User || answers || !slices.ContainsFunc(m.Content, asksForWork) {
			continue
		}
		return request{blocks: slices.DeleteFunc(slices.Clone(m.Content), func(b model.Block) bool { return !asksForWork(b) })}
	}
	return request{}
}

// How assent's own messages begin.
const (
	// summaryHead begins a conversation that goes on from a summary.
	summaryHead     = "This conversation continues an earlier one. Its summary:\n\n"
	feedbackHead    = "Stop hook feedback:\n"
	interruptedHead = "[Request interrupted by user"
)

// asksForWork: the block may be part of what somebody wants. What assent says in the
// user's role is not; an older summary is in the new one.
func asksForWork(b model.Block) bool {
	return !slices.ContainsFunc([]string{summaryHead, feedbackHead, interruptedHead}, func(head string) bool { return strings.HasPrefix(b.Text, head) })
}
