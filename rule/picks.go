package rule

import "strings"

// picks reports whether a pattern of a search may fit a name, at any depth and in any
// letter case. It errs on the side of yes: what stands in brackets, and what is
// malformed, may be anything.
func picks(pattern, name string) bool {
	if strings.HasPrefix(pattern, "!") {
		return false
	}
	name = strings.ToLower(name)
	for _, choice := range choices(strings.ToLower(pattern), 0) {
		for component := range strings.SplitSeq(loosened(choice), "/") {
			if component != "" && parseWildcard(component).match(name) {
				return true
			}
		}
	}
	return false
}

// mostBraces bounds the braces of a pattern that are written out.
const mostBraces = 4

// choices writes out the braces of a pattern: *.{ts,tsx} is *.ts or *.tsx. Where they
// are nested or many they may be anything.
func choices(pattern string, depth int) []string {
	before, rest, braces := strings.Cut(pattern, "{")
	if !braces {
		return []string{pattern}
	}
	inside, after, closed := strings.Cut(rest, "}")
	if !closed || strings.Contains(inside, "{") || depth == mostBraces {
		return []string{"*"}
	}
	var out []string
	for _, end := range choices(after, depth+1) {
		for choice := range strings.SplitSeq(inside, ",") {
			out = append(out, before+choice+end)
		}
	}
	return out
}

// loosened is a pattern in which only stars are special.
func loosened(pattern string) string {
	if !strings.ContainsAny(pattern, "?[\\") {
		return pattern
	}
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '?':
			b.WriteByte('*')
		case '\\':
			b.WriteByte('*')
			i++
		case '[':
			end := strings.IndexByte(pattern[i:], ']')
			if end < 0 {
				return "*"
			}
			b.WriteByte('*')
			i += end
		default:
			b.WriteByte(pattern[i])
		}
	}
	return b.String()
}
