package desk_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// A desk that sees a call for the first time after it was parked knows nothing of what was
// said about it elsewhere: the end of its time refuses it, and never lets it run.
func TestS41_TheEndOfTimeLetsNothingRunThatWasParkedElsewhere(t *testing.T) {
	for outcome, want := range map[permission.Behavior]agent.WordKind{permission.Allow: agent.NoWord, permission.Deny: agent.No} {
		o, c := newOffice(t), deploy()
		c.Since, c.New = c.Since.Add(-2*time.Hour), false
		c.Until, c.Outcome = c.Since.Add(time.Hour), outcome
		o.park(c)
		if word := o.look(c); word.Kind != want {
			t.Errorf("%s: %+v", outcome, word)
		}
	}
}

// A refusal that was decided before an answer came does not use that up.
func TestS27_ARefusalThatWasOvertaken(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	before := o.look(c)
	o.approve("")
	if err := o.Refuse(t.Context(), c, before, "a rule"); !errors.Is(err, agent.ErrAnswered) || o.state() != approval.Approved {
		t.Errorf("%v, %s", err, o.state())
	}
	now := o.look(c)
	if now.Ticket == "" || now.Said == before.Said {
		t.Errorf("%+v", now)
	}
	for range 2 { // also if whoever refused it died before the session knew
		if err := o.Refuse(t.Context(), c, now, "a rule"); err != nil || o.state() != approval.Refused {
			t.Errorf("%v, %s", err, o.state())
		}
	}
}

// The no of a person is told also after the process died that refused the call for it.
func TestS27_ANoOutlivesTheProcessThatHeardIt(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	o.deny()
	if err := o.Refuse(t.Context(), c, o.look(c), "no"); err != nil {
		t.Fatal(err)
	}
	if word := o.look(c); word.Kind != agent.No || word.By != "ann" || word.Message != "no" {
		t.Errorf("%+v", word)
	}
}

// What was approved and refused all the same, by a process that died before the session
// knew, is told with the reason; and that somebody had approved it.
func TestS27_WhyAnApprovedCallWasRefused(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	o.approve("")
	if err := o.Refuse(t.Context(), c, o.look(c), "the rule Bash(deploy) denies it"); err != nil {
		t.Fatal(err)
	}
	if word := o.look(c); word.Kind != agent.Ended || word.By != "ann" || word.Message != "the rule Bash(deploy) denies it" {
		t.Errorf("%+v", word)
	}
	if err := o.Refuse(t.Context(), c, o.look(c), "again"); err != nil || o.state() != approval.Refused {
		t.Errorf("%v, %s", err, o.state())
	}
	// What people write about it later is nothing that the model is told as the reason.
	o.people(func(ctx context.Context, store *approval.Store, ticket approval.Ticket) error {
		return store.Comment(ctx, ticket.ID, "ben", "just run it another way")
	})
	if word := o.look(c); word.Message != "the rule Bash(deploy) denies it" {
		t.Errorf("%+v", word)
	}
}

// A ticket that was made where nobody knew what a yes needs is approved by too few.
func TestA4_AYesThatIsLessThanTheSessionAsksFor(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	o.approve("")
	if word := o.look(c); word.Kind != agent.Yes {
		t.Fatalf("%+v", word)
	}
	for _, terms := range []permission.Terms{{Approvers: 2}, {NotRequester: true}, {Reason: true}} {
		c.Terms = terms
		if word, err := o.Look(t.Context(), c); err == nil || word.Kind == agent.Yes {
			t.Errorf("%+v: %+v, %v", terms, word, err)
		}
	}
}

// One call that was answered keeps all of them, and one that ran cannot be left out.
func TestS40_CallsAreCancelledTogether(t *testing.T) {
	o, c := newOffice(t), deploy()
	other := c
	other.ToolUseID = "c2"
	o.park(other)
	o.park(c)
	o.approve("") // c1
	both := []agent.ParkedCall{other, c}
	if err := o.Cancel(t.Context(), both, "a prompt"); !errors.Is(err, agent.ErrAnswered) {
		t.Errorf("%v", err)
	}
	if word := o.look(other); word.Kind != agent.NoWord {
		t.Errorf("%+v", word)
	}
	claim, err := claimNow(t, o, c, c.Input)
	if err != nil {
		t.Fatal(err)
	}
	if err := claim.Finish(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := o.Cancel(t.Context(), both, "a prompt"); err == nil || errors.Is(err, agent.ErrAnswered) {
		t.Errorf("one has run: %v", err)
	}
	if err := o.Cancel(t.Context(), both[:1], "a prompt"); err != nil {
		t.Error(err)
	}
	if word := o.look(other); word.Kind != agent.Ended {
		t.Errorf("%+v", word)
	}
}
