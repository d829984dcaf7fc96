package model

import (
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// What a server refuses must not have a whole session refused.
func TestSendable(t *testing.T) {
	said := func(blocks ...Block) Message { return Message{Role: Assistant, Content: blocks} }
	told := func(blocks ...Block) Message { return Message{Role: User, Content: blocks} }
	text := TextBlock
	thought := Block{Kind: "thinking", Raw: []byte(`{"type":"thinking","thinking":"hm"}`)}
	for _, tt := range []struct {
		name     string
		messages []Message
		want     []Message
	}{
		{"nothing", nil, []Message{}},
		{"as it should be", []Message{told(text("a")), said(text("b")), told(text("c"))}, []Message{told(text("a")), said(text("b")), told(text("c"))}},
		{"an answer without a text", []Message{told(text("a")), said(), told(text("c"))}, []Message{told(text("a"), text("c"))}},
		{"an empty answer", []Message{told(text("a")), said(text("")), told(text("c"))}, []Message{told(text("a"), text("c"))}},
		{"an answer of blanks", []Message{told(text("a")), said(text(" \n\t\u00a0")), told(text("c"))}, []Message{told(text("a"), text("c"))}},
		{"the last answer", []Message{told(text("a")), said(text(" "))}, []Message{told(text("a"))}},
		{"blanks beside words", []Message{told(text(" "), text(" a "), text("")), said(text("\n"), text("b"))}, []Message{told(text(" a ")), said(text("b"))}},
		{"nothing but a thought", []Message{told(text("a")), said(thought, text("")), told(text("c"))}, []Message{told(text("a"), text("c"))}},
		{"a thought before an answer", []Message{told(text("a")), said(thought, text("b"), thought)}, []Message{told(text("a")), said(thought, text("b"))}},
		{"a prompt of blanks", []Message{told(text(" ")), said(text("b")), told()}, []Message{told(text(noContent)), said(text("b")), told(text(noContent))}},
		{
			"a result of blanks",
			[]Message{told(text("a")), said(Call("t", "Bash", "")), told(Result("t", " \n"), text(""))},
			[]Message{told(text("a")), said(Call("t", "Bash", "")), told(Block{Kind: ToolResult, ToolUseID: "t", Result: []Block{}})},
		},
		{
			"an empty answer after a result",
			[]Message{told(text("a")), said(Call("t", "Bash", "")), told(Result("t", "ok")), said(text("")), told(text("c"))},
			[]Message{told(text("a")), said(Call("t", "Bash", "")), told(Result("t", "ok"), text("c"))},
		},
	} {
		before := marshalled(t, tt.messages)
		if got, want := marshalled(t, Sendable(tt.messages)), marshalled(t, tt.want); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, want)
		}
		if after := marshalled(t, tt.messages); after != before {
			t.Errorf("%s: the conversation itself became %s", tt.name, after)
		}
	}
}

func marshalled(t *testing.T, messages []Message) string {
	t.Helper()
	out, err := strictjson.Marshal(messages)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
