package session

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Check refuses calls that cannot wait as the session says they do: in a turn that is
// none, in place of other calls of the model, or in another directory than cwd, in which
// the session works. What a person is shown is then what runs, where it runs. The chain
// of a transcript has no key, so anybody may have written it.
func (c *Conversation) Check(cwd string) error {
	if err := c.check(cwd); err != nil {
		return fmt.Errorf("%w (nothing was run; start a new session)", err)
	}
	return nil
}

func (c *Conversation) check(cwd string) error {
	if c.Pending == nil {
		return nil
	}
	if err := c.Pending.check(c.Messages, cwd); err != nil {
		return fmt.Errorf("the calls that wait in the session cannot be taken up: %w", err)
	}
	return nil
}

func (p *Pending) check(messages []model.Message, cwd string) error {
	if len(messages) == 0 || messages[len(messages)-1].Role != model.Assistant {
		return errors.New("the model has made no call before they were parked")
	}
	turn := map[string]model.Block{} // the calls of the model that are not accounted for yet
	for _, b := range messages[len(messages)-1].Content {
		if b.Kind == model.ToolUse {
			turn[b.ID] = b
		}
	}
	if len(turn) == 0 {
		return errors.New("the model has made no call before they were parked")
	}
	for _, call := range p.Calls {
		made, ok := turn[call.ToolUseID]
		if !ok {
			return unmade(call.ToolUseID)
		}
		delete(turn, call.ToolUseID)
		if err := call.check(made, cwd); err != nil {
			return fmt.Errorf("the call %q %w", call.ToolUseID, err)
		}
	}
	for _, s := range p.Settled {
		if _, ok := turn[s.ToolUseID]; !ok {
			return unmade(s.ToolUseID)
		}
		delete(turn, s.ToolUseID)
		if s.Result.Kind != model.ToolResult || s.Result.ToolUseID != s.ToolUseID {
			return fmt.Errorf("what is on record as the result of the call %q is none of it", s.ToolUseID)
		}
	}
	for id := range turn {
		return fmt.Errorf("the call %q of the same turn neither waits nor has a result", id)
	}
	return nil
}

func unmade(id string) error {
	return fmt.Errorf("the model has not made a call %q in its last turn, or it stands there twice", id)
}

// check compares a call that waits with the one that the model made.
func (c PendingCall) check(made model.Block, cwd string) error {
	switch {
	case c.Tool != made.Name:
		return fmt.Errorf("is one of %q, and the model made one of %q", c.Tool, made.Name)
	case len(c.Input) == 0:
		return errors.New("has no input")
	case !sameInput(c.Input, made.Input):
		return errors.New("has another input than the model wrote")
	case !filepath.IsAbs(c.Cwd):
		return fmt.Errorf("names no absolute directory: %q", c.Cwd)
	case !c.Since.IsZero() && c.Since.UnixMicro() <= 0: // no clock was ever there, and tickets know a call by its moment
		return fmt.Errorf("was parked at a moment that is none: %s", c.Since.UTC().Format(time.RFC3339))
	case c.Cwd != cwd:
		return fmt.Errorf("would run in another directory than it was parked in: it is for %s, and the session works in %s", c.Cwd, cwd)
	}
	return nil
}

// sameInput compares two inputs by what they mean.
func sameInput(a, b strictjson.Raw) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := strictjson.Canonical(a)
	y, errY := strictjson.Canonical(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
