package builtin

import (
	"context"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// askTool hands a person's answers to the model. It asks nobody itself: by the time
// it runs, whoever answered has put the answers into the input.
type askTool struct{ base }

func newAskUserQuestion() *askTool { return &askTool{newBase("AskUserQuestion")} }

func (*askTool) Order(*permission.Call) tool.Order { return tool.Alone }

type asked struct {
	Questions []struct {
		Question string `json:"question"`
	} `json:"questions"`
	Answers     map[string]string `json:"answers"`
	Annotations map[string]struct {
		Notes string `json:"notes"`
	} `json:"annotations"`
}

func (*askTool) Run(_ context.Context, job tool.Job) tool.Result {
	var in asked
	var asWritten struct {
		Questions strictjson.Raw `json:"questions"`
	}
	if err := strictjson.Unmarshal(job.Input, &in); err != nil {
		return tool.Fail("The answers cannot be read: " + err.Error())
	}
	if err := strictjson.Unmarshal(job.Input, &asWritten); err != nil {
		return tool.Fail("The questions cannot be read: " + err.Error())
	}
	var b strings.Builder
	for i, q := range in.Questions {
		if i > 0 {
			b.WriteString("\n\n")
		}
		in.tell(&b, q.Question)
	}
	result := tool.Succeed(b.String())
	result.Data = data(struct {
		Questions strictjson.Raw    `json:"questions"`
		Answers   map[string]string `json:"answers"`
	}{asWritten.Questions, in.Answers})
	return result
}

// tell states one question and what was answered. An empty answer is none: a person
// who chose nothing has not agreed to anything.
func (in *asked) tell(b *strings.Builder, question string) {
	b.WriteString("Question: " + question + "\n")
	if answer := in.Answers[question]; strings.TrimSpace(answer) == "" {
		b.WriteString("The question was not answered.")
	} else {
		b.WriteString("Answer: " + answer)
	}
	if notes := in.Annotations[question].Notes; strings.TrimSpace(notes) != "" {
		b.WriteString("\nNotes: " + notes)
	}
}
