package policy

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/settings"
)

// slowHook is how long a hook may take before somebody should know.
const slowHook = 2 * time.Second

// RunHooks runs every hook of the settings once with a harmless event, a canary, and
// tells which of them do not work or say something that does not count. Hooks may
// have effects, so a person must ask for it.
func RunHooks(ctx context.Context, s *settings.Settings, dir string) []Finding {
	entries, _ := Hooks(s)
	var found []Finding
	for i := range entries {
		if entries[i].Defect == "" {
			found = append(found, runCanary(ctx, entries[i], dir)...)
		}
	}
	return found
}

func runCanary(ctx context.Context, e hook.Entry, dir string) []Finding {
	l := &linter{}
	in, ok := canary(&e, dir)
	if !ok {
		l.addHook(Info, "hook-canary", &e, fmt.Sprintf("no canary fits its matcher %s, so it was not run", Visible(e.Matcher.String())), "")
		return l.found
	}
	asConfigured := e
	e.Matcher, e.If, e.Async = hook.Matcher{}, nil, false // this one event is for it
	runner := hook.NewRunner(hook.Config{Entries: []hook.Entry{e}, Dir: dir, State: hook.MemoryState()})
	verdict := runner.Run(ctx, hook.Occasion{Input: in, ToolUseID: "toolu_canary"})
	runner.Close(ctx)
	for _, run := range verdict.Runs {
		l.judgeCanary(&asConfigured, run)
	}
	return l.found
}

// judgeCanary words what became of the canary.
func (l *linter) judgeCanary(e *hook.Entry, run hook.Run) {
	switch run.Outcome {
	case hook.Broken, hook.OutOfTime:
		l.addHook(Error, "hook-broken", e, "it does not work: "+Visible(run.Reason)+consequence(e), "run it by hand with an event on its standard input")
	case hook.Okay, hook.Blocked, hook.InBackground, hook.Dropped:
	}
	for _, note := range run.Notes {
		l.addHook(Warning, "hook-note", e, Visible(note), "")
	}
	if run.Took > slowHook {
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

// canaryCall finds a harmless call of a tool that the matcher is for.
func canaryCall(m hook.Matcher) (tool string, input strictjson.Raw, ok bool) {
	for _, c := range []struct{ tool, input string }{
		{"Bash", `{"command":"true","description":"a canary"}`},
		{"Read", `{"file_path":"canary.txt"}`},
		{"Write", `{"file_path":"canary.txt","content":""}`},
		{"Edit", `{"file_path":"canary.txt","old_string":"a","new_string":"b"}`},
		{"NotebookEdit", `{"notebook_path":"canary.ipynb","new_source":""}`},
		{"Glob", `{"pattern":"canary"}`},
		{"Grep", `{"pattern":"canary"}`},
		{"WebFetch", `{"url":"https://example.com/","prompt":"a canary"}`},
		{"WebSearch", `{"query":"canary"}`},
		{"Task", `{"description":"a canary","prompt":"","subagent_type":"general-purpose"}`},
		{"mcp__canary__canary", `{}`},
	} {
		if m.Match(c.tool) {
			return c.tool, strictjson.Raw(c.input), true
		}
	}
	for _, name := range m.Names() {
		return name, strictjson.Raw(`{}`), true
	}
	return "", nil, false
}
