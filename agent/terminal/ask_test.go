package terminal

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/wire"
)

var (
	local   = permission.Update{Type: permission.AddRules, Behavior: rule.Allow, Destination: rule.LocalSettings, Rules: []string{"Bash(make:*)", "Bash(touch x)"}}
	forNow  = permission.Update{Type: permission.AddRules, Behavior: rule.Allow, Destination: rule.Session, Rules: []string{"Read(//etc/**)"}}
	editing = permission.Update{Type: permission.SetMode, Mode: permission.AcceptEdits, Destination: rule.Session}
	folder  = permission.Update{Type: permission.AddDirectories, Directories: []string{"/data\x1b"}, Destination: rule.UserSettings}
)

func TestAnswers(t *testing.T) {
	const no = "The person at the terminal denied this call"
	all := []permission.Update{local, forNow}
	tests := []struct {
		name    string
		typed   []string
		offer   []permission.Update
		want    permission.Behavior
		updates int
		message string
		stop    bool
	}{
		{name: "yes", typed: []string{"y"}, want: permission.Allow},
		{name: "in words", typed: []string{" YES "}, want: permission.Allow},
		{name: "Enter is nothing", typed: []string{"", "", "n", ""}, want: permission.Deny, message: no + "."},
		{name: "other words are nothing", typed: []string{"ok", "sure", "1", "yy", "y y", "n no"}, want: permission.Deny, message: no + " and says: no"},
		{name: "no, and why", typed: []string{"n", "use make"}, want: permission.Deny, message: no + " and says: use make"},
		{name: "no, and the end", typed: []string{"n"}, want: permission.Deny, message: no + "."},
		{name: "not text", typed: []string{"n a\xffb"}, want: permission.Deny, message: no + " and says: a\uFFFDb"},
		{name: "stop", typed: []string{"q"}, want: permission.Deny, message: no + " and stopped the work.", stop: true},
		{name: "always all", typed: []string{"a", "y"}, offer: all, want: permission.Allow, updates: 2},
		{name: "always one", typed: []string{"a", "2"}, offer: all, want: permission.Allow, updates: 1},
		{name: "always, and back", typed: []string{"a", "", "a", "3", "a", "n", "n", ""}, offer: all, want: permission.Deny, message: no + "."},
		{name: "always is not offered", typed: []string{"a", "y"}, want: permission.Allow},
		{name: "one of one has no number", typed: []string{"a", "1", "n x"}, offer: all[:1], want: permission.Deny, message: no + " and says: x"},
		{name: "view, and yes", typed: []string{"v", "y"}, want: permission.Allow},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := agent.Question{Tool: "Bash", Input: object(t, "command", "make"), Decision: because("no rule"), Suggestions: test.offer}
			got, s, err := ask(t, q, test.typed...)
			if err != nil || got.Behavior != test.want || len(got.Updates) != test.updates || got.Message != test.message || got.Interrupt != test.stop || got.UpdatedInput != nil {
				t.Errorf("%+v, %v\n%s", got, err, s.text())
			}
			if len(s.typed) > 0 {
				t.Errorf("it did not want to know %q", s.typed)
			}
		})
	}
}

// No answer is none: it never lets a call through.
func TestNoAnswer(t *testing.T) {
	q := agent.Question{Tool: "Bash", Input: object(t, "command", "make"), Decision: because("no rule"), Suggestions: []permission.Update{local}}
	for _, typed := range [][]string{nil, {""}, {"a"}, {"a", ""}, {"maybe"}} {
		got, _, err := ask(t, q, typed...)
		if !errors.Is(err, errEnded) || got.Behavior != 0 {
			t.Errorf("%q: %+v, %v", typed, got, err)
		}
	}
	q.Decision.Reason.Kind = permission.ByInvalid
	if got, s, err := ask(t, q, "y"); !errors.Is(err, errInvalid) || got.Behavior != 0 || s.text() != "" {
		t.Errorf("invalid: %+v, %v", got, err)
	}
}

// Before every decision what was typed before it is thrown away.
func TestEveryQuestionIsFresh(t *testing.T) {
	q := agent.Question{Tool: "Bash", Input: object(t, "command", "make"), Decision: because("no rule"), Suggestions: []permission.Update{local}}
	if _, s, _ := ask(t, q, "", "what?", "a", "y"); s.freshened != 4 {
		t.Errorf("%d times", s.freshened)
	}
}

func TestAlwaysSaysWhatAndWhere(t *testing.T) {
	q := agent.Question{Tool: "Bash", Input: object(t, "command", "make"), Decision: because("no rule"), Suggestions: []permission.Update{local, forNow, editing, folder}}
	_, s, _ := ask(t, q, "a", "x", "q")
	_, shown, _ := strings.Cut(s.text(), "From now on")
	golden(t, "always", "From now on"+shown)
}

// What a held back file does not keep is said before somebody relies on it.
func TestS33_AlwaysSaysWhatIsHeldBack(t *testing.T) {
	q := agent.Question{
		Tool: "Bash", Input: object(t, "command", "make"), Decision: because("no rule"), Suggestions: []permission.Update{local, forNow},
		HeldBack: map[rule.Source]string{rule.LocalSettings: "nobody has trusted this workspace"},
	}
	_, s, _ := ask(t, q, "a", "x", "q")
	const want = "settings.local.json\n    held back there (nobody has trusted this workspace): for this\n    session it holds\n  | 2. rule: allow Read(//etc/**)\n    for this session\n"
	if !strings.Contains(s.text(), want) {
		t.Error(s.text())
	}
}

// The context ends while a question stands there, or waits for its turn.
func TestSomebodyElseAnswers(t *testing.T) {
	q := agent.Question{Tool: "Bash", Input: object(t, "command", "make"), Decision: because("no rule")}
	for want, cause := range map[string]error{"-> answered by a hook or the classifier\n": nil, "-> interrupted\n": errors.New("interrupted")} {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := newScreen(72, hold)
		a := newTerminal(s, false).Asker(in("/proj", "/home/dev"))
		done := make(chan error)
		go func() {
			_, err := a.Ask(ctx, q)
			done <- err
		}()
		<-s.holding
		late, over := context.WithCancel(t.Context())
		over()
		if _, err := a.Ask(late, q); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		cancel(cause)
		if err := <-done; !errors.Is(err, context.Canceled) || !strings.HasSuffix(s.text(), want+"\n") || s.freshened != 2 {
			t.Errorf("%v, %d\n%s", err, s.freshened, s.text())
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Many questions at once: each is shown as a whole, and each answer is that of its
// question.
func TestQuestionsTakeTurns(t *testing.T) {
	const many = 20
	s := newScreen(72)
	for range many {
		s.typed = append(s.typed, "n of course")
	}
	a := newTerminal(s, false).Asker(in("/proj", "/home/dev"))
	v := a.View()
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			q := agent.Question{Tool: "Bash", Input: object(t, "command", "make"), Decision: because("no rule"), AgentID: "a1"}
			if got, err := a.Ask(t.Context(), q); err != nil || got.Behavior != permission.Deny {
				t.Errorf("%+v, %v", got, err)
			}
		})
		all.Go(func() { v.Note("", "meanwhile") })
	}
	all.Wait()
	for i, one := range strings.SplitAfter(s.text(), "-> denied\n\n")[:many] {
		_, question, _ := strings.Cut(one, "? Bash")
		if strings.Contains(question, "meanwhile") || strings.Count(question, "answer> n of course\n") != 1 {
			t.Errorf("%d:\n%s", i, one)
		}
	}
	if n := strings.Count(s.text(), "- meanwhile\n"); n != many {
		t.Errorf("%d notes", n)
	}
}

// A sub-agent's question says whose it is.
func TestWhoAsks(t *testing.T) {
	s := newScreen(72, "n x")
	a := newTerminal(s, false).Asker(in("/proj", "/home/dev"))
	a.Observe(&wire.Init{Cwd: "/elsewhere"})
	a.Observe(&wire.Assistant{Block: model.Block{Kind: model.ToolUse, ID: "t1", Name: "Task", Input: object(t, "description", "tidy \x1bup", "subagent_type", "cleaner")}})
	a.Observe(&wire.Assistant{ParentToolUseID: "t1", Block: model.Block{Kind: model.ToolUse, ID: "b1", Name: "Bash", Input: object(t, "command", "make")}})
	_, err := a.Ask(t.Context(), agent.Question{Tool: "Bash", ToolUseID: "b1", AgentID: "a77", Input: object(t, "command", "make"), Decision: because("no rule")})
	if err != nil || !strings.Contains(s.text(), "\n(asked by the sub-agent a77: tidy \\x1bup)\n") || a.where(rule.LocalSettings) != "written to /elsewhere/.claude/settings.local.json" {
		t.Errorf("%v\n%s", err, s.text())
	}
	if got := a.where(rule.UserSettings); got != "written to ~/.claude/settings.json" {
		t.Error(got)
	}
	if a.settings.ConfigDir = "/moved"; a.where(rule.UserSettings) != "written to /moved/settings.json" {
		t.Error(a.where(rule.UserSettings))
	}
	a.Observe(&wire.Result{})
	if got := a.known("b1"); got != (called{}) {
		t.Errorf("%+v", got)
	}
}

// Whoever looks at a question knows how many more there are.
func TestQuestionsThatWaitAreCounted(t *testing.T) {
	q := agent.Question{Tool: "Bash", Input: object(t, "command", "make"), Decision: because("no rule")}
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(72, "n x", "n x", "n x")
		a := newTerminal(s, false).Asker(in("/proj", "/home/dev"))
		release, err := a.exclusive(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { _, _ = a.Ask(t.Context(), q) })
		}
		synctest.Wait()
		release()
		all.Wait()
		first, rest, _ := strings.Cut(s.text(), "answer> ")
		second, third, _ := strings.Cut(rest, "answer> ")
		if !strings.Contains(first, "(2 more questions wait)") || !strings.Contains(second, "(1 more question waits)") || strings.Contains(third, "more question") {
			t.Error(s.text())
		}
	})
}

func TestHeldMessagesAreBounded(t *testing.T) {
	s := newScreen(72)
	terminal := newTerminal(s, false)
	release, err := terminal.exclusive(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		terminal.print(strings.Repeat("x", maxHeld/2) + "\n")
	}
	if s.text() != "" {
		t.Error("it was printed into the question")
	}
	release()
	if !strings.HasSuffix(s.text(), "(2 messages that came during the question could not be kept)\n") {
		t.Errorf("%q", s.text()[max(0, len(s.text())-200):])
	}
}
