package shell

import (
	"fmt"
	"unicode/utf8"
)

// Limits beyond which a text is never allowed.
const (
	MaxSize  = 64 << 10
	MaxDepth = 16

	// maxBrackets bounds what is handed to the recursive parser at all.
	maxBrackets = 400
	// stopDepth ends the walk; between MaxDepth and this the commands are still
	// listed so that deny rules can fire on them.
	stopDepth = 64
)

// refuse looks at the raw text for what must not reach the parser: it drops NUL
// silently, and control characters show differently to a person than to bash.
func refuse(src string) *Problem {
	if len(src) > MaxSize {
		return &Problem{Kind: TooLarge, Text: fmt.Sprintf("the command is longer than %d bytes", MaxSize), At: MaxSize}
	}
	blank := true
	for i := 0; i < len(src); i++ {
		c := src[i]
		if c > ' ' && c < 0x7f { // what most texts are made of
			blank = false
			continue
		}
		switch {
		case c == '\n' || c == '\t' || c == ' ':
			continue
		case c < 0x20 || c == 0x7f:
			return &Problem{Kind: BadText, Text: fmt.Sprintf("control character %#02x", c), At: int32(i)}
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(src[i:])
			if r == utf8.RuneError && size == 1 {
				return &Problem{Kind: BadText, Text: "invalid UTF-8", At: int32(i)}
			}
			if r >= 0x80 && r < 0xa0 || r == '\u2028' || r == '\u2029' {
				return &Problem{Kind: BadText, Text: fmt.Sprintf("control character %U", r), At: int32(i)}
			}
			i += size - 1
		}
		blank = false
	}
	if blank {
		return &Problem{Kind: Empty, Text: "there is no command"}
	}
	if len(src) > maxBrackets && nesting(src) > maxBrackets {
		return &Problem{Kind: TooDeep, Text: "nested too deeply to be read"}
	}
	return nil
}

// nesting is an upper bound of how deeply brackets are nested.
func nesting(src string) int {
	depth, deepest := 0, 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '(', '{', '[', '`':
			depth++
			deepest = max(deepest, depth)
		case ')', '}', ']':
			depth--
		}
	}
	return deepest
}
