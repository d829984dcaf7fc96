package agent

import (
	"slices"

	"github.com/assent-dev/assent/model"
)

// lost is what the model is told about a call of which nobody knows what became.
const lost = "The session ended before the outcome of this call was recorded. It may have run or not: look before you repeat it."

// mended is a conversation in which every call has its result, right behind it: models
// take no other. A process that died, or could not write any more, leaves calls without
// one.
func mended(conversation []model.Message) []model.Message {
	list := make([]model.Message, 0, len(conversation))
	var missing []model.Block // of the message before
	for _, m := range conversation {
		if len(list) > 0 {
			missing = openCalls(list[len(list)-1], m)
		}
		switch {
		case missing != nil && m.Role == model.User:
			m.Content = append(missing, m.Content...)
		case missing != nil:
			list = append(list, model.Message{Role: model.User, Content: missing})
		}
		list = append(list, m)
	}
	return list // closeOpenCalls writes the results of the last turn down
}

// openCalls are results for the calls of a message that the next one does not answer.
func openCalls(m, next model.Message) []model.Block {
	if m.Role != model.Assistant {
		return nil
	}
	var missing []model.Block
	for _, b := range m.Content {
		answered := slices.ContainsFunc(next.Content, func(r model.Block) bool { return r.Kind == model.ToolResult && r.ToolUseID == b.ID })
		if b.Kind == model.ToolUse && !answered {
			missing = append(missing, model.Block{Kind: model.ToolResult, ToolUseID: b.ID, IsError: true, Result: []model.Block{model.TextBlock(lost)}})
		}
	}
	return missing
}

// closeOpenCalls answers the calls of the last turn that got no result.
func (a *Agent) closeOpenCalls() error {
	if len(a.conversation) == 0 {
		return nil
	}
	missing := openCalls(a.conversation[len(a.conversation)-1], model.Message{})
	if missing == nil {
		return nil
	}
	return a.remember(model.Message{Role: model.User, Content: missing})
}
