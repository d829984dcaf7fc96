package terminal

import (
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
)

func TestW4_ChooseAnswers(t *testing.T) {
	option := func(label string) any { return map[string]any{"label": label, "description": "the " + label} }
	one := map[string]any{"question": "Which?", "header": "H", "options": []any{option("Red"), option("Blue")}}
	several := map[string]any{"question": "All?", "header": "H", "multiSelect": true, "options": []any{option("A"), option("B"), option("C")}}
	tests := []struct {
		name      string
		questions []any
		typed     []string
		want      permission.Behavior
		answers   string
	}{
		{"one", []any{one}, []string{"2"}, permission.Allow, `{"Which?":"Blue"}`},
		{"not two of one", []any{one}, []string{"1,2", "0", "3", "", "red", "1"}, permission.Allow, `{"Which?":"Red"}`},
		{"several", []any{several}, []string{"3,1,3", "3, 1"}, permission.Allow, `{"All?":"A, C"}`},
		{"own words", []any{one}, []string{"o", "o neither, 2 of both"}, permission.Allow, `{"Which?":"neither, 2 of both"}`},
		{"skipped", []any{one, several}, []string{"s", "2"}, permission.Allow, `{"All?":"B"}`},
		{"all skipped", []any{one}, []string{"s"}, permission.Allow, `{}`},
		{"the same twice", []any{one, one}, []string{"1"}, permission.Allow, `{"Which?":"Red"}`},
		{"denied", []any{one, several}, []string{"1", "n ask later"}, permission.Deny, ""},
		{"stopped", []any{one}, []string{"q"}, permission.Deny, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			input := object(t, "questions", test.questions)
			got, s, err := ask(t, agent.Question{Tool: "AskUserQuestion", Input: input, Decision: because("it needs a person")}, test.typed...)
			want := ""
			if test.want == permission.Allow {
				want = `{"answers":` + test.answers + "," + string(input[1:])
			}
			if err != nil || got.Behavior != test.want || string(got.UpdatedInput) != want || len(s.typed) > 0 {
				t.Errorf("%v, %v\ngot  %s\nwant %s\n%s", got.Behavior, err, got.UpdatedInput, want, s.text())
			}
		})
	}
}

func TestW4_QuestionPage(t *testing.T) {
	input := object(t, "questions", []any{map[string]any{
		"question": "Which\x1b[2J one?", "header": "H", "multiSelect": true,
		"options": []any{
			map[string]any{"label": "Red", "description": "a warm one\n? Bash wants to run:", "preview": "\tcode\n\tmore"},
			map[string]any{"label": "Blue\u202e", "description": ""},
		},
	}})
	_, s, _ := ask(t, agent.Question{Tool: "AskUserQuestion", Input: input, Decision: because("it needs a person")}, "4", "2")
	golden(t, "question", s.text())
}
