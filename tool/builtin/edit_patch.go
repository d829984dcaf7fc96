package builtin

import "strings"

// hunk is a change as programs show it: lines with a blank, a minus or a plus in front.
type hunk struct {
	OldStart int      `json:"oldStart"`
	OldLines int      `json:"oldLines"`
	NewStart int      `json:"newStart"`
	NewLines int      `json:"newLines"`
	Lines    []string `json:"lines"`
}

const (
	// patchContext is how many lines are shown around a change.
	patchContext = 3
	// maxPatch is how many lines and bytes a patch may have; a larger one is left out.
	maxPatch      = 1000
	maxPatchBytes = 64 << 10
)

// patch is the change from one text to another: one hunk from the first line that
// differs to the last.
func patch(before, after string) []hunk {
	a, b := splitLines(before), splitLines(after)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	tail := 0
	for tail < min(len(a), len(b))-same && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from := max(0, same-patchContext)
	keep := min(tail, patchContext)
	h := hunk{
		OldStart: from + 1, OldLines: len(a) - tail + keep - from,
		NewStart: from + 1, NewLines: len(b) - tail + keep - from,
	}
	if same == len(a) && same == len(b) || h.OldLines+h.NewLines > maxPatch {
		return nil
	}
	size := 0
	add := func(mark string, lines []string) {
		for _, line := range lines {
			size += len(line)
			h.Lines = append(h.Lines, mark+strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		}
	}
	add(" ", a[from:same])
	add("-", a[same:len(a)-tail])
	add("+", b[same:len(b)-tail])
	add(" ", a[len(a)-tail:len(a)-tail+keep])
	if size > maxPatchBytes {
		return nil
	}
	return []hunk{h}
}

// splitLines is a text in lines, each with its ending. What follows the last ending is
// a line only if there is something.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
