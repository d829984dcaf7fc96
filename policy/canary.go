package policy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/settings"
)

const (
	// slowHook is how long a hook may take before somebody should know.
	slowHook = 2 * time.Second
	// backgroundHook is how long a hook that decides nothing may take; a person waits.
	backgroundHook = 5 * time.Second
	// moment is how long a hook that went on in the background is let alone before it
	// is ended: enough for one that is nearly done.
	moment = 100 * time.Millisecond
)

// RunHooks runs every hook of the settings once with a harmless event, a canary, and
// tells which of them do not work or say something that does not count. Hooks may
// have effects, so a person must ask for it. Each has a state of its own, which is
// empty and goes when it has run.
func RunHooks(ctx context.Context, s *settings.Settings, dir string) []Finding {
	entries, _ := Hooks(s)
	place, err := os.MkdirTemp("", "assent-canary-")
	if err != nil {
		return []Finding{{Severity: Error, Code: "hook-canary", Text: "no hook was run: there is no place for what they share: " + err.Error(), Fix: "set TMPDIR to a directory that can be written"}}
	}
	defer os.RemoveAll(place)
	var found []Finding
	for i := range entries {
		if entries[i].Defect == "" {
			found = append(found, runCanary(ctx, entries[i], dir, filepath.Join(place, strconv.Itoa(i), "state.json"))...)
		}
	}
	return found
}

func runCanary(ctx context.Context, e hook.Entry, dir, stateFile string) []Finding {
	l := &linter{}
	in, ok := canary(&e, dir)
	if !ok {
		l.addHook(Info, "hook-canary", &e, fmt.Sprintf("no canary fits its matcher %s, so it was not run", Visible(e.Matcher.String())), "")
		return l.found
	}
	state, err := hook.OpenState(stateFile)
	if err != nil {
		l.addHook(Error, "hook-canary", &e, "it was not run: "+Visible(err.Error()), "")
		return l.found
	}
	asConfigured := e
	e.Matcher, e.If, e.Async = hook.Matcher{}, nil, false // this one event is for it
	if asConfigured.Async && (e.Timeout == 0 || e.Timeout > backgroundHook) {
		e.Timeout = backgroundHook
	}
	runner := hook.NewRunner(hook.Config{Entries: []hook.Entry{e}, Dir: dir, State: state})
	verdict := runner.Run(ctx, hook.Occasion{Input: in, ToolUseID: "toolu_canary"})
	soon, cancel := context.WithTimeout(ctx, moment)
	defer cancel()
	runner.Close(soon)
	for _, run := range verdict.Runs {
		l.judgeCanary(&asConfigured, run)
	}
	return l.found
}

// judgeCanary words what became of the canary.
func (l *linter) judgeCanary(e *hook.Entry, run hook.Run) {
	switch {
	case run.Outcome == hook.OutOfTime && e.Async:
		return // no call waits for it, and nor did we
	case run.Outcome == hook.Broken || run.Outcome == hook.OutOfTime:
		l.addHook(Error, "hook-broken", e, "it does not work: "+Visible(run.Reason)+consequence(e), "run it by hand with an event on its standard input")
	}
	for _, note := range run.Notes {
		l.addHook(Warning, "hook-note", e, Visible(note), "")
	}
	if run.Took > slowHook && !e.Async {
		l.addHook(Info, "hook-slow", e, fmt.Sprintf("it took %.1f s, and every call it is for waits that long", run.Took.Seconds()), "")
	}
}

// canary makes an event that the hook is for.
func canary(e *hook.Entry, dir string) (hook.Input, bool) {
	base := hook.Base{SessionID: "00000000-0000-4000-8000-000000000000", TranscriptPath: "/dev/null", Cwd: dir, PermissionMode: "default"}
	tool, input, fits := canaryCall(e.Matcher)
	switch e.Event {
	case hook.PreToolUse:
		return hook.PreToolUseInput{Base: base, ToolName: tool, ToolInput: input, ToolUseID: "toolu_canary"}, fits
	case hook.PostToolUse:
		return hook.PostToolUseInput{Base: base, ToolName: tool, ToolInput: input, ToolResponse: strictjson.Raw(`{"stdout":"","stderr":""}`), ToolUseID: "toolu_canary"}, fits
	case hook.PostToolUseFailure:
		return hook.PostToolUseFailureInput{Base: base, ToolName: tool, ToolInput: input, ToolUseID: "toolu_canary", Error: "a canary"}, fits
	case hook.PermissionRequest:
		return hook.PermissionRequestInput{Base: base, ToolName: tool, ToolInput: input}, fits
	case hook.PermissionDenied:
		return hook.PermissionDeniedInput{Base: base, ToolName: tool, ToolInput: input, ToolUseID: "toolu_canary", Reason: "a canary"}, fits
	case hook.Notification:
		return hook.NotificationInput{Base: base, Message: "a canary"}, true
	case hook.UserPromptSubmit:
		return hook.UserPromptSubmitInput{Base: base, Prompt: "a canary"}, true
	case hook.SessionStart:
		return hook.SessionStartInput{Base: base, Source: "startup"}, true
	case hook.SessionEnd:
		return hook.SessionEndInput{Base: base, Reason: "other"}, true
	case hook.Stop:
		return hook.StopInput{Base: base}, true
	case hook.SubagentStart:
		return hook.SubagentStartInput{Base: base}, true
	case hook.SubagentStop:
		return hook.SubagentStopInput{Base: base}, true
	case hook.PreCompact:
		return hook.PreCompactInput{Base: base, Trigger: "manual"}, true
	}
	return nil, false
}
