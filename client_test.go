package assent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// Several prompts are one conversation, and each has its own result.
func TestK1_SeveralPrompts(t *testing.T) {
	p := newPlace(t)
	var events []string
	client := opened(t, p.with(`
turns:
  - say: Hello.
  - call: {Bash: {command: touch made}}
  - expect: {failed: true}
    say: I may not.
  - say: Bye.
`, assent.OnEvent(hook.SessionStart, "", noteTo(&events)), assent.OnEvent(hook.SessionEnd, "", noteTo(&events)))...)
	var ends []string
	for _, prompt := range []string{"hi", "make it", "bye"} {
		_, result := ask(t, client, prompt)
		ends = append(ends, result.Text)
		if (len(result.Denials) > 0) != (prompt == "make it") {
			t.Errorf("%s: %v", prompt, result.Denials)
		}
	}
	lines(t, ends, []string{"Hello.", "I may not.", "Bye."})
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	lines(t, events, []string{"SessionStart:startup", "SessionEnd:other"})
}

// TestK3_ChangesFromInsideTheLoop: a mode that the body sets holds for the call that it has
// just been told of.
func TestK3_ChangesFromInsideTheLoop(t *testing.T) {
	for name, tt := range map[string]struct {
		mode permission.Mode
		want []string
		runs bool
	}{
		"plan":   {permission.Plan, []string{"init", "call Write", "mode plan", "told *", "say Well.", "end success"}, false},
		"accept": {permission.AcceptEdits, []string{"init", "call Write", "mode acceptEdits", "told *", "say Well.", "end success"}, true},
		"same":   {permission.Default, []string{"init", "call Write", "told *", "say Well.", "end success"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			client := opened(t, p.with(`
turns:
  - call: {Write: {file_path: made, content: x}}
  - say: Well.
`)...)
			var all []string
			for m, err := range client.Query(t.Context(), "make it") {
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, told(m))
				if told(m) == "call Write" {
					if err := client.SetPermissionMode(t.Context(), tt.mode); err != nil {
						t.Error(err)
					}
				}
			}
			lines(t, all, tt.want)
			if p.exists("made") != tt.runs {
				t.Errorf("it ran: %v", p.exists("made"))
			}
		})
	}
}

// A mode that is none, or that nobody has permitted, stays out.
func TestK3_ModesThatMayNotBe(t *testing.T) {
	p := newPlace(t)
	client := opened(t, p.with(touches("a"))...)
	for _, mode := range []permission.Mode{0, permission.Bubble, permission.Mode(99), permission.BypassPermissions} {
		if err := client.SetPermissionMode(t.Context(), mode); err == nil {
			t.Errorf("the mode is %v", mode)
		}
	}
	if _, result := ask(t, client, "make it"); len(result.Denials) != 1 || p.exists("a") {
		t.Errorf("%+v", result)
	}
	permitted := opened(t, p.with(touches("a"), assent.AllowBypass())...)
	if err := permitted.SetPermissionMode(t.Context(), permission.BypassPermissions); err != nil {
		t.Error(err)
	}
	if _, result := ask(t, permitted, "make it"); len(result.Denials) != 0 || !p.exists("a") {
		t.Errorf("%+v", result)
	}
}

// TestK3_Interrupt: from inside of the loop and from elsewhere, at every message; the result
// follows, and the session can go on.
func TestK3_Interrupt(t *testing.T) {
	for _, from := range []string{"inside", "elsewhere"} {
		for at := range 5 {
			t.Run(fmt.Sprint(from, " ", at), func(t *testing.T) {
				p := newPlace(t)
				client := opened(t, p.with("turns:\n  - {say: I make it., call: {Bash: {command: touch made}}}\n  - say: Done.\nafterwards: Well.\n", assent.Allow("Bash(touch:*)"))...)
				var all []string
				for m, err := range client.Query(t.Context(), "make it") {
					if err != nil {
						t.Fatal(err)
					}
					if len(all) == at {
						var other sync.WaitGroup
						stop := func() {
							if err := client.Interrupt(t.Context()); err != nil {
								t.Error(err)
							}
						}
						if from == "inside" {
							stop()
						} else {
							other.Go(stop)
						}
						other.Wait()
					}
					all = append(all, told(m))
				}
				want := "end error_during_execution"
				if at >= 4 { // the model has nothing more to say: there is nothing to interrupt
					want = "end success"
				}
				if all[len(all)-1] != want {
					t.Errorf("%s at %d: %q", from, at, all)
				}
				if at < 3 && p.exists("made") {
					t.Errorf("%s at %d: it ran", from, at)
				}
				if _, result := ask(t, client, "and now?"); result.Err() != nil {
					t.Errorf("%s at %d: %+v", from, at, result)
				}
			})
		}
	}
}

// What comes before the first message can be interrupted, too; and a hook that was cut off
// there gets its say with the next prompt.
func TestK3_InterruptBeforeThePrompt(t *testing.T) {
	p := newPlace(t)
	began := make(chan struct{}, 2)
	runs := 0
	client := opened(t, p.with("turns: []\nafterwards: Hello.\n", assent.OnEvent(hook.SessionStart, "", func(ctx context.Context, _ hook.Invocation) (hook.Output, error) {
		runs++
		began <- struct{}{}
		if runs == 1 {
			<-ctx.Done()
			return hook.Output{}, ctx.Err()
		}
		return hook.Halt("not today"), nil
	}))...)
	go func() {
		<-began
		_ = client.Interrupt(context.Background())
	}()
	soon(t, "the interrupt", func() {
		if _, result := ask(t, client, "hi"); result.Err() == nil {
			t.Errorf("%+v", result)
		}
	})
	var refused *assent.RefusedError
	var last error
	for _, err := range client.Query(t.Context(), "hi") {
		last = err
	}
	if !errors.As(last, &refused) || refused.Reason != "not today" {
		t.Errorf("%v", last)
	}
}

// models is a model that writes down what it is called.
type models struct {
	model.Provider
	names []string
}

func (m *models) Ask(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	m.names = append(m.names, r.Model)
	return m.Provider.Ask(ctx, r, on)
}

// TestK3_SetModel: from the next request on.
func TestK3_SetModel(t *testing.T) {
	p := newPlace(t)
	m := &models{Provider: play(t, twoCalls)}
	p.file("a.txt", "hello\n")
	client := opened(t, append(p.with(twoCalls), assent.Provider(m), assent.Model("one"))...)
	for message, err := range client.Query(t.Context(), "look") {
		if err != nil {
			t.Fatal(err)
		}
		if told(message) == "call Bash" {
			if err := client.SetModel(t.Context(), "two"); err != nil {
				t.Error(err)
			}
		}
	}
	lines(t, m.names, []string{"one", "two", "two"})
}

// One loop at a time.
func TestK3_TwoLoops(t *testing.T) {
	p := newPlace(t)
	client := opened(t, p.with("turns: []\nafterwards: Hello.\n")...)
	for m, err := range client.Query(t.Context(), "one") {
		if err != nil {
			t.Fatal(err)
		}
		var errs []error
		for _, err := range client.Query(t.Context(), "two") {
			errs = append(errs, err)
		}
		if len(errs) != 1 || !errors.Is(errs[0], assent.ErrBusy) {
			t.Errorf("at %s: %v", told(m), errs)
		}
	}
	// Of many that begin at once, those that come too early are told so.
	var all sync.WaitGroup
	var mu sync.Mutex
	ran, busy := 0, 0
	for range 8 {
		all.Go(func() {
			for m, err := range client.Query(t.Context(), "three") {
				mu.Lock()
				if errors.Is(err, assent.ErrBusy) {
					busy++
				} else if err != nil {
					t.Error(err)
				}
				if _, ok := m.(*assent.Result); ok {
					ran++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if ran == 0 || ran+busy != 8 {
		t.Errorf("%d ran, %d were busy", ran, busy)
	}
}

// A loop that was left has nothing to say to the next one.
func TestK1_ALoopThatWasLeft(t *testing.T) {
	for at := range 6 {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			p := newPlace(t)
			client := opened(t, p.with("turns:\n  - {say: I look., call: {Bash: {command: ls}}}\n  - say: Done.\nafterwards: Hello.\n",
				assent.OnEvent(hook.PreToolUse, "", noteTo(new([]string))))...)
			i := 0
			for range client.Query(t.Context(), "look") {
				if i == at {
					break
				}
				i++
			}
			all, result := ask(t, client, "hi")
			if all[0] != "init" || slices.Index(all, "end success") != len(all)-1 || len(result.Hooks) > 0 && at >= 3 {
				t.Errorf("after %d: %q, %+v", at, all, result.Hooks)
			}
		})
	}
}

// TestK3_Close: inside of the loop, twice, from elsewhere, at every message; the loop comes
// to its end, and afterwards nothing works any more.
func TestK3_Close(t *testing.T) {
	for _, from := range []string{"inside", "elsewhere", "both"} {
		for at := range 6 {
			p := newPlace(t)
			var events []string
			client := opened(t, p.with("turns:\n  - {say: I make it., call: {Bash: {command: touch made}}}\n  - say: Done.\n",
				assent.Allow("Bash(touch:*)"), assent.OnEvent(hook.SessionEnd, "", noteTo(&events)))...)
			var other sync.WaitGroup
			end := func() {
				if err := client.Close(); err != nil {
					t.Error(err)
				}
			}
			var all []string
			soon(t, "the end", func() {
				for m, err := range client.Query(t.Context(), "make it") {
					if err != nil {
						t.Fatal(err)
					}
					if len(all) == at {
						if from != "inside" {
							other.Go(end)
						}
						if from != "elsewhere" {
							end()
						}
					}
					all = append(all, told(m))
				}
				other.Wait()
			})
			if !strings.HasPrefix(all[len(all)-1], "end ") {
				t.Errorf("%s at %d: %q", from, at, all)
			}
			if from != "elsewhere" && at < 3 && p.exists("made") {
				t.Errorf("%s at %d: it ran", from, at)
			}
			end()
			lines(t, events, []string{"SessionEnd:other"})
			afterTheEnd(t, client)
		}
	}
}

func afterTheEnd(t *testing.T, client *assent.Client) {
	t.Helper()
	var errs []error
	for _, err := range client.Query(t.Context(), "hi") {
		errs = append(errs, err)
	}
	errs = append(errs, client.Interrupt(t.Context()), client.SetPermissionMode(t.Context(), permission.Plan), client.SetModel(t.Context(), "x"))
	if len(errs) != 4 {
		t.Errorf("%v", errs)
	}
	for _, err := range errs {
		if !errors.Is(err, assent.ErrClosed) {
			t.Errorf("%v", err)
		}
	}
	if client.SessionID() == "" {
		t.Error("nobody can find the session")
	}
}

// Whoever begins while another ends gets a whole loop or none.
func TestK3_CloseWhileALoopBegins(t *testing.T) {
	p := newPlace(t)
	for range 20 {
		client := opened(t, p.with("turns: []\nafterwards: Hello.\n")...)
		var both sync.WaitGroup
		both.Go(func() { _ = client.Close() })
		both.Go(func() {
			var all []string
			for m, err := range client.Query(t.Context(), "hi") {
				if err != nil && !errors.Is(err, assent.ErrClosed) {
					t.Error(err)
				}
				if err == nil {
					all = append(all, told(m))
				}
			}
			if len(all) > 0 && !strings.HasPrefix(all[len(all)-1], "end ") {
				t.Errorf("%q", all)
			}
		})
		both.Wait()
	}
}

// What is told while nobody reads is the first that the next loop yields.
func TestK1_WhatIsToldBetweenLoops(t *testing.T) {
	p := newPlace(t)
	client := opened(t, p.with("turns: []\nafterwards: Hello.\n", assent.Settings(`{"permissions": {"deny": ["Bash("]}}`))...)
	all, _ := ask(t, client, "hi")
	if !strings.HasPrefix(all[0], "note ") || !strings.Contains(all[0], "malformed") || all[1] != "init" {
		t.Errorf("%q", all)
	}
	for _, mode := range []permission.Mode{permission.Plan, permission.AcceptEdits} {
		if err := client.SetPermissionMode(t.Context(), mode); err != nil {
			t.Error(err)
		}
	}
	all, _ = ask(t, client, "hi")
	lines(t, all, []string{"mode plan", "mode acceptEdits", "init", "say Hello.", "end success"})
}

// What no loop can yield any more goes to whoever asked for warnings.
func TestK1_WarningsWithoutALoop(t *testing.T) {
	p := newPlace(t)
	var warned []string
	warn := assent.Warn(func(text string) { warned = append(warned, text) })
	client, err := assent.Open(t.Context(), p.with("turns: []\nafterwards: Hello.\n", warn, assent.Settings(`{"permissions": {"deny": ["Bash("]}}`))...)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Close(); err != nil || len(warned) != 1 || !strings.Contains(warned[0], "malformed") {
		t.Errorf("%v, %q", err, warned)
	}
	warned = nil
	_, err = assent.Open(t.Context(), p.with("turns: []\nafterwards: Hello.\n", warn, assent.Settings(`{"permissions": {"deny": ["Bash("]}}`), assent.MCPConfig("{}x"))...)
	if err == nil || len(warned) != 1 {
		t.Errorf("%v, %q", err, warned)
	}
}
