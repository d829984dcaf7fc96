package approval

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// parkWith parks a call that ana wants, with terms.
func (c *counter) parkWith(session string, terms permission.Terms) Ticket {
	c.t.Helper()
	t, err := c.Park(c.t.Context(), Parking{Call: deploy(session), By: "hook", Requester: "ana@host", Terms: terms, Risk: permission.MediumRisk})
	must(c.t, err)
	return t
}

// yes says yes as somebody who has signed in.
func (c *counter) yes(t Ticket, voter string) (Ticket, error) {
	return c.Say(c.t.Context(), t.ID, t.Digest, Answer{Behavior: permission.Allow, By: voter, Voter: voter, Message: "looked"})
}

var (
	two    = permission.Terms{Approvers: 2}
	others = permission.Terms{NotRequester: true}
	why    = permission.Terms{Reason: true}
)

// Whoever speaks in the place of the one who wanted the call speaks for him.
func TestA4_TheDeputyOfTheRequester(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", permission.Terms{NotRequester: true})
		_, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: "ben for ana", Voter: "ben"})
		if _, own := errors.AsType[*OwnRequest](err); !own {
			t.Errorf("%v", err)
		}
	})
}

func TestA4_WhatAYesNeeds(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for i, one := range []struct {
			name           string
			ticket, answer permission.Terms
			voter, reason  string
			want           any // nil: it is approved; a State: it is that then
		}{
			{"nothing is asked for", permission.Terms{}, permission.Terms{}, "", "", nil},
			{"a vote needs a name", two, permission.Terms{}, "", "r", &Unsigned{}},
			{"a blank is none", two, permission.Terms{}, " \t", "r", &Unsigned{}},
			{"so does somebody else", others, permission.Terms{}, "", "r", &Unsigned{}},
			{"the settings of today count", permission.Terms{}, two, "", "r", &Unsigned{}},
			{"and those of before", others, permission.Terms{Approvers: 1}, "", "r", &Unsigned{}},
			{"the requester's own", others, permission.Terms{}, "ana", "r", &OwnRequest{}},
			{"in other letters", others, permission.Terms{}, "ANA", "r", &OwnRequest{}},
			{"by today's settings", permission.Terms{}, others, "ana", "r", &OwnRequest{}},
			{"as a vote", permission.Terms{Approvers: 2, NotRequester: true}, permission.Terms{}, "ana", "r", &OwnRequest{}},
			{"somebody else's", others, permission.Terms{}, "ben", "", nil},
			{"a requester may, where that is not asked for", two, permission.Terms{}, "ana", "", Pending},
			{"no reason", why, permission.Terms{}, "", "", &NoReason{}},
			{"a blank one", why, permission.Terms{}, "", " \n", &NoReason{}},
			{"by today's settings", permission.Terms{}, why, "ben", "", &NoReason{}},
			{"of a vote", permission.Terms{Approvers: 2, Reason: true}, permission.Terms{}, "ben", "", &NoReason{}},
			{"a reason", why, permission.Terms{}, "", "agreed", nil},
			{"one of two", two, permission.Terms{}, "ben", "", Pending},
			{"one of two by today's settings", permission.Terms{}, two, "ben", "", Pending},
		} {
			ticket := c.parkWith(fmt.Sprint(i), one.ticket)
			got, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: "x", Voter: one.voter, Message: one.reason, Terms: one.answer})
			now := c.find(ticket.ID)
			switch want := one.want.(type) {
			case nil:
				if err != nil || got.State != Approved || now.State != Approved || now.Answer.Voter != strings.TrimSpace(one.voter) {
					t.Errorf("%s: %s, %v", one.name, now.State, err)
				}
			case State:
				if err != nil || got.State != want || now.State != want || now.Answer != nil {
					t.Errorf("%s: %s, %v", one.name, now.State, err)
				}
			default:
				if reflect.TypeOf(err) != reflect.TypeOf(want) || now.State != Pending || !strings.Contains(err.Error(), ticket.ID) || !strings.Contains(err.Error(), "(") {
					t.Errorf("%s: %s, %v", one.name, now.State, err)
				}
				if history, err := c.History(t.Context(), ticket.ID); err != nil || len(history) != 1 {
					t.Errorf("%s: %+v, %v", one.name, history, err)
				}
			}
			if no, err := c.Deny(t.Context(), ticket.ID, ticket.Digest, "somebody", ""); err != nil || no.State != Denied { // whoever it is
				t.Errorf("%s: %v", one.name, err)
			}
		}
	})
}

func TestA4_WhoIsTheRequester(t *testing.T) {
	for _, c := range []struct {
		requester, voter string
		want             bool
	}{
		{"ana@host", "ana", true},
		{"ana@host", "Ana", true},
		{"ana@host", "ana@host", true},
		{"ana", "ana", true},
		{"ana", "ANA", true},
		{"ana@corp.example", "ana@corp.example", true},
		{"ana@host", "ana@corp.example", true}, // most likely; else somebody else can be asked
		{`CORP\ana@host`, "ana", true},
		{"ana@corp@host", "ana@corp", true},
		{"ana@host", "ben", false},
		{"ana@host", "an", false},
		{"ana@host", "host", false},
		{"", "ana", false}, // nobody knows who it was
		{"@host", "ana", false},
		{"ana@host", "", false},
		{"ana@host, ben@vm", "ana", true},
		{"ana@host, ben@vm", "Ben", true},
		{`ana@host, CORP\ben@vm, cleo`, "ben", true},
		{"ana@host, …, ben@vm", "ben", true},
		{"ana@host, ben@vm", "host", false},
		{"ana@host, ben@vm", "vm", false},
		{"ana@host, ben@vm", "cleo", false},
		{"ana@host, ben@vm", "", false},
		{"smith, ana", "smith, ana", true}, // one name, of a program that wrote it down as it was
	} {
		if got := Requested(c.requester, c.voter); got != c.want {
			t.Errorf("%q and %q: %v", c.requester, c.voter, got)
		}
	}
}

func TestA4_TermsAndRequesterComeBack(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		all := permission.Terms{Approvers: 3, Reason: true, NotRequester: true, Escalate: []permission.Escalation{{After: time.Hour, Notify: []string{"phone"}}}}
		ticket := c.parkWith("s", all)
		if got := c.find(ticket.ID); !reflect.DeepEqual(got.Terms, all) || got.Requester != "ana@host" {
			t.Errorf("%+v", got)
		}
		held, err := c.Hold(t.Context(), "agent", Parking{Call: deploy("h"), Terms: all, Requester: "x\x00y"})
		must(t, err)
		if got := c.find(held.ID); !reflect.DeepEqual(got.Terms, all) || got.Requester != "x\uFFFDy" {
			t.Errorf("%+v", got)
		}
	})
}

// Where it matters who says yes nothing runs because nobody has.
func TestA4_AnEndOfTimeIsNobodysYes(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		park := func(session string, terms permission.Terms) Ticket {
			ticket, err := c.Park(t.Context(), Parking{Call: deploy(session), Lasts: time.Hour, Outcome: permission.Allow, Terms: terms})
			must(t, err)
			return ticket
		}
		strict, raised, plain := park("s1", others), park("s2", permission.Terms{}), park("s3", permission.Terms{})
		_, err := c.Say(t.Context(), raised.ID, raised.Digest, Answer{Behavior: permission.Allow, By: "ben", Voter: "ben", Terms: two})
		must(t, err)
		held := Parking{Call: deploy("s4"), Lasts: time.Hour, Outcome: permission.Allow}
		_, err = c.Hold(t.Context(), "agent", held)
		must(t, err)
		held.Terms = others
		again, err := c.Hold(t.Context(), "agent", held)
		if err != nil || c.find(again.ID).Outcome != permission.Deny {
			t.Errorf("a guard that asks for more later: %v, %v", c.find(again.ID).Outcome, err)
		}
		c.time = c.time.Add(2 * time.Hour)
		for _, one := range []Ticket{strict, raised} {
			var wrong *WrongState
			if _, err := c.Claim(t.Context(), one.ID, one.Call, nil, "me"); !errors.As(err, &wrong) || wrong.State != Expired {
				t.Errorf("%s: %v", one.Session, err)
			}
			if _, err := c.yes(one, "cleo"); !errors.As(err, &wrong) || wrong.State != Expired {
				t.Errorf("%s: %v", one.Session, err)
			}
			_, err := c.db.Writer().Exec("UPDATE tickets SET outcome = 'allow' WHERE id = $1", one.ID) // nor by an edited row
			must(t, err)
			if _, err := c.Claim(t.Context(), one.ID, one.Call, nil, "me"); !errors.As(err, &wrong) {
				t.Errorf("%s: %v", one.Session, err)
			}
		}
		if _, err := c.Claim(t.Context(), plain.ID, plain.Call, nil, "me"); err != nil {
			t.Error(err)
		}
	})
}

// What nobody sees is no reason.
func TestA4_AReasonThatNobodySees(t *testing.T) {
	ticket := Ticket{ID: "t", Terms: permission.Terms{Reason: true}}
	for reason, counts := range map[string]bool{
		"": false, "   ": false, "\u200b": false, " \u2060\u00ad\ufeff": false, "\u3164": false, "\u2800": false, "\u0301": false, "\x00\x1b": false, "\xff": false, "\U000e0041": false,
		"ok": true, "\u200bok": true, "良い": true, "…": true, "👍": true, "да": true,
	} {
		err := ticket.Admits(Answer{Behavior: permission.Allow, Voter: "ben", By: "ben", Message: reason})
		if _, missing := errors.AsType[*NoReason](err); missing == counts {
			t.Errorf("%q: %v", reason, err)
		}
	}
}
