package clerk

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// Describe says in one line what a call is about: the part of its input that people know
// it by, or all of it. Nothing in it can hide.
func Describe(c approval.Call) string {
	const most = 100
	var in struct {
		Command   *string `json:"command"`
		File      *string `json:"file_path"`
		Notebook  *string `json:"notebook_path"`
		URL       *string `json:"url"`
		Query     *string `json:"query"`
		Pattern   *string `json:"pattern"`
		Path      *string `json:"path"`
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	text := string(c.Input)
	if strictjson.Unmarshal(c.Input, &in) == nil {
		for _, known := range []*string{in.Command, in.File, in.Notebook, in.URL, in.Query, in.Pattern, in.Path} {
			if known != nil {
				text = *known
				break
			}
		}
		if c.Tool == asksPeople && len(in.Questions) > 0 {
			text = in.Questions[0].Question
			if more := len(in.Questions) - 1; more > 0 {
				text += fmt.Sprintf(" (and %d more)", more)
			}
		}
	}
	return Clipped(policy.Visible(text), most)
}

// Clipped is at most so many characters of a text.
func Clipped(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// Pretty is an input over several lines. Numbers and strings stay as they were written,
// and what could hide stands as an escape.
func Pretty(input strictjson.Raw) []string {
	text := string(input)
	if strictjson.Valid(input) == nil {
		if over, err := strictjson.MarshalIndent(input); err == nil {
			text = string(over)
		}
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = policy.Visible(lines[i])
	}
	return lines
}
