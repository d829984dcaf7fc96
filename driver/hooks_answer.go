package driver

import (
	"errors"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// reading is how a program understands the changed input of a hook.
type reading uint8

const (
	// whole: it takes the place of the input, as the programs of others read it.
	whole reading = iota + 1
	// partial: its keys do, and the others stay. That way several hooks can change one
	// input.
	partial
)

// readingOf tells assent from others by the names of its requests.
func readingOf(requestID string) reading {
	if strings.HasPrefix(requestID, "assent_") {
		return partial
	}
	return whole
}

// broken is the answer for a hook that did not work. Before a tool runs that is a
// denial, in so many words: some programs let the call go on when a callback fails.
func broken(event hook.Event, why string) (any, error) {
	if event != hook.PreToolUse {
		return nil, errors.New(why)
	}
	out := hook.Deny(why)
	out.Specific.HookEventName = event
	return out, nil
}

// answerOf is what a hook said as the program reads it. It is made of the verdict, and not
// of the hook's own words: what does not count here must not count there.
func answerOf(event hook.Event, v hook.Verdict, as reading) (any, error) {
	specific, err := specificOf(event, v, as)
	if err != nil {
		return broken(event, "hook broken: "+err.Error())
	}
	out := hook.Output{SystemMessage: strings.Join(v.Messages, "\n"), Specific: specific}
	if v.Block {
		out.Decision, out.Reason = "block", strings.Join(v.Feedback, "\n")
	}
	if v.Halt {
		out.Continue, out.StopReason = new(bool), v.HaltReason
	}
	for _, run := range v.Runs {
		out.SuppressOutput = out.SuppressOutput || run.SuppressOutput
		if failed(run) && event != hook.PreToolUse && !v.Block && v.Answer == nil {
			return nil, errors.New(run.Reason) // the program is to know that it did not work
		}
	}
	return out, nil
}

func failed(run hook.Run) bool {
	switch run.Outcome {
	case hook.Broken, hook.OutOfTime, hook.Dropped:
		return true
	case hook.Okay, hook.Blocked, hook.InBackground:
	}
	return false
}

// specificOf is the part of the answer that depends on the event; nil for nothing.
func specificOf(event hook.Event, v hook.Verdict, as reading) (*hook.Specific, error) {
	s := &hook.Specific{HookEventName: event, AdditionalContext: strings.Join(v.Context, "\n")}
	said := s.AdditionalContext != ""
	switch event {
	case hook.PreToolUse:
		decides, err := permit(s, v, as)
		if err != nil {
			return nil, err
		}
		said = said || decides
	case hook.PermissionRequest:
		if v.Answer != nil {
			d, err := requestDecision(*v.Answer)
			if err != nil {
				return nil, err
			}
			s.Decision, said = d, true
		}
	case hook.PermissionDenied:
		s.Retry, said = v.Retry, said || v.Retry
	case hook.PostToolUse:
		s.UpdatedToolOutput, s.UpdatedMCPToolOutput = v.ToolOutput, v.MCPToolOutput
		said = said || v.ToolOutput != nil || v.MCPToolOutput != nil
	}
	if !said {
		return nil, nil
	}
	return s, nil
}

// permit fills in the decision about a call.
func permit(s *hook.Specific, v hook.Verdict, as reading) (decides bool, err error) {
	s.PermissionDecisionReason = v.Permission.Reason
	switch v.Permission.Behavior {
	case permission.Deny:
		s.PermissionDecision = "deny"
		if v.Permission.Broken {
			s.PermissionDecisionReason = strings.Join(v.Denials, "\n")
		}
	case permission.Ask:
		s.PermissionDecision = "ask"
	case permission.Defer:
		s.PermissionDecision = "defer"
	case permission.Allow:
		s.PermissionDecision, s.AnnounceInput = "allow", v.Announce
		s.UpdatedInput, err = changedInput(v, as)
	case permission.Pass:
		s.PermissionDecisionReason = ""
		return false, nil
	}
	return true, err
}

// changedInput is what a hook made of the input; nil when it is as it was.
func changedInput(v hook.Verdict, as reading) (strictjson.Raw, error) {
	if v.Input == nil || as == whole {
		return v.Input, nil
	}
	var now map[string]strictjson.Raw
	if err := strictjson.Unmarshal(v.Input, &now); err != nil {
		return nil, err
	}
	changes := map[string]strictjson.Raw{}
	for _, c := range v.Changes {
		for _, key := range c.Keys {
			changes[key] = now[key] // nil is written as null, which takes it away
		}
	}
	return strictjson.Marshal(changes)
}

func requestDecision(a permission.Answer) (*hook.RequestDecision, error) {
	d := &hook.RequestDecision{Behavior: "deny", Message: a.Message, Interrupt: a.Interrupt}
	if a.Behavior == permission.Allow {
		d = &hook.RequestDecision{Behavior: "allow", UpdatedInput: a.UpdatedInput}
	}
	if len(a.Updates) == 0 {
		return d, nil
	}
	var err error
	d.UpdatedPermissions, err = strictjson.Marshal(a.Updates)
	return d, err
}
