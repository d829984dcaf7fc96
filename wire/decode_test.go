package wire

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Generators of what messages hold. Nothing is empty where Encode writes the same for
// nothing.

func some[T any](t *rapid.T, one *rapid.Generator[T]) []T {
	list := rapid.SliceOfN(one, 0, 3).Draw(t, "list")
	return orNone(list)
}

func word(t *rapid.T) string {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "Bash", "a<b>\u2028", "\x00", "ü"}), rapid.String()).Draw(t, "word")
}

func stampOf(t *rapid.T) Stamp { return Stamp{SessionID: word(t), UUID: word(t)} }

var values = rapid.SampledFrom([]strictjson.Raw{
	strictjson.Raw(`{}`), strictjson.Raw(`{"a":[1,2.50,"x"]}`), strictjson.Raw(`"Error: no"`), strictjson.Raw(`[{"type":"text"}]`), strictjson.Raw(`{"b":"\u0041"}`),
})

var objects = rapid.SampledFrom([]strictjson.Raw{strictjson.Raw(`{}`), strictjson.Raw(`{"command":"ls"}`), strictjson.Raw(`{"b":1.50,"a":{"c":null}}`)})

var blocks = rapid.Custom(func(t *rapid.T) model.Block {
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return model.TextBlock(word(t))
	case 1:
		return model.Call(word(t), word(t), string(objects.Draw(t, "input")))
	case 2:
		b := model.Result(word(t), word(t))
		b.IsError = rapid.Bool().Draw(t, "error")
		return b
	}
	return model.Block{Kind: "thinking", Raw: strictjson.Raw(`{"type":"thinking","thinking":"hm","signature":"a=="}`)}
})

func usage(t *rapid.T) model.Usage {
	n := rapid.IntRange(0, 1<<40)
	return model.Usage{InputTokens: n.Draw(t, "in"), OutputTokens: n.Draw(t, "out"), CacheCreationInputTokens: n.Draw(t, "made"), CacheReadInputTokens: n.Draw(t, "read")}
}

// generators make a message of each type.
var generators = map[string]func(t *rapid.T) Message{
	"init": func(t *rapid.T) Message {
		words := rapid.Custom(word)
		return &Init{
			Cwd: word(t), Tools: some(t, words), MCPServers: some(t, rapid.Custom(func(t *rapid.T) MCPServer { return MCPServer{word(t), word(t)} })), Model: word(t),
			PermissionMode: word(t), SlashCommands: some(t, words), APIKeySource: word(t), Version: word(t), OutputStyle: word(t), Agents: some(t, words),
			Skills: some(t, words), Plugins: some(t, words), Stamp: stampOf(t),
		}
	},
	"assistant": func(t *rapid.T) Message {
		return &Assistant{
			TurnID: word(t), Model: word(t), Block: blocks.Draw(t, "block"), Usage: usage(t), ParentToolUseID: word(t), Error: word(t), Stamp: stampOf(t),
		}
	},
	"user": func(t *rapid.T) Message {
		m := &User{Content: some(t, blocks), ParentToolUseID: word(t), Synthetic: rapid.Bool().Draw(t, "s"), Replay: rapid.Bool().Draw(t, "r"), Stamp: stampOf(t)}
		if rapid.Bool().Draw(t, "result") {
			m.ToolUseResult = values.Draw(t, "value")
		}
		return m
	},
	"result": func(t *rapid.T) Message {
		m := &Result{
			Subtype: rapid.SampledFrom([]Subtype{Success, ErrorDuringExecution, ErrorMaxTurns}).Draw(t, "subtype"), IsError: rapid.Bool().Draw(t, "error"),
			DurationMS: rapid.Int64Range(0, 1<<50).Draw(t, "ms"), DurationAPIMS: rapid.Int64Range(0, 1<<50).Draw(t, "api"), NumTurns: rapid.IntRange(0, 99).Draw(t, "turns"),
			StopReason: word(t), TotalCostUSD: rapid.Float64Range(0, 1e6).Draw(t, "cost"), Usage: usage(t),
			Denials: some(t, rapid.Custom(func(t *rapid.T) Denial {
				return Denial{ToolName: word(t), ToolUseID: word(t), ToolInput: objects.Draw(t, "input")}
			})),
			Errors:   some(t, rapid.Custom(word)),
			Deferred: some(t, rapid.Custom(func(t *rapid.T) Deferred { return Deferred{word(t), word(t), objects.Draw(t, "input")} })), Stamp: stampOf(t),
		}
		if m.Subtype == Success {
			m.Text = word(t)
		}
		if rapid.Bool().Draw(t, "usage") {
			m.ModelUsage = map[string]ModelUsage{word(t): {InputTokens: 1, OutputTokens: 2, CacheReadInputTokens: 3, CacheCreationInputTokens: 4, WebSearchRequests: 5, CostUSD: 0.25, ContextWindow: 6}}
		}
		return m
	},
	"hook_started": func(t *rapid.T) Message {
		return &HookStarted{HookID: word(t), HookName: word(t), HookEvent: word(t), Stamp: stampOf(t)}
	},
	"hook_response": func(t *rapid.T) Message {
		m := &HookResponse{HookID: word(t), HookName: word(t), HookEvent: word(t), Output: word(t), Stdout: word(t), Stderr: word(t), Outcome: word(t), Stamp: stampOf(t)}
		if rapid.Bool().Draw(t, "exit") {
			m.ExitCode = new(rapid.IntRange(0, 255).Draw(t, "code"))
		}
		return m
	},
	"status": func(t *rapid.T) Message {
		return &Status{PermissionMode: rapid.SampledFrom([]string{"default", "plan"}).Draw(t, "mode"), Stamp: stampOf(t)}
	},
	"api_retry": func(t *rapid.T) Message {
		return &APIRetry{
			Attempt: rapid.IntRange(0, 9).Draw(t, "n"), MaxRetries: rapid.IntRange(0, 9).Draw(t, "max"), RetryDelayMS: rapid.Int64Range(0, 1<<40).Draw(t, "ms"),
			ErrorStatus: rapid.IntRange(0, 599).Draw(t, "status"), Error: word(t), Stamp: stampOf(t),
		}
	},
	"compact_boundary": func(t *rapid.T) Message {
		return &CompactBoundary{Trigger: word(t), PreTokens: rapid.IntRange(0, 1<<40).Draw(t, "n"), Stamp: stampOf(t)}
	},
	"informational": func(t *rapid.T) Message {
		return &Informational{Level: word(t), Text: word(t), Stamp: stampOf(t)}
	},
	"tool_progress": func(t *rapid.T) Message {
		f := rapid.Float64Range(0, 1e9)
		return &ToolProgress{
			ToolUseID: word(t), ToolName: word(t), ParentToolUseID: word(t), ElapsedSeconds: f.Draw(t, "s"), Done: f.Draw(t, "done"), Total: f.Draw(t, "total"),
			Message: word(t), Stamp: stampOf(t),
		}
	},
	"stream_event": func(t *rapid.T) Message {
		return &StreamEvent{Event: objects.Draw(t, "event"), ParentToolUseID: word(t), Stamp: stampOf(t)}
	},
	"unknown": func(t *rapid.T) Message {
		kind, stamp := "vendor_"+word(t), stampOf(t)
		text, err := strictjson.Marshal(map[string]any{"type": kind, "subtype": "new", "session_id": stamp.SessionID, "uuid": stamp.UUID, "more": 7})
		if err != nil {
			t.Fatal(err)
		}
		return &Unknown{Type: kind, Subtype: "new", Raw: text, Stamp: stamp}
	},
}

// What is written is read as it was, for every type of message.
func TestW1_DecodeIsTheWayBack(t *testing.T) {
	for name, draw := range generators {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := draw(t)
				line, err := Encode(m)
				if err != nil {
					t.Fatal(err)
				}
				back, err := Decode(line)
				if err != nil {
					t.Fatalf("%v\n%s", err, line)
				}
				if !reflect.DeepEqual(back, m) {
					t.Fatalf("%s\nwas  %#v\nis   %#v", line, m, back)
				}
				if SessionOf(back) != m.stamp().SessionID {
					t.Fatal("another session")
				}
			})
		})
	}
}

// Every type that Encode knows has a generator above: a new one cannot be forgotten.
func TestW1_EveryMessageHasAWayBack(t *testing.T) {
	covered := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		for _, draw := range generators {
			covered[reflect.TypeOf(draw(t)).Elem().Name()] = true
		}
	})
	source, err := os.ReadFile("encode.go")
	if err != nil {
		t.Fatal(err)
	}
	known := regexp.MustCompile(`case \*(\w+):`).FindAllSubmatch(source, -1)
	for _, found := range known {
		if name := string(found[1]); !covered[name] {
			t.Errorf("nothing reads a %s", name)
		}
	}
	if len(known) < len(covered) {
		t.Errorf("Encode knows %d types, and %d are read", len(known), len(covered))
	}
}

// What others say beyond what is known does not keep anybody from reading the rest.
func TestW1_DecodeReadsWhatOthersAdd(t *testing.T) {
	for name, tt := range map[string]struct {
		line string
		want Message
	}{
		"more members":            {`{"type":"result","subtype":"success","is_error":false,"result":"done","terminal_reason":"completed","usage":{"input_tokens":3,"server_tool_use":{"web_search_requests":0},"service_tier":null},"session_id":"s"}`, &Result{Subtype: Success, Text: "done", Usage: model.Usage{InputTokens: 3}, Stamp: Stamp{SessionID: "s"}}},
		"plugins with paths":      {`{"type":"system","subtype":"init","plugins":[{"name":"p","path":"/x"}],"fast_mode_state":"off"}`, &Init{Plugins: []string{"p"}}},
		"content that is a text":  {`{"type":"user","message":{"role":"user","content":"hi"},"parent_tool_use_id":null}`, &User{Content: []model.Block{model.TextBlock("hi")}}},
		"a type":                  {`{"type":"rate_limit_event","uuid":"u","info":{}}`, &Unknown{Type: "rate_limit_event", Raw: strictjson.Raw(`{"type":"rate_limit_event","uuid":"u","info":{}}`), Stamp: Stamp{UUID: "u"}}},
		"a subtype":               {`{"type":"system","subtype":"task_started"}`, &Unknown{Type: "system", Subtype: "task_started", Raw: strictjson.Raw(`{"type":"system","subtype":"task_started"}`)}},
		"a status without a mode": {`{"type":"system","subtype":"status","status":"compacting"}`, &Unknown{Type: "system", Subtype: "status", Raw: strictjson.Raw(`{"type":"system","subtype":"status","status":"compacting"}`)}},
		"several blocks":          {`{"type":"assistant","message":{"content":[]}}`, &Unknown{Type: "assistant", Raw: strictjson.Raw(`{"type":"assistant","message":{"content":[]}}`)}},
		"half a millisecond":      {`{"type":"system","subtype":"api_retry","attempt":1,"retry_delay_ms":512.5,"error_status":null}`, &APIRetry{Attempt: 1, RetryDelayMS: 512}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Decode([]byte(tt.line))
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%#v, %v", got, err)
			}
		})
	}
}

func TestW1_DecodeRefusesWhatTwoReadersCouldReadDifferently(t *testing.T) {
	for name, tt := range map[string]struct{ line, want string }{
		"a key twice":           {`{"type":"result","is_error":true,"is_error":false}`, "twice"},
		"a key twice inside":    {`{"type":"other","more":{"a":1,"a":2}}`, "twice"},
		"no UTF-8":              {"{\"type\":\"other\",\"a\":\"\xff\"}", "UTF-8"},
		"no object":             {`["result"]`, "no object"},
		"no JSON":               {`Segmentation fault`, ""},
		"two values":            {`{"type":"x"}{"type":"y"}`, ""},
		"a type that is none":   {`{"type":7}`, "string"},
		"a member of two kinds": {`{"type":"result","num_turns":"many"}`, "result"},
	} {
		t.Run(name, func(t *testing.T) {
			if m, err := Decode([]byte(tt.line)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%#v, %v", m, err)
			}
		})
	}
	long := append([]byte(`{"type":"x","a":"`), make([]byte, MaxLine)...)
	if _, err := Decode(long); !errors.Is(err, strictjson.ErrLineTooLong) {
		t.Errorf("a line that is too long: %v", err)
	}
}

func TestW5_ReadControl(t *testing.T) {
	for line, want := range map[string]Control{
		`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","x":1}}`:                       {Kind: Asked, ID: "1", Subtype: "can_use_tool", Body: strictjson.Raw(`{"subtype":"can_use_tool","x":1}`)},
		`{"type":"control_cancel_request","request_id":"1"}`:                                                           {Kind: Withdrawn, ID: "1"},
		`{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"mode":"plan"}}}`:     {Kind: Answered, ID: "1", Body: strictjson.Raw(`{"mode":"plan"}`)},
		`{"type":"control_response","response":{"subtype":"error","request_id":"1","error":"no such mode","more":{}}}`: {Kind: Refused, ID: "1", Failure: "no such mode"},
	} {
		got, ok, err := ReadControl([]byte(line))
		if !ok || err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, %v", line, got, ok, err)
		}
	}
	for _, line := range []string{`{"type":"result"}`, `nonsense`, `{"type":"control_request","type":"x"}`, `[]`, ``} {
		if got, ok, err := ReadControl([]byte(line)); ok || err != nil {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
	for _, line := range []string{
		`{"type":"control_request","request_id":"1"}`, `{"type":"control_response"}`, `{"type":"control_request","request_id":7,"request":{}}`,
		`{"type":"control_request","request_id":"1","request":[]}`,
	} {
		if got, ok, err := ReadControl([]byte(line)); !ok || err == nil {
			t.Errorf("%s: %+v, %v", line, got, ok)
		}
	}
}

// Whatever a program prints, reading it ends, and what was read can be written.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"type":"result","subtype":"success"}`, `{"type":"system","subtype":"init","plugins":[{}]}`, `{"type":"assistant","message":{"content":[{"type":"text"}]}}`,
		`{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}`, `{"type":"control_response","response":{}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		_, _, _ = ReadControl(line)
		m, err := Decode(line)
		if err != nil {
			return
		}
		text, err := Encode(m)
		if err != nil {
			t.Fatalf("%s was read and cannot be written: %v", line, err)
		}
		if _, err := Decode(text); err != nil {
			t.Fatalf("%s was written and cannot be read: %v", text, err)
		}
	})
}
