package agent_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// needing are terms by which every call needs the same.
func needing(terms agent.Terms, needs permission.Terms, expires time.Duration) agent.Terms {
	terms.Approvals = func(permission.Risk) (permission.Terms, time.Duration) { return needs, expires }
	return terms
}

// When a call is parked it is written down who wanted it, what a yes needs, and until when.
func TestA4_WhatAYesToAParkedCallNeeds(t *testing.T) {
	two, reason, told := permission.Terms{Approvers: 2}, permission.Terms{Reason: true}, permission.Terms{Escalate: []permission.Escalation{{After: time.Hour, Notify: []string{"phone"}}}}
	day := agent.Terms{Lasts: 24 * time.Hour, Outcome: permission.Allow}
	for _, c := range []struct {
		name    string
		terms   agent.Terms
		needs   permission.Terms
		lasts   time.Duration
		outcome permission.Behavior
	}{
		{"nothing", agent.Terms{}, permission.Terms{}, 0, permission.Deny},
		{"two people", needing(agent.Terms{}, two, 0), two, 0, permission.Deny},
		{"a class limits the time", needing(agent.Terms{}, permission.Terms{}, time.Hour), permission.Terms{}, time.Hour, permission.Deny},
		{"a class shortens the time, and denies then", needing(day, permission.Terms{}, time.Hour), permission.Terms{}, time.Hour, permission.Deny},
		{"the same time, and denies then", needing(day, permission.Terms{}, 24*time.Hour), permission.Terms{}, 24 * time.Hour, permission.Deny},
		{"a class that lasts longer", needing(day, permission.Terms{}, 48*time.Hour), permission.Terms{}, 24 * time.Hour, permission.Allow},
		{"somebody is told, and time may say yes", needing(day, told, 0), told, 24 * time.Hour, permission.Allow},
		{"time gives no yes that needs a reason", needing(day, reason, 0), reason, 24 * time.Hour, permission.Deny},
		{"time is not two people", needing(day, two, 48*time.Hour), two, 24 * time.Hour, permission.Deny},
		{"time is nobody else", needing(day, permission.Terms{NotRequester: true}, 0), permission.Terms{NotRequester: true}, 24 * time.Hour, permission.Deny},
	} {
		t.Run(c.name, func(t *testing.T) {
			desk := &counterDesk{}
			parked(t, desk, config{hooks: decides(hookDefers), change: func(config *agent.Config) { config.Terms, config.Requester = c.terms, "ann@desk" }})
			got := desk.parked["c1"]
			if !reflect.DeepEqual(got.Terms, c.needs) || got.Requester != "ann@desk" {
				t.Errorf("needs %+v, wanted by %q", got.Terms, got.Requester)
			}
			if lasts := got.Until.Sub(got.Since); c.lasts != lasts && (c.lasts != 0 || !got.Until.IsZero()) || got.Outcome != c.outcome {
				t.Errorf("%v, then %v; want %v, then %v", got.Until.Sub(got.Since), got.Outcome, c.lasts, c.outcome)
			}
		})
	}
}

// The terms are those of the risk that people are shown.
func TestA4_TheRiskOfACallSaysWhatItNeeds(t *testing.T) {
	var asked []permission.Risk
	desk := &counterDesk{}
	parked(t, desk, config{hooks: decides(hookDefers), change: func(config *agent.Config) {
		config.Terms.Approvals = func(risk permission.Risk) (permission.Terms, time.Duration) {
			asked = append(asked, risk)
			return permission.Terms{Approvers: int(risk)}, 0
		}
	}})
	got := desk.parked["c1"]
	if len(asked) == 0 || got.Risk == 0 || got.Terms.Approvers != int(got.Risk) {
		t.Errorf("asked about %v; the call of risk %v needs %+v", asked, got.Risk, got.Terms)
	}
}

// Another process that makes the ticket later knows who wanted the call by the record, and asks
// for no less than what held when it was parked.
func TestA4_ATicketThatIsMadeLaterAsksForNoLess(t *testing.T) {
	w := parked(t, nil, config{hooks: decides(hookDefers), change: func(config *agent.Config) {
		config.Terms = needing(agent.Terms{}, permission.Terms{Approvers: 2}, 0)
	}})
	before, err := w.transcript.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spoke, speaks string // who did before, and who can now
		now           permission.Terms
		recorded      bool
		want          permission.Terms
		by            string
	}{
		{"ann@desk", "", permission.Terms{}, true, permission.Terms{Approvers: 2}, "ann@desk"},
		{"ann@desk", "ben@server", permission.Terms{Reason: true}, true, permission.Terms{Approvers: 2, Reason: true}, "ann@desk, ben@server"},
		{"ann@desk, ben@server", "ann@desk", permission.Terms{}, true, permission.Terms{Approvers: 2}, "ann@desk, ben@server"},
		{"", "", permission.Terms{Approvers: 3}, false, permission.Terms{Approvers: 3}, ""},
	} {
		desk, later := &counterDesk{}, before
		later.Start.Requester = c.spoke
		if !c.recorded { // by a release that knew no terms
			pending := session.Pending{Calls: append([]session.PendingCall(nil), before.Pending.Calls...)}
			pending.Calls[0].Terms = permission.Terms{}
			later.Pending = &pending
		}
		next := newWorld(t, config{hooks: decides(hookDefers), change: func(config *agent.Config) {
			config.Parking, config.Desk, config.Transcript = agent.ParkAlone, desk, w.transcript
			config.Terms, config.Requester = needing(agent.Terms{}, c.now, 0), c.speaks
		}})
		if err := next.agent.Restore(later); err != nil {
			t.Fatal(err)
		}
		next.agent.Resume(t.Context())
		if got := desk.parked["c1"]; !reflect.DeepEqual(got.Terms, c.want) || got.Requester != c.by {
			t.Errorf("needs %+v, wanted by %q; want %+v, by %q", got.Terms, got.Requester, c.want, c.by)
		}
	}
}
