package builtin

import (
	"testing"

	"github.com/assent-dev/assent/tool"
)

func question(text string) map[string]any {
	option := func(label string) map[string]any { return map[string]any{"label": label, "description": label} }
	return map[string]any{"question": text, "header": "H", "options": []any{option("Red"), option("Blue")}}
}

func TestW4_AskUserQuestionTellsTheAnswers(t *testing.T) {
	const none = "The question was not answered."
	tests := []struct {
		name string
		in   input
		want string
	}{
		{"one", input{"questions": []any{question("Which?")}, "answers": map[string]any{"Which?": "Red"}}, "Question: Which?\nAnswer: Red"},
		{"several labels", input{"questions": []any{question("Which?")}, "answers": map[string]any{"Which?": "Red, Blue"}}, "Question: Which?\nAnswer: Red, Blue"},
		{"words of their own", input{"questions": []any{question("Which?")}, "answers": map[string]any{"Which?": "Neither: green"}}, "Question: Which?\nAnswer: Neither: green"},
		{"no answers", input{"questions": []any{question("Which?")}}, "Question: Which?\n" + none},
		{"no answer to this one", input{"questions": []any{question("A?"), question("B?")}, "answers": map[string]any{"B?": "Blue"}}, "Question: A?\n" + none + "\n\nQuestion: B?\nAnswer: Blue"},
		{"an answer to another one", input{"questions": []any{question("A?")}, "answers": map[string]any{"a?": "Blue"}}, "Question: A?\n" + none},
		{"an empty answer", input{"questions": []any{question("A?")}, "answers": map[string]any{"A?": " "}}, "Question: A?\n" + none},
		{
			"notes",
			input{"questions": []any{question("A?")}, "answers": map[string]any{"A?": "Red"}, "annotations": map[string]any{"A?": map[string]any{"notes": "dark"}}},
			"Question: A?\nAnswer: Red\nNotes: dark",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := runTool(t, newAskUserQuestion(), "/", test.in); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestW4_AskUserQuestionData(t *testing.T) {
	runner := newAskUserQuestion()
	for want, answers := range map[string]map[string]any{`{"A?":"Red"}`: {"A?": "Red"}, `{}`: nil} {
		in := input{"questions": []any{question("A?")}}
		if answers != nil {
			in["answers"] = answers
		}
		result := runner.Run(t.Context(), jobFor(t, runner, "/", in))
		want := `{"questions":[{"header":"H","options":[{"description":"Red","label":"Red"},{"description":"Blue","label":"Blue"}],"question":"A?"}],"answers":` + want + `}`
		if got := result.Data.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestW4_AskUserQuestionBrokenInput(t *testing.T) {
	runner := newAskUserQuestion()
	job := jobFor(t, runner, "/", input{"questions": []any{question("A?")}})
	job.Input = []byte(`{"questions":[{"question":"A?"}],"answers":{"A?":1}}`)
	if result := runner.Run(t.Context(), job); result.Outcome != tool.Failed {
		t.Errorf("outcome %d: %q", result.Outcome, result.Text)
	}
}
