package approval

import (
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// FileChange is what a call would do to a file as it is when somebody looks.
type FileChange struct {
	Path string `json:"path"`
	// Lines are those of a difference: "+", "-" or a blank before each, and "…" for lines
	// that stay as they are.
	Lines []string `json:"lines"`
	// Of is how many lines the difference has, where not all are among these; the last of
	// them says so as well.
	Of int `json:"of,omitempty"`
	// Note says what the lines do not: that the file is new, or that the call would fail.
	Note string `json:"note,omitempty"`
	// Digest is that of the whole difference: an answer repeats it, so that it is one to what was shown.
	Digest string `json:"digest"`
}

// Seen is the digest of a change, for what was shown with a call; empty for one that changes no file.
func (f *FileChange) Seen() string {
	if f == nil {
		return ""
	}
	return f.Digest
}

// shownJSON is what a row of history has of a yes: the digest of what it is for, and what the person was
// shown that this does to a file.
type shownJSON struct {
	For    string      `json:"for"`
	Change *FileChange `json:"change"`
}

// shown is what a row of history keeps of a yes; empty for an answer to a call that changes no file.
func (a *Answer) shown() string {
	if a.Behavior != permission.Allow || a.Change == nil {
		return ""
	}
	text, _ := strictjson.Marshal(shownJSON{a.Digest, a.Change.kept()}) // any text can be written
	return string(text)
}

// readShown reads what a row of history has. One that cannot be read is shown as none.
func readShown(text string) (s shownJSON) {
	if text == "" || strictjson.Unmarshal([]byte(text), &s) != nil {
		return shownJSON{}
	}
	return s
}

// mostKept is how many bytes of a difference are kept with an answer.
const mostKept = 64 << 10

// kept is as much of a change as is kept with the answer of whoever was shown it.
func (f *FileChange) kept() *FileChange {
	if f == nil {
		return nil
	}
	k, room := *f, mostKept
	for i, line := range k.Lines {
		if room -= len(line); room < 0 {
			k.Lines, k.Of = append(k.Lines[:i:i], "… and more, which was not kept"), max(k.Of, len(k.Lines))
			break
		}
	}
	return &k
}
