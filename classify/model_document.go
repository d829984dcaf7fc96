package classify

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Limits of what a model is shown. A call is shown whole or not at all; of the
// conversation the end is enough.
const (
	mostCall         = 64 << 10
	mostConversation = 32 << 10
	mostEntry        = 8 << 10
)

var errTooLarge = errors.New("the call is too large to be judged by a model")

// document is what a model is shown, as JSON.
type document struct {
	Call         documentCall     `json:"call"`
	Place        documentPlace    `json:"place"`
	Analysis     documentAnalysis `json:"analysis"`
	Conversation []documentEntry  `json:"conversation"`
	// Note says what of the conversation is left out.
	Note string `json:"note,omitempty"`
}

type documentCall struct {
	Tool  string         `json:"tool"`
	Input strictjson.Raw `json:"input"`
	Asked string         `json:"asked_because"`
}

type documentPlace struct {
	Cwd         string   `json:"working_directory"`
	Directories []string `json:"further_directories"`
	Home        string   `json:"home"`
}

type documentAnalysis struct {
	Outcome string   `json:"outcome"`
	Risk    string   `json:"risk"`
	Reasons []string `json:"reasons"`
}

// documentEntry is one thing that was said, or done.
type documentEntry struct {
	From string `json:"from"` // user, agent, call or result
	Text string `json:"text"`
}

func makeDocument(q Question, found Verdict) ([]byte, error) {
	if len(q.Input) > mostCall {
		return nil, errTooLarge
	}
	input, err := strictjson.Canonical(q.Input)
	if err != nil {
		return nil, fmt.Errorf("the input of the call cannot be read: %w", err)
	}
	d := document{
		Call:     documentCall{Tool: valid(q.Call.Name), Input: input, Asked: valid(q.Decision.Message())},
		Place:    documentPlace{Cwd: valid(q.cwd()), Home: valid(q.Context.Home()), Directories: []string{}},
		Analysis: documentAnalysis{Outcome: found.Outcome.String(), Risk: found.Risk.String()},
	}
	for _, dir := range q.Context.Directories() {
		d.Place.Directories = append(d.Place.Directories, valid(dir.Path))
	}
	for _, reason := range found.Reasons {
		d.Analysis.Reasons = append(d.Analysis.Reasons, valid(reason))
	}
	d.Conversation, d.Note = lastEntries(q.Conversation)
	return strictjson.Marshal(d)
}

// lastEntries is the end of a conversation, as far as there is room.
func lastEntries(messages []model.Message) (entries []documentEntry, note string) {
	var all []documentEntry
	for _, m := range messages {
		for _, b := range m.Content {
			all = append(all, entry(m.Role, b))
		}
	}
	from, room := len(all), mostConversation
	for from > 0 && room >= len(all[from-1].Text) {
		from--
		room -= len(all[from].Text) + len(all[from].From)
	}
	if from > 0 {
		note = fmt.Sprintf("%d earlier entries of the conversation are left out", from)
	}
	return all[from:], note
}

// entry is a block as text. What a tool has returned is never the user's word,
// although it travels in messages of that role.
func entry(role model.Role, b model.Block) documentEntry {
	e := documentEntry{From: "agent"}
	if role == model.User {
		e.From = "user"
	}
	switch b.Kind {
	case model.Text:
		e.Text = b.Text
	case model.ToolUse:
		e.From, e.Text = "call", b.Name+" "+string(b.Input)+b.Garbled
	case model.ToolResult:
		e.From, e.Text = "result", model.PlainText(b.Result)
	default:
		e.From, e.Text = "other", "a block of another kind is left out"
	}
	e.Text = shortened(valid(e.Text))
	return e
}

// shortened cuts the middle out of a long text.
func shortened(text string) string {
	if len(text) <= mostEntry {
		return text
	}
	head, tail := mostEntry/2, len(text)-mostEntry/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s [%d bytes left out] %s", text[:head], tail-head, text[tail:])
}

func valid(text string) string { return strings.ToValidUTF8(text, "�") }
