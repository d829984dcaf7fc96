package agent_test

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
)

// counterDesk is a desk that notes what it is told.
type counterDesk struct {
	mu    sync.Mutex
	words map[string]agent.Word
	fault error // of Look and Cancel
	taken error // of Claim
	// unreleased is the error of Release.
	unreleased error
	// meanwhile is called before a claim, refusal or cancellation is looked at: somebody answers.
	meanwhile func(words map[string]agent.Word)
	parked    map[string]agent.ParkedCall
	notes     []string
}

func (d *counterDesk) note(format string, args ...any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
	return nil
}

func (d *counterDesk) Park(_ context.Context, c agent.ParkedCall) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.parked == nil {
		d.parked = map[string]agent.ParkedCall{}
	}
	d.parked[c.ToolUseID] = c
	return nil
}

// overtaken: what is said about a call is not what the caller knows.
func (d *counterDesk) overtaken(c agent.ParkedCall, fits func(agent.Word) bool) error {
	if answer := d.meanwhile; answer != nil {
		d.meanwhile = nil
		if d.words == nil {
			d.words = map[string]agent.Word{}
		}
		answer(d.words)
	}
	if !fits(d.words[c.ToolUseID]) {
		return agent.ErrAnswered
	}
	return nil
}

func (d *counterDesk) Look(_ context.Context, c agent.ParkedCall) (agent.Word, error) {
	if w := d.words[c.ToolUseID]; w.Kind == agent.Yes && w.Places == nil && w.Input == nil && c.Places != nil {
		w.Places = c.Places // a yes is to the call as it was parked
		d.words[c.ToolUseID] = w
	}
	return d.words[c.ToolUseID], d.fault
}

func (d *counterDesk) Claim(_ context.Context, c agent.ParkedCall, runs strictjson.Raw, _ agent.Word) (agent.Claim, error) {
	if d.taken != nil {
		return nil, d.taken
	}
	if err := d.overtaken(c, func(w agent.Word) bool {
		return w.Kind != agent.No && (w.Kind != agent.Yes || string(runs) == string(cmp.Or(w.Input.String(), c.Input.String())))
	}); err != nil {
		return nil, err
	}
	return deskClaim{d, c.ToolUseID}, d.note("claim %s", c.ToolUseID)
}

func (d *counterDesk) Refuse(_ context.Context, c agent.ParkedCall, seen agent.Word, _ string) error {
	if err := d.overtaken(c, func(w agent.Word) bool { return reflect.DeepEqual(w, seen) }); err != nil {
		return err
	}
	return d.note("refuse %s", c.ToolUseID)
}

func (d *counterDesk) Cancel(_ context.Context, calls []agent.ParkedCall, _ string) error {
	if d.fault != nil {
		return d.fault
	}
	for _, c := range calls {
		if err := d.overtaken(c, func(w agent.Word) bool { return w.Kind == agent.NoWord }); err != nil {
			return err
		}
	}
	for _, c := range calls {
		_ = d.note("cancel %s", c.ToolUseID)
	}
	return nil
}

func (d *counterDesk) Settle(_ context.Context, c agent.ParkedCall, fate agent.Fate) error {
	return d.note("settle %s %v", c.ToolUseID, fate)
}

type deskClaim struct {
	*counterDesk
	id string
}

func (c deskClaim) Finish(_ context.Context, ok bool) error { return c.note("finish %s %v", c.id, ok) }

func (c deskClaim) Release(context.Context) error {
	if c.unreleased != nil {
		return c.unreleased
	}
	return c.note("release %s", c.id)
}
