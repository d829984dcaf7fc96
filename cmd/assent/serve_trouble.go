package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/approval"
)

// forLog is what a log is told of a session that does not go on.
func (r *resumer) forLog(ctx context.Context, s *launch.Session) string {
	return plainly(s.ID, s.Agent.Troubles(), func(call string) string {
		if t, err := r.tickets.OfCall(ctx, s.ID, call); err == nil && t != nil {
			return t.ID
		}
		return ""
	})
}

// plainly says which calls have stopped a session, why, and what helps, without what they contain.
func plainly(session string, troubles []agent.Trouble, ticketOf func(call string) string) string {
	var all []string
	for _, one := range troubles {
		if text := plainTrouble(session, ticketOf(one.ToolUseID), one.Err); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return cmp.Or(strings.Join(all, "; "), fmt.Sprintf("see what waits in it: `assent sessions show %s`", session))
}

// plainTrouble is why one call has stopped its session. The ticket is empty where nobody can say
// which one it is.
func plainTrouble(session, ticket string, err error) string {
	which, name := "a call of it", session
	if ticket != "" {
		which, name = "the call of ticket "+ticket, ticket
	}
	unusable, ails := errors.AsType[*approval.Unusable](err)
	switch {
	case ails: // the same for every call
		return unusable.Error()
	case errors.Is(err, agent.ErrOutcomeUnknown):
		return fmt.Sprintf("nobody knows whether %s ran (find out, and say `assent sessions resolve %s --ran` or `--not-run`)", which, name)
	case errors.Is(err, agent.ErrToolGone):
		return fmt.Sprintf("the tool of %s is not there any more, and the call waits on (`assent sessions show %s` names the tool: start this again with what offers it, or deny the call)", which, name)
	case errors.Is(err, agent.ErrWaitsOn):
		return fmt.Sprintf("something keeps %s from running (`assent audit log --session %s` on this machine says what, and `assent sessions show %s` shows the call)", which, session, name)
	case errors.Is(err, agent.ErrAnswered):
		return fmt.Sprintf("the answer to %s was another one each time when it was to run", which)
	}
	return approval.Plain(err) // which names the ticket where it is about one
}
