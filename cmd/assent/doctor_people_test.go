//go:build unix

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
)

// Where nobody knows which person wanted a call that he must not approve, the doctor says so, and
// the command that it names helps.
func TestA4_DoctorFindsAccountsOfNobody(t *testing.T) {
	d := newPatient(t)
	tickets, err := approval.Open(d.dir)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	defer tickets.Close()
	store, err := people.On(t.Context(), tickets.Database())
	check(err)
	operator := people.Operator("olga@machine")
	check(store.Add(t.Context(), operator, people.Person{Name: "ana", Role: people.Admin}, "correct horse battery"))
	for id, p := range map[string]approval.Parking{
		"root":   {Requester: "root@vm", Terms: permission.Terms{NotRequester: true}},
		"runner": {Requester: "runner@ci", Terms: permission.Terms{Approvers: 2, NotRequester: true}},
		"ana":    {Requester: "ana@desk", Terms: permission.Terms{NotRequester: true}},
		"both":   {Requester: "ana@desk, toor@vm, runner@ci", Terms: permission.Terms{NotRequester: true}},
		"free":   {Requester: "worker@ci", Terms: permission.Terms{Approvers: 2}},
	} {
		p.Call = approval.Call{Session: firstID, ToolUseID: id, Tool: "Bash", Input: []byte(`{"command":"touch x"}`), Cwd: d.dir}
		p.At, p.By, p.Risk = time.Now(), "a test", permission.LowRisk
		_, err := tickets.Park(t.Context(), p)
		check(err)
	}
	d.checkPeople(t.Context(), tickets.Database())
	d.expects(t, worth, "are: root@vm, runner@ci, toor@vm")
	check(store.GiveAccount(t.Context(), operator, "toor", people.Nobody))
	check(store.GiveAccount(t.Context(), operator, "root", "ana"))
	d.checkPeople(t.Context(), tickets.Database())
	d.expects(t, worth, "are: runner@ci")
	check(store.GiveAccount(t.Context(), operator, "runner", people.Nobody))
	d.checkPeople(t.Context(), tickets.Database())
	d.expects(t, fine, "with an admin")
	_, err = tickets.Park(t.Context(), approval.Parking{
		Call: approval.Call{Session: firstID, ToolUseID: "many", Tool: "Bash", Input: []byte(`{"command":"touch x"}`), Cwd: d.dir},
		At:   time.Now(), By: "a test", Risk: permission.LowRisk, Requester: "ana@desk, …, ana@vm", Terms: permission.Terms{NotRequester: true},
	})
	check(err)
	d.checkPeople(t.Context(), tickets.Database())
	d.expects(t, worth, "more than 16 accounts have spoken")
}

// Whom another server has dropped, or not confirmed for long, may do nothing, and everybody who
// looks is told.
func TestT1_WhoIsNotConfirmedIsShown(t *testing.T) {
	d := newPatient(t)
	tickets, err := approval.Open(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tickets.Close()
	before := people.Clock(func() time.Time { return time.Now().Add(-40 * 24 * time.Hour) })
	store, err := people.On(t.Context(), tickets.Database(), before)
	if err != nil {
		t.Fatal(err)
	}
	ida := people.Identity{Issuer: "https://id.example.org", Subject: "1", Name: "ida", Role: people.Admin}
	if _, _, err := store.Admit(t.Context(), ida, people.Create); err != nil {
		t.Fatal(err)
	}
	d.checkPeople(t.Context(), tickets.Database())
	d.expects(t, broken, "nobody may answer")
	if err := d.withPeople(t.Context(), func(now *people.Store) error { return d.listPeople(t.Context(), now, false) }); err != nil {
		t.Fatal(err)
	}
	if said := d.out.(interface{ String() string }).String(); strings.Join(strings.Fields(said), " ") != "ida admin (not confirmed) by https://id.example.org" {
		t.Errorf("%q", said)
	}
}
