package clerk

import (
	"fmt"
	"strings"
	"unicode"
)

// distinct refuses options that nobody could tell apart in an answer, where blanks around words do
// not count. Where several can be chosen an answer is a list with commas, and so may options be.
func (q Question) distinct(number int) error {
	seen := map[string]bool{}
	var lists []string
	for _, o := range q.Options {
		label := strings.TrimSpace(o.Label)
		if seen[label] {
			return &Error{Kind: Invalid, Said: fmt.Sprintf("question %d has two options %q, so nobody could tell them apart in an answer (deny the call)", number, shortened(label))}
		}
		seen[label] = true
		lists = append(lists, asList(folded(label))) // who answers at a terminal need not mind the case
	}
	if !q.Several {
		return nil
	}
	if i, mixed := mixedUp(lists); mixed {
		return &Error{Kind: Invalid, Said: fmt.Sprintf("the option %q of question %d can be mixed up with others: an answer names several with commas between them, so nobody could tell them apart there (deny the call)", shortened(strings.TrimSpace(q.Options[i].Label)), number)}
	}
	return nil
}

// folded is a text without what the case of its letters says, in one spelling: of letters that differ
// in nothing else, of which there can be more than two, the first.
func folded(text string) string {
	return strings.Map(func(letter rune) rune {
		first := letter
		for other := unicode.SimpleFold(letter); other != letter; other = unicode.SimpleFold(other) {
			first = min(first, other)
		}
		return first
	}, text)
}

// shortened is a label for a sentence.
func shortened(label string) string {
	const most = 100
	if letters := []rune(label); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return label
}

// asList is a label as part of an answer that names several: each of its words ends with a comma.
func asList(label string) string {
	var list strings.Builder
	for word := range strings.SplitSeq(label, ",") {
		list.WriteString(strings.TrimSpace(word) + ",")
	}
	return list.String()
}

// mostMixed is up to how many options with commas among them are told apart. It is far more than
// anybody reads, and bounds the work.
const mostMixed = 100

// mostWords is up to how many words between commas all of them may have.
const mostWords = 1_000

// mixedUp finds a text that reads as two different rows of lists, as Sardinas and Patterson do: it
// follows what the one reading has more than the other until both end together. i is one of the
// lists that the readings begin with.
func mixedUp(lists []string) (i int, mixed bool) {
	type rest struct {
		text string
		of   int
	}
	var open []rest
	seen := map[string]bool{}
	compare := func(long, short string, of int) {
		if text, ok := strings.CutPrefix(long, short); ok && !seen[text] {
			seen[text] = true
			open = append(open, rest{text, of})
		}
	}
	words := 0
	for _, list := range lists {
		words += strings.Count(list, ",")
	}
	for i, long := range lists {
		if strings.Count(long, ",") == 1 { // one word, of which nothing else is a part
			continue
		}
		if len(lists) > mostMixed || words > mostWords {
			return i, true
		}
		for j, short := range lists {
			if i != j {
				compare(long, short, i)
			}
		}
	}
	for ; len(open) > 0; open = open[1:] {
		more := open[0]
		if more.text == "" {
			return more.of, true
		}
		for _, list := range lists {
			compare(more.text, list, more.of)
			compare(list, more.text, more.of)
		}
	}
	return 0, false
}
