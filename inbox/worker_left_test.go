package inbox

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// A process that had a session open is gone. If it died with the result of an answered call
// that the model was not told, the server goes on; if it died in the middle of something else
// people are told the way out; and what has come to an end stays there.
func TestA3_WhatAnotherProcessHasLeft(t *testing.T) {
	for _, late := range []bool{false, true} { // the server looks while they run the call, or when it is over
		for left, want := range map[leaving]struct{ runs, problem string }{
			leftNothing: {"", ""},
			leftResult:  {"1 20", ""},
			leftMiddle:  {"", "assent -p --resume " + id(1)},
		} {
			synctest.Test(t, func(t *testing.T) {
				y := newYard(t, 2)
				var now leaving
				y.left = func(context.Context, string) (found leaving) { y.locked(func() { found = now }); return found }
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				y.fail[id(1)], y.held[id(1)] = &session.InUse{ID: id(1)}, true
				if late {
					y.hear([]word{{id(1), spoken}})
				} else {
					y.answer(id(1), duty{print: "a"})
				}
				go func() { _ = y.work(ctx) }()
				time.Sleep(8 * time.Second)
				y.locked(func() { delete(y.duties, id(1)) }) // they have run it
				time.Sleep(8 * time.Second)
				first := y.count()
				if late == (first == 1) {
					t.Errorf("late %v: %s", late, y.ran())
				}
				y.locked(func() { delete(y.fail, id(1)); delete(y.held, id(1)); now, y.runs = left, nil })
				time.Sleep(8 * time.Second)
				if got := y.ran(); got != want.runs {
					t.Errorf("late %v, left %d: %q", late, left, got)
				}
				if got := y.trouble(id(1)); (got == "") != (want.problem == "") || !strings.Contains(got, want.problem) {
					t.Errorf("late %v, left %d: %q", late, left, got)
				}
				y.locked(func() { now = leftNothing }) // somebody has gone on with it
				time.Sleep(2 * stockEvery)
				if got := y.trouble(id(1)); got != "" || len(y.crew.errands) != 0 {
					t.Errorf("late %v, left %d: %q, %v", late, left, got, y.crew.errands)
				}
				stop()
				synctest.Wait()
			})
		}
	}
}

// What a process has left is read in the transcript: an end, or an interruption, which has one
// as well, is on record there.
func TestA3_WhatIsLeftIsOnRecord(t *testing.T) {
	message := func(role model.Role, b ...model.Block) model.Message { return model.Message{Role: role, Content: b} }
	other := model.Block{Kind: model.ToolUse, ID: "toolu_z", Name: "Bash", Input: bash("make").Input}
	for name, test := range map[string]struct {
		after func(*world, *session.Transcript)
		want  leaving
	}{
		"killed while the model thinks": {func(*world, *session.Transcript) {}, leftResult},
		"killed in a later call": {func(w *world, tr *session.Transcript) {
			w.must(tr.Append(session.Said, message(model.Assistant, other)))
		}, leftMiddle},
		"interrupted": {func(w *world, tr *session.Transcript) {
			w.must(tr.Append(session.Said, message(model.User, model.TextBlock("[Request interrupted by user]"))))
			w.must(tr.Append(session.Ended, map[string]string{"subtype": "success"}))
		}, leftNothing},
		"done": {func(w *world, tr *session.Transcript) {
			w.must(tr.Append(session.Said, message(model.Assistant, model.TextBlock("done."))))
			w.must(tr.Append(session.Ended, map[string]string{"subtype": "success"}))
		}, leftNothing},
	} {
		w := newWorld(t)
		ticket := w.park(bash("npm test"))[0]
		if got := w.leftIn(t.Context(), ticket.Session); got != leftNothing {
			t.Errorf("%s: it waits, and %d is left", name, got)
		}
		_, err := w.Tickets.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil)
		w.must(err)
		tr, err := w.Sessions.Resume(ticket.Session)
		w.must(err)
		fence, err := w.Tickets.Claim(t.Context(), ticket.ID, ticket.Call, nil, "process 1")
		w.must(err)
		w.must(tr.Append(session.Began, session.Beginning{ToolUseID: ticket.ToolUseID}))
		result := model.Block{Kind: model.ToolResult, ToolUseID: ticket.ToolUseID, Result: []model.Block{model.TextBlock("ok")}}
		w.must(tr.Append(session.Said, message(model.User, result)))
		w.must(w.Tickets.Finish(t.Context(), ticket.ID, fence, true, ""))
		test.after(w, tr)
		w.must(tr.Close())
		if got := w.leftIn(t.Context(), ticket.Session); got != test.want || w.state(ticket.ID) != approval.Done {
			t.Errorf("%s: %d", name, got)
		}
	}
}
