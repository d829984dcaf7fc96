package anthropic_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/anthropic"
	"github.com/assent-dev/assent/model/modeltest"
)

const start = `{"type":"message_start","message":{"id":"m","model":"c","usage":{"input_tokens":3,"output_tokens":1}}}`

// sse is a stream of events.
func sse(events ...string) string {
	var out strings.Builder
	for _, e := range events {
		fmt.Fprintf(&out, "event: x\ndata: %s\n\n", e)
	}
	return out.String()
}

func block(i int, head string, deltas ...string) []string {
	out := []string{fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, head)}
	for _, d := range deltas {
		out = append(out, fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, i, d))
	}
	return append(out, fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
}

func whole(blocks ...[]string) string {
	events := []string{start}
	for _, b := range blocks {
		events = append(events, b...)
	}
	return sse(append(events, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}`, `{"type":"message_stop"}`)...)
}

func TestStreams(t *testing.T) {
	tests := []struct {
		name, raw string
		want      []model.Block
		kind      model.ErrorKind // when it is an error
		says      string
	}{
		{
			"thinking stays as it is",
			whole(block(0, `{"type":"thinking","thinking":"","signature":""}`,
				`{"type":"thinking_delta","thinking":"I \u0074"}`, `{"type":"thinking_delta","thinking":"hink"}`, `{"type":"signature_delta","signature":"Eq/="}`)),
			[]model.Block{{Kind: "thinking", Raw: []byte(`{"type":"thinking","thinking":"I think","signature":"Eq/="}`)}},
			0, "",
		},
		{
			"a signature that was not announced",
			whole(block(0, `{"type":"thinking","thinking":"a"}`, `{"type":"signature_delta","signature":"b"}`)),
			[]model.Block{{Kind: "thinking", Raw: []byte(`{"type":"thinking","thinking":"a","signature":"b"}`)}},
			0, "",
		},
		{
			"a kind that nobody knows",
			whole(block(0, `{"type":"redacted_thinking","data":"x\/y","n":1.0}`)),
			[]model.Block{{Kind: "redacted_thinking", Raw: []byte(`{"type":"redacted_thinking","data":"x\/y","n":1.0}`)}},
			0, "",
		},
		{
			"a call of the server itself",
			whole(block(0, `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`, `{"type":"input_json_delta","partial_json":"{\"query\":"}`, `{"type":"input_json_delta","partial_json":"\"x\"}"}`)),
			[]model.Block{{Kind: "server_tool_use", Raw: []byte(`{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"x"}}`)}},
			0, "",
		},
		{
			"a whole call at its start",
			whole(block(0, `{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}`)),
			[]model.Block{model.Call("t", "Bash", `{"command":"ls"}`)},
			0, "",
		},
		{
			"text at the start of a block",
			whole(block(0, `{"type":"text","text":"a"}`, `{"type":"text_delta","text":"b"}`)),
			[]model.Block{model.TextBlock("ab")},
			0, "",
		},
		{"an event of the future", whole(nil, []string{`{"type":"weather","degrees":21}`}), nil, 0, ""},
		{"no message_stop", sse(start, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}`), nil, 0, ""},

		{"ends in the middle", sse(append([]string{start}, block(0, `{"type":"text","text":""}`)...)...), nil, model.Unreachable, "in the middle"},
		{"ends in a block", sse(append([]string{start}, block(0, `{"type":"text","text":""}`)[:1]...)...), nil, model.Unreachable, "in the middle"},
		{"stops in a block", sse(start, block(0, `{"type":"text","text":""}`)[0], `{"type":"message_stop"}`), nil, model.Nonsense, "inside of block 0"},
		{"no start", sse(`{"type":"message_stop"}`), nil, model.Nonsense, "wrong time"},
		{"two starts", sse(start, start), nil, model.Nonsense, "wrong time"},
		{"a block out of order", sse(append([]string{start}, block(1, `{"type":"text","text":""}`)...)...), nil, model.Nonsense, "block 1"},
		{"a block inside of a block", sse(start, block(0, `{"type":"text"}`)[0], block(0, `{"type":"text"}`)[0]), nil, model.Nonsense, "block 0"},
		{"a delta for nothing", sse(start, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}`), nil, model.Nonsense, "not open"},
		{"a delta for another", sse(start, block(0, `{"type":"text"}`)[0], `{"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"x"}}`), nil, model.Nonsense, "not open"},
		{"a call without id", whole(block(0, `{"type":"tool_use","name":"Bash","input":{}}`)), nil, model.Nonsense, "no id"},
		{
			"two calls with one id",
			whole(block(0, `{"type":"tool_use","id":"t","name":"Bash","input":{}}`), block(1, `{"type":"tool_use","id":"t","name":"Read","input":{}}`)),
			nil, model.Nonsense, "one id",
		},
		{"a block without type", whole(block(0, `{}`)), nil, model.Nonsense, "no type"},
		{"a block that is none", whole(block(0, `7`)), nil, model.Nonsense, "object"},
		{"an error of an unknown kind", sse(start, `{"type":"error","error":{"type":"odd_error","message":"MARK"}}`), nil, model.ServerFault, "MARK"},
		{"an error about the key", sse(`{"type":"error","error":{"type":"authentication_error","message":"MARK"}}`), nil, model.Unauthorized, "MARK"},
		{"a limit", sse(start, `{"type":"error","error":{"type":"rate_limit_error","message":"MARK"}}`), nil, model.RateLimited, "MARK"},
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
			if err != nil || !reflect.DeepEqual(turn.Content, test.want) {
				t.Errorf("got %+v, %v", turn.Content, err)
			}
			if want := (model.Usage{InputTokens: 3, OutputTokens: 9}); turn.Usage != want {
				t.Errorf("usage %+v", turn.Usage)
			}
		})
	}
}

// A gateway that swallows the stream is asked for a whole answer.
func TestAServerThatDoesNotStream(t *testing.T) {
	const message = `{"id":"m","type":"message","role":"assistant","model":"c","content":[` +
		`{"type":"thinking","thinking":"a","signature":"b"},{"type":"text","text":"hi"},` +
		`{"type":"tool_use","id":"t","name":"Bash","input":{ "command":"ls"}}],"stop_reason":"tool_use","stop_sequence":null,` +
		`"usage":{"input_tokens":3,"output_tokens":9}}`
	want := []model.Block{
		{Kind: "thinking", Raw: []byte(`{"type":"thinking","thinking":"a","signature":"b"}`)},
		model.TextBlock("hi"), model.Call("t", "Bash", `{"command":"ls"}`),
	}
	for name, answersStream := range map[string]bool{"an empty stream": false, "a whole answer at once": true} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				asked = append(asked, string(body))
				if strings.Contains(string(body), `"stream":true`) && !answersStream {
					w.Header().Set("Content-Type", "text/event-stream")
					return
				}
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				io.WriteString(w, message)
			}))
			defer server.Close()
			p := anthropic.New(anthropic.Options{BaseURL: server.URL, Key: "k", Client: server.Client()})
			r := modeltest.Ask()
			r.Partial = true
			var deltas []string
			turn, err := p.Ask(t.Context(), r, func(e model.Event) { deltas = append(deltas, string(e.(model.Delta).JSON)) })
			if err != nil || !reflect.DeepEqual(turn.Content, want) || turn.StopReason != "tool_use" || turn.Usage.OutputTokens != 9 {
				t.Errorf("got %+v, %v", turn, err)
			}
			if n := len(asked); answersStream && n != 1 || !answersStream && n != 2 {
				t.Errorf("asked %q", asked)
			}
			if all := strings.Join(deltas, "\n"); !strings.Contains(all, `"signature":"b"`) || !strings.Contains(all, `"text_delta"`) || !strings.HasSuffix(all, `"message_stop"}`) {
				t.Errorf("deltas\n%s", all)
			}
		})
	}
}

// What is no model's answer, though its status says success, is not asked for again and
// again: the base URL is wrong.
func TestAPageThatIsNoAnswer(t *testing.T) {
	for name, answer := range map[string][2]string{
		"a page":           {"text/html", "<!doctype html><title>Hello</title>\n"},
		"nothing":          {"text/plain", ""},
		"an empty stream":  {"text/event-stream", ""},
		"half of a JSON":   {"application/json", `{"type":"message"`},
		"another JSON":     {"application/json", `{"status":"ok"}`},
		"JSON of no type":  {"text/plain", `{"status":"ok"}`},
		"a list":           {"application/json", `[]`},
		"the wrong shapes": {"application/json", `{"type":"message","content":"hi"}`},
	} {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			w.Header().Set("Content-Type", answer[0])
			io.WriteString(w, answer[1])
		}))
		p := anthropic.New(anthropic.Options{BaseURL: server.URL, Key: "k", Client: server.Client()})
		_, err := p.Ask(t.Context(), modeltest.Ask(), nil)
		server.Close()
		if got, ok := errors.AsType[*model.Error](err); !ok || got.Outlook() != model.Lasting || !strings.Contains(got.Error(), "base URL") || asked > 2 {
			t.Errorf("%s: asked %d times, got %v", name, asked, err)
		}
	}
}

// What a proxy says in its own words reaches the person.
func TestErrorsThatAreNoJSON(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		io.WriteString(w, "<html>\n<b>MARK-proxy</b>"+strings.Repeat("x", 1<<20))
	}))
	defer server.Close()
	p := anthropic.New(anthropic.Options{BaseURL: server.URL, Key: "k", Client: server.Client()})
	_, err := p.Ask(t.Context(), modeltest.Ask(), nil)
	got, ok := errors.AsType[*model.Error](err)
	if !ok || got.Kind != model.ServerFault || !strings.Contains(got.Text, "<html> <b>MARK-proxy</b>") || len(got.Text) > 2000 {
		t.Errorf("got %v", err)
	}
}

// A gateway may answer with an error and call it a success. It is what its words say.
func TestAnErrorThatSaysSuccess(t *testing.T) {
	tests := map[string]struct {
		body    string
		kind    model.ErrorKind
		outlook model.Outlook
	}{
		"overloaded":     {`{"type":"error","error":{"type":"overloaded_error","message":"MARK"}}`, model.Overloaded, model.Passing},
		"a limit":        {`{"type":"error","error":{"type":"rate_limit_error","message":"MARK"}}`, model.RateLimited, model.Passing},
		"a key":          {`{"type":"error","error":{"type":"authentication_error","message":"MARK"}}`, model.Unauthorized, model.Lasting},
		"too long":       {`{"type":"error","error":{"type":"request_too_large","message":"MARK"}}`, model.TooLong, model.Lasting},
		"without a type": {`{"error":{"type":"overloaded_error","message":"MARK"}}`, model.Overloaded, model.Passing},
		"a message":      {`{"type":"other","text":"MARK"}`, model.Nonsense, model.Lasting},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Retry-After", "7")
				io.WriteString(w, test.body)
			}))
			defer server.Close()
			p := anthropic.New(anthropic.Options{BaseURL: server.URL, Key: "k", Client: server.Client()})
			_, err := p.Ask(t.Context(), modeltest.Ask(), nil)
			got, ok := errors.AsType[*model.Error](err)
			if !ok || got.Kind != test.kind || got.Outlook() != test.outlook {
				t.Fatalf("got %v", err)
			}
			if test.kind != model.Nonsense && !strings.Contains(got.Text, "MARK") || test.outlook == model.Passing && got.RetryAfter != 7000 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// What a whole answer holds is checked like the pieces of a stream.
func TestCallsOfAWholeAnswer(t *testing.T) {
	for name, calls := range map[string]string{
		"one id":      `{"type":"tool_use","id":"t","name":"Bash","input":{}},{"type":"tool_use","id":"t","name":"Read","input":{}}`,
		"no id":       `{"type":"tool_use","name":"Bash","input":{}}`,
		"a long name": `{"type":"tool_use","id":"t","name":"` + strings.Repeat("x", 257) + `","input":{}}`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"id":"m","type":"message","role":"assistant","model":"c","content":[`+calls+`],"stop_reason":"tool_use"}`)
		}))
		p := anthropic.New(anthropic.Options{BaseURL: server.URL, Key: "k", Client: server.Client()})
		turn, err := p.Ask(t.Context(), modeltest.Ask(), nil)
		server.Close()
		if got, ok := errors.AsType[*model.Error](err); !ok || got.Kind != model.Nonsense {
			t.Errorf("%s: got %+v, %v", name, turn, err)
		}
	}
}
