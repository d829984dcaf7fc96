package assent_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// touches is a model that wants to make some files, one after the other.
func touches(names ...string) string {
	turns := "turns:\n"
	for _, name := range names {
		turns += "  - call: {Bash: {command: touch " + name + "}}\n"
	}
	return turns + "afterwards: Well.\n"
}

func always(answer assent.Answer) assent.Option {
	return assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) { return answer, nil })
}

// TestK2_WhatAnAnswerDoes: yes runs the call, everything else does not.
func TestK2_WhatAnAnswerDoes(t *testing.T) {
	for name, tt := range map[string]struct {
		option assent.Option
		runs   bool
		tells  string // what the model reads
		ends   string
	}{
		"yes":          {always(assent.Yes()), true, "", "end success"},
		"no":           {always(assent.No("use make instead")), false, "use make instead", "end success"},
		"no words":     {always(assent.No("")), false, "denied", "end success"},
		"no, and stop": {always(assent.NoAndStop("that is enough")), false, "that is enough", "end error_during_execution"},
		"nothing":      {always(assent.Answer{}), false, "neither yes nor no", "end success"},
		"nonsense":     {always(assent.Answer{Behavior: permission.Defer}), false, "neither yes nor no", "end success"},
		"an error": {assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
			return assent.Yes(), errors.New("the database is down")
		}), false, "the database is down", "end success"},
		"a panic": {assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
			panic("oh")
		}), false, "it panicked: oh", "end success"},
		"an exit": {assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
			runtime.Goexit()
			return assent.Yes(), nil
		}), false, "without an answer", "end success"},
		"nobody": {assent.CanUseTool(nil), false, "", "end success"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			all, result := watch(t, "make it", p.with(touches("made"), tt.option))
			if p.exists("made") != tt.runs || (len(result.Denials) == 0) != tt.runs {
				t.Errorf("it ran: %v, denials %v", p.exists("made"), result.Denials)
			}
			if !tt.runs && (result.Denials[0].ToolName != "Bash" || !strings.Contains(string(result.Denials[0].ToolInput), "touch made")) {
				t.Errorf("%+v", result.Denials)
			}
			if !strings.Contains(strings.Join(all, "\n"), tt.tells) || all[len(all)-1] != tt.ends {
				t.Errorf("%q", all)
			}
		})
	}
}

// TestK2_WhatIsAsked: the call as it would run, why it is asked about, and what "always"
// would change.
func TestK2_WhatIsAsked(t *testing.T) {
	p := newPlace(t)
	var asked []assent.ToolCall
	_, result := watch(t, "make it", p.with(touches("made"), assent.CanUseTool(func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
		asked = append(asked, call)
		var input struct {
			Command string `json:"command"`
		}
		if err := call.ToolInput.Decode(&input); err != nil || input.Command != "touch made" {
			t.Errorf("%+v, %v", input, err)
		}
		clear(call.ToolInput) // it is ours to spoil
		clear(call.Suggestions)
		return assent.Yes(), nil
	})))
	if len(asked) != 1 || asked[0].ToolName != "Bash" || asked[0].ToolUseID == "" || asked[0].AgentID != "" || asked[0].Reason == "" || len(asked[0].Suggestions) == 0 {
		t.Errorf("%+v", asked)
	}
	if !p.exists("made") || len(result.Denials) > 0 {
		t.Errorf("%+v", result)
	}
}

// TestK2_AlwaysAllow: the suggestions of a call hold from the next one on, and for sessions
// that read the settings in which they are kept.
func TestK2_AlwaysAllow(t *testing.T) {
	p := newPlace(t)
	asked := 0
	decide := assent.CanUseTool(func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
		asked++
		return assent.YesAlways(call.Suggestions...), nil
	})
	for _, tt := range []struct {
		name string
		more []assent.Option
		want int
	}{
		{"the first session", nil, 1},
		{"another one", nil, 1},
		{"one that reads them", []assent.Option{assent.SettingSources(rule.LocalSettings), assent.TrustWorkspace()}, 0},
	} {
		asked = 0
		watch(t, "make them", p.with(touches("a", "a", "a"), append(tt.more, decide)...))
		if asked != tt.want || !p.exists("a") {
			t.Errorf("%s: asked %d times", tt.name, asked)
		}
		if !p.exists(".claude/settings.local.json") {
			t.Errorf("%s: nothing is kept", tt.name)
		}
	}
}

// An update of one's own holds for the session, and for no other.
func TestK2_UpdatesOfOnesOwn(t *testing.T) {
	p := newPlace(t)
	never := permission.Update{Type: permission.AddRules, Destination: rule.Session, Behavior: rule.Deny, Rules: []string{"Bash(touch:*)"}}
	asked := 0
	decide := assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
		asked++
		answer := assent.No("and do not ask again")
		answer.Updates = []permission.Update{never}
		return answer, nil
	})
	_, result := watch(t, "make them", p.with(touches("a", "b"), decide))
	if asked != 1 || len(result.Denials) != 2 {
		t.Errorf("asked %d times, denied %v", asked, result.Denials)
	}
	watch(t, "make it", p.with(touches("a"), decide))
	if asked != 2 {
		t.Error("the rule has outlived its session")
	}
	// With a no nothing is loosened, and a rule cannot lift another.
	always := never
	always.Behavior = rule.Allow
	all, _ := watch(t, "make them", p.with(touches("a", "b"), assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
		answer := assent.No("")
		answer.Updates = []permission.Update{always}
		return answer, nil
	})))
	if p.exists("a") || p.exists("b") || !strings.Contains(strings.Join(all, "\n"), "would have loosened") {
		t.Errorf("%q", all)
	}
	watch(t, "make them", p.with(touches("a", "b"), assent.Deny("Bash(touch b)"), assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
		return assent.YesAlways(always), nil
	})))
	if !p.exists("a") || p.exists("b") {
		t.Errorf("a: %v, b: %v", p.exists("a"), p.exists("b"))
	}
}

// TestK2_AChangedInputIsJudgedAgain: whoever answers can change what runs, but not what may.
func TestK2_AChangedInputIsJudgedAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		input any
		runs  string // the file that is there afterwards
		tells string
	}{
		"another one":        {map[string]string{"command": "touch other"}, "other", ""},
		"a forbidden one":    {map[string]string{"command": "touch forbidden"}, "", "forbidden"},
		"no such input":      {map[string]string{"cmd": "touch other"}, "", "invalid"},
		"no object":          {[]int{1}, "", "invalid"},
		"the same once more": {map[string]string{"command": "touch made"}, "made", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			all, _ := watch(t, "make it", p.with(touches("made"), assent.Deny("Bash(touch forbidden)"), assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
				return assent.YesWith(tt.input)
			})))
			for _, file := range []string{"made", "other", "forbidden"} {
				if p.exists(file) != (file == tt.runs) {
					t.Errorf("%s: %v; %q", file, p.exists(file), all)
				}
			}
			if !strings.Contains(strings.Join(all, "\n"), tt.tells) {
				t.Errorf("%q", all)
			}
		})
	}
	if _, err := assent.YesWith(func() {}); err == nil {
		t.Error("a function became an input")
	}
}

// Questions to the person are answered by their text.
func TestK2_AnswersToQuestions(t *testing.T) {
	p := newPlace(t)
	all, result := watch(t, "choose", p.with(`
turns:
  - call:
      AskUserQuestion:
        questions:
          - {question: "Which colour?", header: Colour, options: [{label: Red, description: warm}, {label: Blue, description: cold}], multiSelect: false}
  - expect: Blue
    say: Blue it is.
`, assent.CanUseTool(func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
		return assent.Answers(call, map[string]string{"Which colour?": "Blue"})
	})))
	if result.Text != "Blue it is." {
		t.Errorf("%q", all)
	}
}

// TestK2_TheEndOfAQuestion: a hook that answers first, or whoever ends the work, ends the
// context of the function, and nobody waits for what it says.
func TestK2_TheEndOfAQuestion(t *testing.T) {
	for name, tt := range map[string]struct {
		option func(asked <-chan struct{}, cancel context.CancelFunc) assent.Option
		runs   bool
	}{
		"a hook is faster": {func(asked <-chan struct{}, _ context.CancelFunc) assent.Option {
			return assent.OnEvent(hook.PermissionRequest, "", func(context.Context, hook.Invocation) (hook.Output, error) {
				<-asked
				return hook.AnswerAllow(), nil
			})
		}, true},
		"somebody cancels": {func(asked <-chan struct{}, cancel context.CancelFunc) assent.Option {
			return assent.OnEvent(hook.PermissionRequest, "", func(context.Context, hook.Invocation) (hook.Output, error) {
				<-asked
				cancel()
				return hook.Output{}, nil
			})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			asked := make(chan struct{}) // otherwise nobody might ask any more
			var ended error
			var last error
			soon(t, "the loop", func() {
				for _, err := range assent.Query(ctx, "make it", p.with(touches("made"), tt.option(asked, cancel), assent.CanUseTool(func(ctx context.Context, _ assent.ToolCall) (assent.Answer, error) {
					close(asked)
					<-ctx.Done()
					ended = ctx.Err() // nobody reads it before we are done
					return assent.Yes(), nil
				}))...) {
					last = err
				}
			})
			if ended == nil || p.exists("made") != tt.runs || errors.Is(last, context.Canceled) == tt.runs {
				t.Errorf("context %v, ran %v, error %v", ended, p.exists("made"), last)
			}
		})
	}
}

// A function that does not heed its end holds up nobody for long.
func TestK2_ADeafFunction(t *testing.T) {
	p := newPlace(t)
	release, asked := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	soon(t, "the loop", func() {
		for range assent.Query(ctx, "make it", p.with(touches("made"), assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
			close(asked)
			<-release
			return assent.Yes(), nil
		}))...) {
		}
	})
	close(release)
	if p.exists("made") {
		t.Error("an answer that came too late let the call run")
	}
}

// Whoever answers may use the client: to look, to change the mode, to end everything.
func TestK2_TheClientFromInside(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(t *testing.T, c *assent.Client)
		runs []string
	}{
		"change the mode": {func(t *testing.T, c *assent.Client) {
			if err := c.SetPermissionMode(context.Background(), permission.DontAsk); err != nil {
				t.Error(err)
			}
		}, nil}, // which holds for the call in question, too
		"interrupt": {func(t *testing.T, c *assent.Client) {
			if err := c.Interrupt(context.Background()); err != nil {
				t.Error(err)
			}
		}, nil},
		"another prompt": {func(t *testing.T, c *assent.Client) {
			for _, err := range c.Query(context.Background(), "hi") {
				if !errors.Is(err, assent.ErrBusy) {
					t.Error(err)
				}
			}
		}, []string{"a", "b"}},
		"close": {func(t *testing.T, c *assent.Client) {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			var client *assent.Client
			over := make(chan struct{}, 2)
			client = opened(t, p.with(touches("a", "b"), assent.CanUseTool(func(context.Context, assent.ToolCall) (assent.Answer, error) {
				tt.do(t, client)
				over <- struct{}{}
				return assent.Yes(), nil
			}))...)
			before := time.Now()
			for _, err := range client.Query(t.Context(), "make them") {
				if err != nil {
					t.Error(err)
				}
			}
			<-over
			if took := time.Since(before); took > 3*time.Second {
				t.Errorf("it took %v", took)
			}
			for _, file := range []string{"a", "b"} {
				if want := strings.Contains(strings.Join(tt.runs, " "), file); p.exists(file) != want {
					t.Errorf("%s: %v", file, p.exists(file))
				}
			}
		})
	}
}
