package assent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
)

// remembers is a model that writes down what it is told.
type remembers struct {
	model.Provider
	heard []string
}

func (m *remembers) Ask(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	m.heard = nil
	for _, message := range r.Messages {
		for _, b := range message.Content {
			m.heard = append(m.heard, string(message.Role)+" "+b.Text)
		}
	}
	return m.Provider.Ask(ctx, r, on)
}

// instructed is a model that writes down its instructions.
type instructed struct {
	model.Provider
	system string
}

func (m *instructed) Ask(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	m.system = r.System
	return m.Provider.Ask(ctx, r, on)
}

// TestSessions_GoOn: by its id, as the last one, or as a copy.
func TestSessions_GoOn(t *testing.T) {
	p := newPlace(t)
	const hi = "turns: []\nafterwards: Hello.\n"
	watch(t, "one", p.with(hi, assent.SessionID(anID)))
	first := []string{"user one", "assistant Hello."}
	for _, tt := range []struct {
		name string
		by   []assent.Option
		same bool
		want []string
	}{
		{"a fork", []assent.Option{assent.Resume(anID), assent.Fork()}, false, append(first, "user two")},
		{"its id", []assent.Option{assent.Resume(anID)}, true, append(first, "user two")},
		{"once more", []assent.Option{assent.Resume(anID)}, true, append(first, "user two", "assistant Hello.", "user two")},
		{"the last one", []assent.Option{assent.Continue(), assent.Fork()}, false, append(first, "user two", "assistant Hello.", "user two", "assistant Hello.", "user two")},
		{"forgotten", []assent.Option{assent.Forget()}, false, []string{"user two"}},
	} {
		m := &remembers{Provider: play(t, hi)}
		var source string
		var id string
		options := append(p.with(hi, tt.by...), assent.Provider(m), assent.On("", func(_ context.Context, in hook.SessionStartInput, _ hook.Invocation) (hook.Output, error) {
			source, id = in.Source, in.SessionID
			return hook.Output{}, nil
		}))
		watch(t, "two", options)
		lines(t, m.heard, tt.want)
		if (id == anID) != tt.same || (source == "resume") == (tt.name == "forgotten") {
			t.Errorf("%s: %s %s", tt.name, source, id)
		}
	}
	if left, err := os.ReadDir(filepath.Join(p.state, "sessions")); err != nil || len(left) != 3 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestSessions_ThatCannotGoOn: there is none, or somebody else has it.
func TestSessions_ThatCannotGoOn(t *testing.T) {
	p := newPlace(t)
	const hi = "turns: []\nafterwards: Hello.\n"
	var none *assent.NoSessionError
	if _, err := assent.Open(t.Context(), p.with(hi, assent.Resume(anID))...); !errors.As(err, &none) || none.ID != anID {
		t.Errorf("%v", err)
	}
	if _, err := assent.Open(t.Context(), p.with(hi, assent.Continue())...); err == nil {
		t.Error("there is none to continue")
	}
	holder := opened(t, p.with(hi, assent.SessionID(anID))...)
	ask(t, holder, "hi")
	if _, err := assent.Open(t.Context(), p.with(hi, assent.Resume(anID))...); !errors.As(err, &none) {
		t.Errorf("%v", err)
	}
	if _, err := assent.Open(t.Context(), p.with(hi, assent.SessionID(anID))...); err == nil {
		t.Error("two sessions have one id")
	}
}

// TestSessions_ThatAHookRefuses: no prompt is worked off, and the error says why.
func TestSessions_ThatAHookRefuses(t *testing.T) {
	p := newPlace(t)
	m := &models{Provider: play(t, touches("a"))}
	client := opened(t, append(p.with(touches("a")), assent.Provider(m), assent.On("", func(context.Context, hook.SessionStartInput, hook.Invocation) (hook.Output, error) {
		return hook.Halt("not today"), nil
	}))...)
	for range 2 {
		var all []string
		var last error
		for m, err := range client.Query(t.Context(), "make it") {
			if err == nil {
				all = append(all, told(m))
			}
			last = err
		}
		var refused *assent.RefusedError
		if !errors.As(last, &refused) || refused.Reason != "not today" || !strings.HasPrefix(all[len(all)-1], "end ") {
			t.Errorf("%v after %q", last, all)
		}
	}
	if len(m.names) > 0 || p.exists("a") {
		t.Error("the model was asked")
	}
}

// TestSessions_ThatCannotBeWritten: nothing happens that is not on record.
func TestSessions_ThatCannotBeWritten(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files that are in use cannot be taken away there")
	}
	p := newPlace(t)
	put(t, filepath.Join(p.state, "sessions"), "in the way")
	if _, err := assent.Open(t.Context(), p.with(touches("a"))...); err == nil || !strings.Contains(err.Error(), "sessions") {
		t.Errorf("%v", err)
	}
	// The audit log goes missing while the session works.
	p = newPlace(t)
	put(t, filepath.Join(p.state, "audit"), "in the way")
	var last error
	for _, err := range assent.Query(t.Context(), "make it", p.with(touches("a"), assent.Allow("Bash(touch:*)"))...) {
		last = err
	}
	var unrecorded *assent.UnrecordedError
	if !errors.As(last, &unrecorded) || unrecorded.Unwrap() == nil || p.exists("a") {
		t.Errorf("%v, ran %v", last, p.exists("a"))
	}
}
