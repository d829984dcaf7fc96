package hook

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// replying is a handler with a fixed reply.
type replying struct{ reply Reply }

func (replying) Name() string                               { return "replying" }
func (replying) Key() string                                { return "" }
func (r replying) Handle(context.Context, Invocation) Reply { return r.reply }

func exiting(status int, stdout, stderr string) Handler {
	return replying{Reply{Exit: &status, Text: []byte(stdout), Stderr: []byte(stderr)}}
}

// late answers when its time is up.
type late struct{ reply Reply }

func (late) Name() string { return "late" }
func (late) Key() string  { return "" }
func (l late) Handle(ctx context.Context, _ Invocation) Reply {
	<-ctx.Done()
	return l.reply
}

// What exit status 2 means depends on what there is to block.
func TestExitTwoAtEveryEvent(t *testing.T) {
	for _, event := range Events {
		v := newSession(t, Config{Entries: entriesAt(event, exiting(2, "", "not like that\n"))}).run(inputOf(event))
		var heard []string
		switch {
		case event == PreToolUse:
			heard = v.Denials
		case event == PermissionRequest:
			if v.Answer == nil || v.Answer.Behavior != denied {
				t.Fatalf("%s: answer %+v", event, v.Answer)
			}
			heard = []string{v.Answer.Message}
		case event.takesBlock():
			heard = v.Feedback
		default:
			heard = v.Messages
			wantNote(t, v.Runs[0], "there is nothing to block at "+string(event))
		}
		if len(heard) != 1 || heard[0] != "not like that" || v.Runs[0].Outcome != Blocked {
			t.Errorf("%s: %q, %v", event, heard, v.Runs[0].Outcome)
		}
		if (v.Permission.Behavior == denied) != (event == PreToolUse) || v.Permission.Broken {
			t.Errorf("%s: %+v", event, v.Permission)
		}
	}
}

// Any other status is broken, also with an answer on stdout.
func TestOtherExitStatusIsBroken(t *testing.T) {
	for _, status := range []int{1, 3, -1, 255} {
		s := newSession(t, Config{Entries: before(exiting(status, `{"hookSpecificOutput": {"permissionDecision": "allow"}}`, ""))}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("ls"), denied, "hook broken: replying: exit status")
	}
	s := newSession(t, Config{Entries: before(exiting(0, `{"hookSpecificOutput": {"permissionDecision": "allow"}}`, "just talking"))})
	wantDecision(t, s.bash("make"), allowed)
}

// A change that cannot be applied breaks the hook, and its allow goes with it.
func TestUpdatedInputThatCannotBeApplied(t *testing.T) {
	out, _ := AllowWith(map[string]string{"command": "true"})
	for _, fail := range []OnFailure{AsEvent, FailOpen} {
		s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Handler: saying("x", out), OnFailure: fail}}})
		v := s.run(PreToolUseInput{ToolName: "Odd", ToolInput: []byte(`["a list"]`)})
		want := denied
		if fail == FailOpen {
			want = permission.Pass
		}
		if v.Permission.Behavior != want || v.Runs[0].Outcome != Broken || v.Input != nil {
			t.Errorf("%d: %+v", fail, v)
		}
	}
}

// An outcome that was never set is no answer.
func TestNoOutcomeIsBroken(t *testing.T) {
	h := configure(Entry{Event: PreToolUse, Handler: saying("x", Allow())})
	v := merge(Occasion{Input: bashInput("ls")}, []*result{{hook: h}})
	if v.Permission.Behavior != denied || !v.Permission.Broken {
		t.Errorf("%+v", v.Permission)
	}
	// The same holds when our own code fails while it reads an answer.
	v = merge(Occasion{Input: bashInput("ls")}, []*result{{hook: h, run: Run{Outcome: Okay}, out: Output{Specific: &Specific{
		PermissionDecision: "allow", UpdatedInput: []byte{},
	}}}})
	if v.Permission.Behavior != denied || !v.Permission.Broken {
		t.Errorf("%+v", v.Permission)
	}
}

func TestHaltReasonsOfAllHooks(t *testing.T) {
	v := newSession(t, Config{Entries: entriesAt(Stop, saying("a", Halt("first")), saying("b", Halt("second")))}).run(StopInput{})
	if v.HaltReason != "first\nsecond" {
		t.Errorf("%q", v.HaltReason)
	}
}

func TestOutcomeNames(t *testing.T) {
	seen := map[string]bool{}
	for o := Okay; o <= Dropped; o++ {
		name := o.String()
		if name == "unknown" || seen[name] {
			t.Errorf("outcome %d is called %q", o, name)
		}
		seen[name] = true
	}
	if Outcome(0).String() != "unknown" || Outcome(99).String() != "unknown" {
		t.Error("an outcome that does not exist has a name")
	}
}

func TestReportNamesThePlace(t *testing.T) {
	for want, origin := range map[string]rule.Origin{
		"a.json:3: text (hint)":     {Source: rule.UserSettings, File: "a.json", Line: 3},
		"a.json: text (hint)":       {File: "a.json"},
		"session: text (hint)":      {Source: rule.Session},
		"text (hint)":               {},
		"--settings:1: text (hint)": {Source: rule.FlagSettings, File: "--settings", Line: 1},
	} {
		if got := (Report{Origin: origin, Text: "text", Hint: "hint"}).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := (Report{Text: "text"}).String(); strings.Contains(got, "(") {
		t.Errorf("%q", got)
	}
}
