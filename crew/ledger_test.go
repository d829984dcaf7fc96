package crew

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// shelf is what crews on other machines have begun, as a map.
type shelf struct {
	mu   sync.Mutex
	left map[string]bool
	fail error
	// hurried ends when nobody has time any more.
	hurried context.Context
	noTime  context.CancelFunc
}

func newShelf() *shelf {
	s := &shelf{left: map[string]bool{}}
	s.hurried, s.noTime = context.WithCancel(context.Background())
	return s
}

func (s *shelf) put(id string, left bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left[id] = left
}

func (s *shelf) ail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

func (s *shelf) Undertake(id string, taken func(died bool)) func(bool) {
	s.mu.Lock()
	died := s.left[id]
	s.mu.Unlock()
	taken(died)
	return func(over bool) { s.put(id, !over) }
}

func (s *shelf) Hurry(within time.Duration) { time.AfterFunc(within, s.noTime) }

func (s *shelf) LeftBehind(context.Context) (ids []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, left := range s.left {
		if left {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, s.fail
}

func (s *shelf) IsLeftBehind(_ context.Context, id string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left[id], s.fail
}

// What a crew elsewhere has left behind is gone on with, although no ticket says so, and once.
func TestA3_WhatACrewElsewhereHasLeftBehind(t *testing.T) {
	atShared(t, 4, func(y *yard, s *shelf) {
		s.put(id(1), true)
		s.put(id(2), true)
		y.elsewhere[id(2)] = true // it cannot go on here
		s.put(id(3), true)
		y.duties[id(3)] = duty{kind: toBeTold, print: "unknown"}
		serves := y.Crew.serves
		y.Crew.serves = func(ctx context.Context, session string) (bool, error) {
			if session == id(3) {
				t.Error("a person has to find out first")
			}
			return serves(ctx, session)
		}
	}, func(y *yard, s *shelf) {
		time.Sleep(time.Second)
		s.put(id(4), true)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 4 5" || strings.Join(y.told, ", ") != "1 interrupted, 1 running, 1 ended, 4 interrupted, 4 running, 4 ended" || y.warned() != 0 {
			t.Errorf("%q, told %q, warned %d times", got, y.told, y.warned())
		}
		if left, _ := s.LeftBehind(t.Context()); fmt.Sprint(left) != fmt.Sprint([]string{id(2), id(3)}) || len(y.notes.all()) > 0 {
			t.Error(left, y.notes.all())
		}
	})
}

// A run that is stopped, or fails, leaves its session behind for others.
func TestA3_WhatThisCrewLeavesBehind(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		left bool
	}{
		"done":        {nil, false},
		"a bad end":   {fmt.Errorf("%w: too many turns", ErrOver), false},
		"no session":  {session.ErrUnknown, false},
		"a failure":   {errors.New("there is no model to ask"), true},
		"taken over":  {&session.Taken{ID: id(1)}, true},
		"in use":      {&session.InUse{ID: id(1)}, true},
		"nothing now": {ErrNothingLeft, false},
	} {
		atShared(t, 4, func(y *yard, _ *shelf) {
			if test.err != nil {
				y.fail[id(1)] = test.err
			}
		}, func(y *yard, s *shelf) {
			y.answer(id(1), duty{print: "a"})
			synctest.Wait()
			if left, _ := s.IsLeftBehind(t.Context(), id(1)); left != test.left {
				t.Errorf("%s: left behind %v", name, left)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		y, s := newYard(t, 1), newShelf()
		y.Crew.ledger, y.takes = s, time.Hour
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- y.Work(ctx) }()
		y.answer(id(1), duty{print: "a"})
		synctest.Wait()
		stop()
		<-done
		if left, _ := s.IsLeftBehind(t.Context(), id(1)); !left {
			t.Error("a run that was stopped is taken for one that has ended")
		}
	})
}

// Another crew dies in the middle of its work, which a person at a terminal might have left as
// well: the ledger knows whose it was. Where it cannot be read nobody guesses.
func TestA3_ACrewOrAPersonHasLeftTheMiddle(t *testing.T) {
	for _, crew := range []bool{true, false} {
		atShared(t, 4, func(y *yard, _ *shelf) {
			y.left = func(context.Context, string) leaving { return leftMiddle }
		}, func(y *yard, s *shelf) {
			y.locked(func() { y.fail[id(1)], y.held[id(1)] = &session.InUse{ID: id(1)}, true })
			y.answer(id(1), duty{print: "a"})
			time.Sleep(time.Second)
			s.ail(errors.New("the database is away"))
			y.locked(func() { delete(y.duties, id(1)); delete(y.fail, id(1)); delete(y.held, id(1)); y.runs = nil })
			s.put(id(1), crew)
			time.Sleep(time.Minute)
			if y.count() != 0 || y.Problem(id(1)) == inTheMiddle(id(1)) {
				t.Errorf("crew %v: nobody knows whose it is: %s, %q", crew, y.ran(), y.Problem(id(1)))
			}
			s.ail(nil)
			time.Sleep(2 * sweepEvery)
			synctest.Wait()
			if (y.count() == 1) != crew || (y.Problem(id(1)) == inTheMiddle(id(1))) == crew {
				t.Errorf("crew %v: %q, %q", crew, y.ran(), y.Problem(id(1)))
			}
		})
	}
}

// Nothing has failed in a session that somebody else has.
func TestA3_WhatIsToldOfARun(t *testing.T) {
	for want, errs := range map[string][]error{
		"ended":  {nil, ErrNothingLeft},
		"":       {fmt.Errorf("launch: %w", &session.InUse{ID: id(1)}), &session.Taken{ID: id(1)}, fmt.Errorf("launch: %w", session.ErrUnknown)},
		"failed": {errors.New("there is no model to ask"), fmt.Errorf("%w: too many turns", ErrOver)},
	} {
		for _, err := range errs {
			if got := ending(err); got != want {
				t.Errorf("%v: %q", err, got)
			}
		}
	}
}

// Whoever was taken for dead and says how its call did goes on by itself; after the word of a
// person somebody has to.
func TestA3_WhatWasUnknownIsKnown(t *testing.T) {
	for who, want := range map[string]weight{"assent": spoken, "ann": certain} {
		words := wordsOf([]approval.Change{{Ticket: "t1", Event: approval.Event{From: approval.Unknown, To: approval.Done, Who: who}}})
		if len(words) != 1 || words[0] != (word{"t1", want}) {
			t.Errorf("%s: %v", who, words)
		}
	}
}

// Another crew is not heard of any more while a call of its session runs. Nobody takes the session
// before a person has said what became of the call: it may come back, and tell it itself. That
// somebody has answered another call of the session changes nothing.
func TestD8_ASessionLeftWithARunningCallIsNotTaken(t *testing.T) {
	for name, another := range map[string]bool{"its only one": false, "and another one is answered": true} {
		t.Run(name, func(t *testing.T) {
			var gone atomic.Bool
			atShared(t, 4, func(y *yard, _ *shelf) {
				y.Crew.mark = func(context.Context) error {
					if gone.Load() {
						y.locked(func() { y.duties[id(1)] = duty{kind: toBeTold, print: "u"} })
					}
					return nil
				}
			}, func(y *yard, s *shelf) {
				y.locked(func() { y.fail[id(1)], y.held[id(1)] = &session.InUse{ID: id(1)}, true })
				time.Sleep(4 * time.Second)
				y.answer(id(1), duty{print: "a"})
				time.Sleep(4500 * time.Millisecond) // its next look is in half a second, and the next sweep a second later
				y.locked(func() {
					delete(y.fail, id(1))
					delete(y.held, id(1))
					if !another {
						delete(y.duties, id(1))
					}
					y.runs = nil
				})
				s.put(id(1), true)
				gone.Store(true)
				time.Sleep(time.Minute)
				if y.count() != 0 || y.Problem(id(1)) != unknownOutcome {
					t.Errorf("it was taken: %s, %q", y.ran(), y.Problem(id(1)))
				}
			})
		})
	}
}

// Somebody who is no crew is not heard of any more while a call of his runs, and another call of the
// session is answered here: that is no reason either to take it from him.
func TestD8_ASessionOfAPersonWithARunningCallIsNotTaken(t *testing.T) {
	atShared(t, 4, func(*yard, *shelf) {}, func(y *yard, _ *shelf) {
		y.locked(func() { y.duties[id(1)] = duty{kind: toBeTold, print: "u"} })
		y.GoOn(approval.Ticket{Call: approval.Call{Session: id(1)}})
		time.Sleep(time.Minute)
		if y.count() != 0 || y.Problem(id(1)) != unknownOutcome {
			t.Errorf("it was taken: %s, %q", y.ran(), y.Problem(id(1)))
		}
	})
}

// Nobody has marked yet that the call of a person who is not heard of any more was running when another
// call of the session is answered. It is marked before anybody takes the session. One that runs is
// not taken either, until it has ended.
func TestD8_ACallThatRunsIsMarkedBeforeItsSessionIsTaken(t *testing.T) {
	for name, test := range map[string]struct {
		gone    bool
		problem string
	}{
		"he is gone":         {true, unknownOutcome},
		"he is at work":      {false, (&session.InUse{ID: id(1)}).Error()},
		"and has come to it": {false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			atShared(t, 4, func(y *yard, _ *shelf) {
				y.Crew.mark = func(context.Context) error {
					y.locked(func() {
						if test.gone && y.duties[id(1)].running {
							y.duties[id(1)] = duty{kind: toBeTold, print: "u"}
						}
					})
					return nil
				}
			}, func(y *yard, _ *shelf) {
				y.answer(id(1), duty{print: "a", running: true})
				time.Sleep(time.Minute + time.Second) // nobody looks just then
				if test.problem == "" {
					y.locked(func() { y.duties[id(1)] = duty{kind: toGoOn, print: "a"} })
					time.Sleep(2 * sweepEvery)
				}
				synctest.Wait()
				if got := y.Problem(id(1)); (y.count() != 0) != (test.problem == "") || got != test.problem {
					t.Errorf("%s, %q", y.ran(), got)
				}
			})
		})
	}
}
