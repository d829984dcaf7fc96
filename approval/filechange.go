package approval

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
