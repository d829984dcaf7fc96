package driver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// hooks are those of this process, under the ids by which the program calls them. Each
// has a runner of its own: the program tells them one by one, and merges what they say.
type hooks struct {
	options Options
	runners []*hook.Runner // by the number in the id
	context *permission.Context
	engine  *permission.Engine
	scratch string // where they share values

	mu      sync.Mutex
	refused string // why a hook wants no session
	// broken are the answers for hooks that did not work, and why. A program that prints
	// what a hook said calls them a success.
	broken map[string]string
}

func newHooks(options Options) (*hooks, error) {
	h := &hooks{options: options}
	if len(options.Hooks) == 0 {
		return h, nil
	}
	builtin, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		return nil, err
	}
	h.engine = permission.NewEngine(tools{builtin}, options.Links)
	h.context, _ = permission.NewContext(permission.Config{Cwd: options.Dir, Home: options.Home}) // without one no condition can be judged, and all are met
	if h.scratch, err = os.MkdirTemp("", "assent-driver-"); err != nil {
		return nil, err
	}
	state, err := hook.OpenState(filepath.Join(h.scratch, "state.json"))
	if err != nil {
		_ = os.RemoveAll(h.scratch)
		return nil, err
	}
	for _, e := range options.Hooks {
		h.runners = append(h.runners, hook.NewRunner(hook.Config{
			Entries: []hook.Entry{e}, Dir: options.Dir, Home: options.Home, State: state, Engine: h.engine, Ended: h.endedLate,
		}))
	}
	return h, nil
}

// tools are the built-in ones, and all others by their name.
type tools struct{ builtin *tool.Set }

func (t tools) Lookup(name string) (permission.Tool, bool) {
	if known, ok := t.builtin.Lookup(name); ok {
		return known, true
	}
	return tool.Named(name), true
}

// registration is how the program learns of a hook.
type registration struct {
	Matcher   string   `json:"matcher,omitzero"`
	Callbacks []string `json:"hookCallbackIds"`
	Timeout   float64  `json:"timeout"` // seconds
	OnFailure string   `json:"onFailure,omitzero"`
}

// margin is how much more time the program gives a hook than it has: that it took too
// long is for us to say, since some programs let the call go on then.
const margin = 15

// registrations are the hooks by their events. Those at the end of a session are not
// among them: a program whose input has ended can tell nobody.
func (h *hooks) registrations() map[string][]registration {
	all := map[string][]registration{}
	for i, e := range h.options.Hooks {
		if e.Event == hook.SessionEnd {
			continue
		}
		limit := e.Timeout
		if limit <= 0 {
			limit = hook.DefaultTimeout
		}
		r := registration{
			Matcher: commonMatcher(e), Callbacks: []string{"hook_" + strconv.Itoa(i)},
			Timeout: min(limit.Seconds()+margin, hook.MaxTimeout.Seconds()),
		}
		switch e.OnFailure {
		case hook.FailOpen:
			r.OnFailure = "continue"
		case hook.FailClosed:
			r.OnFailure = "block"
		case hook.AsEvent:
		}
		all[string(e.Event)] = append(all[string(e.Event)], r)
	}
	return all
}

// commonMatcher is the matcher of a hook if all programs read it alike, which they do with
// names and the bar between them. With any other the program calls the hook every time,
// and it is decided here whether it runs: no other reading may keep it from a call.
func commonMatcher(e hook.Entry) string {
	text := e.Matcher.String()
	plain := func(r rune) bool {
		return r == '_' || r == '|' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if !e.Event.HasSubject() || e.RestrictOnly || strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) >= 0 {
		return ""
	}
	return text
}

// callback runs a hook for the program. The answer is what it said, as hooks write it.
func (h *hooks) callback(ctx context.Context, body strictjson.Raw, as reading) (any, error) {
	var request struct {
		ID        string         `json:"callback_id"`
		Input     strictjson.Raw `json:"input"`
		ToolUseID string         `json:"tool_use_id"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	input, err := hook.Decode(request.Input)
	if err != nil { // nobody knows what it is about, and it may be a call
		return h.breaks(hook.PreToolUse, "hook broken: "+request.ID+": "+err.Error())
	}
	number, err := strconv.Atoi(strings.TrimPrefix(request.ID, "hook_"))
	if err != nil || number < 0 || number >= len(h.runners) || h.options.Hooks[number].Event != input.Event() {
		return h.breaks(input.Event(), fmt.Sprintf("hook broken: there is no %s hook %q here", input.Event(), request.ID))
	}
	return h.run(ctx, number, hook.Occasion{Input: input, ToolUseID: request.ToolUseID, Call: h.call(input)}, as)
}

// run runs a hook and says what came of it. What panics is broken.
func (h *hooks) run(ctx context.Context, number int, o hook.Occasion, as reading) (answer any, err error) {
	event := h.options.Hooks[number].Event
	defer func() {
		if p := recover(); p != nil {
			answer, err = h.breaks(event, fmt.Sprintf("hook broken: it panicked: %v", p))
		}
	}()
	v := h.runners[number].Run(ctx, o)
	if event == hook.SessionStart && v.Halt {
		h.mu.Lock()
		h.refused = v.HaltReason
		h.mu.Unlock()
	}
	answer, err = answerOf(event, v, as)
	if err == nil && v.Permission.Broken {
		return h.remember(answer, v)
	}
	return answer, err
}

// call is the call that an event is about, for conditions; nil when it is about none that
// can be judged.
func (h *hooks) call(input hook.Input) *permission.Call {
	if h.context == nil || !input.Event().AboutTool() {
		return nil
	}
	var request permission.Request
	switch in := input.(type) {
	case hook.PreToolUseInput:
		request = permission.Request{Tool: in.ToolName, Input: in.ToolInput, Cwd: in.Cwd}
	case hook.PostToolUseInput:
		request = permission.Request{Tool: in.ToolName, Input: in.ToolInput, Cwd: in.Cwd}
	case hook.PostToolUseFailureInput:
		request = permission.Request{Tool: in.ToolName, Input: in.ToolInput, Cwd: in.Cwd}
	case hook.PermissionRequestInput:
		request = permission.Request{Tool: in.ToolName, Input: in.ToolInput, Cwd: in.Cwd}
	case hook.PermissionDeniedInput:
		request = permission.Request{Tool: in.ToolName, Input: in.ToolInput, Cwd: in.Cwd}
	}
	call, err := h.engine.Validate(h.context, request)
	if err != nil {
		return nil
	}
	return call
}

// sessionEnd runs the hooks at the end of the session, which no program can call, and has a
// person told what they say and which did not work.
func (h *hooks) sessionEnd(ctx context.Context, session string) {
	input := hook.SessionEndInput{Base: hook.Base{SessionID: session, Cwd: h.options.Dir}, Reason: "other"}
	for i, e := range h.options.Hooks {
		if e.Event == hook.SessionEnd {
			for _, text := range h.runners[i].Run(ctx, hook.Occasion{Input: input}).Messages {
				h.options.Warn(text)
			}
		}
	}
}

// release ends what hooks have left in the background.
func (h *hooks) release(ctx context.Context) {
	for _, r := range h.runners {
		r.Close(ctx)
	}
	if h.scratch != "" {
		_ = os.RemoveAll(h.scratch)
	}
}
