package hook

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/rule"
)

// Whoever is told about the end of a hook in the background learns why it is broken.
func TestS39_ABrokenHookInTheBackgroundSaysWhy(t *testing.T) {
	ended := make(chan Run, 1)
	origin := rule.Origin{Source: rule.UserSettings, File: "settings.json", Line: 4}
	s := newSession(t, Config{
		Entries: []Entry{{Event: PreToolUse, Async: true, Handler: exiting(7, "", "boom\n"), Origin: origin}},
		Ended:   func(r Run) { ended <- r },
	}, textRule(t, rule.Allow, "Bash"))
	wantDecision(t, s.bash("ls"), allowed)
	r := <-ended
	if r.Outcome != Broken || r.Reason != "hook broken: replying (settings.json:4): exit status 7 (0 is for an answer, 2 blocks): boom" {
		t.Errorf("%v: %q", r.Outcome, r.Reason)
	}
}

// A panic of whoever is told is not the end of the program.
func TestS39_APanicOfWhoeverIsToldIsNotOurs(t *testing.T) {
	told := 0
	s := newSession(t, Config{
		Entries: []Entry{
			{Event: PreToolUse, Async: true, Handler: saying("a", Output{})}, {Event: PreToolUse, Async: true, Handler: saying("b", Output{})},
		},
		Ended: func(Run) {
			told++ // one call at a time
			panic("told")
		},
	}, textRule(t, rule.Allow, "Bash"))
	wantDecision(t, s.bash("ls"), allowed)
	s.pipeline.Hooks.Close(t.Context())
	if told != 2 {
		t.Errorf("told %d times", told)
	}
}

// goingOn is a hook that answers that it goes on, and ends when it is told.
type goingOn struct {
	ended chan struct{}
	reply Reply // how it ends
}

func (goingOn) Name() string { return "going on" }
func (goingOn) Key() string  { return "" }
func (g goingOn) Handle(context.Context, Invocation) Reply {
	return Reply{Text: []byte(`{"async":true,"systemMessage":"I go on"}`), Background: g.ended, Ended: func() Reply { return g.reply }, Abandon: func() { panic("abandoned") }}
}

func TestS39_TheEndOfAHookThatWentOnIsTold(t *testing.T) {
	status := func(n int) *int { return &n }
	for _, tt := range []struct {
		name    string
		end     Reply
		never   bool // it does not end by itself, nor when it is abandoned
		outcome Outcome
		reason  string
		note    string
	}{
		{"well", Reply{Exit: status(0)}, false, Okay, "", ""},
		{"with an error", Reply{Exit: status(9), Stderr: []byte("disk full")}, false, Broken, "hook broken: going on: exit status 9 (0 is for an answer, 2 blocks): disk full", ""},
		{"with a signal", failed(Crashed, "ended by signal 9"), false, Broken, "hook broken: going on: ended by signal 9", ""},
		{"too late to block", Reply{Exit: status(2), Stderr: []byte("no")}, false, Blocked, "no", "it blocks too late"},
		{"out of time", failed(TimedOut, "it did not end within 1s"), false, OutOfTime, "hook broken: going on: it did not end within 1s", ""},
		{"never", Reply{}, true, Dropped, "hook broken: going on: it did not end when it was told to and was left behind", ""},
	} {
		for _, async := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var told []Run
					g := goingOn{make(chan struct{}), tt.end}
					s := newSession(t, Config{
						Entries: []Entry{{Event: PreToolUse, Handler: g, Async: async}},
						Ended:   func(r Run) { told = append(told, r) },
					}, textRule(t, rule.Allow, "Bash"))
					j := s.bash("ls")
					wantDecision(t, j, allowed)
					if r := j.Verdict.Runs[0]; r.Outcome != InBackground {
						t.Errorf("on record: %+v", r)
					}
					synctest.Wait()
					time.Sleep(time.Second) // of this bubble
					if len(told) != 0 {
						t.Fatalf("told before the end: %+v", told)
					}
					if !tt.never {
						close(g.ended)
					}
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					s.pipeline.Hooks.Close(ctx)
					if len(told) != 1 {
						t.Fatalf("told %d times", len(told))
					}
					r := told[0]
					if r.Outcome != tt.outcome || r.Reason != tt.reason || r.Took < time.Second || r.Stdout == "" {
						t.Errorf("told %+v", r)
					}
					if async {
						wantNote(t, r, "its message came too late: I go on")
					} else if fmt.Sprint(j.Verdict.Messages) != "[I go on]" {
						t.Errorf("messages %q", j.Verdict.Messages)
					}
					if tt.note != "" {
						wantNote(t, r, tt.note)
					}
				})
			})
		}
	}
}

// tardy is a handler that answers only when its time is up.
type tardy struct{ out Output }

func (tardy) Name() string { return "tardy" }
func (tardy) Key() string  { return "" }
func (h tardy) Handle(ctx context.Context, _ Invocation) Reply {
	<-ctx.Done()
	time.Sleep(time.Second) // of the bubble
	return Reply{Output: &h.out}
}

// An answer that comes after its time does not let a call through; a denial holds.
func TestH10_AnAnswerAfterItsTimeIsNone(t *testing.T) {
	for _, out := range []Output{Allow(), {}, Ask("sure?"), Deny("no"), Halt("enough")} {
		synctest.Test(t, func(t *testing.T) {
			s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Handler: tardy{out}, Timeout: time.Minute}}}, textRule(t, rule.Allow, "Bash"))
			j := s.bash("ls")
			run := j.Verdict.Runs[0]
			if out.halts() || out.Specific != nil && out.Specific.PermissionDecision == wordDeny {
				wantDecision(t, j, denied)
				if run.Outcome != Blocked {
					t.Errorf("%+v: %v", out, run.Outcome)
				}
				return
			}
			wantDecision(t, j, denied, "hook broken: tardy: it did not answer within 1m0s")
			if run.Outcome != OutOfTime {
				t.Errorf("%+v: %v", out, run.Outcome)
			}
			wantNote(t, run, "after its time was up")
		})
	}
	// Nobody who has given up is told that the hook was too slow.
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s := newSession(t, Config{Entries: entriesAt(PermissionRequest, tardy{AnswerAllow()})})
		v := s.pipeline.Hooks.Run(ctx, Occasion{Input: PermissionRequestInput{ToolName: "Bash"}})
		if v.Answer != nil || v.Runs[0].Outcome != Dropped {
			t.Errorf("%+v", v)
		}
	})
}

// Close promises every hook its own time, also one that says only then that it goes on.
func TestS39_AHookMayGoOnWhileTheSessionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []Run
		status := 0
		g := goingOn{make(chan struct{}), Reply{Exit: &status}}
		hook := later{g, time.Second}
		r := NewRunner(Config{Entries: []Entry{{Event: SessionEnd, Async: true, Handler: hook}}, Ended: func(run Run) { told = append(told, run) }})
		r.Run(t.Context(), Occasion{Input: SessionEndInput{}})
		go func() {
			time.Sleep(time.Minute)
			close(g.ended)
		}()
		r.Close(t.Context())
		if len(told) != 1 || told[0].Outcome != Okay {
			t.Errorf("%+v", told)
		}
		// After that nothing is looked after any more.
		late := make(chan struct{})
		abandoned := false
		r.background.adopt(Reply{Background: late, Abandon: func() { abandoned = true; close(late) }}, func(Reply) {})
		if !abandoned {
			t.Error("it goes on after the end")
		}
		r.Close(t.Context())
	})
}

// later answers after a while.
type later struct {
	goingOn
	wait time.Duration
}

func (l later) Handle(ctx context.Context, call Invocation) Reply {
	time.Sleep(l.wait)
	return l.goingOn.Handle(ctx, call)
}
