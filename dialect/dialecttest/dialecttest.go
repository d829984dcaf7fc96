// Package dialecttest reads hook replies as the agents read them, so that tests of
// the guard need not take assent's word for what its answers mean.
package dialecttest

import (
	"bytes"
	"slices"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/internal/strictjson"
)

// LetsThrough is how an agent reads a reply: does the call run without anybody
// having been asked? It is written from what the agents do, not from what assent
// sends. An event of kind zero could not be read by assent; the agent sent the kind
// that runs a tool.
func LetsThrough(agent dialect.Agent, kind dialect.Kind, r dialect.Reply) bool {
	asks := kind == dialect.PermissionRequest
	switch agent {
	case dialect.Claude:
		return claudeLetsThrough(asks, r)
	case dialect.Codex:
		return codexLetsThrough(asks, r)
	case dialect.Gemini:
		return geminiLetsThrough(r)
	case dialect.Cursor:
		return cursorLetsThrough(r)
	case dialect.Copilot:
		return copilotLetsThrough(asks, r)
	}
	return true
}

// answer is every key that some agent reads.
type answer struct {
	Specific *struct {
		Event    string  `json:"hookEventName"`
		Decision *string `json:"permissionDecision"`
		Reason   string  `json:"permissionDecisionReason"`
		Request  *struct {
			Behavior string `json:"behavior"`
		} `json:"decision"`
	} `json:"hookSpecificOutput"`
	Decision           string `json:"decision"`
	Reason             string `json:"reason"`
	Permission         string `json:"permission"`
	PermissionDecision string `json:"permissionDecision"`
	PermissionReason   string `json:"permissionDecisionReason"`
	Behavior           string `json:"behavior"`
}

// read takes exactly one object, as JSON.parse would.
func read(data []byte) (a answer, ok bool) {
	ok = strictjson.Unmarshal(data, &a) == nil
	return a, ok && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{"))
}

// Claude Code: status 2 blocks; with 0 the JSON decides if it names this event; all
// else goes on to its own permissions, which may allow. A permission request that
// nobody answers is put to the person.
func claudeLetsThrough(asks bool, r dialect.Reply) bool {
	if r.Exit == 2 {
		return false
	}
	a, ok := read(r.Stdout)
	if asks {
		return ok && a.Specific != nil && a.Specific.Request != nil && a.Specific.Request.Behavior == "allow"
	}
	if ok && a.Decision == "block" { // the word of older versions
		return false
	}
	return !ok || a.Specific == nil || a.Specific.Event != "PreToolUse" || a.Specific.Decision == nil ||
		!slices.Contains([]string{"deny", "ask"}, *a.Specific.Decision)
}

// Codex: only a denial with a reason, status 0 and the right event stops a call.
// Words it does not support make the hook fail, and the call runs. Status 2 has been
// seen to run it as well.
func codexLetsThrough(asks bool, r dialect.Reply) bool {
	a, ok := read(r.Stdout)
	if asks {
		return ok && a.Specific != nil && a.Specific.Request != nil && a.Specific.Request.Behavior == "allow"
	}
	if ok && r.Exit == 0 && a.Decision == "block" && a.Reason != "" { // the word of older versions
		return false
	}
	return r.Exit != 0 || !ok || a.Specific == nil || a.Specific.Event != "PreToolUse" || a.Specific.Decision == nil ||
		*a.Specific.Decision != "deny" || a.Specific.Reason == ""
}

// Gemini CLI: JSON decides, from either stream; plain text blocks unless the status
// is 0 or 1; without any output the call runs, whatever the status.
func geminiLetsThrough(r dialect.Reply) bool {
	text := r.Stdout
	if len(bytes.TrimSpace(text)) == 0 {
		text = r.Stderr
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	if a, ok := read(text); ok {
		return !slices.Contains([]string{"deny", "block", "ask"}, a.Decision)
	}
	return r.Exit == 0 || r.Exit == 1
}

// Cursor: status 2 blocks; else only a written denial does. To ask is not reliable.
func cursorLetsThrough(r dialect.Reply) bool {
	if r.Exit == 2 {
		return false
	}
	a, ok := read(r.Stdout)
	return r.Exit != 0 || !ok || a.Permission != "deny"
}

// Copilot: any status but 0 denies a call. Else the one object decides, and a denial
// needs a reason. A permission request that nobody answers is put to the person.
func copilotLetsThrough(asks bool, r dialect.Reply) bool {
	if asks {
		a, ok := read(r.Stdout)
		return r.Exit == 0 && ok && a.Behavior == "allow"
	}
	if r.Exit != 0 {
		return false
	}
	a, ok := read(r.Stdout)
	return !ok || a.PermissionDecision != "ask" && (a.PermissionDecision != "deny" || a.PermissionReason == "")
}
