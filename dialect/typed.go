package dialect

import "strings"

// typed is text for a program that runs already, perhaps a shell. Whoever may not
// run a command may not type it either.
func (a *arguments) typed(name string) ([]Call, error) {
	text, _, err := a.get(name)
	calls := a.own()
	lines, edits := typedLines(text)
	if strings.TrimSpace(lines) == "" {
		return calls, err
	}
	if edits {
		calls[0].Doubt = "it types keys that change the line, so that what will be run is not known"
	}
	return append(calls, guess(call("Bash", fields{"command", lines}))...), err
}

// typedLines is what a terminal makes of keys: lines. Keys that end a line or give it
// up start another one. edits: there are other keys, which may change what was typed.
func typedLines(text string) (lines string, edits bool) {
	var b strings.Builder
	for text != "" {
		if key, rest := namedKey(text); key != "" {
			text = rest
			if key == "{enter}" {
				b.WriteByte('\n')
			} else {
				edits = true
			}
			continue
		}
		size := 1
		switch c := text[0]; {
		case c == '\n' || c == '\r' || c == endOfText || c == endOfFile:
			b.WriteByte('\n')
		case c < ' ' || c == 0x7f:
			size, edits = controlKey(text), true
		default:
			b.WriteByte(c)
		}
		text = text[size:]
	}
	return b.String(), edits
}

// controlKey is how long the key is that a text starts with: one character, or a
// sequence such as that of an arrow.
func controlKey(text string) int {
	if strings.HasPrefix(text, "\x1bO") {
		return min(len(text), len("\x1bOA"))
	}
	if !strings.HasPrefix(text, "\x1b[") {
		return 1
	}
	for i := len("\x1b["); i < len(text); i++ {
		if text[i] >= '@' && text[i] <= '~' {
			return i + 1
		}
	}
	return len(text)
}

const (
	endOfText = 0x03 // ^C gives the line up
	endOfFile = 0x04 // ^D sends it
)

// namedKey is a key that Copilot writes as a word in braces. They are few: braces
// also stand in commands.
func namedKey(text string) (key, rest string) {
	for _, name := range [...]string{"{enter}", "{up}", "{down}", "{left}", "{right}", "{backspace}", "{delete}", "{tab}", "{escape}", "{esc}", "{home}", "{end}", "{space}"} {
		if len(text) >= len(name) && strings.EqualFold(text[:len(name)], name) {
			return name, text[len(name):]
		}
	}
	return "", text
}
