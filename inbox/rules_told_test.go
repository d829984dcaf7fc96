package inbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// What became of a rule is told to whoever follows, and shown with its call: the answer said
// only that it waits.
func TestA3_WhatBecameOfARuleIsTold(t *testing.T) {
	for name, test := range map[string]struct {
		meanwhile func(*world, approval.Ticket)
		want      ruleState
		problem   string
	}{
		"nothing happens": {func(*world, approval.Ticket) {}, ruleAdded, ""},
		"somebody denies it": {func(w *world, ticket approval.Ticket) {
			_, err := w.Tickets.Deny(w.t.Context(), ticket.ID, ticket.Digest, "bob", "no")
			w.must(err)
		}, ruleDropped, ""},
		"it is taken back elsewhere": {func(w *world, ticket approval.Ticket) {
			now, err := w.Tickets.Find(w.t.Context(), ticket.ID)
			w.must(err)
			_, err = w.Tickets.Retract(w.t.Context(), ticket.ID, now.Said(), "ann")
			w.must(err)
		}, ruleTakenBack, ""},
		"the file cannot be written": {func(w *world, _ approval.Ticket) {
			w.must(os.MkdirAll(filepath.Join(w.cwd, ".claude", "settings.local.json"), 0o700))
		}, ruleFailed, "settings.local.json"},
	} {
		w := newWorld(t)
		w.at(0)
		ticket := w.park(bash("npm test"))[0]
		follower, _, err := w.events.join("", "")
		w.must(err)
		w.approveAs(ticket.ID, ruled(ticket, "local")).into(t, new(detailView))
		if d := w.look(ticket.ID); d.Rule == nil || d.Rule.State != ruleWaits {
			t.Errorf("%s: %+v", name, d.Rule)
		}
		test.meanwhile(w, ticket)
		w.at(UndoTime - time.Second)
		w.settleRules()
		if len(follower.frames) != 0 {
			t.Errorf("%s: it is told too early", name)
		}
		w.at(UndoTime + time.Second)
		w.settleRules()
		w.now = time.Now
		if len(follower.frames) != 1 {
			t.Fatalf("%s: %d events", name, len(follower.frames))
		}
		if text := string((<-follower.frames)[0].text); text != "event: rule\ndata: {\"ticket\":\""+ticket.ID+"\",\"state\":\""+string(test.want)+"\"}\n\n" {
			t.Errorf("%s: %q", name, text)
		}
		d := w.look(ticket.ID)
		if d.Rule == nil || d.Rule.State != test.want || (d.Rule.Problem == "") != (test.problem == "") || !strings.Contains(d.Rule.Problem, test.problem) || !strings.HasSuffix(d.Rule.File, "settings.local.json") {
			t.Errorf("%s: %+v", name, d.Rule)
		}
		if test.problem == "" && strings.Contains(w.local(), "npm test") != (test.want == ruleAdded) {
			t.Errorf("%s: %s", name, w.local())
		}
	}
}

// An answer is taken back while the server still thinks about its rule: the rule is not added,
// now or later.
func TestT5_ARuleOfAnAnswerThatIsOvertakenBeforeItIsNoted(t *testing.T) {
	for name, overtake := range map[string]func(*world, approval.Ticket){
		"taken back": func(w *world, said approval.Ticket) {
			w.post("/api/v1/tickets/"+said.ID+"/undo", map[string]any{"digest": said.Digest}).into(w.t, new(detailView))
		},
		"denied": func(w *world, said approval.Ticket) {
			w.post("/api/v1/tickets/"+said.ID+"/deny", map[string]any{"digest": said.Digest, "reason": "no"}).into(w.t, new(detailView))
		},
	} {
		for _, undo := range []time.Duration{0, UndoTime} {
			w := newWorld(t)
			ticket := w.park(bash("npm test"))[0]
			y := yes{matter: w.matterOf(ticket.ID), body: approveBody{Digest: ticket.Digest}}
			found := w.judge(y.Call, y.Mode)
			update, err := (&ruleChoice{Scope: "local"}).choose(&visitor{}, found, ticket)
			w.must(err)
			promised := w.promise(ticket, update)
			a := approval.Answer{Behavior: permission.Allow, By: w.Who, Settles: time.Now().Add(undo)}
			said, err := w.Tickets.Say(t.Context(), ticket.ID, ticket.Digest, a)
			w.must(err)
			if name == "denied" || undo > 0 {
				overtake(w, said)
			} else {
				continue // it cannot be taken back
			}
			w.keep(promised, said, "")
			w.at(UndoTime + time.Second)
			w.settleRules()
			if strings.Contains(w.local(), "npm test") || len(w.later.all) != 0 {
				t.Errorf("%s: %s, %+v", name, w.local(), w.later.all)
			}
		}
	}
}

// What became of rules is not remembered for ever.
func TestA3_WhatBecameOfRulesIsBounded(t *testing.T) {
	l := &laterRules{}
	for i := range 3 * mostTold {
		l.note(&laterRule{ticket: approval.Ticket{ID: string(rune('a' + i))}})
	}
	if len(l.told) != mostTold || len(l.of) != mostTold {
		t.Error(len(l.told), len(l.of))
	}
}

func (w *world) matterOf(id string) matter {
	w.t.Helper()
	m, err := w.matter(w.t.Context(), id)
	w.must(err)
	return m
}

// The answer itself knows until when it can be taken back: another server does it as well, as
// this one does after a restart. And whoever takes back what they have said does not take back
// what somebody else has said since.
func TestA3_AnotherServerTakesAnAnswerBack(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	path := "/api/v1/tickets/" + ticket.ID
	var first, second detailView
	w.post(path+"/deny", map[string]any{"digest": ticket.Digest, "reason": "no", "undo": true}).into(t, &first)
	again, err := New(w.Config)
	w.must(err)
	w.web.Config.Handler = again.Handler()
	if d := w.look(ticket.ID); d.Undo == nil || !d.Undo.Until.Equal(first.Undo.Until) {
		t.Fatalf("%+v", d.Undo)
	}
	w.post(path+"/undo", map[string]any{"digest": ticket.Digest, "until": first.Undo.Until}).into(t, new(detailView))
	if w.state(ticket.ID) != approval.Pending {
		t.Error(w.state(ticket.ID))
	}
	w.post(path+"/deny", map[string]any{"digest": ticket.Digest, "reason": "no", "undo": true}).into(t, &first)
	w.post(path+"/deny", map[string]any{"digest": ticket.Digest, "reason": "never", "undo": true}).into(t, &second)
	if second.Undo != nil { // with it the first no would be gone
		t.Errorf("%+v", second.Undo)
	}
	for _, until := range []any{first.Undo.Until, nil} {
		if got := w.post(path+"/undo", map[string]any{"digest": ticket.Digest, "until": until}); got.status == 200 || w.state(ticket.ID) != approval.Denied {
			t.Errorf("two have said no: %d %s", got.status, got.body)
		}
	}
}
