// Package ansi is colour for terminals. It only supports the words: everything is also said
// in text.
package ansi

// Style is how a text looks.
type Style string

// The styles.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Faint  Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
)

// Painter writes styled text, or plain text where there are no colours.
type Painter bool

// Text is a text in a style.
func (p Painter) Text(s Style, text string) string {
	if !p || s == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
