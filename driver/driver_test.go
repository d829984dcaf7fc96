package driver_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/driver"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

func TestK1_ADriverWorksOffPrompts(t *testing.T) {
	o, r := options(t, "well")
	d := start(t, o)
	for _, prompt := range []string{"one", "two\nlines"} {
		if err := d.Prompt(t.Context(), prompt); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.results(); !reflect.DeepEqual(got, []string{"done: one", "done: two\nlines"}) {
		t.Errorf("%q", got)
	}
	if d.SessionID() != "s1" {
		t.Errorf("the session is %q", d.SessionID())
	}
	if err := d.SetPermissionMode(t.Context(), "plan"); err != nil {
		t.Error(err)
	}
	var refused *driver.RequestError
	if err := d.SetPermissionMode(t.Context(), "yolo"); !errors.As(err, &refused) || refused.Text != "no such mode" {
		t.Errorf("%v", err)
	}
	if err := errors.Join(d.Interrupt(t.Context()), d.SetModel(t.Context(), "m"), d.Close(t.Context())); err != nil {
		t.Error(err)
	}
	if err := d.Prompt(t.Context(), "three"); !errors.As(err, new(*driver.ExitError)) && !errors.Is(err, driver.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// A program that does not behave is an error that says what happened, and never a hang.
func TestK1_HostilePrograms(t *testing.T) {
	for name, tt := range map[string]struct {
		how   string
		cause error
		code  int
		text  string
	}{
		"it dies in the middle":     {"dies", nil, 3, "exit status 3"},
		"it is killed":              {"killed", nil, -1, "SIGKILL"},
		"it prints garbage":         {"garbage", nil, -1, "line 3"},
		"it repeats a key":          {"repeats a key", nil, -1, "twice"},
		"its result has no subtype": {"no subtype", nil, -1, "no subtype"},
		"it prints 100 MB":          {"long", strictjson.ErrLineTooLong, -1, "32 MB"},
		"it closes its output":      {"closes", driver.ErrOutputClosed, -1, "closed its output"},
		"it reads nothing and asks": {"deaf", driver.ErrInputClosed, -1, "does not read"},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := options(t, tt.how)
			o.CanUseTool = func(context.Context, driver.Question) (permission.Answer, error) {
				return permission.Answer{Behavior: permission.Allow}, nil
			}
			d := start(t, o.WithRoom(1<<20))
			err := d.Prompt(t.Context(), "go")
			var exit *driver.ExitError
			if !errors.As(err, &exit) {
				t.Fatalf("%v", err)
			}
			if exit.Code != tt.code || !strings.Contains(err.Error(), tt.text) || tt.cause != nil && !errors.Is(err, tt.cause) {
				t.Errorf("%+v\n%v", exit, err)
			}
			if tt.how == "dies" && (!strings.HasSuffix(exit.Stderr, "out of [31mmemory") || exit.Cause != nil) {
				t.Errorf("%q, %v", exit.Stderr, exit.Cause)
			}
			if err := d.Close(t.Context()); err != nil {
				t.Errorf("Close tells again what Prompt has told: %v", err)
			}
			if err := d.Prompt(t.Context(), "again"); !errors.Is(err, driver.ErrClosed) {
				t.Errorf("the next prompt: %v", err)
			}
		})
	}
}

func TestK1_ProgramsThatCannotBeStarted(t *testing.T) {
	for name, tt := range map[string]struct{ how, text string }{
		"it says nothing":        {"silent", "does not answer"},
		"it has no such flags":   {"no protocol", "unknown flag: --input-format"},
		"it takes no hooks":      {"refuses", "no hooks today"},
		"it knows no session":    {"no session", "exit status 1"},
		"it dies when it starts": {"no protocol", "exit status 2"},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := options(t, tt.how)
			if tt.how == "silent" {
				o.Patience.Start = time.Millisecond
			}
			_, err := driver.Start(t.Context(), o)
			var exit *driver.ExitError
			if !errors.As(err, &exit) || !strings.Contains(err.Error(), tt.text) {
				t.Fatalf("%v", err)
			}
			if tt.how == "silent" && !errors.Is(err, driver.ErrSilent) {
				t.Errorf("%v", err)
			}
			if tt.how == "no session" && (exit.Last == nil || exit.Last.Errors[0] != "No conversation found") {
				t.Errorf("%+v", exit.Last)
			}
		})
	}
	t.Run("there is none", func(t *testing.T) {
		o, _ := options(t, "well")
		o.Path = "./no-such-program"
		if _, err := driver.Start(t.Context(), o); err == nil || !strings.Contains(err.Error(), "PATH") {
			t.Errorf("%v", err)
		}
	})
	t.Run("nobody waits for it", func(t *testing.T) {
		o, _ := options(t, "silent")
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		time.AfterFunc(time.Millisecond, func() { cancel(why) })
		if _, err := driver.Start(ctx, o); !errors.Is(err, why) {
			t.Errorf("%v", err)
		}
	})
}

// The end of a context interrupts the work; the program lives on.
func TestK1_CancellationInterrupts(t *testing.T) {
	o, r := options(t, "hangs")
	ctx, cancel := context.WithCancel(t.Context())
	o.Tell = func(m wire.Message) {
		r.tell(m)
		if _, ok := m.(*wire.Init); ok {
			cancel()
		}
	}
	d := start(t, o)
	if err := d.Prompt(ctx, "go"); !errors.Is(err, context.Canceled) || errors.As(err, new(*driver.ExitError)) {
		t.Errorf("%v", err)
	}
	if got := r.results(); len(got) != 1 || got[0] != "interrupted" {
		t.Errorf("%q", got)
	}
	if err := d.Interrupt(t.Context()); err != nil {
		t.Errorf("it does not live on: %v", err)
	}
	if err := d.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// What does not stop when it is told to is ended, with all that it has started.
func TestK1_StubbornPrograms(t *testing.T) {
	for _, how := range []string{"stubborn", "stubborn with a child", "stubborn but polite"} {
		t.Run("prompt "+how, func(t *testing.T) {
			o, _ := options(t, how)
			o.Patience.Stop, o.Patience.Term = 50*time.Millisecond, 50*time.Millisecond
			ctx, cancel := context.WithCancel(t.Context())
			o.Tell = func(wire.Message) { cancel() }
			d := start(t, o)
			err := d.Prompt(ctx, "go")
			var exit *driver.ExitError
			if !errors.As(err, &exit) || !errors.Is(err, driver.ErrStubborn) || !errors.Is(err, context.Canceled) || !strings.Contains(exit.Status, "KILL") || strings.Count(err.Error(), driver.ErrStubborn.Error()) != 1 {
				t.Errorf("%v, %+v", err, exit)
			}
		})
		t.Run("close "+how, func(t *testing.T) {
			o, _ := options(t, how)
			o.Patience.Stop, o.Patience.End, o.Patience.Term = 50*time.Millisecond, 50*time.Millisecond, 50*time.Millisecond
			working := make(chan struct{})
			o.Tell = func(wire.Message) { close(working) }
			d := start(t, o)
			done := make(chan error, 1)
			go func() { done <- d.Prompt(t.Context(), "go") }()
			<-working
			if err := d.Close(t.Context()); err != nil {
				t.Errorf("what Prompt has told: %v", err)
			}
			if err := <-done; !errors.Is(err, driver.ErrStubborn) || !errors.Is(err, driver.ErrClosed) {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("idle", func(t *testing.T) {
		o, _ := options(t, "stubborn to the end")
		o.Patience.End = 50 * time.Millisecond
		d := start(t, o)
		var exit *driver.ExitError
		if err := d.Close(t.Context()); !errors.As(err, &exit) || !errors.Is(err, driver.ErrStubborn) || !strings.Contains(exit.Status, syscall.SIGTERM.String()) && !strings.Contains(exit.Status, "TERM") {
			t.Errorf("%v, %+v", err, exit)
		}
	})
	t.Run("no time", func(t *testing.T) {
		o, _ := options(t, "stubborn to the end")
		d := start(t, o)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.Close(ctx); !errors.Is(err, driver.ErrStubborn) {
			t.Errorf("%v", err)
		}
	})
}

// A question that is taken back ends the context of who is asked, and has no answer.
func TestK3_WithdrawnQuestions(t *testing.T) {
	o, r := options(t, "withdraws")
	var d *driver.Driver
	o.CanUseTool = func(ctx context.Context, _ driver.Question) (permission.Answer, error) {
		if err := d.SetModel(ctx, "go"); err != nil {
			return permission.Answer{}, err
		}
		<-ctx.Done()
		go d.SetModel(context.Background(), "over")
		return permission.Answer{Behavior: permission.Allow}, nil
	}
	d = start(t, o)
	if err := d.Prompt(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if got := r.results(); len(got) != 1 || got[0] != "withdrawn" {
		t.Errorf("%q", got)
	}
}

// Questions wait until what was said before them has been told; answers do not.
func TestK1_QuestionsWaitForWhoIsTold(t *testing.T) {
	o, r := options(t, "well")
	var d *driver.Driver
	var order []string
	o.Tell = func(m wire.Message) {
		r.tell(m)
		if _, ok := m.(*wire.Result); ok {
			order = append(order, "told")
			if err := d.SetPermissionMode(t.Context(), "plan"); err != nil {
				t.Error(err)
			}
		}
	}
	o.CanUseTool = func(context.Context, driver.Question) (permission.Answer, error) {
		order = append(order, "asked")
		return permission.Answer{Behavior: permission.Deny}, nil
	}
	d = start(t, o)
	for _, prompt := range []string{"one", `ask {"subtype":"can_use_tool","tool_name":"Bash","input":{}}`} {
		if err := d.Prompt(t.Context(), prompt); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(order, []string{"told", "asked", "told"}) {
		t.Errorf("%q", order)
	}
}

// In a session that goes on a call that has waited has a result of its own.
func TestK1_ResultsOfWhatHasWaited(t *testing.T) {
	o, r := options(t, "takes up")
	o.Replays = true
	d := start(t, o)
	if err := d.Prompt(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if got := r.results(); !reflect.DeepEqual(got, []string{"taken up", "done: go"}) || len(r.messages) != 2 {
		t.Errorf("%q of %d messages", got, len(r.messages))
	}
	for i, m := range r.messages {
		if result := m.(*wire.Result); result.TakenUp != (i == 0) {
			t.Errorf("%+v", result)
		}
	}
	t.Run("and ends", func(t *testing.T) {
		o, r := options(t, "takes up and ends")
		o.Replays = true
		d := start(t, o)
		if err := d.Prompt(t.Context(), "go"); err != nil || len(r.results()) != 1 || r.messages[0].(*wire.Result).TakenUp {
			t.Errorf("%v, %q", err, r.results())
		}
		if err := d.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A program that does not wait for a prompt has done its work by then, and that is told.
func TestS45_AProgramThatTakesUpAtOnce(t *testing.T) {
	o, r := options(t, "takes up at once")
	d := start(t, o)
	if done, err := d.TakeUp(t.Context()); !done || err != nil || len(r.results()) != 1 {
		t.Errorf("%v, %v, %q", done, err, r.results())
	}
}

func TestK1_TakeUpEndsTheInput(t *testing.T) {
	o, r := options(t, "well")
	d := start(t, o)
	if done, err := d.TakeUp(t.Context()); done || err != nil {
		t.Errorf("%v, %v, %q", done, err, r.results())
	}
	t.Run("cancelled", func(t *testing.T) {
		o, _ := options(t, "stubborn to the end")
		d := start(t, o)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := d.TakeUp(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}
