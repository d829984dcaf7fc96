package approval

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// A no that mends a damaged ticket is never taken back, and goes with a fork only if the
// call was denied before the damage.
func TestA2_ANoThatMends(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, test := range map[string]struct {
			before  []State
			retract bool
			mends   Mending
			fork    State
		}{
			"nobody has answered":        {nil, false, OnlyMends, Pending},
			"it was approved":            {[]State{Approved}, false, OnlyMends, Pending},
			"it was denied":              {[]State{Denied}, false, DeniesAgain, Denied},
			"the denial was taken back":  {[]State{Denied}, true, OnlyMends, Pending},
			"it was approved and denied": {[]State{Approved, Denied}, false, DeniesAgain, Denied},
		} {
			s := newStore(t)
			first, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time})
			must(t, err)
			for _, state := range test.before {
				s.drive(first.ID, state)
			}
			if test.retract {
				s.settleLater(first.ID)
				now := s.find(first.ID)
				_, err := s.Retract(t.Context(), first.ID, now.Said(), "ann")
				must(t, err)
			}
			s.damage(first.ID, "state = 'dome'")
			if _, err := s.Park(t.Context(), Parking{Call: deploy("s2"), At: s.time, Forks: []string{"s1"}}); err == nil {
				t.Errorf("%s: a fork does not care for the damage", name)
			}
			denied, err := s.Say(t.Context(), first.ID, first.Digest, Answer{Behavior: permission.Deny, By: "ann", Message: "mended", Settles: s.time.Add(time.Hour)})
			must(t, err)
			if !denied.Answer.Settles.IsZero() {
				t.Errorf("%s: it may be taken back until %s", name, denied.Answer.Settles)
			}
			if denied.Answer.Mends != test.mends || s.find(first.ID).Answer.Mends != test.mends {
				t.Errorf("%s: %q", name, denied.Answer.Mends)
			}
			var wrong *WrongState
			if _, err := s.Retract(t.Context(), first.ID, denied.Said(), "ann"); !errors.As(err, &wrong) || s.find(first.ID).State != Denied {
				t.Errorf("%s: it is taken back: %v", name, err)
			}
			fork, err := s.Park(t.Context(), Parking{Call: deploy("s2"), At: s.time, Forks: []string{"s1"}})
			if err != nil || fork.State != test.fork {
				t.Errorf("%s: the fork is %s, %v", name, fork.State, err)
			}
		}
	})
}

// Who comes too late to a call that was denied elsewhere is told where.
func TestS34_ADenialSaysWhereItWasGiven(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		first, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time})
		must(t, err)
		s.drive(first.ID, Denied)
		fork, err := s.Park(t.Context(), Parking{Call: deploy("s2"), At: s.time, Forks: []string{"s1"}})
		must(t, err)
		if _, err := s.Approve(t.Context(), fork.ID, fork.Digest, "bob", "", nil); err == nil || !strings.HasSuffix(err.Error(), " in session s1, which this one is a fork of") {
			t.Errorf("%v", err)
		}
	})
}
