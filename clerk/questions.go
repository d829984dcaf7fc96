package clerk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/tool"
)

// asksPeople is the tool whose calls are questions to a person.
const asksPeople = "AskUserQuestion"

// changes: it is a yes to another input than the one that waits.
func (y Yes) changes() bool { return y.Input != nil || len(y.Answers) > 0 }

// input is what is to run in place of the input that waits; nil means that one.
func (y Yes) input(c approval.Call) (strictjson.Raw, error) {
	questions := c.Tool == asksPeople
	switch {
	case len(y.Answers) > 0 && !questions:
		return nil, &Error{Kind: Invalid, Subject: TheAnswer, Said: " is for questions, and the call is one of " + c.Tool, Way: ChangeInput}
	case len(y.Answers) > 0:
		return answered(c.Input, y.Answers)
	case y.Input == nil && questions:
		lines, err := questionLines(c.Input)
		if err != nil {
			return nil, err
		}
		return nil, &Unanswered{lines}
	case y.Input == nil:
		return nil, nil
	}
	if err := strictjson.Valid(y.Input); err != nil {
		return nil, &Error{Kind: Invalid, Subject: TheInput, Said: ": " + err.Error(), Err: err}
	}
	if questions {
		return y.Input, allAnswered(y.Input)
	}
	return y.Input, nil
}

// Question is one question of AskUserQuestion.
type Question struct {
	Text   string `json:"question"`
	Header string `json:"header"`
	// Several: more than one option may be chosen.
	Several bool     `json:"multiSelect"`
	Options []Option `json:"options"`
}

// Option is an answer that a question offers; other words are answers as well.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// Questions are those of a call that asks people; none for other calls.
func Questions(c approval.Call) ([]Question, error) {
	if c.Tool != asksPeople {
		return nil, nil
	}
	return questionsOf(c.Input)
}

func questionsOf(input strictjson.Raw) ([]Question, error) {
	var in struct {
		Questions []Question `json:"questions"`
	}
	if err := strictjson.Unmarshal(input, &in); err != nil {
		return nil, fmt.Errorf("the questions cannot be read: %w", err)
	}
	if err := distinct(in.Questions); err != nil {
		return nil, err
	}
	return in.Questions, nil
}

// distinct refuses questions whose answers nobody could tell apart. The agent chooses their
// texts: two may be the same, and one may be the number of another, or begin as an answer by
// number does.
func distinct(questions []Question) error {
	seen := map[string]bool{}
	for i, q := range questions {
		if seen[q.Text] {
			return &Error{Kind: Invalid, Said: fmt.Sprintf("two questions have the same text, so nobody could tell their answers apart: %q (deny the call)", q.Text)}
		}
		seen[q.Text] = true
		n, rest, numbered := byNumber(questions, q.Text+"=")
		if numbered && (n != i || rest != "") {
			return &Error{Kind: Invalid, Said: fmt.Sprintf("the text of question %d, %q, reads like an answer to question %d, so nobody could tell their answers apart (deny the call)", i+1, q.Text, n+1)}
		}
		if err := q.distinct(i + 1); err != nil {
			return err
		}
	}
	return nil
}

// questionLines are the questions for whoever is to answer.
func questionLines(input strictjson.Raw) ([]string, error) {
	questions, err := questionsOf(input)
	if err != nil {
		return nil, err
	}
	var lines []string
	for i, q := range questions {
		var labels []string
		for _, o := range q.Options {
			labels = append(labels, policy.Visible(o.Label))
		}
		ways := "one of: "
		if q.Several {
			ways = "some of: "
		}
		lines = append(lines, fmt.Sprintf("%d. %s (%s%s)", i+1, policy.Visible(q.Text), ways, strings.Join(labels, ", ")))
	}
	return lines, nil
}

// answered is the input with the answers beside the questions, which stay as they are.
func answered(input strictjson.Raw, given []string) (strictjson.Raw, error) {
	questions, err := questionsOf(input)
	if err != nil {
		return nil, err
	}
	chosen := make([][]string, len(questions))
	for _, text := range given {
		i, answer, err := whichQuestion(questions, text)
		if err != nil {
			return nil, err
		}
		labels, err := questions[i].labels(answer)
		if err != nil {
			return nil, err
		}
		for _, label := range labels {
			if !slices.Contains(chosen[i], label) {
				chosen[i] = append(chosen[i], label)
			}
		}
		if len(chosen[i]) > 1 && !questions[i].Several {
			return nil, notAnAnswer(": one answer is wanted to %q, and there are several: %s", questions[i].Text, strings.Join(chosen[i], ", "))
		}
	}
	answers := map[string]string{}
	for i, q := range questions {
		if len(chosen[i]) > 0 {
			answers[q.Text] = strings.Join(chosen[i], ", ")
		}
	}
	if err := missing(questions, answers); err != nil {
		return nil, err
	}
	return tool.WithAnswers(input, answers)
}

func notAnAnswer(format string, args ...any) error {
	return &Error{Kind: Invalid, Subject: TheAnswer, Said: fmt.Sprintf(format, args...)}
}

// whichQuestion takes QUESTION=ANSWER apart. The question is its number or its text, in
// which there may be a "=" as well; no text reads like a number, see [distinct].
func whichQuestion(questions []Question, text string) (i int, answer string, err error) {
	if i, answer, ok := byNumber(questions, text); ok {
		return i, answer, nil
	}
	meant := -1
	for i, q := range questions {
		rest, ok := strings.CutPrefix(text, q.Text+"=")
		if ok && meant >= 0 {
			return 0, "", notAnAnswer(" %q begins with the texts of two questions: give the number of the question, from 1 to %d, in place of its text", text, len(questions))
		}
		if ok {
			meant, answer = i, rest
		}
	}
	if meant < 0 {
		return 0, "", notAnAnswer(" %q: want QUESTION=ANSWER, where QUESTION is a number from 1 to %d or the text of the question", text, len(questions))
	}
	return meant, answer, nil
}

// byNumber takes NUMBER=ANSWER apart.
func byNumber(questions []Question, text string) (i int, answer string, ok bool) {
	name, answer, found := strings.Cut(text, "=")
	n, err := strconv.Atoi(strings.TrimSpace(name))
	return n - 1, answer, found && err == nil && n >= 1 && n <= len(questions)
}

// labels are the options that an answer names, in their spelling, or the answer in its own
// words. With several, the words between commas are options if all of them are.
func (q Question) labels(answer string) ([]string, error) {
	answer = strings.TrimSpace(answer)
	if answer == "" {
		return nil, notAnAnswer(": the answer to %q is empty", q.Text)
	}
	if label, ok := q.label(answer); ok {
		return []string{label}, nil
	}
	if q.Several {
		var labels []string
		for word := range strings.SplitSeq(answer, ",") {
			label, ok := q.label(strings.TrimSpace(word))
			if !ok {
				return []string{answer}, nil
			}
			labels = append(labels, label)
		}
		return labels, nil
	}
	return []string{answer}, nil
}

// label is an option by its label; where the letter case differs there must be only one.
func (q Question) label(text string) (string, bool) {
	var near []string
	for _, o := range q.Options {
		label := strings.TrimSpace(o.Label)
		if label == text {
			return o.Label, true
		}
		if folded(label) == folded(text) {
			near = append(near, o.Label)
		}
	}
	if len(near) == 1 {
		return near[0], true
	}
	return "", false
}

// allAnswered refuses an input in which questions have no answer.
func allAnswered(input strictjson.Raw) error {
	questions, err := questionsOf(input)
	if err != nil {
		return err
	}
	var in struct {
		Answers map[string]string `json:"answers"`
	}
	if err := strictjson.Unmarshal(input, &in); err != nil {
		return &Error{Kind: Invalid, Subject: TheInput, Said: ": the answers cannot be read: " + err.Error(), Err: err}
	}
	return missing(questions, in.Answers)
}

func missing(questions []Question, answers map[string]string) error {
	var open []string
	for i, q := range questions {
		if strings.TrimSpace(answers[q.Text]) == "" {
			open = append(open, fmt.Sprintf("%d. %q", i+1, q.Text))
		}
	}
	if len(open) > 0 {
		return &Error{Kind: Invalid, Said: "every question needs an answer; there is none to " + strings.Join(open, ", ")}
	}
	return nil
}
