package anthropic

import (
	"cmp"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// form is how an answer is asked for.
type form uint8

const (
	streamed form = iota
	whole
)

type requestJSON struct {
	Model     string          `json:"model"`
	MaxTokens int             `json:"max_tokens"`
	Stream    bool            `json:"stream,omitzero"`
	System    []systemJSON    `json:"system,omitempty"`
	Tools     []toolJSON      `json:"tools,omitempty"`
	Messages  []model.Message `json:"messages"`
}

type systemJSON struct {
	Type  string    `json:"type"`
	Text  string    `json:"text"`
	Cache cacheJSON `json:"cache_control"`
}

type toolJSON struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Schema      strictjson.Raw `json:"input_schema"`
	Cache       *cacheJSON     `json:"cache_control,omitempty"`
}

// cacheJSON marks the end of what the server may keep. Tools and system prompt come
// first in every request of a session and never change; what is marked depends on
// nothing but them, so that requests stay the same.
type cacheJSON struct {
	Type string `json:"type"`
}

// requestBody is the request as it is sent.
func requestBody(r model.Request, f form) ([]byte, error) {
	out := requestJSON{
		Model:     r.Model,
		MaxTokens: cmp.Or(r.MaxTokens, model.MaxOutput(r.Model)),
		Stream:    f == streamed,
	}
	cached := cacheJSON{Type: "ephemeral"}
	if r.System != "" {
		out.System = []systemJSON{{Type: "text", Text: r.System, Cache: cached}}
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, toolJSON{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	if n := len(out.Tools); n > 0 {
		out.Tools[n-1].Cache = &cached
	}
	for _, m := range r.Messages {
		out.Messages = append(out.Messages, model.Message{Role: m.Role, Content: sendable(m.Content)})
	}
	return strictjson.Marshal(out)
}

// sendable leaves out what the server refuses: texts without a character, which tools
// return and models sometimes write.
func sendable(blocks []model.Block) []model.Block {
	out := make([]model.Block, 0, len(blocks))
	for _, b := range blocks {
		if b.Kind == model.Text && b.Text == "" {
			continue
		}
		if b.Kind == model.ToolResult {
			b.Result = sendable(b.Result)
		}
		out = append(out, b.Sendable())
	}
	return out
}
