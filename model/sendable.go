package model

import "strings"

// noContent stands for what a person sent where nothing of it can be sent on.
const noContent = "(no content)"

// Sendable is a conversation as servers take it. They refuse texts in which there is
// nothing to see, which tools return and models sometimes write, messages without
// content, and messages of the model that end with a thought. All that is left out,
// because it stays in the transcript and would have every request refused from then on.
//
// The sides still take turns: neighbours of one side become one message, and a message
// of the user is never left out.
func Sendable(messages []Message) []Message {
	out := make([]Message, 0, len(messages))
	for _, m := range messages {
		content := withoutBlanks(m.Content)
		switch {
		case m.Role == Assistant:
			content = withoutLastThoughts(content)
			if len(content) == 0 {
				continue
			}
		case len(content) == 0:
			content = []Block{TextBlock(noContent)}
		}
		if last := len(out) - 1; last >= 0 && out[last].Role == m.Role {
			out[last].Content = append(out[last].Content, content...)
			continue
		}
		out = append(out, Message{Role: m.Role, Content: content})
	}
	return out
}

// withoutBlanks is always a list of its own.
func withoutBlanks(blocks []Block) []Block {
	out := make([]Block, 0, len(blocks))
	for _, b := range blocks {
		if b.Kind == Text && strings.TrimSpace(b.Text) == "" {
			continue
		}
		if b.Kind == ToolResult {
			b.Result = withoutBlanks(b.Result)
		}
		out = append(out, b.Sendable())
	}
	return out
}

func withoutLastThoughts(blocks []Block) []Block {
	for len(blocks) > 0 {
		switch blocks[len(blocks)-1].Kind {
		case "thinking", "redacted_thinking":
			blocks = blocks[:len(blocks)-1]
		default:
			return blocks
		}
	}
	return blocks
}
