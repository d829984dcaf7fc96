package script

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/assent-dev/assent/model"
)

// expectation is something that a result must hold.
type expectation struct {
	line    int
	text    string
	matches *regexp.Regexp
	failed  outcome
}

// outcome is how a tool's result ended.
type outcome uint8

const (
	either outcome = iota
	failed
	succeeded
)

// check compares what the model is told with what the script expects.
func (p *provider) check(t *turn, messages []model.Message) error {
	if len(t.expect) == 0 {
		return nil
	}
	told := results(messages)
	for _, e := range t.expect {
		if !e.heldBy(told) {
			return &model.Error{
				Kind: model.BadRequest,
				Text: fmt.Sprintf("the script %s expects, in line %d, %s; it got %s", p.name, e.line, e, describe(told)),
			}
		}
	}
	return nil
}

// results are the results in the last message, or its texts when there are none.
func results(messages []model.Message) []model.Block {
	if len(messages) == 0 {
		return nil
	}
	var out, texts []model.Block
	for _, b := range messages[len(messages)-1].Content {
		switch b.Kind {
		case model.ToolResult:
			out = append(out, b)
		case model.Text:
			texts = append(texts, b)
		}
	}
	if out == nil {
		return texts
	}
	return out
}

func (e expectation) heldBy(told []model.Block) bool {
	for _, b := range told {
		text := model.PlainText([]model.Block{b})
		if strings.Contains(text, e.text) &&
			(e.matches == nil || e.matches.MatchString(text)) &&
			(e.failed == either || (e.failed == failed) == b.IsError) {
			return true
		}
	}
	return false
}

func (e expectation) String() string {
	what := "a result"
	switch e.failed {
	case failed:
		what = "a result that failed"
	case succeeded:
		what = "a result that did not fail"
	case either:
	}
	if e.text != "" {
		what += fmt.Sprintf(" with the text %q", e.text)
	}
	if e.matches != nil {
		what += fmt.Sprintf(" that matches %q", e.matches.String())
	}
	return what
}

func describe(told []model.Block) string {
	if len(told) == 0 {
		return "no result"
	}
	var out []string
	for _, b := range told {
		text := fmt.Sprintf("%q", model.OneLine(model.PlainText([]model.Block{b})))
		if b.IsError {
			text += " (failed)"
		}
		out = append(out, text)
	}
	return strings.Join(out, " and ")
}
