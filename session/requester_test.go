package session

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// T1: whoever has spoken in a session stays one who wants its calls, whatever happens to it: others
// speak, a process takes it up that says nothing, the conversation starts anew, it is exported and
// imported, also for another directory. A fork is wanted by those, and by who makes it; what is
// imported also by who brings it, since the words in a file could all be his.
func TestT1_WhoeverHasSpokenWantsTheCalls(t *testing.T) {
	s := newStore(t)
	start := begin
	start.Requester = "ann@desk"
	tr, err := s.Create(one, start)
	if err != nil {
		t.Fatal(err)
	}
	other := start
	other.Requester = "ben@server"
	worker := start
	worker.Requester = ""
	for _, next := range []Start{other, worker, start, other} {
		put(t, tr, Resumed, next)
	}
	put(t, tr, Compacted, Compaction{Trigger: "manual"})
	put(t, tr, Resumed, worker)
	if c, err := tr.Conversation(); err != nil || c.Start.Requester != "ann@desk, ben@server" {
		t.Errorf("%q, %v", c.Start.Requester, err)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	wanted := func(s *Store, id, want string) {
		t.Helper()
		if c, err := s.Load(id); err != nil || c.Start.Requester != want {
			t.Errorf("%q wants the calls, %v; want %q", c.Start.Requester, err, want)
		}
	}
	wanted(s, one, "ann@desk, ben@server")
	if stand, err := s.Standing(one); err != nil || stand.Start.Requester != "ann@desk, ben@server" {
		t.Errorf("%q, %v", stand.Start.Requester, err)
	}
	maker := start
	maker.Requester = "cleo@laptop"
	fork, err := s.Fork(one, two, maker)
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	wanted(s, two, "ann@desk, ben@server, cleo@laptop")

	var file bytes.Buffer
	if _, err := s.Export(one, &file, "cleo@laptop", "v"); err != nil {
		t.Fatal(err)
	}
	for _, cwd := range []string{"", "/srv/app"} {
		there := newStore(t)
		if err := there.Import(read(t, file.Bytes()), cwd, "cleo@laptop", nil); err != nil {
			t.Fatal(err)
		}
		wanted(there, one, "ann@desk, ben@server, cleo@laptop")
	}
	older := create(t, s, three) // by a release that did not write it down
	put(t, older, Resumed, worker)
	wanted(s, three, "")
	put(t, older, Resumed, other)
	older.Close()
	wanted(s, three, "ben@server")
}

// What a yes needs goes with the call that waits.
func TestA4_WhatAYesNeedsIsOnRecord(t *testing.T) {
	terms := permission.Terms{Approvers: 2, Reason: true, NotRequester: true, Escalate: []permission.Escalation{{After: time.Hour, Notify: []string{"phone"}}}}
	s := newStore(t)
	tr := create(t, s, one)
	p := waitingHere("a", "b")
	p.Calls[0].Terms = terms
	put(t, tr, Said, made(p))
	put(t, tr, Parked, p)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := s.Load(one)
	if err != nil || c.Pending == nil {
		t.Fatalf("%+v, %v", c.Pending, err)
	}
	if got := c.Pending.Calls; !reflect.DeepEqual(got[0].Terms, terms) || !got[1].Terms.IsZero() {
		t.Errorf("%+v", got)
	}
}
