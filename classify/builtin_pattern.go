package classify

import "strings"

// leastText is how much of its own text a pattern needs that takes away as much of a line
// as there is: with less it fits nearly every line.
const leastText = 3

// sparing: a substitution with the pattern leaves most of a file as it is. everywhere is
// whether it is done to every place in a line. Whether \( or ( is a group depends on an
// option, so both are.
func sparing(pattern string, everywhere bool) bool {
	if pattern == "^" || pattern == "$" {
		return true
	}
	for alternative := range strings.SplitSeq(strings.ReplaceAll(pattern, `\|`, "|"), "|") {
		text, wide, ok := measure(alternative)
		switch {
		case !ok:
			return false
		case wide && text < leastText:
			return false
		case text == 0 && everywhere && !onlyBlanks(alternative):
			return false
		case text == 0 && strings.Trim(alternative, `.*^$+?\(){}`) == "":
			return false
		}
	}
	return true
}

// measure counts the characters that a pattern without alternatives demands, and says
// whether it also takes any number of characters that it does not name.
func measure(pattern string) (text int, wide, ok bool) {
	for k := 0; k < len(pattern); {
		unit, size := patternUnit(pattern[k:])
		k += size
		repeats, width := patternRepeats(pattern[k:])
		k += width
		switch {
		case unit == badUnit, unit == groupUnit && repeats != once:
			return 0, false, false
		case repeats == freely && unit == anyUnit:
			wide = true
		case repeats == once && unit == textUnit:
			text++
		}
	}
	return text, wide, true
}

// unit is what one piece of a pattern stands for.
type unit uint8

const (
	textUnit   unit = iota // itself
	blankUnit              // blanks
	anyUnit                // characters that are not named one by one
	anchorUnit             // a place
	groupUnit              // the end of a group
	badUnit
)

func patternUnit(pattern string) (unit, int) {
	switch pattern[0] {
	case '.':
		return anyUnit, 1
	case '^', '$', '(', '*', '+', '?', '{', '}': // no text, or perhaps none
		return anchorUnit, 1
	case ')':
		return groupUnit, 1
	case ' ', '\t':
		return blankUnit, 1
	case '[':
		return bracketUnit(pattern)
	case '\\':
		if len(pattern) == 1 {
			return badUnit, 1
		}
		switch pattern[1] {
		case '(', '<', '>', 'b', 'B', '`', '\'':
			return anchorUnit, 2
		case ')':
			return groupUnit, 2
		case 's', 't', 'n':
			return blankUnit, 2
		case 'w', 'W', 'S', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return anyUnit, 2
		}
		return textUnit, 2
	}
	return textUnit, 1
}

// bracketUnit reads [abc]. A bracket right behind the opening one stands for itself, and
// so does one in [:space:].
func bracketUnit(pattern string) (unit, int) {
	rest := strings.TrimPrefix(strings.TrimPrefix(pattern[1:], "^"), "]")
	for {
		class, after, found := strings.Cut(rest, ":]")
		if open := strings.Index(class, "[:"); !found || open < 0 || strings.Contains(class[:open], "]") {
			break
		}
		rest = after
	}
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return badUnit, len(pattern)
	}
	size := len(pattern) - len(rest) + end + 1
	if onlyBlanks(pattern[:size]) {
		return blankUnit, size
	}
	return anyUnit, size
}

// onlyBlanks: the pattern is made of blanks and how often there are some.
func onlyBlanks(pattern string) bool {
	pattern = strings.NewReplacer("[[:space:]]", "", "[[:blank:]]", "", `[ \t]`, "", `\s`, "", `\t`, "", "[ ]", "", "[ \t]", "", " ", "", "\t", "", `\+`, "").Replace(pattern)
	return strings.Trim(pattern, "*+?^$") == ""
}

// repeated is how often a piece of a pattern may occur.
type repeated uint8

const (
	once   repeated = iota
	maybe           // or not at all
	freely          // any number of times
)

func patternRepeats(pattern string) (repeated, int) {
	switch {
	case pattern == "":
		return once, 0
	case pattern[0] == '*', pattern[0] == '+':
		return freely, 1
	case pattern[0] == '?':
		return maybe, 1
	case strings.HasPrefix(pattern, `\+`):
		return freely, 2
	case strings.HasPrefix(pattern, `\?`):
		return maybe, 2
	case pattern[0] == '{', strings.HasPrefix(pattern, `\{`):
		if end := strings.IndexByte(pattern, '}'); end >= 0 {
			return freely, end + 1
		}
	}
	return once, 0
}
