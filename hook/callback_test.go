package hook

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestH16_ACallbackAsksTheHost(t *testing.T) {
	c := Callback{ID: "hook_0", Send: func(_ context.Context, id string, input []byte, toolUseID string) ([]byte, error) {
		return []byte(id + " " + string(input) + " " + toolUseID), nil
	}}
	reply := c.Handle(t.Context(), Invocation{JSON: []byte(`{"a":1}`), ToolUseID: "toolu_1"})
	if reply.Failure != nil || string(reply.Text) != `hook_0 {"a":1} toolu_1` || reply.Output != nil || reply.Exit != nil {
		t.Errorf("got %+v", reply)
	}
	if c.Name() != "callback hook_0" || c.Key() != "" {
		t.Errorf("name %q, key %q", c.Name(), c.Key())
	}
}

func TestH16_EveryFailureOfACallbackIsNamed(t *testing.T) {
	type send = func(context.Context, string, []byte, string) ([]byte, error)
	tests := []struct {
		name string
		id   string
		send send
		kind FailureKind
		text string
	}{
		{"no id", "", func(context.Context, string, []byte, string) ([]byte, error) { return nil, nil }, CannotStart, "id"},
		{"no host", "x", nil, CannotStart, "no host"},
		{"an error", "x", func(context.Context, string, []byte, string) ([]byte, error) {
			return []byte(`{"decision":"approve"}`), errors.New("stream closed")
		}, ReturnedError, "stream closed"},
		{"a panic", "x", func(context.Context, string, []byte, string) ([]byte, error) { panic("oh") }, Crashed, "panic: oh"},
		{"too much", "x", func(context.Context, string, []byte, string) ([]byte, error) { return make([]byte, MaxOutput+1), nil }, TooMuch, "1048576"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reply := Callback{ID: test.id, Send: test.send}.Handle(t.Context(), Invocation{JSON: []byte("{}")})
			wantFailure(t, reply, test.kind, test.text)
			if len(reply.Text) > 0 {
				t.Errorf("a failure comes with the text %.100q", reply.Text)
			}
		})
	}
}

func TestH16_ACallbackThatIsNotAnsweredTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stubborn := Callback{ID: "x", Send: func(context.Context, string, []byte, string) ([]byte, error) {
			time.Sleep(time.Hour)
			return []byte(`{"decision":"approve"}`), nil
		}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		reply := stubborn.Handle(ctx, Invocation{JSON: []byte("{}")})
		wantFailure(t, reply, TimedOut, "")
		<-reply.Background
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		reply = stubborn.Handle(ctx, Invocation{JSON: []byte("{}")})
		wantFailure(t, reply, Cancelled, "")
		<-reply.Background
	})
}
