package hook

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/rule"
)

// An occasion without an input is nobody's call: it is refused, not the end of the program.
func TestRunWithoutAnInput(t *testing.T) {
	var none *PreToolUseInput
	for _, r := range []*Runner{nil, NewRunner(Config{}), NewRunner(Config{Entries: before(saying("x", Allow()))})} {
		for _, o := range []Occasion{{}, {Input: none}} {
			v := r.Run(t.Context(), o)
			if v.Permission.Behavior != denied || !v.Permission.Broken || len(v.Denials) != 1 || v.Runs != nil {
				t.Errorf("%+v", v)
			}
		}
	}
}

// sleeping replies after a while, unless its time is up.
type sleeping struct {
	time  time.Duration
	reply Reply
}

func (sleeping) Name() string { return "sleeping" }
func (sleeping) Key() string  { return "" }
func (s sleeping) Handle(ctx context.Context, _ Invocation) Reply {
	select {
	case <-ctx.Done():
		return Reply{Failure: contextEnded(ctx)}
	case <-time.After(s.time):
		return s.reply
	}
}

// Of identical hooks the one with the most time counts: a short one in another file must
// not take it away.
func TestS22_IdenticalHooksHaveTheLongestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		two := 2
		slow := twin{sleeping{DefaultTimeout / 2, Reply{Exit: &two, Stderr: []byte("no")}}}
		for _, entries := range [][]Entry{
			{{Handler: slow, Timeout: 1}, {Handler: slow}},
			{{Handler: slow}, {Handler: slow, Timeout: 1}},
		} {
			for i := range entries {
				entries[i].Event, entries[i].OnFailure = PreToolUse, FailOpen
			}
			s := newSession(t, Config{Entries: entries}, textRule(t, rule.Allow, "Bash"))
			wantDecision(t, s.bash("ls"), denied, "no")
		}
	})
}

// A matcher that a Go program could not make sense of permits nothing.
func TestS22_ABrokenMatcherOfAGoProgramPermitsNothing(t *testing.T) {
	m, err := ParseMatcher("[")
	if err == nil || !m.Broken() {
		t.Fatal("the matcher is fine")
	}
	s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Matcher: m, Handler: saying("x", Allow())}}})
	j := s.bash("make deploy")
	wantDecision(t, j, asked)
	wantNote(t, j.Verdict.Runs[0], "its allow does not count: its matcher cannot be understood")
	s = newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Matcher: m, Handler: saying("x", Deny("no"))}}})
	wantDecision(t, s.bash("make deploy"), denied, "no")
	v := newSession(t, Config{Entries: []Entry{{Event: PermissionRequest, Matcher: m, Handler: saying("x", AnswerAllow())}}}).run(PermissionRequestInput{ToolName: "Bash"})
	if v.Answer != nil {
		t.Errorf("%+v", v.Answer)
	}
}
