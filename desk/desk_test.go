package desk_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/desk"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// office is a desk, and the people who answer what lies there.
const firstID, secondID, thirdID = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"

type office struct {
	*desk.Desk
	t   *testing.T
	dir string
}

func newOffice(t *testing.T) *office {
	t.Helper()
	return newOfficeIn(t, t.TempDir())
}

func newOfficeIn(t *testing.T, dir string) *office {
	t.Helper()
	o := &office{t: t, dir: dir}
	o.Desk = desk.New(o.dir)
	t.Cleanup(o.Close)
	return o
}

// people does something with the tickets, as another process would.
func (o *office) people(do func(context.Context, *approval.Store, approval.Ticket) error) {
	o.t.Helper()
	s, err := approval.Open(o.dir)
	if err != nil {
		o.t.Fatal(err)
	}
	defer s.Close()
	t, err := s.OfCall(o.t.Context(), firstID, "c1")
	if err != nil || t == nil {
		o.t.Fatalf("%v, %v", t, err)
	}
	if err := do(o.t.Context(), s, *t); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) approve(input string) {
	o.t.Helper()
	var other strictjson.Raw // in place of the parked one
	if input != "" {
		other = strictjson.Raw(input)
	}
	o.people(func(ctx context.Context, s *approval.Store, t approval.Ticket) error {
		_, err := s.Approve(ctx, t.ID, t.Digest, "ann", "", other)
		return err
	})
}

func (o *office) deny() {
	o.t.Helper()
	o.people(func(ctx context.Context, s *approval.Store, t approval.Ticket) error {
		_, err := s.Deny(ctx, t.ID, t.Digest, "ann", "no")
		return err
	})
}

func (o *office) park(c agent.ParkedCall) {
	o.t.Helper()
	if err := o.Park(o.t.Context(), c); err != nil {
		o.t.Fatal(err)
	}
}

// claimNow looks at a call and claims it.
func claimNow(t *testing.T, o *office, c agent.ParkedCall, runs strictjson.Raw) (agent.Claim, error) {
	t.Helper()
	seen, err := o.Look(t.Context(), c)
	if err != nil {
		return nil, err
	}
	return o.Claim(t.Context(), c, runs, seen)
}

func (o *office) look(c agent.ParkedCall) agent.Word {
	o.t.Helper()
	word, err := o.Look(o.t.Context(), c)
	if err != nil {
		o.t.Fatal(err)
	}
	return word
}

func (o *office) state() (state approval.State) {
	o.t.Helper()
	o.people(func(_ context.Context, _ *approval.Store, t approval.Ticket) error {
		state = t.State
		return nil
	})
	return state
}

func deploy() agent.ParkedCall {
	return agent.ParkedCall{
		Session: firstID, ToolUseID: "c1", Tool: "Bash", Input: strictjson.Raw(`{"command":"deploy"}`), Cwd: "/project", Outcome: permission.Deny,
		Since: time.Now().UTC().Truncate(time.Microsecond), New: true,
	}
}

// What runs is what was approved; an answer that comes at the last moment is told.
func TestS27_AClaimIsForWhatWasApproved(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	other := strictjson.Raw(`{"command":"deploy --dry-run"}`)
	o.approve(string(other))
	if word := o.look(c); word.Kind != agent.Yes || word.By != "ann" || word.Input.String() != string(other) {
		t.Errorf("%+v", word)
	}
	if _, err := claimNow(t, o, c, c.Input); !errors.Is(err, agent.ErrAnswered) || o.state() != approval.Approved {
		t.Errorf("%v", err)
	}
	if _, err := claimNow(t, o, c, other); err != nil {
		t.Error(err)
	}
	if _, err := claimNow(t, o, c, other); err == nil || errors.Is(err, agent.ErrAnswered) {
		t.Errorf("a second time: %v", err)
	}

	denied := newOffice(t)
	denied.park(c)
	denied.deny()
	if _, err := claimNow(t, denied, c, c.Input); !errors.Is(err, agent.ErrAnswered) {
		t.Errorf("%v", err)
	}
}

func TestS27_AnAnswerThatWasChanged(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	o.approve(`{"command":"deploy --dry-run"}`)
	file := filepath.Join(o.dir, "state.db")
	o.Close()
	for _, suffix := range []string{"", "-wal"} { // as somebody would who can write the file
		text, err := os.ReadFile(file + suffix)
		if err != nil {
			continue
		}
		if err := os.WriteFile(file+suffix, []byte(strings.ReplaceAll(string(text), "--dry-run", "--forced!")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again := desk.New(o.dir)
	defer again.Close()
	if word, err := again.Look(t.Context(), c); err == nil {
		t.Errorf("%+v", word)
	}
}

// A no holds for whatever the call is: it needs no match.
func TestS27_ANoNeedsNoMatch(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	changed := c
	changed.Input = strictjson.Raw(`{"command":"deploy --prod"}`)
	o.park(changed) // what lies there stays as it is
	if _, err := o.Look(t.Context(), changed); err == nil || !strings.Contains(err.Error(), "deploy --prod") {
		t.Errorf("%v", err)
	}
	o.deny()
	if word := o.look(changed); word.Kind != agent.No || word.Message != "no" {
		t.Errorf("%+v", word)
	}
	if err := o.Refuse(t.Context(), changed, o.look(changed), "no"); err != nil || o.state() != approval.Refused {
		t.Errorf("%v, %s", err, o.state())
	}
}

// The time of a call ends when its record says so. Its end is no person.
func TestS41_TheTimeOfACallEnds(t *testing.T) {
	for outcome, want := range map[permission.Behavior]agent.Word{
		permission.Deny: {Kind: agent.No, Message: "Nobody answered in time."}, permission.Allow: {Kind: agent.Lapsed},
	} {
		o, c := newOffice(t), deploy()
		c.Since = c.Since.Add(-2 * time.Hour)
		c.Until, c.Outcome = c.Since.Add(time.Hour), outcome
		o.park(c)
		if word := o.look(c); word.Kind != want.Kind || word.By != "" || word.Message != want.Message {
			t.Errorf("%s: %+v", outcome, word)
		}
		if err := o.Cancel(t.Context(), []agent.ParkedCall{c}, "a prompt"); !errors.Is(err, agent.ErrAnswered) {
			t.Errorf("%s: %v", outcome, err)
		}
		if _, err := claimNow(t, o, c, c.Input); (err == nil) != (outcome == permission.Allow) {
			t.Errorf("%s: %v", outcome, err)
		}
	}
}

// A session goes on without what nobody has answered, and without nothing else. Who dies
// before the model is told has not left the call behind.
func TestS40_OnlyWhatNobodyAnsweredIsCancelled(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	o.approve("")
	if err := o.Cancel(t.Context(), []agent.ParkedCall{c}, "a prompt"); !errors.Is(err, agent.ErrAnswered) || o.state() != approval.Approved {
		t.Errorf("%v, %s", err, o.state())
	}
	o, c = newOffice(t), deploy()
	if err := o.Cancel(t.Context(), []agent.ParkedCall{c}, "a prompt"); err != nil {
		t.Errorf("without a ticket: %v", err)
	}
	o.park(c)
	for range 2 {
		if err := o.Cancel(t.Context(), []agent.ParkedCall{c}, "a prompt"); err != nil || o.state() != approval.Cancelled {
			t.Errorf("%v, %s", err, o.state())
		}
	}
	o.park(c)
	if word := o.look(c); word.Kind != agent.Ended || word.By != "" || word.Message != "Not run: a prompt." {
		t.Errorf("%+v", word)
	}
}

// A model may use an id again in a later turn. The answer to the first is none to the
// second, and the run of the first keeps nobody from running the second.
func TestS27_AnIDThatComesAgain(t *testing.T) {
	o, first := newOffice(t), deploy()
	o.park(first)
	o.approve("")
	later := first
	later.Since = first.Since.Add(time.Second)
	if word := o.look(later); word.Kind != agent.NoWord { // whose ticket was not made, because the process died
		t.Errorf("%+v", word)
	}
	claim, err := claimNow(t, o, first, first.Input)
	if err != nil {
		t.Fatal(err)
	}
	if err := claim.Finish(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Look(t.Context(), first); err == nil {
		t.Error("the first has run: a session that does not know is refused")
	}
	o.park(later)
	if word := o.look(later); word.Kind != agent.NoWord {
		t.Errorf("%+v", word)
	}
	o.approve("")
	if word := o.look(later); word.Kind != agent.Yes {
		t.Errorf("%+v", word)
	}
	if _, err := claimNow(t, o, later, later.Input); err != nil {
		t.Error(err)
	}
}

// Whoever ran a call that this process finds running is dead.
func TestS27_ARunThatNobodyEnded(t *testing.T) {
	o, c := newOffice(t), deploy()
	if _, err := claimNow(t, o, c, c.Input); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if word := o.look(c); word.Kind != agent.OutcomeUnknown || o.state() != approval.Unknown {
			t.Errorf("%+v, %s", word, o.state())
		}
	}
	if err := o.Settle(t.Context(), c, agent.RanWell); err != nil || o.state() != approval.Done {
		t.Errorf("%v, %s", err, o.state())
	}
}

// Looking makes no database.
func TestLookingLeavesNoTrace(t *testing.T) {
	o := newOffice(t)
	if word := o.look(deploy()); word.Kind != agent.NoWord || approval.Exists(o.dir) {
		t.Errorf("%+v", word)
	}
}

// What was said between the look and the claim counts: a yes to something else, also if it
// is taken back, and a no.
func TestA2_WhatIsSaidBeforeTheClaimCounts(t *testing.T) {
	anew := func(ctx context.Context, s *approval.Store, t approval.Ticket) (approval.Ticket, error) {
		return s.Say(ctx, t.ID, t.Digest, approval.Answer{Behavior: permission.Allow, By: "ann", Input: strictjson.Raw(`{"command":"deploy --dry-run"}`), Settles: time.Now().Add(time.Hour)})
	}
	for name, between := range map[string]func(context.Context, *approval.Store, approval.Ticket) error{
		"another yes": func(ctx context.Context, s *approval.Store, t approval.Ticket) error {
			_, err := anew(ctx, s, t)
			return err
		},
		"taken back": func(ctx context.Context, s *approval.Store, t approval.Ticket) error {
			said, err := anew(ctx, s, t)
			if err != nil {
				return err
			}
			_, err = s.Retract(ctx, t.ID, said.Said(), "ann")
			return err
		},
		"denied": func(ctx context.Context, s *approval.Store, t approval.Ticket) error {
			_, err := s.Deny(ctx, t.ID, t.Digest, "bob", "no")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, c := newOffice(t), deploy()
			o.park(c)
			o.approve("")
			seen := o.look(c)
			if seen.Kind != agent.Yes {
				t.Fatalf("%+v", seen)
			}
			o.people(between)
			if _, err := o.Claim(t.Context(), c, c.Input, seen); !errors.Is(err, agent.ErrAnswered) {
				t.Errorf("it is claimed: %v", err)
			}
		})
	}
}
