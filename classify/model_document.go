package classify

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
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
	mostResult       = 2 << 10 // of what a tool has returned, so that it does not crowd out what was said
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
	data, err := strictjson.Marshal(d)
	return visibly(data), err
}

// visibly writes what cannot be seen in a JSON text as escapes: text that a person never
// saw must not look to the model like what they did see. Such characters stand only in
// strings.
func visibly(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for _, r := range string(data) {
		switch {
		case unicode.IsPrint(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// lastEntries is the end of a conversation, as far as there is room, and what the person
// said last, even if that is longer ago: nobody can judge a call without it.
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
	if from == 0 {
		return all, ""
	}
	entries, left := all[from:], from
	if !slices.ContainsFunc(entries, said) {
		for _, e := range slices.Backward(all[:from]) {
			if said(e) {
				entries, left = append([]documentEntry{e}, entries...), from-1
				break
			}
		}
	}
	return entries, fmt.Sprintf("%d earlier entries of the conversation are left out", left)
}

// said: these are the person's own words.
func said(e documentEntry) bool { return e.From == "user" }

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
		if slices.ContainsFunc(b.Result, func(part model.Block) bool { return part.Kind != model.Text }) {
			e.Text += " [what is no text is left out]"
		}
	default:
		e.From, e.Text = "other", "a block of another kind is left out"
	}
	most := mostEntry
	if b.Kind == model.ToolResult {
		most = mostResult
	}
	e.Text = shortened(valid(e.Text), most)
	return e
}

// shortened cuts the middle out of a long text.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := most/2, len(text)-most/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s [%d bytes left out] %s", text[:head], tail-head, text[tail:])
}

func valid(text string) string { return strings.ToValidUTF8(text, "�") }
