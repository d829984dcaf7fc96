package openai

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	openai "github.com/sashabaranov/go-openai"
)

// request translates a conversation.
func request(r model.Request) (openai.ChatCompletionRequest, error) {
	out := openai.ChatCompletionRequest{
		Model:         r.Model,
		Stream:        true,
		StreamOptions: &openai.StreamOptions{IncludeUsage: true},
	}
	// OpenAI's newer models only know the newer name of the limit, and other servers
	// only the older one. Without a limit the server has its own.
	if newer(r.Model) {
		out.MaxCompletionTokens = r.MaxTokens
	} else {
		//lint:ignore SA1019 many servers know no other name
		out.MaxTokens = r.MaxTokens
	}
	for _, t := range r.Tools {
		if err := strictjson.Valid(t.Schema); err != nil {
			return out, fmt.Errorf("the schema of %s: %w", t.Name, err)
		}
		out.Tools = append(out.Tools, openai.Tool{
			Type:     openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Schema},
		})
	}
	if strings.TrimSpace(r.System) != "" {
		out.Messages = append(out.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: r.System})
	}
	for _, m := range model.Sendable(speakable(r.Messages)) {
		if m.Role == model.Assistant {
			out.Messages = append(out.Messages, said(m.Content))
			continue
		}
		out.Messages = append(out.Messages, told(m.Content)...)
	}
	if len(out.Messages) == 0 {
		return out, errors.New("it is empty")
	}
	return out, nil
}

func newer(name string) bool {
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// speakable leaves out of the model's messages what there is no place for, such as its
// thoughts.
func speakable(messages []model.Message) []model.Message {
	out := slices.Clone(messages)
	for i, m := range out {
		if m.Role == model.Assistant {
			out[i].Content = slices.DeleteFunc(slices.Clone(m.Content), func(b model.Block) bool {
				return b.Kind != model.Text && b.Kind != model.ToolUse
			})
		}
	}
	return out
}

// said is a message of the model.
func said(blocks []model.Block) openai.ChatCompletionMessage {
	m := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, Content: model.PlainText(blocks)}
	for _, b := range blocks {
		if b.Kind == model.ToolUse {
			m.ToolCalls = append(m.ToolCalls, openai.ToolCall{
				ID: b.ID, Type: openai.ToolTypeFunction,
				Function: openai.FunctionCall{Name: b.Name, Arguments: string(b.Input)},
			})
		}
	}
	return m
}

// told is what the model is told: the results of its calls, each a message of its
// own that must follow the calls, and then everything else. A result can only be a
// text, so that images come with the rest.
func told(blocks []model.Block) []openai.ChatCompletionMessage {
	var out []openai.ChatCompletionMessage
	var parts []openai.ChatMessagePart
	for _, b := range blocks {
		if b.Kind != model.ToolResult {
			parts = appendPart(parts, b)
			continue
		}
		text := model.PlainText(b.Result)
		if text == "" {
			text = "(no output)" // servers want some content
		}
		out = append(out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, ToolCallID: b.ToolUseID, Content: text})
		for _, inner := range b.Result {
			if inner.Kind != model.Text {
				parts = appendPart(parts, inner)
			}
		}
	}
	switch {
	case len(parts) == 0:
		return out
	case onlyText(parts):
		// A plain text is what every server understands.
		texts := make([]string, len(parts))
		for i, p := range parts {
			texts[i] = p.Text
		}
		return append(out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: strings.Join(texts, "\n")})
	}
	return append(out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, MultiContent: parts})
}

func onlyText(parts []openai.ChatMessagePart) bool {
	for _, p := range parts {
		if p.Type != openai.ChatMessagePartTypeText {
			return false
		}
	}
	return true
}

func appendPart(parts []openai.ChatMessagePart, b model.Block) []openai.ChatMessagePart {
	if b.Kind == model.Text {
		return append(parts, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: b.Text})
	}
	if address := imageAddress(b); address != "" {
		return append(parts, openai.ChatMessagePart{
			Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: address},
		})
	}
	return append(parts, openai.ChatMessagePart{
		Type: openai.ChatMessagePartTypeText, Text: fmt.Sprintf("(a part of kind %s cannot be shown here)", b.Kind),
	})
}

// imageAddress is the address of an image, which may hold the whole of it.
func imageAddress(b model.Block) string {
	var image struct {
		Source struct {
			Type      string `json:"type"`
			MediaType string `json:"media_type"`
			Data      string `json:"data"`
			URL       string `json:"url"`
		} `json:"source"`
	}
	if b.Kind != "image" || strictjson.Unmarshal(b.Raw, &image) != nil {
		return ""
	}
	if s := image.Source; s.Type == "base64" {
		return "data:" + s.MediaType + ";base64," + s.Data
	}
	return image.Source.URL
}
