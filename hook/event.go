package hook

// Event names a moment at which hooks run, as settings and hooks spell it.
type Event string

// The events.
const (
	PreToolUse         Event = "PreToolUse"
	PostToolUse        Event = "PostToolUse"
	PostToolUseFailure Event = "PostToolUseFailure"
	PermissionRequest  Event = "PermissionRequest"
	PermissionDenied   Event = "PermissionDenied"
	Notification       Event = "Notification"
	UserPromptSubmit   Event = "UserPromptSubmit"
	SessionStart       Event = "SessionStart"
	SessionEnd         Event = "SessionEnd"
	Stop               Event = "Stop"
	SubagentStart      Event = "SubagentStart"
	SubagentStop       Event = "SubagentStop"
	PreCompact         Event = "PreCompact"
)

// Events lists all events.
var Events = []Event{
	PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, PermissionDenied, Notification, UserPromptSubmit,
	SessionStart, SessionEnd, Stop, SubagentStart, SubagentStop, PreCompact,
}

// HasSubject reports whether the event has something to match: the name of a tool,
// the source of a session start and so on. At the others a matcher has nothing to
// be compared with.
func (e Event) HasSubject() bool {
	switch e {
	case Notification, UserPromptSubmit, Stop:
		return false
	}
	return true
}

// AboutTool reports whether the event is about a tool call, so that a rule can be
// compared with it.
func (e Event) AboutTool() bool {
	switch e {
	case PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, PermissionDenied:
		return true
	}
	return false
}

// failsClosed: a hook that does not work stops the call it was to judge.
func (e Event) failsClosed() bool { return e == PreToolUse }

// permits: hooks of this event may let a call run.
func (e Event) permits() bool { return e == PreToolUse || e == PermissionRequest }

// hasMode: hooks of this event are told the permission mode.
func (e Event) hasMode() bool {
	switch e {
	case PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, PermissionDenied, UserPromptSubmit, Stop, SubagentStop:
		return true
	}
	return false
}

// takesContext: text for the model has a place at this event.
func (e Event) takesContext() bool {
	switch e {
	case PreToolUse, PostToolUse, PostToolUseFailure, UserPromptSubmit, SessionStart, SubagentStart:
		return true
	}
	return false
}

// takesText: output that is not JSON is text for the model.
func (e Event) takesText() bool { return e == UserPromptSubmit || e == SessionStart }

// takesBlock: there is something that a top-level "block" can hold up.
func (e Event) takesBlock() bool {
	switch e {
	case PreToolUse, PostToolUse, PostToolUseFailure, UserPromptSubmit, Stop, SubagentStop, PreCompact:
		return true
	}
	return false
}
