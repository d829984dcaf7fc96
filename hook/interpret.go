package hook

import (
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/permission"
)

// interpret turns what came back from a hook into an answer, or into the reason why
// it is broken.
func (s *result) interpret(reply Reply) {
	s.run.Exit = reply.Exit
	s.run.Stdout, s.run.Stderr = printable(reply.Text), printable(reply.Stderr)
	s.run.Notes = append(s.run.Notes, reply.Notes...)
	switch {
	case reply.Failure != nil:
		s.fails(reply.Failure)
	case reply.Exit != nil && *reply.Exit == exitBlocks:
		s.exitTwo()
	case reply.Exit != nil && *reply.Exit != 0:
		s.breaks(Broken, fmt.Sprintf("exit status %d (0 is for an answer, 2 blocks)%s", *reply.Exit, s.complaint()))
	case reply.Output != nil:
		s.run.Answer = reply.Output
		out := *reply.Output
		notes, err := out.Check(s.hook.Event)
		s.hear(out, notes, err)
	default:
		out, notes, err := ReadOutput(s.hook.Event, reply.Text)
		if text := trimOutput(reply.Text); err == nil && reply.JSONOnly && len(text) > 0 && text[0] != '{' {
			out, notes, err = Output{}, nil, noObject(text)
		}
		s.hear(out, notes, err)
	}
	if reply.HeldOpen && s.fault == "" && s.hook.closed() && !s.objects() {
		s.breaks(Broken, "it ended while others held its stdout, so nobody knows whether they had more to say: "+
			"let it wait for them, or send their output elsewhere (>/dev/null 2>&1)")
	}
}

// noObject is for an answer that should be JSON and is something else: the page of
// a proxy, a list, a word.
func noObject(text []byte) error {
	return &BrokenOutput{"the answer starts with " + quoted(printable(text)) + " and is no JSON object", "answer with one, or with nothing when there is nothing to say"}
}

// objects reports whether the hook holds something up: that counts, whatever else is
// wrong with its answer.
func (s *result) objects() bool {
	if s.hook.Event == PreToolUse {
		if decision, _ := said(s.out); decision == permission.Deny {
			return true
		}
	}
	return s.run.Outcome == Blocked || s.out.objects()
}

// endsLater takes how a hook ended that went on in the background. What it said before
// stays on record.
func (s *result) endsLater(end Reply) {
	stdout := s.run.Stdout
	end.Text, end.Output = nil, nil
	s.interpret(end)
	s.run.Stdout, s.run.Took = stdout, time.Since(s.run.Started)
	switch {
	case end.Failure != nil && s.run.Outcome == OutOfTime:
		s.breaks(OutOfTime, end.Failure.Text+s.complaint())
	case end.Failure != nil && s.run.Outcome == Dropped:
		s.breaks(Dropped, end.Failure.Text)
	case s.run.Outcome == Blocked:
		s.note("it blocks too late: nothing waits for a hook in the background")
	}
}

// breaks records that the hook did not work.
func (s *result) breaks(outcome Outcome, why string) {
	s.run.Outcome, s.fault, s.out = outcome, legible(why), Output{}
}

// sentence says that the hook did not work, for people and the model.
func (s *result) sentence() string { return "hook broken: " + s.hook.title() + ": " + s.fault }

func (s *result) fails(failure *Failure) {
	s.gone = failure.Kind == Gone
	switch failure.Kind {
	case TimedOut:
		s.breaks(OutOfTime, fmt.Sprintf("it did not answer within %v%s%s", s.limit.Round(time.Millisecond), s.openAsyncLine(), s.complaint()))
	case Cancelled:
		s.breaks(Dropped, "it was cancelled before it answered")
	default:
		s.breaks(Broken, orElse(failure.Text, "it failed")+s.complaint())
	}
}

// openAsyncLine is a hint for whoever wanted to go on in the background and printed no
// whole line: nobody could know that there was no more to come.
func (s *result) openAsyncLine() string {
	if _, ok := asyncLine([]byte(s.run.Stdout)); !ok {
		return ""
	}
	return ` (it printed {"async":true} without a line feed; only a whole line lets it go on in the background)`
}

// exitTwo: the command blocks, whatever it printed.
func (s *result) exitTwo() {
	s.run.Outcome = Blocked
	s.blocked = legible(strings.TrimSpace(s.run.Stderr))
	if s.blocked == "" {
		s.blocked = "blocked by hook " + s.hook.title() + ", which gave no reason (exit status 2, nothing on stderr)"
	}
	if strings.TrimSpace(s.run.Stdout) != "" {
		s.note("what it printed on stdout does not count: exit status 2 blocks")
	}
	s.run.Reason = s.blocked
}

// hear takes an answer that could be read, or says why it could not.
func (s *result) hear(out Output, notes []string, err error) {
	s.run.Notes = append(s.run.Notes, notes...)
	if err != nil {
		s.breaks(Broken, err.Error())
		return
	}
	out.makeLegible()
	s.run.Outcome, s.out, s.run.SuppressOutput = Okay, out, out.SuppressOutput
	if out.Async {
		s.run.Outcome = InBackground
	}
}

// complaint is what the hook said on stderr, for a person to find the fault.
func (s *result) complaint() string {
	text := strings.TrimSpace(s.run.Stderr)
	if text == "" {
		return ""
	}
	return ": " + oneLine(text)
}

// said is the decision of a PreToolUse answer and its reason: of an older top-level
// decision and a newer one the stricter counts. The second value is "" when there is
// no decision, and otherwise names its key.
func said(out Output) (permission.Behavior, string) {
	decision, key := permission.Pass, ""
	switch out.Decision {
	case wordBlock:
		decision, key = permission.Deny, "decision"
	case wordApprove:
		decision, key = permission.Allow, "decision"
	}
	if out.Specific == nil {
		return decision, key
	}
	inner := permission.Pass
	switch out.Specific.PermissionDecision {
	case wordAllow:
		inner = permission.Allow
	case wordDeny:
		inner = permission.Deny
	case wordAsk:
		inner = permission.Ask
	case wordDefer:
		inner = permission.Defer
	}
	if severity(inner) > severity(decision) {
		return inner, "permissionDecision"
	}
	return decision, key
}

// reasonFor is the reason that belongs to what said returned.
func reasonFor(out Output, key string) string {
	inner := ""
	if out.Specific != nil {
		inner = out.Specific.PermissionDecisionReason
	}
	if key == "permissionDecision" {
		return orElse(inner, out.Reason)
	}
	return orElse(out.Reason, inner)
}

// severity orders decisions: deny > defer > ask > allow > no opinion.
func severity(b permission.Behavior) int {
	switch b {
	case permission.Deny:
		return 4
	case permission.Defer:
		return 3
	case permission.Ask:
		return 2
	case permission.Allow:
		return 1
	case permission.Pass:
		return 0
	}
	return 0
}
