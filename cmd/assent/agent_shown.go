package main

import (
	"slices"
	"strings"
	"unicode"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/wire"
)

// shown is a message as it is printed. On a terminal what a model says must not steer it:
// it could move the cursor and write over what stands there.
func (c *conversation) shown(m wire.Message) wire.Message {
	result, ok := m.(*wire.Result)
	if !ok || c.format != wire.Plain || !isTerminal(c.app.out) {
		return m
	}
	tame := *result
	tame.Text = tamed(result.Text)
	return &tame
}

// withheld: a message is what a sub-agent says. Hosts are told what it is asked and what it
// does, and the rest only if they want to.
func (c *conversation) withheld(m wire.Message) bool {
	c.mu.Lock()
	all := c.subagentText
	c.mu.Unlock()
	if all {
		return false
	}
	switch m := m.(type) {
	case *wire.Assistant:
		return m.ParentToolUseID != "" && m.Block.Kind != model.ToolUse
	case *wire.User:
		return m.ParentToolUseID != "" && !m.Task && !slices.ContainsFunc(m.Content, func(b model.Block) bool { return b.Kind == model.ToolResult })
	case *wire.StreamEvent:
		return m.ParentToolUseID != ""
	}
	return false
}

// tamed is a text that a terminal shows and does not obey. Lines and tabs stay what they
// are.
func tamed(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		switch {
		case r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r):
			b.WriteRune(r)
		default:
			b.WriteString(policy.Visible(string(r)))
		}
	}
	return b.String()
}
