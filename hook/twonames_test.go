package hook

import (
	"sync/atomic"
	"testing"

	"github.com/assent-dev/assent/rule"
)

const anAgent = `{"description": "d", "prompt": "p"}`

// The tool that starts agents has two names. A hook for either judges its calls, under
// whichever name they come.
func TestH2_EitherNameOfTheToolThatStartsAgents(t *testing.T) {
	for matcher, want := range map[string]bool{
		"Task": true, "Agent": true, "Agent|Bash": true, "^Agent$": true, "^Ta.k$": true, "": true, "Bash": false, "TaskOutput": false,
	} {
		for _, name := range []string{"Task", "Agent"} {
			s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Matcher: mustMatcher(t, matcher), Handler: saying("no", Deny("no"))}}})
			got := allowed
			if want {
				got = denied
			}
			if j := s.judge(name, anAgent); j.Decision.Behavior != got {
				t.Errorf("the matcher %q and a call of %s: %s", matcher, name, j.Decision.Message())
			}
		}
	}
	// At an event that is about something else a name is only a name.
	var times atomic.Int32
	s := newSession(t, Config{Entries: []Entry{{Event: SubagentStart, Matcher: mustMatcher(t, "Agent"), Handler: counted{"x", "", &times, Output{}}}}})
	s.run(SubagentStartInput{Base: Base{AgentType: "Task"}})
	if times.Load() != 0 {
		t.Error("a kind of agents that is called Task was taken for Agent")
	}
}

func TestS22_ConditionOnAnAgentOfNoKind(t *testing.T) {
	var times atomic.Int32
	s := newSession(t, Config{Entries: []Entry{{
		Event: PreToolUse, Handler: counted{"x", "", &times, Output{}}, If: &Condition{Text: "Agent(general-purpose)"},
		Origin: rule.Origin{Source: rule.ProjectSettings, File: "settings.json", Line: 1},
	}}})
	if s.judge("Task", anAgent); times.Load() != 1 {
		t.Error("the hook did not run")
	}
}

func TestS33_HeldBackHookUnderEitherName(t *testing.T) {
	held, ok := HeldBack("PreToolUse", "Agent")
	if !ok {
		t.Fatal("no matcher")
	}
	s := newSession(t, Config{HeldBack: []Matcher{held}})
	wantDecision(t, s.judge("Task", anAgent), asked, "is held back")
}
