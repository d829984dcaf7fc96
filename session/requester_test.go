package session

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// Who began a session stays who wants its calls: whoever takes it up or imports it, also for
// another directory. A fork is wanted by who makes it.
func TestA4_WhoBeganASessionWantsItsCalls(t *testing.T) {
	s := newStore(t)
	start := begin
	start.Requester = "ann@desk"
	tr, err := s.Create(one, start)
	if err != nil {
		t.Fatal(err)
	}
	other := start
	other.Requester = "ben@server"
	put(t, tr, Resumed, other)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	wanted := func(s *Store, id, want string) {
		t.Helper()
		if c, err := s.Load(id); err != nil || c.Start.Requester != want {
			t.Errorf("%q wants the calls, %v; want %q", c.Start.Requester, err, want)
		}
	}
	wanted(s, one, "ann@desk")
	fork, err := s.Fork(one, two, other)
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	wanted(s, two, "ben@server")

	var file bytes.Buffer
	if _, err := s.Export(one, &file, "cleo@laptop", "v"); err != nil {
		t.Fatal(err)
	}
	for _, cwd := range []string{"", "/srv/app"} {
		there := newStore(t)
		if err := there.Import(read(t, file.Bytes()), cwd, "cleo@laptop", nil); err != nil {
			t.Fatal(err)
		}
		wanted(there, one, "ann@desk")
	}
	create(t, s, three).Close() // by a release that did not write it down
	wanted(s, three, "")
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
