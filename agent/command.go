package agent

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
)

// Command is a prompt that somebody has named instead of typing it.
type Command struct {
	// Name is what was typed behind the slash, File where the prompt stands.
	Name, File string
	// Text is what the model is asked.
	Text string
	// Allow are rules of source [rule.Command]. They hold until the result of the prompt,
	// also for the sub-agents that it starts, and never longer.
	Allow []rule.Rule
	// Model is the one to ask; empty means the session's.
	Model string
}

// commandModels are the model of a command, and the one that was asked before it.
type commandModels struct{ own, before *string }

// spellOut puts the text of a custom command in place of the prompt that names it, and
// its rules in force. Only the prompts of people and hosts name commands: what a
// sub-agent is asked was written by a model.
func (r *run) spellOut(p Prompt) (Prompt, error) {
	if r.descent != nil || r.config.Command == nil {
		return p, nil
	}
	c, err := r.config.Command(p.text())
	if c == nil || err != nil {
		return p, err
	}
	if err := r.enact(c); err != nil {
		return p, err
	}
	return p.saying(c.Text), nil
}

// saying is the prompt with another text; images stay.
func (p Prompt) saying(text string) Prompt {
	content := []model.Block{model.TextBlock(text)}
	for _, b := range p.Content {
		if b.Kind != model.Text {
			content = append(content, b)
		}
	}
	return Prompt{Content: content}
}

// enact puts the rules and the model of a command in force. The transcript tells where
// the prompt comes from, because it is not what somebody typed.
func (a *Agent) enact(c *Command) error {
	text := fmt.Sprintf("The prompt is the command /%s of %s.", c.Name, c.File)
	if len(c.Allow) > 0 {
		text += " Until its result it may use " + ruleTexts(c.Allow) + "."
	}
	_ = a.config.Transcript.Append(session.Noted, note{Text: text}) // the prompt itself will fail too, and that stops the agent
	a.mu.Lock()
	defer a.mu.Unlock()
	next, err := a.permissions.Load().WithCommand(c.Allow)
	if err != nil {
		return err
	}
	a.permissions.Store(next)
	a.allowed = c.Allow
	if c.Model != "" {
		a.swapped = commandModels{before: a.model.Load(), own: &c.Model}
		a.model.Store(&c.Model)
	}
	return nil
}

// dismiss ends what a command has brought. It happens however the prompt ends, and
// before anybody hears of its result.
func (a *Agent) dismiss() {
	if a.descent != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if m := a.swapped; m.own != nil {
		a.model.CompareAndSwap(m.own, m.before) // a model that somebody has set since stays
		a.swapped = commandModels{}
	}
	if a.allowed == nil {
		return
	}
	a.allowed = nil
	a.permissions.Store(commanded(a.permissions.Load(), nil))
}

// commanded is a context with the rules of the command that runs. It cannot fail: they
// were accepted before, and the context is no sub-agent's.
func commanded(c *permission.Context, rules []rule.Rule) *permission.Context {
	next, err := c.WithCommand(rules)
	if err != nil {
		panic("agent: " + err.Error())
	}
	return next
}

func ruleTexts(rules []rule.Rule) string {
	var texts []string
	for _, r := range rules {
		texts = append(texts, r.Text)
	}
	return strings.Join(texts, ", ")
}
