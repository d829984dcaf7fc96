package assent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
)

const brokenRule = `{"permissions": {"deny": ["Bash("]}}`

// TestK1_RunWarns: who only wants the result is told what a loop would have yielded.
func TestK1_RunWarns(t *testing.T) {
	p := newPlace(t)
	var warned []string
	options := p.with("turns: []\nafterwards: Hello.\n", assent.Settings(brokenRule), assent.Warn(func(text string) { warned = append(warned, text) }))
	if _, err := assent.Run(t.Context(), "hi", options...); err != nil || len(warned) != 1 || !strings.Contains(warned[0], "malformed") {
		t.Errorf("%v, %q", err, warned)
	}
	if _, err := assent.Run(t.Context(), "hi", p.with("turns: []\nafterwards: Hello.\n", assent.Settings(brokenRule))...); err != nil { // nobody wants to know
		t.Error(err)
	}
}

// TestK1_AWarningThatPanics does not keep a session from its end.
func TestK1_AWarningThatPanics(t *testing.T) {
	p := newPlace(t)
	options := p.with("turns: []\nafterwards: Hello.\n", assent.Settings(brokenRule), assent.Warn(func(string) { panic("oh") }), assent.SessionID(anID))
	client, err := assent.Open(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	if result, err := assent.Run(t.Context(), "hi", p.with("turns: []\nafterwards: Hello.\n", assent.Settings(brokenRule), assent.Warn(func(string) { panic("oh") }))...); err != nil || result.Text != "Hello." {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestK1_AnOptionThatIsNil says nothing, so that a program can leave one out.
func TestK1_AnOptionThatIsNil(t *testing.T) {
	p := newPlace(t)
	if result, err := assent.Run(t.Context(), "hi", p.with("turns: []\nafterwards: Hello.\n", nil, assent.Options(nil))...); err != nil || result.Text != "Hello." {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestK1_CloseInAHook, which waits for itself then, takes no time that a person minds.
func TestK1_CloseInAHook(t *testing.T) {
	p := newPlace(t)
	var client *assent.Client
	closed := make(chan error, 1)
	client, err := assent.Open(t.Context(), p.with(touches("made"), assent.Allow("Bash"), assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		closed <- client.Close()
		return hook.Output{}, nil
	}))...)
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	for range client.Query(t.Context(), "make it") { // how that ends is told elsewhere
	}
	if err := <-closed; err != nil || p.exists("made") {
		t.Errorf("%v, made: %v", err, p.exists("made"))
	}
	if took := time.Since(before); took > 4*time.Second {
		t.Errorf("it took %v", took)
	}
}
