package hook

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/rule"
)

// Whoever wants to show what goes on is told when a hook starts, and finds its end by
// its number.
func TestS39_TheStartOfAHookIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		origin := rule.Origin{Source: rule.UserSettings, File: "settings.json", Line: 4}
		bash, err := ParseMatcher("Bash")
		if err != nil {
			t.Fatal(err)
		}
		var times atomic.Int32
		same := counted{"twin", "the same", &times, Output{}}
		var began []Run
		var inputs []Input
		ended := map[int]Run{}
		s := newSession(t, Config{
			Entries: []Entry{
				{Event: PreToolUse, Matcher: bash, Handler: saying("a", Output{}), Origin: origin},
				{Event: PreToolUse, Handler: same},
				{Event: PreToolUse, Handler: same},
				{Event: PreToolUse, Once: true, Handler: saying("once", Output{})},
				{Event: PreToolUse, Handler: saying("never", Output{}), If: &Condition{Text: "Bash(git:*)"}},
				{Event: PreToolUse, Handler: saying("defect", Output{}), Defect: "unreadable", OnFailure: FailOpen},
				{Event: PreToolUse, Async: true, Handler: saying("background", Output{})},
			},
			Began: func(in Input, run Run) {
				inputs, began = append(inputs, in), append(began, run)
				panic("told") // is not the end of the hook
			},
			Ended: func(run Run) { ended[run.ID] = run },
		}, textRule(t, rule.Allow, "Bash"))
		names := func() (names []string) {
			synctest.Wait()
			for _, run := range began {
				names = append(names, run.Hook)
			}
			return names
		}
		first := s.bash("ls")
		wantDecision(t, first, allowed)
		wantNames(t, names(), "function a", "twin", "function once", "function background")
		run := began[0]
		if run.Event != PreToolUse || run.Matcher != "Bash" || run.Origin != origin || run.Started.IsZero() || inputs[0].Subject() != "Bash" {
			t.Errorf("%+v, %+v", run, inputs[0])
		}
		second := s.bash("ls")
		wantNames(t, names()[4:], "function a", "twin", "function background")
		seen := map[int]bool{}
		for _, run := range append(first.Verdict.Runs, second.Verdict.Runs...) {
			if run.ID == 0 || seen[run.ID] {
				t.Errorf("%s has no number of its own: %d", run.Hook, run.ID)
			}
			seen[run.ID] = true
		}
		for _, run := range began {
			if !seen[run.ID] {
				t.Errorf("%s started as %d, which nobody knows", run.Hook, run.ID)
			}
			if end, ok := ended[run.ID]; ok != (run.Hook == "function background") || ok && end.Hook != run.Hook {
				t.Errorf("%s started as %d and ended as %+v", run.Hook, run.ID, end)
			}
		}
	})
}

func wantNames(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// It is told one start at a time, however many calls are judged side by side.
func TestS39_StartsAreToldOneAtATime(t *testing.T) {
	told := 0 // without a lock: the race detector would see two at once
	s := newSession(t, Config{
		Entries: []Entry{
			{Event: PreToolUse, Handler: saying("a", Output{})}, {Event: PreToolUse, Async: true, Handler: saying("b", Output{})},
		},
		Began: func(Input, Run) { told++ },
	}, textRule(t, rule.Allow, "Bash"))
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() { s.bash("ls") })
	}
	calls.Wait()
	s.pipeline.Hooks.Close(t.Context())
	if told != 40 {
		t.Errorf("told of %d starts", told)
	}
}

// A hook that is not started is not told of.
func TestS39_NothingStartsAfterTheEnd(t *testing.T) {
	told := 0
	s := newSession(t, Config{
		Entries: []Entry{{Event: PreToolUse, Async: true, Handler: saying("b", Output{})}},
		Began:   func(Input, Run) { told++ },
	}, textRule(t, rule.Allow, "Bash"))
	s.pipeline.Hooks.Close(t.Context())
	wantDecision(t, s.bash("ls"), allowed)
	if told != 0 {
		t.Errorf("told of %d starts", told)
	}
}
