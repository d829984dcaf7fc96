package main

import (
	"strings"
	"unicode"

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
