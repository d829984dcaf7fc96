package tool

import "github.com/assent-dev/assent/internal/strictjson"

// WithAnswers is the input of AskUserQuestion with a person's answers beside the questions,
// which stay as they are. What else a model wrote there is left out: it would pass for the
// person's.
func WithAnswers(input strictjson.Raw, answers map[string]string) (strictjson.Raw, error) {
	var asked struct {
		Questions strictjson.Raw `json:"questions"`
	}
	if err := strictjson.Unmarshal(input, &asked); err != nil {
		return nil, err
	}
	return strictjson.Marshal(map[string]any{"questions": asked.Questions, "answers": answers})
}
