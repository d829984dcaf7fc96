package driver

import (
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/wire"
)

// remember keeps the answer for a hook that did not work and denies a call for that, and
// has a person told: the program only sees a denial.
func (h *hooks) remember(answer any, v hook.Verdict) (any, error) {
	text, err := strictjson.Marshal(answer)
	if err != nil {
		return nil, err
	}
	why := strings.Join(v.Denials, "\n")
	h.mu.Lock()
	if h.broken == nil {
		h.broken = map[string]string{}
	}
	h.broken[string(text)] = why
	h.mu.Unlock()
	if !dropped(v) { // of which whoever has ended the work knows
		h.options.Warn(why)
	}
	return strictjson.Raw(text), nil
}

// breaks is the answer for a call that no hook of ours could be asked about.
func (h *hooks) breaks(event hook.Event, why string) (any, error) {
	if event == hook.PreToolUse { // elsewhere the program learns that something did not work
		h.options.Warn(why)
	}
	return broken(event, why)
}

func dropped(v hook.Verdict) bool {
	for _, run := range v.Runs {
		if run.Outcome != hook.Dropped {
			return false
		}
	}
	return true
}

// correct says of a hook that did not work that it did not.
func (h *hooks) correct(m wire.Message) {
	r, ok := m.(*wire.HookResponse)
	if !ok || r.Stdout == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if why := h.broken[r.Stdout]; why != "" {
		r.Outcome, r.Stderr = "error", why
	}
}

// endedLate has a person told of a hook in the background that did not work.
func (h *hooks) endedLate(run hook.Run) {
	switch run.Outcome {
	case hook.Broken, hook.OutOfTime:
		h.options.Warn(run.Reason)
	case hook.Okay, hook.Blocked, hook.InBackground, hook.Dropped:
	}
}
