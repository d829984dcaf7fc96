package main

import (
	"strings"
	"testing"
	"time"
)

func TestTheInboxIsMeasured(t *testing.T) {
	f, err := compareInbox(plan{starts: 2, approvals: 3, tickets: 60, followers: 3})
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]time.Duration{
		"approved": f.approved, "requested": f.requested - f.approved, "cycle": f.cycle, "commit": f.commit,
		"page": f.page50, "p95": f.page95, "follow": f.follow50, "worst": f.followWorst,
	} {
		if d <= 0 {
			t.Errorf("%s: %v", name, d)
		}
	}
}

func TestInboxBars(t *testing.T) {
	good := inboxFigures{
		approved: 5 * time.Millisecond, requested: 6 * time.Millisecond, cycle: 750, commit: 100,
		page50: 40 * time.Millisecond, page95: 100 * time.Millisecond, follow50: 100 * time.Millisecond, followWorst: 500 * time.Millisecond,
	}
	for name, test := range map[string]struct {
		worsen func(*results)
		missed string
		bars   int
	}{
		"none":        {func(*results) {}, "", 4},
		"late":        {func(r *results) { r.inbox.approved++ }, "start of the tool", 4},
		"slow":        {func(r *results) { r.inbox.cycle = 760 }, "approve, claim, done", 4},
		"page":        {func(r *results) { r.inbox.page95++ }, "first page", 4},
		"follow":      {func(r *results) { r.inbox.followWorst++ }, "1,000 clients", 4},
		"few tickets": {func(r *results) { r.plan.tickets, r.inbox.page95 = 1000, time.Hour }, "", 3},
		"nothing":     {func(r *results) { r.inbox = inboxFigures{} }, "", 0},
	} {
		r := asPromised()
		r.inbox = good
		test.worsen(r)
		bars, missed := r.inboxBars(), ""
		for _, b := range bars {
			if !b.met {
				missed += b.promise
			}
		}
		if len(bars) != test.bars || (missed == "") != (test.missed == "") || !strings.Contains(missed, test.missed) {
			t.Errorf("%s: missed %q of %d", name, missed, len(bars))
		}
	}
	r := asPromised()
	r.inbox = good
	var b strings.Builder
	r.writeInbox(&b)
	for _, want := range []string{"starts 5 ms after the approval", "0.40 of what commits", "1,000,000 tickets", "1,000 clients"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, b.String())
		}
	}
}
