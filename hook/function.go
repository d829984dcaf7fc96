package hook

import (
	"context"
	"errors"
	"fmt"
)

// Func is a hook written in Go. It reads the call and changes nothing in it. It
// returns when its context ends; one that does not is left behind and counts as timed
// out.
type Func func(ctx context.Context, call Invocation) (Output, error)

// Function is a hook that is a Go function. A panic is a failure of the hook, not of
// the program.
type Function struct {
	// Label tells a person which function it is.
	Label string
	Func  Func
}

// Typed is a hook for one kind of input:
//
//	hook.Typed("refund limit", func(ctx context.Context, input hook.PreToolUseInput, call hook.Invocation) (hook.Output, error) {
//		…
//	})
//
// At an event with another kind of input it fails.
func Typed[T Input](label string, f func(ctx context.Context, input T, call Invocation) (Output, error)) Function {
	if f == nil {
		return Function{Label: label}
	}
	return Function{Label: label, Func: func(ctx context.Context, call Invocation) (Output, error) {
		input, ok := call.Input.(T)
		if !ok {
			return Output{}, fmt.Errorf("it takes a %T and was given a %T: configure it for the event it is written for", input, call.Input)
		}
		return f(ctx, input, call)
	}}
}

// Name is the label.
func (f Function) Name() string { return oneLine("function " + f.Label) }

// Key is empty: nobody can tell whether two functions do the same.
func (f Function) Key() string { return "" }

// Handle calls the function.
func (f Function) Handle(ctx context.Context, call Invocation) Reply {
	if f.Func == nil {
		return failed(CannotStart, "there is no function: set Func")
	}
	output, reply := callOut(ctx, func() (Output, error) { return f.Func(ctx, call) })
	if reply.Failure == nil {
		reply.Output = &output
	}
	return reply
}

// callOut calls code that is not ours, on a goroutine of its own: it may panic, and it
// may ignore the end of its context. In that case it is let go, and the reply says
// when it will have ended. The reply holds nothing but that and the failure.
func callOut[T any](ctx context.Context, call func() (T, error)) (T, Reply) {
	var nothing, value T
	if ctx.Err() != nil {
		return nothing, Reply{Failure: contextEnded(ctx)}
	}
	var failure *Failure
	done := make(chan struct{})
	go func() {
		defer close(done)
		returned := false
		defer func() {
			if !returned {
				failure = &Failure{Kind: Crashed, Text: panicText(recover())}
			}
		}()
		var err error
		if value, err = call(); err != nil {
			failure = returnedError(ctx, err)
		}
		returned = true
	}()
	select {
	case <-done:
	case <-ctx.Done():
		if !isClosed(done) {
			// Nothing can end it; its context has ended already.
			return nothing, Reply{Failure: contextEnded(ctx), Background: done, Abandon: func() {}}
		}
	}
	if failure != nil {
		return nothing, Reply{Failure: failure}
	}
	return value, Reply{}
}

// returnedError tells an error of the hook's own from the end of its context.
func returnedError(ctx context.Context, err error) *Failure {
	if ended := ctx.Err(); ended != nil && (errors.Is(err, ended) || errors.Is(err, context.Cause(ctx))) {
		return contextEnded(ctx)
	}
	kind := ReturnedError
	if errors.Is(err, ErrGone) {
		kind = Gone
	}
	return &Failure{Kind: kind, Text: err.Error()}
}
