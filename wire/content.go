package wire

import (
	"cmp"
	"strings"

	"github.com/assent-dev/assent/model"
)

// Text is what the model said; empty for a block that is no text.
func (m *Assistant) Text() string { return m.Block.Text }

// Call is the tool call that the block is; nil for another block.
func (m *Assistant) Call() *model.Block {
	if m.Block.Kind != model.ToolUse {
		return nil
	}
	return &m.Block
}

// Err is nil for a prompt that went well, also if calls were denied or wait.
func (m *Result) Err() error {
	if !m.IsError {
		return nil
	}
	return &ResultError{m}
}

// ResultError is a prompt that did not go well.
type ResultError struct{ Result *Result }

// Error is what the result says about it.
func (e *ResultError) Error() string {
	return cmp.Or(strings.Join(e.Result.Errors, "; "), e.Result.Text, string(e.Result.Subtype))
}
