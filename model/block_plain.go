package model

import "github.com/assent-dev/assent/internal/strictjson"

// readPlain reads a block as it is mostly written from a text that was checked already:
// a session that is taken up again has hundreds of them, and the codec would go over each
// several times. It is false for everything else.
func (b *Block) readPlain(n strictjson.Node) bool {
	switch Kind(n.Member("type").Text()) {
	case Text:
		text := n.Member("text")
		*b = TextBlock(text.Text())
		return text.Kind == '"'
	case ToolUse:
		id, name, input := n.Member("id"), n.Member("name"), n.Member("input")
		if id.Kind != '"' || name.Kind != '"' || input.Kind != '{' || n.Member("garbled").Kind != 0 {
			return false
		}
		*b = Call(id.Text(), name.Text(), input.Raw())
		return true
	case ToolResult:
		id, isError := n.Member("tool_use_id"), n.Member("is_error")
		content, ok := plainContent(n.Member("content"))
		*b = Block{Kind: ToolResult, ToolUseID: id.Text(), Result: content, IsError: isError.Kind == 't'}
		return ok && id.Kind == '"' && (isError.Kind == 't' || isError.Kind == 'f' || isError.Kind == 0)
	}
	return false
}

func plainContent(n strictjson.Node) ([]Block, bool) {
	if n.Kind != '[' {
		return nil, false
	}
	blocks := []Block{}
	for element := range n.Elements() {
		var b Block
		if !b.readPlain(element) {
			return nil, false
		}
		blocks = append(blocks, b)
	}
	return blocks, true
}
