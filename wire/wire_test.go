package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// stuck is a reader that has stopped reading: writes wait until it is let go.
type stuck struct {
	bytes.Buffer
	free chan struct{}
}

func (s *stuck) Write(p []byte) (int, error) {
	<-s.free
	return s.Buffer.Write(p)
}

func TestW1_Formats(t *testing.T) {
	tell := func(o *Output) {
		o.Tell(&Init{Cwd: "/project"})
		o.Tell(&Assistant{TurnID: "m1", Block: model.TextBlock("hello")})
		o.Tell(&Result{Subtype: Success, Text: "hello", NumTurns: 1})
	}
	for _, tt := range []struct {
		name    string
		format  Format
		verbose bool
		lines   int
		starts  string
	}{
		{"text", Plain, false, 1, "hello"},
		{"json", JSON, false, 1, `{"type":"result"`},
		{"json verbose", JSON, true, 1, `[{"type":"system"`},
		{"stream-json", StreamJSON, true, 3, `{"type":"system"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			o := NewOutput(&out, "s1", tt.format, tt.verbose)
			tell(o)
			if err := o.Close(); err != nil {
				t.Fatal(err)
			}
			if strings.Count(out.String(), "\n") != tt.lines || !strings.HasPrefix(out.String(), tt.starts) {
				t.Errorf("%s", out.String())
			}
			if tt.format != Plain && !strings.Contains(out.String(), `"session_id":"s1"`) {
				t.Error("no session id")
			}
		})
	}
}

func TestW2_ResultAlwaysListsDenials(t *testing.T) {
	for _, r := range []*Result{{Subtype: Success}, {Subtype: ErrorMaxTurns, IsError: true}, {Subtype: Success, Denials: []Denial{{ToolName: "Bash", ToolInput: strictjson.Raw(`{"a":1,"a":2}`)}}}} {
		text, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `"permission_denials":[`) || strictjson.Valid(text) != nil {
			t.Errorf("%s", text)
		}
		if has := strings.Contains(string(text), `"result":`); has != (r.Subtype == Success) {
			t.Errorf("result key: %s", text)
		}
	}
}

// A host that does not read never keeps us from reading what it says: a question that
// it cannot see yet does not stop its answer to another, or the end of its input.
func TestASlowReaderNeverDeadlocks(t *testing.T) {
	defer goleak.VerifyNone(t)
	reader := &stuck{free: make(chan struct{})}
	o := NewOutput(reader, "s", StreamJSON, true)
	h := NewHost(o, func(Request) (any, error) { return nil, nil })
	in, say := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- h.Serve(in) }()
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		for range 20 { // more than the queue holds
			o.Tell(&Assistant{Block: model.TextBlock(strings.Repeat("x", 1<<20))})
		}
	}()
	fmt.Fprintln(say, `{"type":"user","message":{"role":"user","content":"MARK"}}`)
	if p, ok := h.Next(t.Context()); !ok || p.Content[0].Text != "MARK" {
		t.Fatalf("%+v, %v", p, ok)
	}
	say.Close()
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	close(reader.free)
	<-filled
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(reader.String(), "\n"); got != 20 {
		t.Errorf("%d lines arrived", got)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAnOutputThatIsGone(t *testing.T) {
	defer goleak.VerifyNone(t)
	o := NewOutput(brokenPipe{}, "s", StreamJSON, true)
	h := NewHost(o, nil)
	answer, _, err := h.CanUseTool(t.Context(), CanUseTool{ToolName: "Bash", Input: strictjson.Raw(`{}`)})
	if !errors.Is(err, ErrOutputGone) || answer.Behavior != 0 {
		t.Fatalf("nobody has answered: %+v, %v", answer, err)
	}
	<-o.Gone()
	for range 20 { // nobody waits for a reader that does not come back
		o.Tell(&Assistant{Block: model.TextBlock(strings.Repeat("x", 1<<20))})
	}
	if err := o.Close(); !errors.Is(err, ErrOutputGone) {
		t.Errorf("%v", err)
	}
}

func TestW3_CanUseTool(t *testing.T) {
	for _, tt := range []struct {
		name, reply string
		want        permission.Behavior
		message     string
		input       string
	}{
		{"allow", `"subtype":"success","response":{"behavior":"allow","updatedInput":{"command":"ls"}}`, permission.Allow, "", `{"command":"ls"}`},
		{"allow unchanged", `"subtype":"success","response":{"behavior":"allow"}`, permission.Allow, "", ""},
		{"allow null", `"subtype":"success","response":{"behavior":"allow","updatedInput":null}`, permission.Allow, "", ""},
		{"deny", `"subtype":"success","response":{"behavior":"deny","message":"MARK"}`, permission.Deny, "MARK", ""},
		{"S32 error", `"subtype":"error","error":"MARK"`, 0, "MARK", ""},
		{"S32 no decision", `"subtype":"success","response":{"yes":"MARK"}`, 0, "MARK", ""},
		{"S32 text", `"subtype":"success","response":"MARK"`, 0, "MARK", ""},
		{"S32 unknown word", `"subtype":"success","response":{"behavior":"Allow","x":"MARK"}`, 0, "MARK", ""},
		{"S32 nothing", `"subtype":"success"`, 0, "no decision", ""},
		{"unknown subtype", `"subtype":"maybe","response":{"behavior":"allow"}`, 0, "could not decide", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := converse(t, func(id string) string {
				return `{"type":"control_response","response":{"request_id":"` + id + `",` + tt.reply + `}}`
			})
			said := a.Message
			if none, ok := errors.AsType[*Undecided](err); ok {
				said = none.Text
			}
			if a.Behavior != tt.want || (err == nil) != (tt.want != 0) || !strings.Contains(said, tt.message) || string(a.UpdatedInput) != tt.input {
				t.Errorf("%+v", a)
			}
		})
	}
}

// converse asks a host that answers with one line.
func converse(t *testing.T, answer func(id string) string) (permission.Answer, error) {
	t.Helper()
	defer goleak.VerifyNone(t)
	out, hear := io.Pipe()
	in, say := io.Pipe()
	o := NewOutput(hear, "s", StreamJSON, true)
	h := NewHost(o, nil)
	served := make(chan error, 1)
	go func() { served <- h.Serve(in) }()
	go func() {
		for line, err := range strictjson.Lines(out, 1<<20) {
			if err != nil {
				return // the conversation is over
			}
			var m struct {
				RequestID string `json:"request_id"`
			}
			if err := strictjson.Unmarshal(line.Data, &m); err != nil {
				t.Error(err)
			}
			fmt.Fprintln(say, answer(m.RequestID))
		}
	}()
	a, _, failed := h.CanUseTool(t.Context(), CanUseTool{ToolName: "Bash", ToolUseID: "t1", Input: strictjson.Raw(`{"command":"x"}`)})
	say.Close()
	<-served
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	return a, failed
}

func TestAHostThatGoesAway(t *testing.T) {
	t.Run("its input ends while it is asked", func(t *testing.T) {
		o := NewOutput(io.Discard, "s", StreamJSON, true)
		defer o.Close()
		h := NewHost(o, nil)
		in, say := io.Pipe()
		go func() { _ = h.Serve(in) }()
		go say.Close()
		a, _, err := h.CanUseTool(t.Context(), CanUseTool{Input: strictjson.Raw(`{}`)})
		if !errors.Is(err, ErrHostGone) || a.Behavior != 0 {
			t.Errorf("nobody has answered: %+v, %v", a, err)
		}
	})
	t.Run("the question is withdrawn", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			o := NewOutput(&out, "s", StreamJSON, true)
			h := NewHost(o, nil)
			ctx, cancel := context.WithCancel(t.Context())
			go func() { synctest.Wait(); cancel() }()
			if _, _, err := h.CanUseTool(ctx, CanUseTool{Input: strictjson.Raw(`{}`)}); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			o.Close()
			if !strings.Contains(out.String(), `"control_cancel_request","request_id":"assent_1"`) {
				t.Errorf("%s", out.String())
			}
		})
	})
}

func TestLinesOfAHost(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for _, tt := range []struct {
		name, line string
		wants      string // in the error; "" means that the session goes on
	}{
		{"blank", "  \t", ""},
		{"a text", `"just a string"`, ""},
		{"a number", `17`, ""},
		{"keep_alive", `{"type":"keep_alive"}`, ""},
		{"no type", `{"a":1}`, ""},
		{"a type that is no text", `{"type":7}`, ""},
		{"an answer that nobody waits for", `{"type":"control_response","response":{"subtype":"success","request_id":"x"}}`, ""},
		{"an answer without a body", `{"type":"control_response"}`, ""},
		{"no JSON", `this is not json`, "line 1"},
		{"two values", `{} {}`, "line 1"},
		{"a key twice", `{"type":"user","type":"control_response"}`, "twice"},
		{"invalid UTF-8", "{\"type\":\"user\",\"message\":\"\xff\"}", "UTF-8"},
		{"too deep", `{"type":"user","message":` + deep + `}`, "deep"},
		{"a prompt without content", `{"type":"user","message":"x"}`, "message object"},
		{"another role", `{"type":"user","message":{"role":"assistant","content":"x"}}`, "role"},
		{"a broken block", `{"type":"user","message":{"role":"user","content":[{"text":"x"}]}}`, "content"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := NewOutput(io.Discard, "s", StreamJSON, true)
			defer o.Close()
			h := NewHost(o, func(r Request) (any, error) { return nil, Unsupported(r.Subtype) })
			err := h.Serve(strings.NewReader(tt.line + "\n" + `{"type":"user","message":{"role":"user","content":"next"}}` + "\n"))
			p, ok := h.Next(t.Context())
			switch {
			case tt.wants == "" && (err != nil || !ok || p.Content[0].Text != "next"):
				t.Errorf("%v, %+v", err, p)
			case tt.wants != "" && (err == nil || ok || !strings.Contains(err.Error(), tt.wants)):
				t.Errorf("%v, %+v", err, p)
			}
		})
	}
}

// endless gives a line without an end, 64 MB of it.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= n
	return n, nil
}

func TestALineOf64MB(t *testing.T) {
	o := NewOutput(io.Discard, "s", StreamJSON, true)
	defer o.Close()
	err := NewHost(o, nil).Serve(&endless{64 << 20})
	if _, ok := errors.AsType[*InputError](err); !ok || !errors.Is(err, strictjson.ErrLineTooLong) || !strings.HasPrefix(err.Error(), "stdin line 1: it is longer than 32 MB") {
		t.Errorf("%v", err)
	}
}

func TestTooManyPrompts(t *testing.T) {
	o := NewOutput(io.Discard, "s", StreamJSON, true)
	defer o.Close()
	err := NewHost(o, nil).Serve(strings.NewReader(strings.Repeat(`{"type":"user","message":{"role":"user","content":"x"}}`+"\n", maxPrompts+1)))
	if err == nil || !strings.Contains(err.Error(), "too many prompts are waiting: at most 1024 may, or 64 MB of them") {
		t.Errorf("%v", err)
	}
}

func TestW5_AnUnknownRequestGetsAnError(t *testing.T) {
	var out bytes.Buffer
	o := NewOutput(&out, "s", StreamJSON, true)
	h := NewHost(o, func(r Request) (any, error) { return nil, Unsupported(r.Subtype) })
	if err := h.Serve(strings.NewReader(`{"type":"control_request","request_id":"x1","request":{"subtype":"frobnicate"}}` + "\n" +
		`{"type":"control_request","request_id":"x2","request":17}` + "\n")); err != nil {
		t.Fatal(err)
	}
	o.Close()
	if strings.Count(out.String(), `"subtype":"error"`) != 2 || !strings.Contains(out.String(), "frobnicate") {
		t.Errorf("%s", out.String())
	}
}

// TestW5_WhatIsMissingIsNamed: an error says which part a message lacks.
func TestW5_WhatIsMissingIsNamed(t *testing.T) {
	for _, line := range []string{`{"type":"user"}`, `{"type":"user","message":null}`} {
		o := NewOutput(io.Discard, "s", StreamJSON, true)
		err := NewHost(o, nil).Serve(strings.NewReader(line + "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "stdin line 1: message is missing") {
			t.Errorf("%s: %v", line, err)
		}
		o.Close()
	}
	for _, line := range []string{`{"type":"control_request","request_id":"x"}`, `{"type":"control_request","request_id":"x","request":null}`} {
		var out bytes.Buffer
		o := NewOutput(&out, "s", StreamJSON, true)
		if err := NewHost(o, nil).Serve(strings.NewReader(line + "\n")); err != nil {
			t.Error(err)
		}
		o.Close()
		if !strings.Contains(out.String(), `"request_id":"x","error":"request is missing`) {
			t.Errorf("%s: %s", line, out.String())
		}
	}
}

// TestW5_TheTypeIsReadAsJSON: however a host spells it.
func TestW5_TheTypeIsReadAsJSON(t *testing.T) {
	var out bytes.Buffer
	o := NewOutput(&out, "s", StreamJSON, true)
	h := NewHost(o, func(Request) (any, error) { return struct{}{}, nil })
	if err := h.Serve(strings.NewReader(`{"type":"control\u005frequest","request_id":"x","request":{"subtype":"y"}}` + "\n" + `{"type":17}` + "\n{}\n")); err != nil {
		t.Fatal(err)
	}
	o.Close()
	if strings.Count(out.String(), `"subtype":"success"`) != 1 {
		t.Errorf("%s", out.String())
	}
}

// TestW5_ALongAnswerIsNoFault: neither what a host sends nor what it is answered ends the
// output as long as it reads.
func TestW5_ALongAnswerIsNoFault(t *testing.T) {
	var out bytes.Buffer
	o := NewOutput(&out, "s", StreamJSON, true)
	h := NewHost(o, func(r Request) (any, error) {
		if r.Subtype == "long" {
			return strings.Repeat("y", 3*maxUrgent), nil
		}
		return nil, Unsupported(r.Subtype)
	})
	huge := strings.Repeat("z", 20<<20)
	lines := `{"type":"control_request","request_id":"` + huge + `","request":{"subtype":"long"}}` + "\n" +
		`{"type":"control_request","request_id":"a","request":{"subtype":"` + huge + `"}}` + "\n" +
		`{"type":"control_request","request_id":"b","request":{"subtype":"long"}}` + "\n" +
		`{"type":"control_request","request_id":"c","request":{"subtype":"long"}}` + "\n"
	if err := h.Serve(strings.NewReader(lines)); err != nil {
		t.Fatal(err)
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(answers) != 4 || len(answers[0]) > 2*maxID || len(answers[1]) > 2*maxError || len(answers[2]) < 3*maxUrgent || len(answers[3]) < 3*maxUrgent {
		t.Fatalf("%d answers", len(answers))
	}
	if !strings.Contains(answers[0], `"error":"request_id is longer than 1024 bytes"`) || !strings.Contains(answers[1], `Unsupported control request subtype: zzz`) {
		t.Errorf("%.200s\n%.200s", answers[0], answers[1])
	}
}

// Whatever a host sends, reading it neither panics nor ends in anything but an error or
// a prompt.
func FuzzHost(f *testing.F) {
	for _, seed := range []string{
		`{"type":"user","message":{"role":"user","content":"hi"},"uuid":"u"}`,
		`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image","source":{}}]}}`,
		`{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}`,
		`{"type":"control_response","response":{"subtype":"success","request_id":"assent_1","response":{"behavior":"allow"}}}`,
		`{"type":"control_cancel_request","request_id":"1"}`, `{"type":"keep_alive"}`, "\n\n", `[1`, `{"type":null}`,
	} {
		f.Add([]byte(seed + "\n"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		o := NewOutput(io.Discard, "s", StreamJSON, true)
		defer o.Close()
		h := NewHost(o, func(r Request) (any, error) { return nil, Unsupported(r.Subtype) })
		_ = h.Serve(bytes.NewReader(text))
		for {
			p, ok := h.Next(t.Context())
			if !ok {
				return
			}
			if _, err := Encode(&User{Content: p.Content, Replay: true}); err != nil {
				t.Errorf("a prompt cannot be repeated: %v", err)
			}
		}
	})
}

// The answer of a host is allow only where it says so in as many words.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"behavior":"allow","updatedInput":{"a":1},"updatedPermissions":[{"type":"setMode","mode":"plan","destination":"session"}]}`,
		`{"behavior":"deny","message":"no","interrupt":true}`, `{"behavior":"allow","behavior":"deny"}`, `null`, `"allow"`, `{"Behavior":"allow"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		a, _, err := ReadAnswer(text)
		if (err == nil) != (a.Behavior != 0) {
			t.Errorf("%q: %+v, %v", text, a, err)
		}
		switch a.Behavior {
		case 0, permission.Deny:
		case permission.Allow:
			if !bytes.Contains(text, []byte("allow")) && !bytes.Contains(text, []byte(`\u`)) {
				t.Errorf("%q counts as allow", text)
			}
		default:
			t.Errorf("%q is neither", text)
		}
	})
}
