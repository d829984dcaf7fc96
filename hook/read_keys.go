package hook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/hook/match"
)

// level is an object of an answer.
type level uint8

const (
	topLevel level = iota + 1
	inSpecific
	inDecision
)

func (p level) String() string {
	switch p {
	case topLevel:
		return "the output"
	case inSpecific:
		return "hookSpecificOutput"
	case inDecision:
		return "the decision of hookSpecificOutput"
	default:
		return "nowhere"
	}
}

const keyEventName = "hookEventName"

// keys are those that are known in a place.
func (p level) keys() []string {
	switch p {
	case topLevel:
		return []string{
			"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", "async", "asyncTimeout",
			"hookSpecificOutput",
		}
	case inSpecific:
		return []string{
			keyEventName, "permissionDecision", "permissionDecisionReason", "updatedInput", "announceInput", "additionalContext",
			"updatedToolOutput", "updatedMCPToolOutput", "decision", "retry",
		}
	case inDecision:
		return []string{"behavior", "updatedInput", "updatedPermissions", "message", "interrupt"}
	default:
		return nil
	}
}

// stray is a key that is not known in its place and surely meant to be one that is.
type stray struct {
	*BrokenOutput
	// decides: the answer means something else without it. Its author believes that
	// it counts, so it is never just ignored.
	decides bool
}

// misplaced finds out whether a key that is not known in a place is surely meant to
// be one that is known: in another letter case, in another place, or misspelt where
// that would lose a decision. It is nil when the key is just unknown.
func misplaced(p level, key string) *stray {
	plain := plainKey(key)
	if known := findKey(p, plain); known != "" {
		return &stray{&BrokenOutput{fmt.Sprintf("the key %s is not spelt right", quoted(key)), "write " + known}, !onlyTells(known)}
	}
	if p != inDecision { // its neighbours have ordinary names there
		for _, other := range []level{topLevel, inSpecific, inDecision} {
			if known := findKey(other, plain); known != "" && known != "message" {
				problem := fmt.Sprintf("the key %s has no meaning in %s", quoted(key), p)
				return &stray{&BrokenOutput{problem, "write " + known + " " + other.where()}, !onlyTells(known)}
			}
		}
	}
	for _, known := range decidingKeys(p) {
		if match.Nearly(strings.ToLower(plain), strings.ToLower(known)) {
			return &stray{&BrokenOutput{fmt.Sprintf("the key %s is not known", quoted(key)), "did you mean " + known + "?"}, true}
		}
	}
	return nil
}

// onlyTells: the key tells somebody something, or says how that is shown. A decision
// stays what it is without it.
func onlyTells(known string) bool {
	return slices.Contains([]string{"systemMessage", "suppressOutput", "stopReason", "asyncTimeout", "additionalContext", "announceInput"}, known)
}

func (p level) where() string {
	if p == topLevel {
		return "at the top level"
	}
	return "inside " + strings.TrimPrefix(p.String(), "the ")
}

// plainKey takes away what other spellings put between the words: permission_decision.
func plainKey(key string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_- \t\r\n", r) {
			return -1
		}
		return r
	}, key)
}

func findKey(p level, plain string) string {
	for _, known := range p.keys() {
		if strings.EqualFold(plain, known) {
			return known
		}
	}
	return ""
}

// decidingKeys are those without which an answer means something else.
func decidingKeys(p level) []string {
	if p == inDecision {
		return []string{"behavior", "updatedInput", "updatedPermissions"}
	}
	return []string{"hookSpecificOutput", "permissionDecision", "decision", "updatedInput", "continue"}
}
