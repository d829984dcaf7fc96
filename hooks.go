package assent

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"github.com/assent-dev/assent/hook"
)

// On runs a function at an event of the session. The type of its input says at which:
//
//	assent.On("Bash", func(ctx context.Context, in hook.PreToolUseInput, call hook.Invocation) (hook.Output, error) {
//		…
//		return hook.Deny("use the deploy job instead"), nil
//	})
//
// matcher says for which tools, or sources, reasons and so on: an exact name, "Edit|Write",
// a regular expression; empty for all. A hook that returns an error, panics or takes longer
// than [hook.DefaultTimeout] is broken: before a tool runs that denies the call.
func On[T hook.Input](matcher string, f func(context.Context, T, hook.Invocation) (hook.Output, error)) Option {
	return func(c *config) error {
		var kind T
		if reflect.TypeFor[T]().Kind() != reflect.Struct || f == nil { // an interface, or a pointer to what is never one
			return errors.New("assent.On needs a function with a certain input, as hook.PreToolUseInput (for one at several events use assent.OnEvent)")
		}
		return c.addHook(kind.Event(), matcher, hook.Typed(nameOf(f), f))
	}
}

// OnEvent is [On] for a function that does not care what its input is, or serves several
// events.
func OnEvent(event hook.Event, matcher string, f hook.Func) Option {
	return func(c *config) error {
		if f == nil {
			return errors.New("assent.OnEvent needs a function")
		}
		return c.addHook(event, matcher, hook.Function{Label: nameOf(f), Func: f})
	}
}

// Hooks adds hooks of any kind: commands, HTTP endpoints, and functions with more to say
// about when they run.
func Hooks(entries ...hook.Entry) Option {
	return func(c *config) error {
		var errs []error
		for _, e := range entries {
			errs = append(errs, c.addEntry(e))
		}
		return errors.Join(errs...)
	}
}

// checkHook says why a hook would never run: nobody would miss a guard that is not there.
func checkHook(e hook.Entry) error {
	if !slices.Contains(hook.Events, e.Event) {
		return fmt.Errorf("there is no event %q at which a hook could run (use a constant of package hook, as hook.PreToolUse)", e.Event)
	}
	f, isFunction := e.Handler.(hook.Function)
	p, isPointer := e.Handler.(*hook.Function)
	if e.Handler == nil || isFunction && f.Func == nil || isPointer && (p == nil || p.Func == nil) {
		return fmt.Errorf("a %s hook has nothing to run (set its Handler, for instance to a hook.Command, or use assent.On for a function)", e.Event)
	}
	return nil
}

func (c *config) addHook(event hook.Event, matcher string, f hook.Function) error {
	m, err := hook.ParseMatcher(matcher)
	if err != nil {
		return fmt.Errorf("the matcher %q of a %s hook: %w", matcher, event, err)
	}
	return c.addEntry(hook.Entry{Event: event, Matcher: m, Handler: f})
}

// addEntry adds a hook that can run. Those that are code of the program are counted while
// they run, so that the end of a loop can wait for them; but not those in the background,
// which may go on.
func (c *config) addEntry(e hook.Entry) error {
	if err := checkHook(e); err != nil {
		return err
	}
	if !e.Async {
		e.Handler = c.callbacks.counting(e.Handler)
	}
	c.hooks = append(c.hooks, e)
	return nil
}

// counting is a hook that is counted while it runs, if it is code of the program. A function
// may outlive the call of its handler, so that it is counted itself.
func (r *running) counting(h hook.Handler) hook.Handler {
	switch h := h.(type) {
	case hook.Command, hook.HTTP:
		return h
	case *hook.Function:
		return r.counting(*h)
	case hook.Function:
		do := h.Func
		h.Func = func(ctx context.Context, call hook.Invocation) (hook.Output, error) {
			r.begin()
			defer r.end()
			if ctx.Err() != nil { // nobody wants it any more, or waits for its end
				return hook.Output{}, ctx.Err()
			}
			return do(ctx, call)
		}
		return h
	}
	return counted{h, r}
}

// counted is a handler of the program.
type counted struct {
	hook.Handler
	running *running
}

// Handle runs it.
func (h counted) Handle(ctx context.Context, call hook.Invocation) hook.Reply {
	h.running.begin()
	defer h.running.end()
	return h.Handler.Handle(ctx, call)
}

// nameOf is what a person finds a function by.
func nameOf(f any) string {
	if found := runtime.FuncForPC(reflect.ValueOf(f).Pointer()); found != nil {
		return found.Name()
	}
	return "function"
}
