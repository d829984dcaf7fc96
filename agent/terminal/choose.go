package terminal

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// asked are the questions of AskUserQuestion.
type asked struct {
	Text    string `json:"question"`
	Header  string `json:"header"`
	Options []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
		Preview     string `json:"preview"`
	} `json:"options"`
	Several bool `json:"multiSelect"`
}

func readQuestions(input strictjson.Raw) ([]asked, error) {
	var in struct {
		Questions []asked `json:"questions"`
	}
	err := strictjson.Unmarshal(input, &in)
	return in.Questions, err
}

// choose lets the person answer the model's questions, one after the other. What is
// skipped has no answer.
func (a *Asker) choose(ctx context.Context, q agent.Question, questions []asked) (permission.Answer, error) {
	answers := map[string]string{}
	for i, one := range questions {
		if _, twice := answers[one.Text]; twice {
			continue // an answer is found by its question
		}
		a.show(func() string { return a.questionPage(q, one, i, len(questions)) })
		reply, stop, err := a.chooseOne(ctx, one)
		if stop != nil || err != nil {
			return deref(stop), err
		}
		if reply != "" {
			answers[one.Text] = reply
		}
	}
	input, err := agent.WithAnswers(q.Input, answers)
	if err != nil {
		return permission.Answer{}, err
	}
	a.write(fmt.Sprintf("-> %s\n\n", pick(len(answers) > 0, "answered", "not answered")))
	return permission.Answer{Behavior: permission.Allow, UpdatedInput: input, Answered: true}, nil
}

func deref(answer *permission.Answer) permission.Answer {
	if answer == nil {
		return permission.Answer{}
	}
	return *answer
}

func (a *Asker) questionPage(q agent.Question, one asked, i, of int) string {
	p := a.newPage(true)
	p.text.WriteString("\n")
	p.ask(pick(of == 1, "The model asks:", fmt.Sprintf("The model asks (%d of %d):", i+1, of)))
	p.quote(source, one.Text)
	for n, o := range one.Options {
		text := o.Label
		if o.Description != "" && o.Description != o.Label {
			text += " - " + o.Description
		}
		p.plain(quoted(source, fmt.Sprintf("%d. ", n+1), text, p.width))
		if o.Preview != "" {
			p.rows(quoted(source, "   ", o.Preview, p.width))
		}
		p.warnUnseen(source, text, o.Preview)
	}
	a.whoAsks(p, q)
	return p.text.String()
}

// chooseOne takes the answer to one question: labels, other words, or "" for none. stop
// is an answer to the call as a whole.
func (a *Asker) chooseOne(ctx context.Context, one asked) (text string, stop *permission.Answer, err error) {
	ways := pick(one.Several, "numbers (1,3)", "a number") + " | o TEXT other words | s skip | n deny | q deny and stop"
	for {
		reply, err := a.reply(ctx, ways, "answer> ")
		if err != nil {
			return "", nil, err
		}
		word, rest, _ := strings.Cut(reply, " ")
		rest = strings.TrimSpace(rest)
		switch strings.ToLower(word) {
		case "s":
			return "", nil, nil
		case "n":
			answer, err := a.refuse(ctx, rest)
			return "", &answer, err
		case "q":
			a.write("-> denied, and everything stops\n\n")
			return "", &permission.Answer{Behavior: permission.Deny, Message: "The person at the terminal did not answer and stopped the work.", Interrupt: true}, nil
		case "o":
			if rest != "" {
				return strings.ToValidUTF8(rest, "\uFFFD"), nil, nil
			}
		default:
			if labels, ok := chosenLabels(reply, one); ok {
				return labels, nil, nil
			}
		}
		a.remark("That is none of the answers. The question is: ", one.Text)
	}
}

// chosenLabels are the labels behind numbers, in the order of the options.
func chosenLabels(reply string, one asked) (string, bool) {
	var numbers []int
	for _, field := range strings.FieldsFunc(reply, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 || n > len(one.Options) || slices.Contains(numbers, n) {
			return "", false
		}
		numbers = append(numbers, n)
	}
	if len(numbers) == 0 || len(numbers) > 1 && !one.Several {
		return "", false
	}
	slices.Sort(numbers)
	var labels []string
	for _, n := range numbers {
		labels = append(labels, one.Options[n-1].Label)
	}
	return strings.Join(labels, ", "), true
}
