package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// describe says in one line what a call is about: the part of its input that people know
// it by, or all of it. Nothing in it can hide.
func describe(c approval.Call) string {
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
		if c.Tool == "AskUserQuestion" && len(in.Questions) > 0 {
			text = in.Questions[0].Question
			if more := len(in.Questions) - 1; more > 0 {
				text += fmt.Sprintf(" (and %d more)", more)
			}
		}
	}
	return clipped(policy.Visible(text), most)
}

// clipped is at most so many characters of a text.
func clipped(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// roughly is how long something took, as people say it.
func roughly(d time.Duration) string {
	switch d = max(d, 0); {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

// size is a number of bytes as people say it.
func size(bytes int64) string {
	switch {
	case bytes < 1000:
		return plural(int(bytes), "byte")
	case bytes < 1000_000:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// pretty is an input over several lines. Numbers and strings stay as they were written,
// and what could hide stands as an escape.
func pretty(input strictjson.Raw) []string {
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
