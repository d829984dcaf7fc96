package desk_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// What somebody denies while a fork waits is heard when the fork is taken up.
func TestS34_ADenialThatComesLaterIsHeard(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	fork := forkOf(c, secondID)
	o.park(fork)
	o.people(func(ctx context.Context, s *approval.Store, _ approval.Ticket) error {
		first, err := s.OfCall(ctx, c.Session, c.ToolUseID)
		if err == nil {
			_, err = s.Deny(ctx, first.ID, first.Digest, "ann", "no")
		}
		return err
	})
	o.park(fork)
	if word := o.look(fork); word.Kind != agent.No || word.By != "ann" {
		t.Errorf("%+v", word)
	}
}

// lapses makes a call one whose time is over, and that settings let run then.
func lapses(c agent.ParkedCall) agent.ParkedCall {
	c.Since = c.Since.Add(-2 * time.Hour)
	c.Until, c.Outcome = c.Since.Add(time.Hour), permission.Allow
	return c
}

// What somebody denies when a fork has looked, and its call has its ticket, is heard as long as nobody has
// claimed the call. What was denied of another one with the same id, before, is not this one.
func TestS34_ADenialIsHeardUntilTheClaim(t *testing.T) {
	nothing := func(*office, agent.ParkedCall) {}
	no := func(o *office, _ agent.ParkedCall) { o.deny() }
	for name, tt := range map[string]struct {
		call      agent.ParkedCall
		before    func(*office, agent.ParkedCall) // it is parked
		meanwhile func(*office, agent.ParkedCall)
		runs      bool
	}{
		"nobody denies it":                    {deploy(), nothing, nothing, true},
		"it waits":                            {deploy(), nothing, no, false},
		"its time is over, and nobody denies": {lapses(deploy()), nothing, nothing, true},
		"its time is over":                    {lapses(deploy()), nothing, no, false},
		"another one was denied": {deploy(), func(o *office, c agent.ParkedCall) {
			c.Since = c.Since.Add(-time.Hour)
			o.park(c)
			o.deny()
		}, nothing, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.lineage()
			claims := 0
			o.Opened = func(s *approval.Store) {
				s.Mind(func(context.Context) (approval.StillFor, error) {
					claims++
					tt.meanwhile(o, tt.call)
					return nil, nil
				})
			}
			tt.before(o, tt.call)
			o.park(tt.call)
			fork := forkOf(tt.call, secondID)
			fork.New = !tt.call.Until.IsZero() // else the end of its time does not count
			o.park(fork)
			_, err := claimNow(t, o, fork, fork.Input)
			if claims != 1 || tt.runs != (err == nil) || !tt.runs && !errors.Is(err, agent.ErrAnswered) {
				t.Errorf("%v, claimed %d times", err, claims)
			}
			if tt.runs {
				return
			}
			if word := o.look(fork); word.Kind != agent.No || word.By != "ann" {
				t.Errorf("%+v", word)
			}
		})
	}
}

// A session that comes back while a call of its fork is parked may bring a no with it that the ticket
// has not heard: whoever claims the call looks again.
func TestS34_WhatComesBackWhileACallIsParked(t *testing.T) {
	o, there, c := newOffice(t), newOffice(t), deploy()
	o.lineage()
	fork := forkOf(c, secondID)
	there.park(c)
	there.park(fork)
	there.approveThis(fork) // so that who parks it here is told
	home, away := filepath.Join(o.dir, "sessions", firstID), filepath.Join(o.dir, "away")
	must(t, os.Rename(home, away))
	told := 0
	o.Opened = func(s *approval.Store) {
		s.Heed(there.dir, func(string) {
			told++
			must(t, os.Rename(away, home))
		})
	}
	if _, err := claimNow(t, o, fork, fork.Input); told != 1 || !errors.Is(err, agent.ErrAnswered) || !strings.Contains(err.Error(), "it may have been denied in a session of which this one is a fork") {
		t.Errorf("%v, told %d times", err, told)
	}
	if _, err := claimNow(t, o, fork, fork.Input); err != nil {
		t.Errorf("it is back: %v", err)
	}
}

// Also of a call that runs when its time is over nobody can say whether it was denied in a session that
// is not here.
func TestS34_TheEndOfItsTimeIsNoYes(t *testing.T) {
	for _, gone := range []bool{false, true} {
		o, c := newOffice(t), lapses(deploy())
		sessions := o.lineage()
		if gone {
			_, err := sessions.Remove(firstID, nil)
			must(t, err)
		}
		fork := forkOf(c, secondID)
		fork.New = true // else the end of its time does not count
		o.park(fork)
		if word := o.look(fork); word.Kind != agent.Lapsed || (word.Unheard != "") != gone {
			t.Errorf("gone %v: %+v", gone, word)
		}
		if _, err := claimNow(t, o, fork, fork.Input); errors.Is(err, agent.ErrAnswered) != gone || !gone && err != nil {
			t.Errorf("gone %v: %v", gone, err)
		}
	}
}
