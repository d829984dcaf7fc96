package anthropic

import (
	"cmp"
	"strings"

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
	if strings.TrimSpace(r.System) != "" {
		out.System = []systemJSON{{Type: "text", Text: r.System, Cache: cached}}
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, toolJSON{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	if n := len(out.Tools); n > 0 {
		out.Tools[n-1].Cache = &cached
	}
	out.Messages = model.Sendable(r.Messages)
	return strictjson.Marshal(out)
}
