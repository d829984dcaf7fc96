package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
)

// Every JSON sample of the documentation is JSON: strictly, except that settings and test
// files may hold comments. Files of lines hold one value a line. What is shown because it
// is broken is called text.
func TestDocumentation_JSON(t *testing.T) {
	samples := 0
	for name, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range splitPage(string(text)) {
			language, file, _ := strings.Cut(part.info, " ")
			if language != "json" {
				continue
			}
			samples++
			if err := checkSample(file, part.body); err != nil {
				t.Errorf("%s:%d: %v", name, part.line, err)
			}
		}
	}
	if samples < 30 {
		t.Errorf("only %d samples were found", samples)
	}
}

func checkSample(file, text string) error {
	name := filepath.Base(file)
	switch {
	case strings.HasSuffix(name, ".jsonl"):
		for line := range strings.Lines(text) {
			if err := strictjson.Valid([]byte(line)); err != nil {
				return err
			}
		}
		return nil
	case strings.HasSuffix(name, ".test.json") || strings.HasPrefix(name, "settings"):
		plain, err := hujson.Standardize([]byte(text))
		if err != nil {
			return fmt.Errorf("with comments: %w", err)
		}
		return strictjson.Valid(plain)
	}
	if err := strictjson.Valid([]byte(text)); err != nil {
		return err
	}
	return checkAnswer(text)
}

// checkAnswer: a sample that is the answer of a hook is one that assent takes, too.
func checkAnswer(text string) error {
	var sample struct {
		Answer *struct {
			Event hook.Event `json:"hookEventName"`
		} `json:"hookSpecificOutput"`
	}
	if err := strictjson.Unmarshal([]byte(text), &sample); err != nil || sample.Answer == nil {
		return nil // it is something else
	}
	_, notes, err := hook.ReadOutput(sample.Answer.Event, []byte(text))
	if err == nil && len(notes) > 0 {
		err = errors.New(strings.Join(notes, "; "))
	}
	return err
}

func TestCheckSample(t *testing.T) {
	for _, c := range []struct {
		file, text string
		ok         bool
	}{
		{"", `{"a": 1}`, true},
		{"", `{"a": 1,}`, false},
		{"", `{"a": 1, "a": 2}`, false},
		{"", `{"a": …}`, false},
		{"", "{} // why\n", false},
		{".claude/settings.json", "{} // why\n", true},
		{".claude/settings.json", "{\"a\": 1, \"a\": 2} // why\n", false},
		{"policy.test.json", "{} // why\n", true},
		{"events.jsonl", "{}\n{}\n", true},
		{"events.jsonl", "{}\n{\n", false},
		{"events.json", "{}\n{}\n", false},
		{"", `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}`, true},
		{"", `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "no"}}`, false},
		{"", `{"hookSpecificOutput": {"hookEventName": "PermissionDenied", "retry": "yes"}}`, false},
	} {
		if err := checkSample(c.file, c.text); (err == nil) != c.ok {
			t.Errorf("%q in %q: %v", c.text, c.file, err)
		}
	}
}
