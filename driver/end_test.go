package driver_test

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/driver"
	"github.com/assent-dev/assent/wire"
)

// What a program has printed is read before its end is judged, also where it has ended
// long before: here all but the first message is read only then.
func TestK1_LastWords(t *testing.T) {
	const unknown = `{"type":"result","subtype":"","result":"deployed"}`
	prompt := func(ctx context.Context, d *driver.Driver) error { return d.Prompt(ctx, "last words") }
	takeUp := func(ctx context.Context, d *driver.Driver) error {
		_, err := d.TakeUp(ctx)
		return err
	}
	closed := func(ctx context.Context, d *driver.Driver) error {
		return cmp.Or(d.Prompt(ctx, "go"), d.Close(ctx))
	}
	for name, tt := range map[string]struct {
		how  string
		do   func(ctx context.Context, d *driver.Driver) error
		code int
		line int // that cannot be read; zero for none
		text string
	}{
		"in place of a result":          {"last words: garbage\n", prompt, 0, 4, "line 4"},
		"of what was taken up":          {"last words: " + unknown + "\n", takeUp, 0, 4, "no subtype"},
		"of what failed":                {"last words in failure: " + unknown + "\n", takeUp, 3, 4, "no subtype"},
		"behind a result":               {"last words: garbage\n", closed, 0, 6, "line 6"},
		"while a child has the output":  {"last words with a child: garbage\n", takeUp, 0, 4, "line 4"},
		"a line without an end":         {"last words: " + unknown, takeUp, 0, 4, "no subtype"},
		"no end, behind a result":       {"last words: garbage", closed, 0, 6, "line 6"},
		"no end, and a child":           {"last words with a child: garbage", prompt, 0, 4, "line 4"},
		"a line that a failure has cut": {"last words in failure: {\"type\":", takeUp, 3, 0, "exit status 3"},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := options(t, tt.how)
			var d *driver.Driver
			o.Tell = func(m wire.Message) {
				if _, ok := m.(*wire.Assistant); ok {
					<-d.Gone()
				}
			}
			d = start(t, o.WithFewUntold())
			err := tt.do(t.Context(), d)
			var exit *driver.ExitError
			if !errors.As(err, &exit) || exit.Code != tt.code || !strings.Contains(err.Error(), tt.text) {
				t.Fatalf("%v", err)
			}
			var line *driver.LineError
			if errors.As(err, &line); line != nil != (tt.line > 0) || line != nil && line.Line != tt.line {
				t.Errorf("%v", err)
			}
		})
	}
}

// A program that takes something up and says so in good order is not blamed for it, and
// one that has said more than that which cannot be read is.
func TestK1_TakenUpAndMore(t *testing.T) {
	const good = `{"type":"result","subtype":"success","is_error":false,"result":"deployed","session_id":"s1","uuid":"u"}`
	for name, tt := range map[string]struct {
		words string
		wrong bool
	}{
		"in good order":           {good + "\n", false},
		"without an end":          {good, false},
		"and more":                {good + "\ngarbage\n", true},
		"and more without an end": {good + "\ngarbage", true},
	} {
		t.Run(name, func(t *testing.T) {
			o, r := options(t, "last words: "+tt.words)
			d := start(t, o.WithFewUntold())
			done, err := d.TakeUp(t.Context())
			if !done || errors.As(err, new(*driver.LineError)) != tt.wrong || (err != nil) != tt.wrong || len(r.results()) != 1 {
				t.Errorf("%v, %v, %q", done, err, r.results())
			}
			if err := d.Close(t.Context()); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}

// lingering is a context that keeps whoever lets go of it until then.
type lingering struct {
	context.Context
	until <-chan struct{}
}

// Done and Value hide the other context: package context would not ask this one.
func (l lingering) Done() <-chan struct{} { return make(chan struct{}) }
func (l lingering) Value(any) any         { return nil }

func (l lingering) AfterFunc(func()) (stop func() bool) {
	return func() bool {
		<-l.until
		return true
	}
}

// What the program has refused is said also where it has ended before anybody could end it
// for that. Its last line has no end, so it is told only when the program has ended.
func TestK1_RefusesAndEnds(t *testing.T) {
	for name, givenUp := range map[string]bool{"somebody waits": false, "nobody waits any more": true} {
		t.Run(name, func(t *testing.T) {
			o, _ := options(t, "refuses and ends")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan struct{})
			o.Tell = func(wire.Message) {
				if givenUp {
					cancel()
				}
				close(ended)
			}
			_, err := driver.Start(lingering{ctx, ended}, o)
			var exit *driver.ExitError
			if !errors.As(err, &exit) || exit.Code != 1 || !errors.As(err, new(*driver.RequestError)) || strings.Count(err.Error(), "no hooks today") != 1 {
				t.Errorf("%v", err)
			}
		})
	}
}

// An answer counts also when the program is gone by the time somebody looks for it. Of two
// things that have happened a select takes either, so one look would prove nothing.
func TestK1_AnswersOfOneWhoIsGone(t *testing.T) {
	for range 100 {
		if c, err := driver.AwaitTooLate(t.Context(), wire.Control{Kind: wire.Refused, Failure: "no"}); err != nil || c.Failure != "no" {
			t.Fatalf("%+v, %v", c, err)
		}
	}
}
