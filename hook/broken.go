package hook

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// BrokenOutput says why the answer of a hook cannot be understood. It is written for
// the author of the hook.
type BrokenOutput struct {
	Problem string // `the word "reject" is no permissionDecision`
	Hint    string // "use allow, deny, ask or defer"
}

func (b *BrokenOutput) Error() string { return b.Problem + ": " + b.Hint }

// maxQuoted is how much of a hook's own words is repeated in a sentence about it.
const maxQuoted = 60

// quoted shows foreign text in a sentence: short, on one line, nothing invisible.
func quoted(text string) string {
	if len(text) <= maxQuoted {
		return strconv.Quote(text)
	}
	end := maxQuoted
	for end > maxQuoted-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return strconv.Quote(text[:end] + "…")
}

func quotedList(texts []string) string {
	const most = 5
	var list []string
	for i, text := range texts {
		if i == most {
			list = append(list, "…")
			break
		}
		list = append(list, quoted(text))
	}
	return strings.Join(list, ", ")
}
