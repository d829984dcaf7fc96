package clerk

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// asking is a call with questions of these texts, to which yes and no are the answers.
func asking(t *testing.T, texts ...string) session.PendingCall {
	t.Helper()
	options := []Option{{"yes", "d"}, {"no", "d"}}
	var questions []Question
	for _, text := range texts {
		questions = append(questions, Question{Text: text, Header: "H", Options: options})
	}
	input, err := strictjson.Marshal(map[string]any{"questions": questions})
	if err != nil {
		t.Fatal(err)
	}
	return session.PendingCall{ToolUseID: "a", Tool: asksPeople, Input: input}
}

// The agent chooses the texts of its questions. None of them may lead an answer to another
// question than the one that it was given to.
func TestD5_NoTextOfAQuestionTakesTheAnswerOfAnother(t *testing.T) {
	const unclear = "reads like an answer to question"
	for _, c := range []struct {
		name    string
		texts   []string
		answers []string
		want    string // the answers, or a part of the error
	}{
		{"numbers of each other", []string{"2", "1"}, []string{"1=no", "2=yes"}, unclear},
		{"the number of another", []string{"2", "a=b?"}, []string{"1=no", "2=yes"}, unclear},
		{"a number with spaces", []string{" 2 ", "b?"}, []string{"1=no", "2=yes"}, unclear},
		{"a number in another form", []string{"a?", "+01"}, []string{"1=no", "2=yes"}, unclear},
		{"the beginning of an answer to another", []string{"a?", "1=x"}, []string{"1=x=y", "2=yes"}, unclear},
		{"the beginning of an answer to itself", []string{"1=x", "b?"}, []string{"1=x=y", "2=yes"}, unclear},
		{"its own number", []string{"1", "b?"}, []string{"1=no", "b?=yes"}, `{"1":"no","b?":"yes"}`},
		{"a number of no question", []string{"2026", "3=x"}, []string{"2026=no", "3=x=yes"}, `{"2026":"no","3=x":"yes"}`},
		{"one text begins another", []string{"a", "a=b?"}, []string{"a=b?=yes", "1=no"}, "give the number of the question"},
		{"one text begins another, by number", []string{"a", "a=b?"}, []string{"1=b?=yes", "2=no"}, `{"a":"b?=yes","a=b?":"no"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := waitingIn(t, "Bash(rm:*)", asking(t, c.texts...))
			m, err := p.Approve(t.Context(), sessionID, Yes{By: "ann", Answers: c.answers})
			if strings.HasPrefix(c.want, "{") {
				if err != nil || !strings.Contains(m.Answer().Input.String(), `"answers":`+c.want) {
					t.Errorf("%v, %+v, want %s", err, m.Answer(), c.want)
				}
				return
			}
			if KindOf(err) != Invalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// The agent chooses the labels of the options, too. An answer names one of them, in its own
// spelling, or the question can only be denied.
func TestD5_NoLabelOfAnOptionTakesTheAnswerOfAnother(t *testing.T) {
	const apart = "could tell them apart"
	for _, c := range []struct {
		name    string
		several bool
		labels  []string
		answer  string
		want    string // the answer, or a part of the error
	}{
		{"the same", false, []string{"yes", "yes"}, "yes", apart},
		{"the same but for blanks", false, []string{"yes ", "yes"}, "yes ", apart},
		{"the same but for other blanks", false, []string{"yes", "\u00a0yes"}, "yes", apart},
		{"a list of others", true, []string{"a", "b", "b, a"}, "b, a", apart},
		{"a list of others where one is chosen", false, []string{"a", "b", "b, a"}, "b, a", `"b, a"`},
		{"a list of more than there is", true, []string{"a", "b", "a, c"}, "a, c", `"a, c"`},
		{"the end of one and the beginning of another", true, []string{"drop, after a backup", "drop", "after a backup, tell me", "tell me"}, "drop", apart},
		{"over several others", true, []string{"a, b", "b, c, d", "a", "c, d, e", "e"}, "a", apart},
		{"the same but for blanks in it", true, []string{"a, b", "a,b"}, "a, b", apart},
		{"in another case", true, []string{"Staging, Production", "staging", "production"}, "staging, production", apart},
		{"a word twice", true, []string{"a", "a, a"}, "a", apart},
		{"commas that mix nothing up", true, []string{"yes, all", "yes, some", "no, none"}, "yes, all", `"yes, all"`},
		{"one word is the beginning of another", true, []string{"test", "tests, all", "tests"}, "test", `"test"`},
		{"with blanks", false, []string{"yes ", "no"}, "yes ", `"yes "`},
		{"another case", false, []string{"Yes", "no"}, "yes", `"Yes"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var options []Option
			for _, label := range c.labels {
				options = append(options, Option{label, "d"})
			}
			input, err := strictjson.Marshal(map[string]any{"questions": []Question{{Text: "q?", Header: "H", Options: options, Several: c.several}}})
			if err != nil {
				t.Fatal(err)
			}
			p := waitingIn(t, "Bash(rm:*)", session.PendingCall{ToolUseID: "a", Tool: asksPeople, Input: input})
			m, err := p.Approve(t.Context(), sessionID, Yes{By: "ann", Answers: []string{"1=" + c.answer}})
			if strings.HasPrefix(c.want, `"`) {
				if err != nil || !strings.Contains(m.Answer().Input.String(), `"answers":{"q?":`+c.want+"}") {
					t.Errorf("%v, %+v, want %s", err, m.Answer(), c.want)
				}
				return
			}
			if KindOf(err) != Invalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}
