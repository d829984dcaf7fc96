package openai_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/modeltest"
	"github.com/assent-dev/assent/model/openai"
)

func sse(chunks ...string) string {
	var out strings.Builder
	for _, c := range chunks {
		out.WriteString("data: " + c + "\n\n")
	}
	return out.String()
}

func calls(pieces string) string { return `{"choices":[{"delta":{"tool_calls":[` + pieces + `]}}]}` }

const stop = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`

func ends(word string) string {
	return `{"choices":[{"delta":{"content":"half a sen"},"finish_reason":"` + word + `"}]}`
}

// What servers other than OpenAI's do differently.
func TestDialects(t *testing.T) {
	two := []model.Block{model.Call("call_1_1", "Bash", `{"command":"a"}`), model.Call("call_1_2", "Bash", `{"command":"b"}`)}
	tests := []struct {
		name, raw string
		want      []model.Block
		stop      string
		kind      model.ErrorKind // when it is an error
		says      string
	}{
		{
			"whole calls without index and id, in one chunk",
			sse(calls(`{"function":{"name":"Bash","arguments":"{\"command\":\"a\"}"}},{"function":{"name":"Bash","arguments":"{\"command\":\"b\"}"}}`), stop),
			two, "tool_use", 0, "",
		},
		{
			"whole calls without index and id, in two chunks",
			sse(calls(`{"function":{"name":"Bash","arguments":"{\"command\":\"a\"}"}}`), calls(`{"function":{"name":"Bash","arguments":"{\"command\":\"b\"}"}}`), stop),
			two, "tool_use", 0, "",
		},
		{
			"index 0 for every call, no ids",
			sse(calls(`{"index":0,"function":{"name":"Bash","arguments":"{\"command\":\"a\"}"}}`), calls(`{"index":0,"function":{"name":"Bash","arguments":"{\"command\":\"b\"}"}}`), stop),
			two, "tool_use", 0, "",
		},
		{
			"index 0 for every call, ids tell them apart",
			sse(calls(`{"index":0,"id":"x","function":{"name":"Bash","arguments":"{\"command\":\"a\"}"}}`), calls(`{"index":0,"id":"y","function":{"name":"Bash","arguments":"{\"command\":\"b\"}"}}`), stop),
			[]model.Block{model.Call("x", "Bash", `{"command":"a"}`), model.Call("y", "Bash", `{"command":"b"}`)},
			"tool_use", 0, "",
		},
		{
			"the same id for every call",
			sse(calls(`{"index":0,"id":"x","function":{"name":"Bash","arguments":"{\"command\":\"a\"}"}}`), calls(`{"index":1,"id":"x","function":{"name":"Bash","arguments":"{\"command\":\"b\"}"}}`), stop),
			[]model.Block{model.Call("x", "Bash", `{"command":"a"}`), model.Call("call_1_1", "Bash", `{"command":"b"}`)},
			"tool_use", 0, "",
		},
		{
			"name and id in every piece",
			sse(calls(`{"index":0,"id":"x","function":{"name":"Bash","arguments":"{\"command\""}}`), calls(`{"index":0,"id":"x","function":{"name":"Bash","arguments":":\"a\"}"}}`), stop),
			[]model.Block{model.Call("x", "Bash", `{"command":"a"}`)},
			"tool_use", 0, "",
		},
		{
			"name in every piece, no id",
			sse(calls(`{"index":0,"function":{"name":"Bash","arguments":"{\"a\":{}"}}`), calls(`{"index":0,"function":{"name":"Bash","arguments":"}"}}`), stop),
			[]model.Block{model.Call("call_1_1", "Bash", `{"a":{}}`)},
			"tool_use", 0, "",
		},
		{
			"pieces without index",
			sse(calls(`{"id":"x","function":{"name":"Bash","arguments":"{\"command\""}}`), calls(`{"function":{"arguments":":\"a\"}"}}`), stop),
			[]model.Block{model.Call("x", "Bash", `{"command":"a"}`)},
			"tool_use", 0, "",
		},
		{
			"arguments that are an object",
			sse(calls(`{"function":{"name":"Bash","arguments":{ "command":"a"}}}`), stop),
			two[:1], "tool_use", 0, "",
		},
		{
			"no arguments",
			sse(calls(`{"function":{"name":"Now","arguments":null}}`), stop),
			[]model.Block{model.Call("call_1_1", "Now", "")},
			"tool_use", 0, "",
		},
		{
			"nulls, comments and other choices",
			": wait\n\n" + sse(`{"id":null,"model":null,"choices":[{"index":0,"delta":{"role":"assistant","content":"hi","tool_calls":null},"finish_reason":null},{"index":1,"delta":{"content":"other"}}],"usage":null}`, stop),
			[]model.Block{model.TextBlock("hi")},
			"end_turn", 0, "",
		},
		{
			"a line feed of Windows, no [DONE]",
			strings.ReplaceAll(sse(`{"choices":[{"delta":{"content":"hi"}}]}`, stop), "\n", "\r\n"),
			[]model.Block{model.TextBlock("hi")},
			"end_turn", 0, "",
		},
		{"refused", sse(`{"choices":[{"delta":{"refusal":"no"},"finish_reason":"content_filter"}]}`), []model.Block{model.TextBlock("no")}, "refusal", 0, ""},

		{"ends without a reason", sse(`{"choices":[{"delta":{"content":"hi"}}]}`) + "data: [DONE]\n\n", nil, "", model.Unreachable, "in the middle"},
		{"arguments that are a number", sse(calls(`{"function":{"name":"Bash","arguments":7}}`), stop), nil, "", model.Nonsense, "neither"},
		{"an error in the middle", sse(`{"choices":[]}`, `{"error":{"message":"MARK","type":"rate_limit_error","code":"rate_limit_exceeded"}}`), nil, "", model.RateLimited, "MARK"},
		{"an error with a number", sse(`{"choices":[]}`, `{"error":{"message":"MARK","code":429}}`), nil, "", model.RateLimited, "MARK"},
		{"an error beside other things", sse(`{"id":"x","error":"MARK","choices":[]}`), nil, "", model.ServerFault, "MARK"},
		{"an error behind other things", sse(`{"id":"x","error":{"code":"invalid_api_key","message":"MARK","type":"x"},"choices":[]}`), nil, "", model.Unauthorized, "MARK"},
		{"an error behind other things, with a number", sse(`{"id":"x","error":{"code":400,"message":"MARK"},"choices":[]}`), nil, "", model.BadRequest, "MARK"},
		{"an error whose code says nothing", sse(`{"id":"x","error":{"code":"odd","type":"rate_limit_error","message":"MARK"}}`), nil, "", model.RateLimited, "MARK"},
		{"an error without a code", sse(`{"id":"x","error":{"code":null,"type":"authentication_error","message":"MARK"}}`), nil, "", model.Unauthorized, "MARK"},
		{"an error without words", sse(`{"id":"x","error":{"code":429}}`), nil, "", model.RateLimited, "429"},
		{"an error after a comment", ": wait\n\n" + sse(`{"error":{"message":"MARK","code":429}}`), nil, "", model.RateLimited, "MARK"},
		{"no error", sse(`{"error":null,"choices":[{"delta":{"content":"hi"}}]}`, stop), []model.Block{model.TextBlock("hi")}, "end_turn", 0, ""},
		{"a call without a name", sse(calls(`{"index":0,"id":"x","function":{"arguments":"{}"}}`), stop), nil, "", model.Nonsense, "names no tool"},
		{"a name that comes late", sse(calls(`{"index":0,"id":"x","function":{"arguments":"{"}}`), calls(`{"index":0,"function":{"name":"Bash","arguments":"}"}}`), stop), []model.Block{model.Call("x", "Bash", "{}")}, "tool_use", 0, ""},
		{"it says that it failed", sse(ends("error")), nil, "", model.Unreachable, `"error"`},
		{"it was ended", sse(ends("abort")), nil, "", model.Unreachable, "in the middle"},
		{"another word for the end", sse(ends("eos_token")), []model.Block{model.TextBlock("half a sen")}, "end_turn", 0, ""},
		{"another word for too long", sse(ends("MAX_TOKENS")), []model.Block{model.TextBlock("half a sen")}, "max_tokens", 0, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, _ := open(t, modeltest.Reply{Raw: test.raw})
			turn, err := p.Ask(t.Context(), modeltest.Ask(), nil)
			if test.kind != 0 {
				got, ok := errors.AsType[*model.Error](err)
				if !ok || got.Kind != test.kind || !strings.Contains(got.Error(), test.says) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(turn.Content, test.want) || turn.StopReason != test.stop {
				t.Errorf("got %+v, %v", turn, err)
			}
			if turn.Model == "" || turn.ID == "" {
				t.Errorf("got %+v", turn)
			}
		})
	}
}

// A server that counts its calls anew in every turn would have two of one id.
func TestIDsAreUniqueInAConversation(t *testing.T) {
	p, _ := open(t, modeltest.Reply{Raw: sse(calls(`{"id":"call_0","function":{"name":"Bash","arguments":"{}"}},{"function":{"name":"Bash"}}`), stop)})
	messages := modeltest.Ask().Messages
	var ids []string
	for range 3 {
		turn, err := p.Ask(t.Context(), modeltest.Ask(messages...), nil)
		if err != nil {
			t.Fatal(err)
		}
		var results []model.Block
		for _, b := range turn.Content {
			ids = append(ids, b.ID)
			results = append(results, model.Result(b.ID, "ok"))
		}
		messages = append(messages, model.Message{Role: model.Assistant, Content: turn.Content}, model.Message{Role: model.User, Content: results})
	}
	want := []string{"call_0", "call_1_1", "call_3_1", "call_3_2", "call_5_1", "call_5_2"}
	if !reflect.DeepEqual(ids, want) {
		t.Errorf("got %q, want %q", ids, want)
	}
}

func TestRequest(t *testing.T) {
	p, server := open(t, modeltest.Say("x"))
	r := model.Request{
		Model: "llama3", System: "Be brief.", MaxTokens: 100,
		Tools: []model.Tool{{Name: "Bash", Description: "runs", Schema: []byte(`{"type":"object","b":1,"a":2}`)}},
		Messages: []model.Message{
			{Role: model.User, Content: []model.Block{model.TextBlock("hi"), model.TextBlock("there")}},
			{Role: model.Assistant, Content: []model.Block{
				{Kind: "thinking", Raw: []byte(`{"type":"thinking","thinking":"hm"}`)},
				model.TextBlock("ok"), model.Call("t1", "Bash", `{"command":"ls"}`), model.Call("t2", "Bash", `{"a":1,"a":2}`),
			}},
			{Role: model.User, Content: []model.Block{
				model.TextBlock("look"),
				model.Result("t1", "fine"),
				{Kind: model.ToolResult, ToolUseID: "t2", Result: []model.Block{
					{Kind: "image", Raw: []byte(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}`)},
				}},
			}},
		},
	}
	if _, err := p.Ask(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	want := `{"model":"llama3","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hi\nthere"},` +
		`{"role":"assistant","content":"ok","tool_calls":[{"id":"t1","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls\"}"}},` +
		`{"id":"t2","type":"function","function":{"name":"Bash","arguments":"{}"}}]},` +
		`{"role":"tool","content":"fine","tool_call_id":"t1"},{"role":"tool","content":"(no output)","tool_call_id":"t2"},` +
		`{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}],` +
		`"max_tokens":100,"stream":true,"tools":[{"function":{"name":"Bash","description":"runs","parameters":{"type":"object","b":1,"a":2}},"type":"function"}],` +
		`"stream_options":{"include_usage":true}}`
	got := server.Requests()[0]
	if strings.TrimSpace(string(got.Body)) != want {
		t.Errorf("got\n%s\nwant\n%s", got.Body, want)
	}
	if got.Path != "/v1/chat/completions" || got.Header.Get("Authorization") != "Bearer "+modeltest.Key {
		t.Errorf("got %s, %v", got.Path, got.Header)
	}
}

func TestALocalServerNeedsNoKey(t *testing.T) {
	server := modeltest.Chat(t, modeltest.Say("x"))
	p := openai.New(openai.Options{BaseURL: server.URL, Client: server.Client})
	if _, err := p.Ask(t.Context(), modeltest.Ask(), nil); err != nil {
		t.Fatal(err)
	}
	if got := server.Requests()[0].Header.Get("Authorization"); got != "" {
		t.Errorf("sent %q", got)
	}
}

func TestTheNewerNameOfTheLimit(t *testing.T) {
	p, server := open(t, modeltest.Say("x"))
	r := modeltest.Ask()
	r.Model, r.MaxTokens = "gpt-5-mini", 77
	if _, err := p.Ask(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	if body := string(server.Requests()[0].Body); !strings.Contains(body, `"max_completion_tokens":77`) || strings.Contains(body, `"max_tokens"`) {
		t.Error(body)
	}
}

// Servers refuse messages in which there is nothing.
func TestRequest_NothingInIt(t *testing.T) {
	p, server := open(t, modeltest.Say("x"))
	r := model.Request{Model: "m", System: "\n", Messages: []model.Message{
		{Role: model.User, Content: []model.Block{model.TextBlock("hi")}},
		{Role: model.Assistant, Content: []model.Block{{Kind: "thinking", Raw: []byte(`{"type":"thinking","thinking":"hm"}`)}, model.TextBlock(" ")}},
		{Role: model.User, Content: []model.Block{model.TextBlock("again")}},
		{Role: model.Assistant, Content: []model.Block{model.Call("t", "Bash", `{}`)}},
		{Role: model.User, Content: []model.Block{model.Result("t", " \n"), model.TextBlock(" ")}},
	}}
	if _, err := p.Ask(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	const want = `"messages":[{"role":"user","content":"hi\nagain"},` +
		`{"role":"assistant","tool_calls":[{"id":"t","type":"function","function":{"name":"Bash","arguments":"{}"}}]},` +
		`{"role":"tool","content":"(no output)","tool_call_id":"t"}],`
	if got := string(server.Requests()[0].Body); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestErrorsOfOtherServers(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":"model \"x\" not found, MARK"}`: `model "x" not found, MARK`,
		`{"message":"MARK"}`:                      "404: MARK",
		`MARK page not found`:                     "404: MARK page not found",
		`{"error":{"message":"MARK"}}`:            "404: MARK",
		`{"error":{"code":"x"}}`:                  "404",
		``:                                        "404",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, body)
		}))
		p := openai.New(openai.Options{BaseURL: server.URL, Client: server.Client()})
		_, err := p.Ask(t.Context(), modeltest.Ask(), nil)
		if got, ok := errors.AsType[*model.Error](err); !ok || got.Kind != model.NotFound || !strings.Contains(got.Text, want) {
			t.Errorf("%s: got %v", body, err)
		}
		server.Close()
	}
}

// What the SDK refuses to send is not taken for a broken connection and tried again.
func TestAModelThatTakesNoTools(t *testing.T) {
	p, server := open(t, modeltest.Say("x"))
	r := modeltest.Ask()
	r.Model = "gpt-6-sol"
	_, err := p.Ask(t.Context(), r, nil)
	got, ok := errors.AsType[*model.Error](err)
	if !ok || got.Kind != model.BadRequest || !strings.Contains(got.Text, "Responses API") || len(server.Requests()) != 0 {
		t.Errorf("got %v", err)
	}
}
