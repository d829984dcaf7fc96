package modeltest

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/model"
	"go.uber.org/goleak"
)

// Subject is a provider under test.
type Subject struct {
	// Open makes a provider that gets these replies. The server is nil for a provider
	// that has none; what needs one is left out then.
	Open func(t testing.TB, replies ...Reply) (model.Provider, *Server)
	// Usage is what a complete answer costs.
	Usage model.Usage
}

// Ask is a request that is good enough for most tests.
func Ask(messages ...model.Message) model.Request {
	if messages == nil {
		messages = []model.Message{{Role: model.User, Content: []model.Block{model.TextBlock("hello")}}}
	}
	return model.Request{
		Model: "test", System: "Be brief.", Messages: messages,
		Tools: []model.Tool{
			{Name: "Bash", Description: "runs commands", Schema: []byte(`{"type":"object","properties":{"command":{"type":"string"}}}`)},
			{Name: "Read", Description: "reads files", Schema: []byte(`{"type":"object"}`)},
		},
	}
}

// Run is the suite.
func Run(t *testing.T, s Subject) {
	t.Run("turns", s.turns)
	t.Run("deltas only when asked for", s.deltasOnlyWhenAskedFor)
	t.Run("input that no program would write", s.inputs)
	t.Run("errors", s.errors)
	t.Run("tried again", s.triedAgain)
	t.Run("cancelled", s.cancelled)
	t.Run("cancelled before", s.cancelledBefore)
	t.Run("side by side", s.sideBySide)
	if _, server := s.Open(t, Say("x")); server == nil {
		return
	}
	t.Run("streams that break", s.broken)
	t.Run("answers without an end", s.endless)
	t.Run("same bytes", s.sameBytes)
	t.Run("no redirects", s.noRedirects)
	t.Run("the key in what a server says", s.secrets)
	t.Run("ids and names of calls", s.callNames)
}

const unicode = "Grüße, 世界! 👩‍👩‍👧 \u2028 \x00 <b>&amp;</b> \"quoted\" \\ tail"

func (s Subject) turns(t *testing.T) {
	long := strings.Repeat("A long text with many words. ", 200)
	tests := []struct {
		name   string
		blocks []model.Block
		stop   string
	}{
		{"text", []model.Block{model.TextBlock("Hello there.")}, "end_turn"},
		{"unicode", []model.Block{model.TextBlock(strings.ReplaceAll(unicode, "\x00", ""))}, "end_turn"},
		{"long", []model.Block{model.TextBlock(long)}, "end_turn"},
		{"call", []model.Block{Call("toolu_1", "Bash", `{"command":"ls -l"}`)}, "tool_use"},
		{"call with unicode", []model.Block{Call("toolu_1", "Bash", `{"command":"echo 'Grüße 世界 👩‍👩‍👧' \u0000 \ud83d\ude00"}`)}, "tool_use"},
		{"text and call", []model.Block{model.TextBlock("I look."), Call("toolu_1", "Read", `{"file_path":"/a"}`)}, "tool_use"},
		{"parallel calls", []model.Block{
			model.TextBlock("Both."),
			Call("toolu_1", "Read", `{"file_path":"/a","n":1.50e3,"deep":{"list":[1,null,true,"x"]}}`),
			Call("toolu_2", "Bash", `{"command":"sleep 1; echo done"}`),
			Call("toolu_3", "Bash", `{}`),
		}, "tool_use"},
		{"cut off", []model.Block{model.TextBlock("It goes on and")}, "max_tokens"},
		{"refused", []model.Block{model.TextBlock("No.")}, "refusal"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, _ := s.Open(t, Reply{Blocks: test.blocks, Stop: test.stop})
			r := Ask()
			r.Partial = true
			var events []model.Event
			turn, err := p.Ask(t.Context(), r, func(e model.Event) { events = append(events, e) })
			if err != nil {
				t.Fatal(err)
			}
			var want []model.Block
			for _, b := range test.blocks {
				if b.Kind == model.ToolUse {
					b = model.Call(b.ID, b.Name, string(b.Input))
				}
				want = append(want, b)
			}
			if !reflect.DeepEqual(turn.Content, want) {
				t.Errorf("content\n%+v\nwant\n%+v", turn.Content, want)
			}
			if turn.StopReason != test.stop || turn.ID == "" || turn.Model == "" || turn.Usage != s.Usage {
				t.Errorf("turn %+v, want stop reason %q and usage %+v", turn, test.stop, s.Usage)
			}
			rebuilt, err := Rebuild(events)
			if err != nil || !reflect.DeepEqual(rebuilt, turn.Content) {
				t.Errorf("the deltas make\n%+v, %v", rebuilt, err)
			}
			if test.name == "long" && len(events) < 100 {
				t.Errorf("a long text comes in %d events", len(events))
			}
		})
	}
}

func (s Subject) deltasOnlyWhenAskedFor(t *testing.T) {
	p, _ := s.Open(t, Say("Hello there."))
	turn, err := p.Ask(t.Context(), Ask(), func(e model.Event) { t.Errorf("got %T", e) })
	if err != nil || model.PlainText(turn.Content) != "Hello there." {
		t.Errorf("got %+v, %v", turn, err)
	}
	r := Ask()
	r.Partial = true
	if _, err := p.Ask(t.Context(), r, nil); err != nil {
		t.Errorf("nobody listens: %v", err)
	}
}

func (s Subject) inputs(t *testing.T) {
	tests := []struct{ name, input, want, garbled string }{
		{"a key twice", `{"command":"ls","command":"rm -rf /"}`, `{"command":"ls","command":"rm -rf /"}`, ""},
		{"a key twice, escaped", `{"command":"ls","\u0063ommand":"rm"}`, `{"command":"ls","\u0063ommand":"rm"}`, ""},
		{"a key twice, deep", `{"a":[{"b":1,"b":2}]}`, `{"a":[{"b":1,"b":2}]}`, ""},
		{"blanks", "{ \"a\" : 1 }", `{"a":1}`, ""},
		{"nothing", "", "{}", ""},
		{"only blanks", " \n", "{}", ""},
		{"cut off", `{"command":"ls`, "{}", `{"command":"ls`},
		{"a list", `[1]`, "{}", `[1]`},
		{"a text", `"ls"`, "{}", `"ls"`},
		{"null", `null`, "{}", `null`},
		{"no JSON", `command: ls`, "{}", `command: ls`},
		{"two objects", `{}{}`, "{}", `{}{}`},
		{"half a pair", `{"a":"\ud800"}`, "{}", `{"a":"\ud800"}`},
		{
			"too deep", `{"a":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`, "{}",
			`{"a":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, _ := s.Open(t, Reply{Blocks: []model.Block{Call("toolu_1", "Bash", test.input)}})
			turn, err := p.Ask(t.Context(), Ask(), nil)
			if err != nil || len(turn.Content) != 1 {
				t.Fatalf("got %+v, %v", turn, err)
			}
			if got := turn.Content[0]; string(got.Input) != test.want || got.Garbled != test.garbled {
				t.Errorf("input %s, garbled %q; want %s, %q", got.Input, got.Garbled, test.want, test.garbled)
			}
		})
	}
}

func (s Subject) errors(t *testing.T) {
	tests := []struct {
		status  int
		kind    model.ErrorKind
		outlook model.Outlook
		word    string
	}{
		{400, model.BadRequest, model.Lasting, "invalid_request"},
		{401, model.Unauthorized, model.Lasting, "authentication_failed"},
		{402, model.Unpaid, model.Lasting, "billing_error"},
		{403, model.Unauthorized, model.Lasting, "authentication_failed"},
		{404, model.NotFound, model.Lasting, "invalid_request"},
		{408, model.ServerFault, model.Passing, "server_error"},
		{409, model.ServerFault, model.Passing, "server_error"},
		{413, model.TooLong, model.Lasting, "invalid_request"},
		{422, model.BadRequest, model.Lasting, "invalid_request"},
		{429, model.RateLimited, model.Passing, "rate_limit"},
		{500, model.ServerFault, model.Passing, "server_error"},
		{502, model.ServerFault, model.Passing, "server_error"},
		{503, model.Overloaded, model.Passing, "server_error"},
		{529, model.Overloaded, model.Passing, "server_error"},
	}
	for _, test := range tests {
		reply := Fail(test.status, "it says MARK-bad\nthing")
		reply.RetryAfter = "3"
		p, _ := s.Open(t, reply)
		_, err := p.Ask(t.Context(), Ask(), nil)
		got, ok := errors.AsType[*model.Error](err)
		if !ok {
			t.Errorf("%d: got %v", test.status, err)
			continue
		}
		if got.Kind != test.kind || got.Outlook() != test.outlook || got.Word() != test.word || got.Status != test.status {
			t.Errorf("%d: got %+v, %v, %v", test.status, got, got.Outlook(), got.Word())
		}
		if !strings.Contains(got.Error(), "it says MARK-bad thing") || got.RetryAfter != 3000 {
			t.Errorf("%d: %q, again after %d ms", test.status, got, got.RetryAfter)
		}
	}
}

func (s Subject) triedAgain(t *testing.T) {
	p, _ := s.Open(t, Fail(529, "busy"), Fail(500, "broken"), Say("Here I am."))
	p = model.Retry(p, model.RetryOptions{First: time.Nanosecond})
	var seen []model.ErrorKind
	turn, err := p.Ask(t.Context(), Ask(), func(e model.Event) {
		seen = append(seen, e.(model.RetryEvent).Err.Kind)
	})
	if err != nil || model.PlainText(turn.Content) != "Here I am." {
		t.Errorf("got %+v, %v", turn, err)
	}
	if !reflect.DeepEqual(seen, []model.ErrorKind{model.Overloaded, model.ServerFault}) {
		t.Errorf("told of %v", seen)
	}
}

func (s Subject) cancelled(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Run("ask", func(t *testing.T) {
		reply := Say("I think about it.")
		reply.Ending = Hang
		p, server := s.Open(t, reply)
		ctx, cancel := context.WithCancel(t.Context())
		r := Ask()
		r.Partial = true
		failed := make(chan error, 1)
		begun := make(chan struct{}, 1000)
		go func() {
			_, err := p.Ask(ctx, r, func(model.Event) { begun <- struct{}{} })
			failed <- err
		}()
		if server != nil {
			<-begun // in the middle of the answer
		}
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}

func (s Subject) cancelledBefore(t *testing.T) {
	p, server := s.Open(t, Say("x"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Ask(ctx, Ask(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if server != nil && len(server.Requests()) != 0 {
		t.Error("the server was asked")
	}
}

func (s Subject) sideBySide(t *testing.T) {
	p, _ := s.Open(t, Say("Hello."), Say("Hello."), Say("Hello."), Say("Hello."))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			turn, err := p.Ask(t.Context(), Ask(), nil)
			if err != nil || model.PlainText(turn.Content) != "Hello." {
				t.Errorf("got %+v, %v", turn, err)
			}
		})
	}
	all.Wait()
}
