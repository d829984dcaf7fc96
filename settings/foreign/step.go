package foreign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"
)

// Kind says what a step did.
type Kind string

// The kinds of steps.
const (
	AddedHook    Kind = "hook"    // the guard
	AddedVersion Kind = "version" // the version of the file's format
	AddedPolicy  Kind = "policy"  // the starter policy
	AddedFile    Kind = "file"    // a whole file
	MendedHook   Kind = "mended"  // a guard that would not have stopped every call
)

// Step is one change of a text, small enough to keep and to take back.
type Step struct {
	Kind  Kind   `json:"kind"`
	Agent string `json:"agent,omitzero"`
	// At, Removed and Inserted are the change.
	At       int    `json:"at"`
	Removed  string `json:"removed,omitzero"`
	Inserted string `json:"inserted"`
	// Sum is that of the text after the step.
	Sum string `json:"sum"`
	// Made are the keys that were not there before, outermost first.
	Made []string `json:"made,omitzero"`
	// Value is what was added or mended, for telling whether it is still the same.
	Value string `json:"value,omitzero"`
	// Was is the text of a guard before it was mended.
	Was string `json:"was,omitzero"`
}

// newStep finds the change between two texts.
func newStep(kind Kind, before, after []byte) Step {
	at := 0
	for at < len(before) && at < len(after) && before[at] == after[at] {
		at++
	}
	for at > 0 && (at < len(before) && !utf8.RuneStart(before[at]) || at < len(after) && !utf8.RuneStart(after[at])) {
		at--
	}
	same := 0
	for same < len(before)-at && same < len(after)-at && before[len(before)-1-same] == after[len(after)-1-same] {
		same++
	}
	for same > 0 && (!utf8.RuneStart(before[len(before)-same]) || !utf8.RuneStart(after[len(after)-same])) {
		same--
	}
	return Step{
		Kind: kind, At: at, Removed: string(before[at : len(before)-same]), Inserted: string(after[at : len(after)-same]), Sum: sum(after),
	}
}

// revert is the text before the step, if text is the one after it.
func (s Step) revert(text []byte) ([]byte, bool) {
	end := s.At + len(s.Inserted)
	if sum(text) != s.Sum || s.At < 0 || end > len(text) || string(text[s.At:end]) != s.Inserted {
		return nil, false
	}
	return bytes.Join([][]byte{text[:s.At], []byte(s.Removed), text[end:]}, nil), true
}

func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}
