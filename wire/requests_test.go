package wire

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
)

// line is a line of stdout, as far as these tests look at it.
type line struct {
	Type      string `json:"type"`
	RequestID string `json:"request_id"`
	Response  struct {
		Subtype   string         `json:"subtype"`
		RequestID string         `json:"request_id"`
		Response  strictjson.Raw `json:"response"`
		Error     string         `json:"error"`
	} `json:"response"`
	Request strictjson.Raw `json:"request"`
}

// talk is a host as the program sees it, with a test in its place.
type talk struct {
	t    *testing.T
	host *Host
	in   *io.PipeWriter
	out  *bufio.Reader
	over func()

	swallowed sync.Once
}

func newTalk(t *testing.T, handle Handler, opens ...Start) *talk {
	t.Helper()
	in, say := io.Pipe()
	hear, out := io.Pipe()
	o := NewOutput(out, "s", StreamJSON, true)
	k := &talk{t: t, host: NewHost(o, handle), in: say, out: bufio.NewReader(hear)}
	for _, start := range opens {
		k.host.OpensWith(start)
	}
	served := make(chan error, 1)
	go func() { served <- k.host.Serve(in) }()
	k.over = func() {
		say.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
		k.swallow()
		k.host.Settle()
		o.Close()
		out.Close()
	}
	return k
}

// swallow lets nobody look at what is still to come.
func (k *talk) swallow() {
	k.swallowed.Do(func() { go func() { _, _ = io.Copy(io.Discard, k.out) }() })
}

func (k *talk) say(text string) {
	k.t.Helper()
	if _, err := io.WriteString(k.in, text+"\n"); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) hear() line {
	k.t.Helper()
	text, err := k.out.ReadString('\n')
	if err != nil {
		k.t.Fatal(err)
	}
	var l line
	if err := strictjson.Unmarshal([]byte(strings.TrimSpace(text)), &l); err != nil {
		k.t.Fatalf("%s: %v", text, err)
	}
	return l
}

// A request that takes long does not keep the host from being heard, and ends when the
// host takes it back.
func TestW5_RequestsThatTakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		k := newTalk(t, func(r Request) (any, error) {
			if r.Subtype != "slow" {
				return "quick", nil
			}
			return Later(func(ctx context.Context) (any, error) {
				select {
				case <-free:
					return "slow", nil
				case <-ctx.Done():
					return "nonsense", nil
				}
			}), nil
		})
		defer k.over()
		k.say(`{"type":"control_request","request_id":"a","request":{"subtype":"slow"}}`)
		k.say(`{"type":"control_request","request_id":"b","request":{"subtype":"slow"}}`)
		k.say(`{"type":"control_request","request_id":"c","request":{"subtype":"quick"}}`)
		if l := k.hear(); l.Response.RequestID != "c" || string(l.Response.Response) != `"quick"` {
			t.Fatalf("%+v", l)
		}
		k.say(`{"type":"control_request","request_id":"b","request":{"subtype":"slow"}}`)
		if l := k.hear(); l.Response.RequestID != "b" || !strings.Contains(l.Response.Error, "in work already") {
			t.Fatalf("one id for two requests: %+v", l)
		}
		k.say(`{"type":"control_request","request_id":"b","request":{"subtype":"quick"}}`)
		if l := k.hear(); l.Response.RequestID != "b" || !strings.Contains(l.Response.Error, "in work already") {
			t.Fatalf("one id for a slow and a quick request: %+v", l)
		}
		k.say(`{"type":"control_cancel_request","request_id":"b"}`)
		k.say(`{"type":"control_cancel_request","request_id":"nobody"}`)
		if l := k.hear(); l.Response.RequestID != "b" || l.Response.Subtype != "error" || !strings.Contains(l.Response.Error, "taken back") {
			t.Fatalf("%+v", l)
		}
		close(free)
		if l := k.hear(); l.Response.RequestID != "a" || string(l.Response.Response) != `"slow"` {
			t.Fatalf("%+v", l)
		}
	})
}

// The end of the session ends requests, and each of them has an answer.
func TestW5_RequestsAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newTalk(t, func(Request) (any, error) {
			return Later(func(ctx context.Context) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}), nil
		})
		defer k.over()
		k.say(`{"type":"control_request","request_id":"a","request":{"subtype":"slow"}}`)
		synctest.Wait()
		settled := make(chan struct{})
		go func() {
			defer close(settled)
			k.host.Settle()
		}()
		if l := k.hear(); l.Response.RequestID != "a" || !strings.Contains(l.Response.Error, "session has ended") {
			t.Fatalf("%+v", l)
		}
		<-settled
		k.say(`{"type":"control_request","request_id":"late","request":{"subtype":"slow"}}`)
		if l := k.hear(); l.Response.RequestID != "late" || !strings.Contains(l.Response.Error, "session has ended") {
			t.Fatalf("%+v", l)
		}
	})
}

func TestW5_TooManyRequestsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newTalk(t, func(Request) (any, error) {
			return Later(func(ctx context.Context) (any, error) { <-ctx.Done(); return nil, nil }), nil
		})
		defer k.over()
		for i := range maxErrands + 1 {
			k.say(`{"type":"control_request","request_id":"` + strings.Repeat("x", i+1) + `","request":{"subtype":"slow"}}`)
		}
		if l := k.hear(); l.Response.RequestID != strings.Repeat("x", maxErrands+1) || !strings.Contains(l.Response.Error, "wait for their answers") {
			t.Fatalf("%+v", l)
		}
	})
}

// A callback that does not answer in time is taken back, and the call it was to judge is
// refused; so is it when the host goes away, or answers with an error.
func TestS19_CallbacksThatFail(t *testing.T) {
	for name, test := range map[string]struct {
		then func(k *talk, id string)
		says string
		back bool // the request is taken back
	}{
		"no answer in time": {func(*talk, string) {}, "within 2s", true},
		"an error": {func(k *talk, id string) {
			k.say(`{"type":"control_response","response":{"subtype":"error","request_id":"` + id + `","error":"it threw"}}`)
		}, "it threw", false},
		"nonsense": {func(k *talk, id string) {
			k.say(`{"type":"control_response","response":{"subtype":"success","request_id":"` + id + `","response":{"hookSpecificOutput":{"permissionDecision":"sure"}}}}`)
		}, "sure", false},
		"the host goes away": {func(k *talk, _ string) { k.in.Close() }, "the host is gone", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := newTalk(t, nil)
				defer k.over()
				entries, _, err := k.host.Entries(Initialize{Hooks: map[string][]HookMatcher{"PreToolUse": {{CallbackIDs: []string{"h1"}, Timeout: 2}}}})
				if err != nil {
					t.Fatal(err)
				}
				runner := hook.NewRunner(hook.Config{Entries: entries})
				defer runner.Close(context.Background())
				verdict := make(chan hook.Verdict, 1)
				go func() {
					verdict <- runner.Run(t.Context(), hook.Occasion{Input: hook.PreToolUseInput{ToolName: "Bash", ToolInput: []byte(`{"command":"ls"}`), ToolUseID: "t1"}})
				}()
				asked := k.hear()
				if asked.Type != "control_request" || !strings.Contains(string(asked.Request), `"callback_id":"h1"`) || !strings.Contains(string(asked.Request), `"tool_use_id":"t1"`) {
					t.Fatalf("%+v", asked)
				}
				go test.then(k, asked.RequestID)
				if test.back {
					if l := k.hear(); l.Type != "control_cancel_request" || l.RequestID != asked.RequestID {
						t.Errorf("%+v", l)
					}
				}
				v := <-verdict
				if len(v.Denials) != 1 || !strings.HasPrefix(v.Denials[0], "hook broken") || !strings.Contains(v.Denials[0], test.says) || v.Gone != (test.says == "the host is gone") {
					t.Errorf("%q", v.Denials)
				}
			})
		})
	}
}

func TestW5_Initialize(t *testing.T) {
	read := func(body string) (Initialize, error) { return ReadInitialize(Request{Body: []byte(body)}) }
	for body, want := range map[string]string{
		`{"systemPrompt":"a"}`:                        "a",
		`{"systemPrompt":["a","","b"]}`:               "a\n\nb",
		`{"systemPrompt":[]}`:                         "",
		`{"systemPrompt":"x","somethingNew":{"a":1}}`: "x",
		`{"systemPrompt":null}`:                       "",
	} {
		request, err := read(body)
		got := ""
		if request.SystemPrompt != nil {
			got = string(*request.SystemPrompt)
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", body, got, err)
		}
	}
	for _, body := range []string{`{"systemPrompt":7}`, `{"systemPrompt":[7]}`, `{"jsonSchema":{"type":"object"}}`, `{"hooks":[]}`, `{"sdkMcpServers":"x"}`} {
		if _, err := read(body); err == nil {
			t.Errorf("%s is accepted", body)
		}
	}
}

func TestW5_HooksOfAHost(t *testing.T) {
	h := NewHost(nil, nil)
	entries, notes, err := h.Entries(Initialize{Hooks: map[string][]HookMatcher{
		"Stop":        {{CallbackIDs: []string{"s"}, OnFailure: "block"}},
		"SessionEnd":  {{CallbackIDs: []string{"e"}, OnFailure: "block"}},
		"PreToolUse":  {{Matcher: "Bash", CallbackIDs: []string{"a", "b"}, Timeout: 1.5, OnFailure: "continue"}, {CallbackIDs: []string{"c"}}},
		"FileChanged": {{CallbackIDs: []string{"f"}}},
	}})
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "FileChanged") {
		t.Fatal(notes, err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, string(e.Event)+" "+e.Handler.(hook.Callback).ID+" "+e.Timeout.String()+" "+map[hook.OnFailure]string{hook.AsEvent: "as", hook.FailOpen: "open", hook.FailClosed: "closed"}[e.OnFailure])
	}
	if want := "PreToolUse a 1.5s open, PreToolUse b 1.5s open, PreToolUse c 0s as, SessionEnd e 0s closed, Stop s 0s as"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	for name, m := range map[string]HookMatcher{"PreToolUse": {Timeout: -1}, "preToolUse": {}, "Frobnicate": {}, "Stop": {OnFailure: "maybe"}} {
		if _, _, err := h.Entries(Initialize{Hooks: map[string][]HookMatcher{name: {m}}}); err == nil {
			t.Errorf("%s %+v is accepted", name, m)
		}
	}
}

func TestW5_RulesForServersOfTheHost(t *testing.T) {
	request := Initialize{Servers: []string{"pay"}, ServerConfigs: map[string]ServerConfig{
		"pay":   {Tools: []ToolPolicy{{"refund", "always_ask"}, {"drop", "always_deny"}, {"list", "always_allow"}, {"odd", "whatever"}}},
		"other": {Tools: []ToolPolicy{{"x", "always_deny"}}}, // not its own: rules only restrict
	}}
	deny, ask, err := request.Restrictions()
	if err != nil || strings.Join(deny, " ") != "mcp__other__x mcp__pay__drop" || strings.Join(ask, " ") != "mcp__pay__refund mcp__pay__odd" {
		t.Error(deny, ask, err)
	}
	request.ServerConfigs["pay"] = ServerConfig{Tools: []ToolPolicy{{"", "always_deny"}}}
	if _, _, err := request.Restrictions(); err == nil {
		t.Error("a policy for no tool is accepted")
	}
}

var errNever = errors.New("never")

// An interrupt is never lost: it ends the prompt in work, also one whose work has not
// begun, or the one that is next.
func TestW5_InterruptsAreNotLost(t *testing.T) {
	prompt := func(id string) Prompt { return Prompt{UUID: id} }
	fill := func(h *Host, ids ...string) {
		for _, id := range ids {
			if err := h.enqueue(prompt(id), 1); err != nil {
				panic(errors.Join(errNever, err))
			}
		}
	}
	next := func(h *Host) (string, error) {
		p, ok := h.Next(t.Context())
		if !ok {
			return "", errNever
		}
		ctx, done := h.Work(t.Context())
		defer done()
		return p.UUID, ctx.Err()
	}

	h := NewHost(nil, nil)
	if ids, _ := h.Interrupt(Kept); len(ids) != 0 {
		t.Error(ids)
	}
	fill(h, "a")
	if id, err := next(h); id != "a" || err != nil {
		t.Errorf("an interrupt with nothing to end has ended %s: %v", id, err)
	}

	fill(h, "b", "c")
	h.prompts.working = false // the prompt before is done with
	if ids, _ := h.Interrupt(Kept); strings.Join(ids, " ") != "c" {
		t.Error(ids)
	}
	if id, err := next(h); id != "b" || err == nil {
		t.Errorf("%s waited and was not interrupted: %v", id, err)
	}
	if id, err := next(h); id != "c" || err != nil {
		t.Errorf("%s was interrupted as well: %v", id, err)
	}

	fill(h, "d", "e", "", "f")
	if _, ok := h.Next(t.Context()); !ok {
		t.Fatal("no prompt")
	}
	if ids, _ := h.Interrupt(Dropped); strings.Join(ids, " ") != "e f" { // before the work begins
		t.Error(ids)
	}
	ctx, done := h.Work(t.Context())
	defer done()
	if ctx.Err() == nil || h.Waiting() != 0 || h.prompts.waiting != 0 {
		t.Errorf("%v, %d wait", ctx.Err(), h.Waiting())
	}

	h = NewHost(nil, nil)
	fill(h, "a", "b", "c")
	if h.Withdraw("x") || h.Withdraw("") || !h.Withdraw("b") || h.Withdraw("b") || h.Waiting() != 2 || h.prompts.waiting != 2 {
		t.Errorf("%d wait", h.Waiting())
	}
	if id, _ := next(h); id != "a" {
		t.Error(id)
	}
	ctx, done = h.Work(t.Context())
	defer done()
	_, stop := h.Interrupt(Kept)
	if ctx.Err() != nil {
		t.Error("the work ends before the host is answered")
	}
	stop()
	<-ctx.Done()
	if id, err := next(h); id != "c" || err != nil {
		t.Errorf("%s %v", id, err)
	}
}
