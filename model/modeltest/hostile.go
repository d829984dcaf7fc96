package modeltest

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// broken: what came of an answer that broke off is no turn.
func (s Subject) broken(t *testing.T) {
	tests := []struct {
		name    string
		ending  Ending
		kind    model.ErrorKind
		outlook model.Outlook
	}{
		{"overloaded", Overloaded, model.Overloaded, model.Passing},
		{"cut", Cut, model.Unreachable, model.Passing},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reply := Reply{Blocks: []model.Block{model.TextBlock("I will."), Call("toolu_1", "Bash", `{"command":"rm x"}`)}, Ending: test.ending}
			p, _ := s.Open(t, reply)
			turn, err := p.Ask(t.Context(), Ask(), nil)
			got, ok := errors.AsType[*model.Error](err)
			if !ok || got.Kind != test.kind || got.Outlook() != test.outlook || len(turn.Content) != 0 {
				t.Errorf("got %+v, %+v", turn, err)
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		p, server := s.Open(t, Say("x"))
		server.Close()
		_, err := p.Ask(t.Context(), Ask(), nil)
		if got, ok := errors.AsType[*model.Error](err); !ok || got.Kind != model.Unreachable {
			t.Errorf("got %v", err)
		}
	})
	for name, raw := range map[string]string{
		"no JSON":        "event: x\ndata: nonsense\n\n",
		"not an object":  "event: x\ndata: [1]\n\n",
		"a key twice":    "event: x\ndata: {\"type\":\"a\",\"type\":\"b\",\"id\":\"a\",\"id\":\"b\"}\n\n",
		"wrong types":    "event: x\ndata: {\"type\":1,\"id\":1,\"choices\":7}\n\n",
		"invalid UTF-8":  "event: x\ndata: {\"type\":\"\xff\",\"id\":\"\xff\"}\n\n",
		"half an escape": "event: x\ndata: {\"type\":\"\\ud800\",\"id\":\"\\ud800\"}\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := s.Open(t, Reply{Raw: raw})
			_, err := p.Ask(t.Context(), Ask(), nil)
			if got, ok := errors.AsType[*model.Error](err); !ok || got.Kind != model.Nonsense {
				t.Errorf("got %v", err)
			}
		})
	}
}

// endless: an answer without an end is given up before it fills the memory.
func (s Subject) endless(t *testing.T) {
	for name, kind := range map[string]Endless{"deltas": Deltas, "one line": Line, "calls": Calls} {
		t.Run(name, func(t *testing.T) {
			p, server := s.Open(t, Reply{Endless: kind})
			_, err := p.Ask(t.Context(), Ask(), nil)
			if got, ok := errors.AsType[*model.Error](err); !ok || got.Kind != model.Nonsense {
				t.Errorf("got %v", err)
			}
			// What lies in the buffers between the two has been written, too.
			if sent := server.Sent.Load(); sent > 80<<20 {
				t.Errorf("%d MB were taken", sent>>20)
			}
		})
	}
}

// sameBytes: a conversation that was read from a transcript makes the same request.
func (s Subject) sameBytes(t *testing.T) {
	p, server := s.Open(t, Say("x"))
	r := Ask(
		model.Message{Role: model.User, Content: []model.Block{model.TextBlock(unicode)}},
		model.Message{Role: model.Assistant, Content: []model.Block{
			{Kind: "thinking", Raw: []byte(`{ "type": "thinking", "thinking": "Hm\u2028", "signature": "abc\/=" }`)},
			model.TextBlock("I try."),
			model.Call("t1", "Bash", `{ "b":1.50, "a":"\u0041" }`),
			model.Call("t2", "Bash", `{"a":1,"a":2}`),
			model.Call("t3", "Bash", `{"a":`),
		}},
		model.Message{Role: model.User, Content: []model.Block{
			model.Result("t1", "fine"),
			{Kind: model.ToolResult, ToolUseID: "t2", IsError: true, Result: []model.Block{model.TextBlock("a key twice")}},
			{Kind: model.ToolResult, ToolUseID: "t3"},
			{Kind: "image", Raw: []byte(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}`)},
		}},
	)
	if _, err := p.Ask(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	again := r
	again.Messages = nil
	for _, m := range r.Messages {
		again.Messages = append(again.Messages, throughJSON(t, m))
	}
	if _, err := p.Ask(t.Context(), again, nil); err != nil {
		t.Fatal(err)
	}
	got := server.Requests()
	if !bytes.Equal(got[0].Body, got[1].Body) {
		t.Errorf("first\n%s\nthen\n%s", got[0].Body, got[1].Body)
	}
	if bytes.Contains(got[0].Body, []byte("garbled")) {
		t.Errorf("the server is told what it cannot understand: %s", got[0].Body)
	}
}

// noRedirects: the key goes to the server that the person named.
func (s Subject) noRedirects(t *testing.T) {
	p, server := s.Open(t, Say("x"))
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the request went elsewhere")
	}))
	defer elsewhere.Close()
	server.Redirect(elsewhere.URL)
	_, err := p.Ask(t.Context(), Ask(), nil)
	if got, ok := errors.AsType[*model.Error](err); !ok || got.Outlook() != model.Lasting {
		t.Errorf("got %v", err)
	}
}

func throughJSON(t *testing.T, m model.Message) (back model.Message) {
	t.Helper()
	text, err := strictjson.Marshal(m)
	if err == nil {
		err = strictjson.Unmarshal(text, &back)
	}
	if err != nil {
		t.Fatal(err)
	}
	return back
}
