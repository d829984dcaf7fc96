package session

import (
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Kind says what a record is about.
type Kind string

// The kinds of record.
const (
	// Started is the first record: [Start].
	Started Kind = "start"
	// Resumed: another process has taken the session up: [Start].
	Resumed Kind = "resume"
	// Said is a message of the conversation, as it is sent to the model: a model.Message.
	Said Kind = "message"
	// Compacted: the conversation starts anew: [Compaction]. Its messages and those that
	// follow replace all before.
	Compacted Kind = "compact"
	// Moded: the permission mode has changed: [Mode].
	Moded Kind = "mode"
	// Ruled: a rule or directory was added for this session: a permission update.
	Ruled Kind = "update"
	// Ran is what a tool really returned, where hooks have changed what the model
	// sees of it.
	Ran Kind = "result"
	// Changed: a call runs with another input than the model wrote: [Change].
	Changed Kind = "input"
	// Saw: the model has seen a file in a certain state. The body names its "path"; a
	// later one replaces it.
	Saw Kind = "sight"
	// Planned: a task was put on the list of the session, or has changed. The body names
	// its "id"; a later one replaces it.
	Planned Kind = "task"
	// Counted: how often the classifier of auto mode has refused. A later one replaces it.
	Counted Kind = "refusals"
	// Parked: calls of the last turn wait for an answer: [Pending]. Until the model is told
	// their results the session can do nothing else.
	Parked Kind = "parked"
	// Began: a call that was parked is about to run: [Beginning].
	Began Kind = "began"
	// Unbegun: it did not run after all, and waits on as it did before: [Release].
	Unbegun Kind = "unbegun"
	// Settled: a call of a parked turn has its result, and others have not: [Settlement].
	Settled Kind = "settled"
	// Found: a person says whether a call ran that somebody has begun: [Finding].
	Found Kind = "found"
	// Noted is something for a person: a system message of a hook, a warning.
	Noted Kind = "note"
	// Ended: a prompt was worked off. The body says how: {subtype, stop_reason} of its
	// result.
	Ended Kind = "end"
)

// kinds are those whose meaning this version knows. A record of another kind could
// change what the others mean.
var kinds = [...]Kind{Said, Started, Resumed, Compacted, Moded, Ruled, Ran, Changed, Saw, Planned, Counted, Parked, Began, Unbegun, Settled, Found, Noted, Ended}

// parseKind reads a kind.
func parseKind(text []byte) (Kind, bool) {
	for _, k := range &kinds {
		if string(k) == string(text) {
			return k, true
		}
	}
	return "", false
}

// Record is one line of a transcript.
type Record struct {
	Number int // from 1
	Time   time.Time
	Kind   Kind
	// Body is JSON, exactly as it was written.
	Body strictjson.Raw
}

// Change is an input that somebody has changed.
type Change struct {
	ToolUseID string `json:"tool_use_id"`
	// Agent is the sub-agent that made the call; empty for the main agent.
	Agent string `json:"agent,omitzero"`
	// By names who did: hooks, or who answered the question.
	By    []string       `json:"by"`
	Input strictjson.Raw `json:"input"`
}

// Start is how a process begins or takes up a session.
type Start struct {
	Session string `json:"session"`
	Cwd     string `json:"cwd"`
	Model   string `json:"model"`
	Mode    string `json:"mode"`
	Version string `json:"version"`
	// Requester is who does and can say something to the model: an account as "user@host", or a
	// person; empty when nobody knows, and when a process only takes up what was answered. In
	// [Conversation] and [Standing] it is everybody who could so far, and a fork begins with all
	// of its parent's, as account.Join writes them: they want the calls of the session.
	Requester string `json:"requester,omitzero"`
	// Parent is the session that this one is a fork of, and Before those that that one is. Births are
	// by what each of them is known besides its ID, which may be used again; older versions did not
	// write them down.
	Parent string   `json:"parent,omitzero"`
	Before []string `json:"before,omitzero"`
	Births []string `json:"births,omitzero"`
}

// Forks are the sessions that this one is a fork of, the nearest first.
func (s Start) Forks() []string {
	if s.Parent == "" {
		return nil
	}
	return append([]string{s.Parent}, s.Before...)
}

// Mode is a change of the permission mode.
type Mode struct {
	Mode string `json:"mode"`
}

// Compaction is what a conversation starts anew with. The messages stand in the record
// itself, so that no crash can come between the end of the old conversation and the
// beginning of the new one.
type Compaction struct {
	Messages []model.Message `json:"messages"`
	// Trigger says who wanted it: "auto" or "manual".
	Trigger string `json:"trigger,omitzero"`
}
