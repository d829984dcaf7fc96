package anthropic_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/anthropic"
	"github.com/assent-dev/assent/model/modeltest"
)

// The request is spelled out here byte by byte: a resumed session sends what the
// first one would have sent.
func TestRequest(t *testing.T) {
	p, server := open(t, modeltest.Say("x"))
	r := model.Request{
		Model: "claude-sonnet-5-5", System: "Be <brief>.", MaxTokens: 100,
		Tools: []model.Tool{
			{Name: "Read", Schema: []byte(`{ "type": "object" }`)},
			{Name: "Bash", Description: "runs", Schema: []byte(`{"type":"object"}`)},
		},
		Messages: []model.Message{
			{Role: model.User, Content: []model.Block{model.TextBlock("hi"), model.TextBlock("")}},
			{Role: model.Assistant, Content: []model.Block{
				{Kind: "thinking", Raw: []byte(`{"type":"thinking","thinking":"hm","signature":"s\/="}`)},
				model.Call("t1", "Bash", `{"command":"ls"}`), model.Call("t2", "Bash", `{"a":1,"a":2}`),
			}},
			{Role: model.User, Content: []model.Block{model.Result("t1", ""), model.Result("t2", "no")}},
		},
	}
	if _, err := p.Ask(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	want := `{"model":"claude-sonnet-5-5","max_tokens":100,"stream":true,` +
		`"system":[{"type":"text","text":"Be <brief>.","cache_control":{"type":"ephemeral"}}],` +
		`"tools":[{"name":"Read","input_schema":{"type":"object"}},` +
		`{"name":"Bash","description":"runs","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}}],` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s\/="},` +
		`{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}},` +
		`{"type":"tool_use","id":"t2","name":"Bash","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[]},` +
		`{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"no"}]}]}]}`
	got := server.Requests()[0]
	if string(got.Body) != want {
		t.Errorf("got\n%s\nwant\n%s", got.Body, want)
	}
	if got.Path != "/v1/messages" || got.Header.Get("Content-Type") != "application/json" || got.Header.Get("Anthropic-Version") == "" {
		t.Errorf("got %s, %v", got.Path, got.Header)
	}
}

// The server refuses texts and messages in which there is nothing, and an answer of the
// server itself may be one.
func TestAnEmptyAnswerIsNotSentBack(t *testing.T) {
	empty := whole(block(0, `{"type":"text","text":""}`))
	p, server := open(t, modeltest.Reply{Raw: empty}, modeltest.Say("x"))
	said := func(role model.Role, text string) model.Message {
		return model.Message{Role: role, Content: []model.Block{model.TextBlock(text)}}
	}
	messages := []model.Message{said(model.User, "hi")}
	turn, err := p.Ask(t.Context(), model.Request{Model: "m", Messages: messages}, nil)
	if err != nil {
		t.Fatal(err)
	}
	messages = append(messages, model.Message{Role: model.Assistant, Content: turn.Content}, said(model.User, "again"))
	if _, err := p.Ask(t.Context(), model.Request{Model: "m", System: " ", Messages: messages}, nil); err != nil {
		t.Fatal(err)
	}
	const want = `"messages":[{"role":"user","content":[{"type":"text","text":"hi"},{"type":"text","text":"again"}]}]}`
	if got := string(server.Requests()[1].Body); !strings.HasSuffix(got, want) || strings.Contains(got, `"system"`) {
		t.Errorf("got\n%s", got)
	}
}

func TestKeyAndToken(t *testing.T) {
	tests := []struct{ key, token, wantKey, wantAuth string }{
		{"sk-1", "", "sk-1", ""},
		{"", "tok", "", "Bearer tok"},
		{"sk-1", "tok", "sk-1", ""},
	}
	// The environment of the process has no say.
	t.Setenv("ANTHROPIC_API_KEY", "sk-of-the-process")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "token-of-the-process")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	for _, test := range tests {
		server := modeltest.Messages(t, modeltest.Say("x"))
		p := anthropic.New(anthropic.Options{BaseURL: server.URL + "/", Key: test.key, Token: test.token, Client: server.Client})
		if _, err := p.Ask(t.Context(), modeltest.Ask(), nil); err != nil {
			t.Fatal(err)
		}
		h := server.Requests()[0].Header
		if h.Get("X-Api-Key") != test.wantKey || h.Get("Authorization") != test.wantAuth {
			t.Errorf("%+v: sent %q and %q", test, h.Get("X-Api-Key"), h.Get("Authorization"))
		}
	}
}
