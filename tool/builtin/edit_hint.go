package builtin

import (
	"errors"
	"fmt"
	"strings"
)

// maxHint is how long a text may be for us to look for what was meant.
const maxHint = 1 << 20

// notFound says why a text may not have been found.
func notFound(text, old string) error {
	const lead = "old_string does not occur in it; "
	if len(text) > maxHint || len(old) > maxHint {
		return errors.New(lead + "read the place again and copy it exactly")
	}
	if without, numbered := stripNumbers(old); numbered && strings.Contains(text, without) {
		return errors.New(lead + "leave out the line numbers that Read puts in front of lines")
	}
	if line := sameButBlanks(text, old); line > 0 {
		return fmt.Errorf(lead+"lines %d to %d are the same but for blanks, tabs or line breaks: copy them exactly", line, line+len(splitLines(old))-1)
	}
	if at := strings.Index(strings.ToLower(text), strings.ToLower(old)); at >= 0 {
		return errors.New(lead + "it does in other letter case: copy it exactly")
	}
	if first, rest, more := strings.Cut(old, "\n"); more && strings.TrimSpace(first) != "" {
		if at := strings.Index(text, first+"\n"); at >= 0 {
			line := 1 + strings.Count(text[:at], "\n")
			return fmt.Errorf(lead+"its first line is on line %d, but from line %d on the file reads differently", line, line+firstDifference(text[at:], first+"\n"+rest))
		}
	}
	return errors.New(lead + "read the place again and copy it exactly")
}

// stripNumbers takes "    12\t" from the beginning of all lines.
func stripNumbers(text string) (string, bool) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		number, rest, found := strings.Cut(line, "\t")
		if line == "" && i == len(lines)-1 {
			continue
		}
		if number = strings.TrimLeft(number, " "); !found || number == "" || strings.Trim(number, "0123456789") != "" {
			return text, false
		}
		lines[i] = rest
	}
	return strings.Join(lines, "\n"), true
}

// sameButBlanks is the line at which the text has old with other white space, or 0.
func sameButBlanks(text, old string) int {
	wanted := squeeze(old)
	if strings.Trim(wanted, "\n") == "" {
		return 0
	}
	before, _, found := strings.Cut("\n"+squeeze(text)+"\n", "\n"+wanted+"\n")
	if !found {
		return 0
	}
	return 1 + strings.Count(before, "\n")
}

// squeeze makes one blank of all white space inside of lines, and none at their ends.
func squeeze(text string) string {
	lines := splitLines(text)
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}

// firstDifference is how many lines two texts have in common at their beginning.
func firstDifference(a, b string) int {
	x, y := splitLines(a), splitLines(b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

// maxSnippet is how many lines of a change are shown.
const maxSnippet = 30

// snippet shows the lines around a change that was made at one place.
func snippet(text string, at places, added string) string {
	lines := strings.Count(added, "\n") + 1 + 2*patchContext
	if at.count != 1 || lines > maxSnippet {
		return ""
	}
	l := &lineReader{first: max(1, at.lines[0]-patchContext), most: lines}
	if l.scan(strings.NewReader(text)) != nil || l.total == 0 || l.first > l.total {
		return ""
	}
	return " It reads there now:\n" + l.numbered()
}
