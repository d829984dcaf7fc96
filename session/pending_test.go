package session

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

func waiting(ids ...string) Pending {
	var p Pending
	for _, id := range ids {
		p.Calls = append(p.Calls, PendingCall{ToolUseID: id, Tool: "Bash", Input: strictjson.Raw(`{"command":"deploy"}`), Cwd: "/project"})
	}
	return p
}

func settled(id string) Settlement {
	return Settlement{ToolUseID: id, Result: model.Block{Kind: model.ToolResult, ToolUseID: id, Result: []model.Block{model.TextBlock("done")}}, Context: []string{"c"}}
}

// stages says of each call that waits how far it is.
func stages(c Conversation) string {
	if c.Pending == nil {
		return "nothing waits"
	}
	text := ""
	for _, call := range c.Pending.Calls {
		text += fmt.Sprintf("%s:%d ", call.ToolUseID, call.Stage)
	}
	for _, s := range c.Pending.Settled {
		text += s.ToolUseID + ":settled "
	}
	return text
}

func TestD1_WhatWaitsIsOnRecord(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	defer tr.Close()
	for _, step := range []struct {
		kind Kind
		body any
		want string
	}{
		{Said, model.Message{Role: model.Assistant}, "nothing waits"},
		{Parked, waiting("a", "b"), "a:0 b:0 "},
		{Began, Beginning{ToolUseID: "b"}, "a:0 b:1 "},
		{Parked, waiting("a", "b"), "a:0 b:1 "},
		{Found, Finding{ToolUseID: "b", Ran: true}, "a:0 b:2 "},
		{Found, Finding{ToolUseID: "b"}, "a:0 b:0 "},
		{Began, Beginning{ToolUseID: "b"}, "a:0 b:1 "},
		{Unbegun, Release{ToolUseID: "b"}, "a:0 b:0 "},
		{Began, Beginning{ToolUseID: "b"}, "a:0 b:1 "},
		{Settled, settled("b"), "a:0 b:settled "},
		{Noted, "note", "a:0 b:settled "},
		{Said, model.Message{Role: model.User}, "nothing waits"},
		{Parked, waiting("c"), "c:0 "},
		{Compacted, Compaction{}, "nothing waits"},
	} {
		if err := tr.Append(step.kind, step.body); err != nil {
			t.Fatal(err)
		}
		live, err := tr.Conversation()
		if err != nil || stages(live) != step.want {
			t.Errorf("after %s: %s, %v, want %s", step.kind, stages(live), err, step.want)
		}
		read, err := s.Load(one)
		if err != nil || stages(read) != step.want {
			t.Errorf("after %s, read again: %s, %v, want %s", step.kind, stages(read), err, step.want)
		}
	}
}

// A record about a call that does not wait is no record of this session.
func TestD1_RecordsOfNoCallAreRefused(t *testing.T) {
	for kind, body := range map[Kind]any{Began: Beginning{ToolUseID: "x"}, Settled: settled("x"), Found: Finding{ToolUseID: "x"}} {
		s := newStore(t)
		tr := create(t, s, one)
		if err := tr.Append(Parked, waiting("a")); err != nil {
			t.Fatal(err)
		}
		if err := tr.Append(kind, body); err == nil {
			t.Errorf("%s was written", kind)
		}
		_ = tr.Close()
		if c, err := s.Load(one); err != nil || stages(c) != "a:0 " {
			t.Errorf("%s: %s, %v", kind, stages(c), err)
		}
	}
}

func TestS34_AForkHasAParkedCallOfItsOwn(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	p := waiting("a", "b")
	p.Settled = []Settlement{settled("c")}
	if err := errors.Join(tr.Append(Said, model.Message{Role: model.Assistant}), tr.Append(Parked, p)); err != nil {
		t.Fatal(err)
	}
	fork, err := s.Fork(one, two, Start{})
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	if c, err := fork.Conversation(); err != nil || stages(c) != "a:0 b:0 c:settled " || len(c.Messages) != 1 {
		t.Errorf("%s, %v", stages(c), err)
	}
	if err := fork.Append(Said, model.Message{Role: model.User}); err != nil {
		t.Fatal(err)
	}
	if c, err := tr.Conversation(); err != nil || stages(c) != "a:0 b:0 c:settled " {
		t.Errorf("the original: %s, %v", stages(c), err)
	}
	if err := tr.Append(Began, Beginning{ToolUseID: "a"}); err != nil {
		t.Fatal(err)
	}
	var unfinished *Unfinished
	if _, err := s.Fork(one, NewID(), Start{}); !errors.As(err, &unfinished) || unfinished.ToolUseID != "a" {
		t.Errorf("a fork of what may have run: %v", err)
	}
	_ = tr.Close()
}

// A model may use an id again in a later turn. What is known of the first call does not
// hold for the second.
func TestS27_AnIDThatComesAgain(t *testing.T) {
	s := newStore(t)
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s.now = func() time.Time { return clock }
	tr := create(t, s, one)
	defer tr.Close()
	first := waiting("a")
	first.Calls[0].Since = clock
	for _, step := range []struct {
		kind Kind
		body any
	}{
		{Said, model.Message{Role: model.Assistant}},
		{Parked, first},
		{Began, Beginning{ToolUseID: "a"}},
		{Found, Finding{ToolUseID: "a", Ran: true, By: "ann"}},
		{Settled, settled("a")},
		{Said, model.Message{Role: model.User, Content: []model.Block{settled("a").Result}}},
		{Said, model.Message{Role: model.Assistant}},
	} {
		if err := tr.Append(step.kind, step.body); err != nil {
			t.Fatal(err)
		}
	}
	stand, err := s.Standing(one)
	if err != nil || len(stand.Calls) > 0 || !stand.Answered["a"] || !stand.Findings["a"].Ran {
		t.Errorf("%+v, %v", stand, err)
	}
	clock = clock.Add(time.Hour)
	if err := tr.Append(Parked, waiting("a")); err != nil {
		t.Fatal(err)
	}
	stand, err = s.Standing(one)
	if err != nil || len(stand.Calls) != 1 || stand.Calls[0].Stage != Waiting || !stand.Calls[0].Since.Equal(clock) || stand.Answered["a"] || len(stand.Findings) > 0 {
		t.Errorf("%+v, %v", stand, err)
	}
}

// The time in which somebody may answer is on record, and a fork keeps it.
func TestS41_AForkHasTheSameTime(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	defer tr.Close()
	p := waiting("a")
	call := &p.Calls[0]
	call.Since = time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	call.Until, call.Outcome = call.Since.Add(time.Hour), "allow"
	if err := errors.Join(tr.Append(Said, model.Message{Role: model.Assistant}), tr.Append(Parked, p)); err != nil {
		t.Fatal(err)
	}
	fork, err := s.Fork(one, two, Start{})
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	c, err := fork.Conversation()
	if err != nil || !c.Pending.Calls[0].Since.Equal(call.Since) || !c.Pending.Calls[0].Until.Equal(call.Until) || c.Pending.Calls[0].Outcome != "allow" {
		t.Errorf("%+v, %v", c.Pending, err)
	}
}

// A call of which a person says that it did not run waits for a person again: the end of
// its time was about the run that was begun, also in a fork.
func TestS41_WhatDidNotRunHasNoEndOfTime(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	defer tr.Close()
	p := waiting("a")
	p.Calls[0].Since = time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	p.Calls[0].Until, p.Calls[0].Outcome = p.Calls[0].Since.Add(time.Hour), "allow"
	for _, err := range []error{
		tr.Append(Said, model.Message{Role: model.Assistant}), tr.Append(Parked, p),
		tr.Append(Began, Beginning{ToolUseID: "a"}), tr.Append(Found, Finding{ToolUseID: "a"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	fork, err := s.Fork(one, two, Start{})
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	for _, id := range []string{one, two} {
		c, err := s.Load(id)
		if err != nil || !c.Pending.Calls[0].Until.IsZero() || !c.Pending.Calls[0].Since.Equal(p.Calls[0].Since) {
			t.Errorf("%s: %+v, %v", id, c.Pending, err)
		}
	}
}

// Whoever reads a session knows a call by the same moment, also if its record does not say
// when it was parked.
func TestS27_EverybodyKnowsACallByOneMoment(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	defer tr.Close()
	for range 2 {
		if err := errors.Join(tr.Append(Said, model.Message{Role: model.Assistant}), tr.Append(Parked, waiting("a"))); err != nil {
			t.Fatal(err)
		}
	}
	c, err := tr.Conversation()
	stand, other := s.Standing(one)
	if err != nil || other != nil || c.Pending.Calls[0].Since.IsZero() || !c.Pending.Calls[0].Since.Equal(stand.Calls[0].Since) {
		t.Errorf("%+v, %+v, %v, %v", c.Pending, stand.Calls, err, other)
	}
}

// A call is also that of the sessions from which a fork has it, and of no others. An ID may be used
// again, also for a fork of a fork of what had it before.
func TestS34_WhoseCallItIs(t *testing.T) {
	forks, again := []string{"nearest", "next", "first"}, []string{"own", "nearest", "own", "first"}
	for _, c := range []struct {
		from  string
		forks []string
		want  int
	}{{"own", forks, 0}, {"nearest", forks, 1}, {"next", forks, 2}, {"first", forks, 3}, {"", forks, 3}, {"another", forks, 3}, {"own", nil, 0}, {"own", again, 3}, {"nearest", again, 2}} {
		got := PendingCall{From: c.from}.Inherited("own", c.forks)
		if !slices.Equal(got, c.forks[:c.want]) {
			t.Errorf("%q in %q: %q", c.from, c.forks, got)
		}
	}
}
