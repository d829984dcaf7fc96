package approval

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// A person's denial goes with a fork, whose ticket is born with it. Nothing else does.
func TestS34_ADenialGoesWithAFork(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, state := range parkedStates {
			for _, denied := range []bool{true, false} {
				if denied && state != Denied && state != Refused {
					continue
				}
				s := newStore(t)
				first, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time, Lasts: time.Hour})
				must(t, err)
				if denied {
					s.drive(first.ID, Denied)
				}
				if !denied || state != Denied {
					s.drive(first.ID, state)
				}
				carried := denied || state == Denied
				for i, forks := range [][]string{{"s1"}, {"s2", "s1"}, {"s3", "s2", "s1"}} { // forks of forks
					name := []string{"s2", "s3", "s4"}[i]
					fork, err := s.Park(t.Context(), Parking{Call: deploy(name), At: first.Created, Forks: forks})
					must(t, err)
					if !carried {
						if fork.State != Pending || fork.Answer != nil {
							t.Errorf("%s: %+v", state, fork)
						}
						continue
					}
					got := s.find(fork.ID)
					if !got.DeniedByPerson() || got.State != Denied || got.Answer.By != "ann" || got.Answer.Message != "no" || got.Answer.From != "s1" || got.Answer.Digest != got.Digest {
						t.Errorf("%s: %+v, %+v", state, got, got.Answer)
					}
					history, err := s.History(t.Context(), fork.ID)
					must(t, err)
					if last := history[len(history)-1]; last.Who != "ann" || last.Note != "denied in the session it was forked from, s1: no" {
						t.Errorf("%+v", last)
					}
					var wrong *WrongState
					if _, err := s.Claim(t.Context(), fork.ID, fork.Call, nil, "me"); !errors.As(err, &wrong) {
						t.Errorf("claimed: %v", err)
					}
				}
			}
		}
	})
}

// The denial is that of the same call, and nobody guesses where it cannot be read.
func TestS34_ADenialOfAnotherCallStaysBehind(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		first, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time})
		must(t, err)
		s.drive(first.ID, Denied)
		later, err := s.Park(t.Context(), Parking{Call: deploy("s2"), At: s.time.Add(time.Second), Forks: []string{"s1"}})
		if err != nil || later.State != Pending {
			t.Errorf("an id that comes again: %+v, %v", later, err)
		}
		s.damage(first.ID, "answer = 'no'")
		if _, err := s.Park(t.Context(), Parking{Call: deploy("s3"), At: s.time, Forks: []string{"s1"}}); err == nil || !strings.Contains(err.Error(), "whether the call was denied in session s1") {
			t.Errorf("a denial that cannot be read: %v", err)
		}
		if found, err := s.OfCall(t.Context(), "s3", "toolu_1"); err != nil || found != nil {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

// A denial that is given after the fork has its ticket counts as long as nobody has answered
// there.
func TestS34_ADenialThatComesLater(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, answered := range []bool{false, true} {
			s := newStore(t)
			first, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time})
			must(t, err)
			again := Parking{Call: deploy("s2"), At: first.Created, Forks: []string{"s1"}}
			fork, err := s.Park(t.Context(), again)
			must(t, err)
			want := Denied
			if answered {
				s.drive(fork.ID, Approved)
				want = Approved
			}
			s.drive(first.ID, Denied)
			got, err := s.Park(t.Context(), again)
			if err != nil || got.ID != fork.ID || got.State != want || !answered && got.Answer.From != "s1" {
				t.Errorf("%+v, %v", got, err)
			}
		}
	})
}

// A denial that is given when the fork has looked at everything counts as long as its call is not claimed.
func TestS34_ADenialThatComesBeforeTheClaim(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, denied := range []bool{false, true} {
			s := newStore(t)
			first, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time})
			must(t, err)
			parking := Parking{Call: deploy("s2"), At: first.Created, Forks: []string{"s1"}}
			fork, err := s.Park(t.Context(), parking)
			must(t, err)
			want := Running
			if denied {
				s.drive(first.ID, Denied)
				want = Denied
			}
			_, err = s.ClaimHeeding(t.Context(), fork.ID, fork.Said(), parking, nil, "worker")
			if got := s.find(fork.ID); errors.As(err, new(*Overtaken)) != denied || !denied && err != nil || got.State != want || denied && got.Answer.From != "s1" {
				t.Errorf("denied %v: %v, %+v", denied, err, got)
			}
		}
	})
}

// Whoever denies a call waits for a fork of its session that is about to claim it, and is told
// afterwards; also where the call has no ticket yet.
func TestS34_ADenialWaitsForAClaim(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, ticketed := range []bool{true, false} {
			s := newStore(t)
			denialWaits(t, s, ticketed)
		}
	})
}

func denialWaits(t *testing.T, s *counter, ticketed bool) {
	t.Helper()
	parent := Parking{Call: deploy("s1"), At: s.time}
	deny := func(ctx context.Context) error {
		first, err := s.Park(ctx, parent)
		if err == nil {
			_, err = s.Deny(ctx, first.ID, first.Digest, "ann", "never")
		}
		return err
	}
	if ticketed {
		first, err := s.Park(t.Context(), parent)
		must(t, err)
		deny = func(ctx context.Context) error {
			_, err := s.Deny(ctx, first.ID, first.Digest, "ann", "never")
			return err
		}
	}
	parking := Parking{Call: deploy("s2"), At: s.time, Forks: []string{"s1"}}
	fork, err := s.Park(t.Context(), parking)
	must(t, err)
	denied := make(chan error, 1)
	must(t, s.db.Within(t.Context(), func(tx *database.Tx) error {
		if no, err := s.inherited(t.Context(), tx, &fork, parking); no != nil || err != nil {
			t.Errorf("%v, %v", no, err)
		}
		go func() { denied <- deny(context.WithoutCancel(t.Context())) }()
		select {
		case err := <-denied:
			t.Errorf("it did not wait: %v", err)
			denied <- nil // nothing else comes
		case <-time.After(200 * time.Millisecond):
		}
		return nil
	}))
	must(t, <-denied)
}
