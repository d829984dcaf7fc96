package audit

import (
	"fmt"
	"time"
)

// Record is one decision.
type Record struct {
	Time    time.Time `json:"time"`
	Session string    `json:"session"`
	// Agent is the sub-agent that made the call; empty for the main agent.
	Agent     string `json:"agent,omitzero"`
	ToolUseID string `json:"tool_use_id"`
	Tool      string `json:"tool"`
	// Digest is that of the call as it would run: tool, input in one spelling, cwd.
	Digest string `json:"digest"`
	// Summary says in one line what was asked: the command, the path. Nothing in it can
	// deceive a reader; it may be cut.
	Summary string `json:"summary,omitzero"`
	// Input is what the decision is about, in the spelling of the digest. Asked is what
	// the model wrote, if hooks or an answer have made something else of it.
	Input Excerpt `json:"input,omitzero"`
	Asked Excerpt `json:"asked,omitzero"`
	Cwd   string  `json:"cwd"`
	Mode  string  `json:"mode"`
	// Decision is what came out of it: allow, deny or defer; error for a call that
	// could not be judged (no such tool, invalid input).
	Decision string `json:"decision"`
	// Stage is the stage that decided, Kind the kind of reason, Reason the sentence.
	Stage  string `json:"stage,omitzero"`
	Kind   string `json:"kind,omitzero"`
	Reason string `json:"reason,omitzero"`
	// Rule is the text of the rule that decided, and File and Line its place.
	Rule string `json:"rule,omitzero"`
	File string `json:"file,omitzero"`
	Line int    `json:"line,omitzero"`
	// Who answered, when somebody was asked: "host", "hook NAME"; and who lost the race.
	Who    string   `json:"who,omitzero"`
	Trust  string   `json:"trust,omitzero"`
	Losers []string `json:"losers,omitzero"`
	// Micros is how long the decision took, people and hooks included.
	Micros int64 `json:"micros"`
	// Hooks are the hooks that were told, and what each one did.
	Hooks []Hook `json:"hooks,omitzero"`
}

// Excerpt is a text, or what there is room for of it.
type Excerpt struct {
	// Text is all of it, or the beginning.
	Text string `json:"text,omitzero"`
	// LeftOut is how many bytes are missing behind it, and Tail what follows them.
	LeftOut int    `json:"left_out,omitzero"`
	Tail    string `json:"tail,omitzero"`
}

// Place is the file and line of the rule that decided; empty when no file has it.
func (r Record) Place() string {
	if r.File == "" || r.Line == 0 {
		return r.File
	}
	return fmt.Sprintf("%s:%d", r.File, r.Line)
}

// Hook is what one hook did about a call.
type Hook struct {
	Name    string   `json:"name"`
	Outcome string   `json:"outcome"`
	Said    string   `json:"said,omitzero"`
	Micros  int64    `json:"micros"`
	Changed []string `json:"changed,omitzero"`
	// Before and After are digests of the input, when it changed.
	Before string `json:"before,omitzero"`
	After  string `json:"after,omitzero"`
}
