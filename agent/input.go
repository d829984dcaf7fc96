package agent

import (
	"bytes"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

// withoutAnswers is the input of a call as it enters the pipeline. The answers to a
// question, and notes about them, come from a person: what a model writes beside the
// questions is taken out.
func withoutAnswers(c call) strictjson.Raw {
	if c.Name != "AskUserQuestion" {
		return c.Input
	}
	var object map[string]strictjson.Raw
	if err := strictjson.Unmarshal(c.Input, &object); err != nil {
		return c.Input // validation will say what is wrong
	}
	questions, has := object["questions"]
	if !has || len(object) == 1 {
		return c.Input
	}
	stripped, err := strictjson.Marshal(map[string]strictjson.Raw{"questions": questions})
	if err != nil {
		return c.Input
	}
	return stripped
}

// WithAnswers is [tool.WithAnswers].
func WithAnswers(input strictjson.Raw, answers map[string]string) (strictjson.Raw, error) {
	return tool.WithAnswers(input, answers)
}

// sameJSON compares two inputs by what they mean. What cannot be read is not the same.
func sameJSON(a, b strictjson.Raw) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := strictjson.Canonical(a)
	y, errY := strictjson.Canonical(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// clip cuts a text that is too long to show.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}

// garbled says what is wrong with an input that no strict reader takes.
func garbled(text string) string {
	if err := strictjson.Valid([]byte(text)); err != nil {
		return "The input of this call cannot be read: " + err.Error()
	}
	return "The input of this call is no JSON object: " + clip(text, 200)
}
