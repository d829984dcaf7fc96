package hook

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// A change that makes the input invalid breaks the hook: it has not had its run.
func TestH10_OnceDoesNotCountAnInvalidChange(t *testing.T) {
	bad, _ := AllowWith(map[string]any{"command": 7})
	s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Once: true, Handler: saying("x", bad)}}}, textRule(t, rule.Allow, "Bash"))
	for range 3 {
		wantDecision(t, s.bash("make"), denied, "hook broken: function x: the input it made is invalid")
	}
}

// A call that comes while the hook judges another one waits for the outcome.
func TestH10_OnceJudgesTheNextCallWhenItBreaks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		first  error
		second permission.Behavior
		times  int32
	}{
		{"it broke", errors.New("no database"), denied, 2},
		{"it worked", nil, allowed, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				var times atomic.Int32
				hook := Function{Label: "x", Func: func(context.Context, Invocation) (Output, error) {
					if times.Add(1) == 1 {
						<-release
						return Output{}, tt.first
					}
					return Deny("no"), nil
				}}
				s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Once: true, Handler: hook}}}, textRule(t, rule.Allow, "Bash"))
				first, second := make(chan Judgement, 1), make(chan Judgement, 1)
				go func() { first <- s.bash("make") }()
				synctest.Wait()
				go func() { second <- s.bash("make") }()
				synctest.Wait()
				if len(second) > 0 {
					t.Error("the second call did not wait")
				}
				close(release)
				if j := <-first; (j.Decision.Behavior == denied) != (tt.first != nil) {
					t.Errorf("the first call: %s", j.Decision.Message())
				}
				wantDecision(t, <-second, tt.second)
				if times.Load() != tt.times {
					t.Errorf("it ran %d times", times.Load())
				}
				wantDecision(t, s.bash("make"), tt.second)
			})
		})
	}
}

// Nobody waits longer than he wants to, and then the call is not let through.
func TestH10_OnceWaitsNoLongerThanTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		hook := Function{Label: "x", Func: func(context.Context, Invocation) (Output, error) {
			<-release
			return Output{}, nil
		}}
		s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Once: true, Handler: hook}}}, textRule(t, rule.Allow, "Bash"))
		first := make(chan Judgement, 1)
		go func() { first <- s.bash("make") }()
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		second := make(chan Judgement, 1)
		go func() {
			second <- s.pipeline.Judge(ctx, s.snapshot, permission.Request{Tool: "Bash", Input: []byte(`{"command":"make"}`)}, Base{}, "")
		}()
		synctest.Wait()
		cancel()
		wantDecision(t, <-second, denied, "hook broken: function x: it was cancelled while another call was with this hook")
		close(release)
		wantDecision(t, <-first, allowed)
	})
}

// Where nothing waits for a hook that runs once, a call does not wait for it either.
func TestOnceInTheBackgroundHoldsUpNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var times atomic.Int32
		hook := Function{Label: "x", Func: func(context.Context, Invocation) (Output, error) {
			times.Add(1)
			<-release
			return Output{}, nil
		}}
		s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Once: true, Async: true, Handler: hook}}}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("make"), allowed)
		wantDecision(t, s.bash("make"), allowed)
		close(release)
		s.pipeline.Hooks.Close(t.Context())
		if times.Load() != 1 {
			t.Errorf("it ran %d times", times.Load())
		}
	})
}

// Whoever was refused asks again: what a hook holds up once, it holds up again.
func TestH10_OnceDoesNotCountAnObjection(t *testing.T) {
	for _, tt := range []struct {
		handler Handler
		want    permission.Behavior
	}{
		{saying("x", Deny("no")), denied},
		{saying("x", Block("no")), denied},
		{saying("x", Halt("no")), denied},
		{saying("x", Ask("sure?")), asked},
		{saying("x", Defer("later")), deferred},
		{exiting(2, "", "no"), denied},
		{saying("x", Output{}), allowed},
	} {
		s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Once: true, Handler: tt.handler}}}, textRule(t, rule.Allow, "Bash"))
		for range 3 {
			wantDecision(t, s.bash("make"), tt.want)
		}
	}
}

// A hook that runs once runs once, in however many files it stands.
func TestS22_OnceInTwoFiles(t *testing.T) {
	var times atomic.Int32
	same := counted{"x", "the same", &times, Output{}}
	at := func(file string, e Entry) Entry {
		e.Event, e.Once, e.Handler = PreToolUse, true, same
		e.Origin = rule.Origin{Source: rule.UserSettings, File: file, Line: 3}
		return e
	}
	ran := func(entries ...Entry) int32 {
		times.Store(0)
		s := newSession(t, Config{Entries: entries}, textRule(t, rule.Allow, "Bash"))
		for range 4 {
			wantDecision(t, s.bash("make"), allowed)
		}
		s.pipeline.Hooks.Close(t.Context()) // those in the background have run then
		return times.Load()
	}
	bash, err := ParseMatcher("Bash")
	if err != nil {
		t.Fatal(err)
	}
	if n := ran(at("a", Entry{}), at("b", Entry{})); n != 1 {
		t.Errorf("in two files it ran %d times", n)
	}
	if n := ran(at("a", Entry{If: &Condition{Text: "Bash(make)"}}), at("b", Entry{If: &Condition{Text: "Bash(make)"}})); n != 1 {
		t.Errorf("with one condition it ran %d times", n)
	}
	// For other calls, or with other consequences, it is another hook.
	for _, other := range []Entry{{Matcher: bash}, {If: &Condition{Text: "Bash(make)"}}, {OnFailure: FailOpen}, {Async: true}} {
		if n := ran(at("a", Entry{}), at("b", other)); n != 2 {
			t.Errorf("%+v: it ran %d times", other, n)
		}
	}
}
