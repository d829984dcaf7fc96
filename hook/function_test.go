package hook

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func TestH5_AFunctionIsToldAndAnswers(t *testing.T) {
	call := Invocation{
		Input: PreToolUseInput{ToolName: "Bash"}, JSON: []byte("{}"), ToolUseID: "toolu_1", State: &fakeState{address: "x"},
	}
	var got Invocation
	f := Function{Label: "look", Func: func(_ context.Context, call Invocation) (Output, error) {
		got = call
		return Output{Decision: "block", Reason: "no"}, nil
	}}
	reply := f.Handle(t.Context(), call)
	if reply.Failure != nil || reply.Output == nil || reply.Output.Decision != "block" || reply.Output.Reason != "no" || reply.Background != nil {
		t.Errorf("got %+v", reply)
	}
	if got.Input.Subject() != "Bash" || string(got.JSON) != "{}" || got.ToolUseID != "toolu_1" || got.State != call.State {
		t.Errorf("it was told %+v", got)
	}
	if f.Name() != "function look" || f.Key() != "" {
		t.Errorf("name %q, key %q", f.Name(), f.Key())
	}
}

func TestH5_EveryFailureOfAFunctionIsNamed(t *testing.T) {
	var broken *brokenError
	tests := []struct {
		name string
		f    Func
		kind FailureKind
		text string
	}{
		{"none", nil, CannotStart, "no function"},
		{"an error", func(context.Context, Invocation) (Output, error) {
			return Output{Decision: "approve"}, errors.New("the database is gone")
		}, ReturnedError, "the database is gone"},
		{"an error of another context", func(context.Context, Invocation) (Output, error) {
			return Output{}, context.DeadlineExceeded
		}, ReturnedError, "deadline"},
		{"a panic", func(context.Context, Invocation) (Output, error) { panic("index out of range") }, Crashed, "panic: index out of range"},
		{"a panic with an error", func(context.Context, Invocation) (Output, error) { panic(errors.New("oh")) }, Crashed, "panic: oh"},
		{"a panic with nothing", func(context.Context, Invocation) (Output, error) { panic(nil) }, Crashed, "panic"},
		{"a fault at run time", func(_ context.Context, call Invocation) (Output, error) {
			return Output{Reason: string(call.JSON[5])}, nil
		}, Crashed, "index out of range"},
		{"the end of its goroutine", func(context.Context, Invocation) (Output, error) { runtime.Goexit(); return Output{}, nil }, Crashed, "Goexit"},
		{"an error that panics", func(context.Context, Invocation) (Output, error) { return Output{}, broken }, Crashed, "panic"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reply := Function{Label: "f", Func: test.f}.Handle(t.Context(), Invocation{})
			wantFailure(t, reply, test.kind, test.text)
			if reply.Background != nil {
				t.Error("something goes on")
			}
		})
	}
}

// brokenError has a method that panics.
type brokenError struct{ text string }

func (e *brokenError) Error() string { return e.text }

func TestH5_AFunctionThatIgnoresItsContextIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		f := Function{Label: "stubborn", Func: func(context.Context, Invocation) (Output, error) {
			time.Sleep(time.Hour)
			return Output{Decision: "approve"}, nil
		}}
		began := time.Now()
		reply := f.Handle(ctx, Invocation{})
		wantFailure(t, reply, TimedOut, `"timeout"`)
		if took := time.Since(began); took != time.Minute {
			t.Errorf("the answer took %v", took)
		}
		if reply.Background == nil || reply.Abandon == nil {
			t.Fatal("nobody can wait for its end")
		}
		reply.Abandon()
		<-reply.Background
		if took := time.Since(began); took != time.Hour {
			t.Errorf("it ended after %v", took)
		}
	})
}

func TestH5_TheEndOfTheContextIsNoErrorOfTheFunction(t *testing.T) {
	polite := Function{Label: "polite", Func: func(ctx context.Context, _ Invocation) (Output, error) {
		<-ctx.Done()
		return Output{}, fmt.Errorf("gave up: %w", context.Cause(ctx))
	}}
	end := func(t *testing.T, ctx context.Context, want FailureKind) {
		t.Helper()
		reply := polite.Handle(ctx, Invocation{})
		wantFailure(t, reply, want, "")
		if reply.Background != nil {
			<-reply.Background
		}
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		end(t, ctx, TimedOut)
		end(t, ctx, TimedOut)
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { stop(errors.New("somebody answered")) })
		end(t, ctx, Cancelled)
	})
	// What a function says about the context before anybody has noticed.
	ctx, cancel := context.WithCancel(t.Context())
	failure := returnedError(ctx, context.Canceled)
	cancel()
	if failure.Kind != ReturnedError || returnedError(ctx, fmt.Errorf("x: %w", context.Canceled)).Kind != Cancelled || returnedError(ctx, errors.New("x")).Kind != ReturnedError {
		t.Error("an error of the function and the end of its context are mixed up")
	}
}

func TestH5_ATypedFunctionGetsItsInput(t *testing.T) {
	f := Typed("refund limit", func(_ context.Context, input PreToolUseInput, call Invocation) (Output, error) {
		return Output{Reason: input.ToolName + " " + call.ToolUseID}, nil
	})
	reply := f.Handle(t.Context(), Invocation{Input: PreToolUseInput{ToolName: "refund"}, ToolUseID: "toolu_1"})
	if reply.Failure != nil || reply.Output == nil || reply.Output.Reason != "refund toolu_1" {
		t.Errorf("got %+v", reply)
	}
	wantFailure(t, f.Handle(t.Context(), Invocation{Input: StopInput{}}), ReturnedError, "StopInput")
	wantFailure(t, f.Handle(t.Context(), Invocation{}), ReturnedError, "PreToolUseInput")
	wantFailure(t, Typed[PreToolUseInput]("none", nil).Handle(t.Context(), Invocation{}), CannotStart, "no function")
	all := Typed("every event", func(_ context.Context, input Input, _ Invocation) (Output, error) {
		return Output{Reason: string(input.Event())}, nil
	})
	if reply := all.Handle(t.Context(), Invocation{Input: StopInput{}}); reply.Output == nil || reply.Output.Reason != "Stop" {
		t.Errorf("got %+v", reply)
	}
}
