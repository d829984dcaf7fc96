package herald

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/notify"
	"github.com/assent-dev/assent/permission"
)

// Each target hears what it wants to, once, and the session goes on.
func TestA5_PeopleAreToldAndTheSessionGoesOn(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.targets = target("ops") + "," + target("chat", "answered") + "," + target("low", "low")
		h := w.herald()
		Ring(w.tickets)
		w.work(h)
		parked := w.park(nil)
		w.untilTold("ops:waits")
		m := w.sent[0].Message
		text, isLink := strings.CutPrefix(m.Link, "https://inbox.example.com/#/confirm/")
		if m.Ticket != parked.ID || m.Sentence != "Run Deploy" || m.Outline != "Call the tool Deploy" || m.Project != "web" || m.Risk != permission.HighRisk || !isLink || !m.Expires.IsZero() {
			t.Errorf("%+v", m)
		}
		if l, err := h.links.Open(t.Context(), text); err != nil || l.Ticket != parked.ID || l.Digest != parked.Digest || l.Target != "ops" {
			t.Errorf("%+v, %v", l, err)
		}
		w.approve(parked)
		w.until("answered", func() bool { return strings.Count(w.told(), "answered") == 2 })
		w.until("taken up", func() bool { return len(w.takenUp()) > 0 }) // a bell may ring twice
		if w.sent[1].Link != "" {
			t.Errorf("a link to what is answered: %s", w.sent[1].Link)
		}
		if err := h.ringForMissed(t.Context()); err != nil {
			t.Error(err)
		}
		w.quiet(h, w.told())
	})
}

// A target that cannot be reached is told later, with the same message.
func TestA5_WhatWasNotTakenIsSentAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		again := notify.Outcome{Verdict: notify.Again, Wait: time.Millisecond, Text: "it answered 500"}
		w.outcomes = []notify.Outcome{again, again}
		Ring(w.tickets)
		h := w.herald()
		w.work(h)
		w.park(nil)
		w.untilTold("ops:waits ops:waits ops:waits")
		for _, l := range w.sent[1:] {
			if l.ID != w.sent[0].ID || l.Link != w.sent[0].Link || !l.At.Equal(w.sent[0].At) {
				t.Errorf("%+v, and then %+v", w.sent[0], l)
			}
		}
		w.quiet(h, "ops:waits ops:waits ops:waits")
	})
}

// What can never be told is on record where people look.
func TestA5_WhatCannotBeToldIsOnRecord(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.outcomes = []notify.Outcome{{Verdict: notify.Never, Text: "hooks.example.com answered 404 Not Found"}}
		Ring(w.tickets)
		h := w.herald()
		w.work(h)
		parked := w.park(nil)
		w.until("on record", func() bool {
			history, err := w.tickets.History(t.Context(), parked.ID)
			must(t, err)
			last := history[len(history)-1]
			return last.Kind == approval.KindComment && last.Who == "assent" && strings.Contains(last.Note, `"ops" was not told (waits): hooks.example.com answered 404`)
		})
		w.quiet(h, "ops:waits")
	})
}

// A mail that was not taken for everybody is not tried again, and that somebody was left out is on
// record as well.
func TestA5_WhoIsLeftOutIsOnRecord(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.outcomes = []notify.Outcome{{Verdict: notify.Partly, Text: "mail.example.com has taken it, but not for 1 of 2 addresses"}}
		h := w.herald()
		var log bytes.Buffer
		h.Log = slog.New(slog.NewTextHandler(&log, nil))
		parked := w.park(nil)
		one := tiding{kind: notify.Waits, at: time.Now(), found: time.Now()}
		if o := h.tell(t.Context(), alarm.Bell{Kind: tell, Ticket: parked.ID, Arg: one.argFor("ops")}); o != (alarm.Done{}) {
			t.Errorf("%+v", o)
		}
		history, err := w.tickets.History(t.Context(), parked.ID)
		must(t, err)
		want := `The notification "ops" was not told to everybody (waits): mail.example.com has taken it, but not for 1 of 2 addresses`
		if last := history[len(history)-1]; last.Kind != approval.KindComment || last.Who != "assent" || last.Note != want {
			t.Errorf("%+v", last)
		}
		if said := log.String(); !strings.Contains(said, `level=WARN msg="some people were not told"`) || !strings.Contains(said, "not for 1 of 2") {
			t.Error(said)
		}
	})
}

// Nobody looks at the ticket, and its time ends all the same.
func TestA5_TheTimeOfACallEndsByItsBell(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		Ring(w.tickets)
		h := w.herald()
		w.work(h)
		parked := w.park(func(p *approval.Parking) { p.Lasts = time.Second })
		w.until("expired", func() bool { return strings.Contains(w.told(), "ops:expired") })
		for _, l := range w.sent { // a machine that is busy may have told nothing before
			if l.Kind == notify.Waits && !l.Expires.Equal(parked.Expires.Truncate(time.Microsecond)) || l.Kind == notify.Expired && !l.Expires.IsZero() {
				t.Errorf("%+v", l)
			}
		}
		w.until("taken up", func() bool { return len(w.takenUp()) > 0 }) // the end of its time rings as well
		w.quiet(h, w.told())
	})
}

// When nobody answers others are told, whatever they want to hear otherwise, and it is on record.
func TestA5_NobodyAnswers(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.targets = target("ops") + "," + target("phone", "unknown")
		Ring(w.tickets)
		h := w.herald()
		w.work(h)
		parked := w.park(func(p *approval.Parking) {
			p.Terms.Escalate = []permission.Escalation{{After: time.Second, Notify: []string{"phone", "pager"}}, {After: time.Hour, Notify: []string{"ops"}}}
		})
		w.untilTold("ops:waits phone:reminds")
		w.quiet(h, "ops:waits phone:reminds")
		history, err := w.tickets.History(t.Context(), parked.ID)
		must(t, err)
		if last := history[len(history)-1]; len(history) != 2 || last.Kind != approval.KindEscalated || last.Note != "nobody has answered for 1s: told phone; the settings of the server have no notification pager" {
			t.Errorf("%+v", history)
		}
	})
}

// Somebody answers and the server is gone before anybody is told: the next one does it, once.
func TestA5_TheNextServerTells(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		Ring(w.tickets)
		end := w.work(w.herald())
		parked := w.park(nil)
		w.untilTold("ops:waits")
		end()
		w.approve(parked)
		h := w.herald()
		w.work(h)
		w.untilTold("ops:answered ops:waits")
		w.until("taken up", func() bool { return len(w.takenUp()) > 0 }) // a bell may ring twice
		w.quiet(h, "ops:answered ops:waits")
	})
}

// Where nobody hears bells none are set. Who begins to hear them finds what happened before, and
// what is changed by programs that know nothing of bells.
func TestA5_WhatNobodyHasRungFor(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		Ring(w.tickets)
		before := w.park(nil)
		silent, err := approval.On(t.Context(), w.tickets.Database())
		must(t, err)
		h := w.herald()
		if n := bellsOf(t, h); n != 0 {
			t.Errorf("%d bells were set for nobody", n)
		}
		h.often = 50 * time.Millisecond
		w.work(h)
		w.untilTold("ops:waits")
		_, err = silent.Deny(t.Context(), before.ID, before.Digest, "ana", "no")
		must(t, err)
		w.untilTold("ops:answered ops:waits")
		w.quiet(h, "ops:answered ops:waits")
	})
}

func bellsOf(t *testing.T, h *Herald) (n int) {
	t.Helper()
	counts, err := h.alarm.Pending(t.Context())
	must(t, err)
	for _, c := range counts {
		n += c.Bells
	}
	return n
}

// One bell is all that an answer waits for.
func TestOneBellForEachChange(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		Ring(w.tickets)
		h := w.herald()
		parked := w.park(func(p *approval.Parking) { p.Lasts = time.Hour })
		if n := bellsOf(t, h); n != 1 {
			t.Errorf("%d bells", n)
		}
		w.approve(parked)
		must(t, w.tickets.Comment(t.Context(), parked.ID, "ana", "well"))
		fence, err := w.tickets.Claim(t.Context(), parked.ID, parked.Call, nil, "test")
		must(t, err)
		must(t, w.tickets.Finish(t.Context(), parked.ID, fence, true, ""))
		if n := bellsOf(t, h); n != 1 {
			t.Errorf("%d bells", n)
		}
	})
}

// An answer that may be taken back is no news, and neither is one that was.
func TestA5_AnAnswerThatIsTakenBackIsNoNews(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		Ring(w.tickets)
		h := w.herald()
		h.often = 20 * time.Millisecond // also when somebody looks
		w.work(h)
		parked := w.park(nil)
		w.untilTold("ops:waits")
		say := func(settles time.Duration) approval.Ticket {
			said, err := w.tickets.Say(t.Context(), parked.ID, parked.Digest, approval.Answer{Behavior: permission.Allow, By: "ana", Settles: time.Now().Add(settles)})
			must(t, err)
			return said
		}
		said := say(time.Minute)
		_, err := w.tickets.Retract(t.Context(), parked.ID, said.Said(), "ana")
		must(t, err)
		w.quiet(h, "ops:waits")
		said = say(time.Second)
		w.untilTold("ops:answered ops:waits")
		if now := time.Now(); now.Before(said.Answer.Settles) {
			t.Errorf("told at %s, before %s", now, said.Answer.Settles)
		}
	})
}

// A session that cannot go on here is looked at until somebody hears the bell where it can.
func TestA5_TheBellRingsUntilSomebodyTakesTheSession(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.elsewhere = 3
		Ring(w.tickets)
		h := w.herald()
		h.pause = 10 * time.Millisecond
		w.work(h)
		parked := w.park(nil)
		w.approve(parked)
		w.until("taken up", func() bool { return len(w.takenUp()) > 0 })
		w.quiet(h, w.told())
	})
}

// What does not hold any more is not told to who could not be reached before.
func TestA5_NobodyIsToldThatAnAnsweredCallWaits(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		Ring(w.tickets)
		h := w.herald()
		parked := w.park(nil)
		one := tiding{kind: notify.Waits, at: time.Now(), found: time.Now()}
		w.outcomes = []notify.Outcome{{Verdict: notify.Again, Text: "nobody listens there"}}
		bell := alarm.Bell{Kind: tell, Ticket: parked.ID, Arg: one.argFor("ops")}
		if o, again := h.tell(t.Context(), bell).(alarm.Again); !again || o.Why == nil {
			t.Errorf("%+v", o)
		}
		w.approve(parked)
		if o := h.tell(t.Context(), bell); o != (alarm.Done{}) || w.told() != "ops:waits" {
			t.Errorf("%+v, told %s", o, w.told())
		}
	})
}

// After a day it is given up, and a target that settings do not have any more is not waited for.
func TestA5_TellingIsGivenUp(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		h := w.herald()
		parked := w.park(nil)
		again := notify.Outcome{Verdict: notify.Again, Text: "nobody listens there"}
		w.outcomes = []notify.Outcome{again, again}
		now := time.Now()
		for name, tt := range map[string]struct {
			found time.Time
			to    string
			want  string // of the comment
		}{
			"just before": {now.Add(-givesUp + time.Hour), "ops", ""},
			"after a day": {now.Add(-givesUp - time.Hour), "ops", "tried for 24h"},
			"not there":   {now, "gone", "no such notification"},
		} {
			before, err := w.tickets.History(t.Context(), parked.ID)
			must(t, err)
			one := tiding{kind: notify.Waits, at: now, found: tt.found}
			o := h.tell(t.Context(), alarm.Bell{Kind: tell, Ticket: parked.ID, Arg: one.argFor(tt.to)})
			after, err := w.tickets.History(t.Context(), parked.ID)
			must(t, err)
			_, rings := o.(alarm.Again)
			if rings != (tt.want == "") || (len(after) == len(before)) != rings || !rings && !strings.Contains(after[len(after)-1].Note, tt.want) {
				t.Errorf("%s: %+v, %+v", name, o, after)
			}
		}
		for _, b := range []alarm.Bell{{Ticket: "none", Arg: "waits 1 1 0 ops"}, {Ticket: parked.ID, Arg: "nonsense"}} {
			if o := h.tell(t.Context(), b); o != (alarm.Done{}) {
				t.Errorf("%+v: %+v", b, o)
			}
			if o := h.spread(t.Context(), b); o != (alarm.Done{}) {
				t.Errorf("%+v: %+v", b, o)
			}
			if o := h.look(t.Context(), alarm.Bell{Ticket: "none"}); o != (alarm.Done{}) {
				t.Errorf("%+v", o)
			}
		}
	})
}
