package approval

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// minding lets everybody but some answer, at the moment of a claim.
func (c *counter) minding(gone ...string) {
	c.Mind(func(context.Context) (StillFor, error) {
		return func(string) Still { return without(gone...) }, nil
	})
}

// lastRow is how a ticket came to be what it is.
func (c *counter) lastRow(id string) Event {
	c.t.Helper()
	history, err := c.History(c.t.Context(), id)
	must(c.t, err)
	return LastMove(history)
}

// Until a call has begun, the yes to it counts only as long as whoever has said it may answer:
// one of several, the last one, the only one, and that of a program.
func TestA4_ACallDoesNotBeginByAYesThatHasLapsed(t *testing.T) {
	for name, c := range map[string]struct {
		terms  permission.Terms
		by     []string // who has said yes, in this order
		gone   string
		voters string // whose votes are left
	}{
		"the only one":     {permission.Terms{}, []string{"ben"}, "ben", ""},
		"a program":        {permission.Terms{}, []string{ProgramSignature("ben", 3)}, ProgramSignature("ben", 3), ""},
		"the last of two":  {two, []string{"ben", "cleo"}, "cleo", "ben"},
		"the first of two": {two, []string{"ben", "cleo"}, "ben", "ben cleo"},
		"a deputy":         {two, []string{"ben", DeputySignature("cleo", "dan")}, DeputySignature("cleo", "dan"), "ben"},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, newStore storeMaker) {
				s := newStore(t)
				ticket := s.parkWith("s", c.terms)
				say := func(by string, still Still) (got Ticket) {
					t.Helper()
					voter, _, _ := strings.Cut(by, " ")
					if strings.Contains(by, "token") {
						voter = ""
					}
					s.time = s.time.Add(time.Second)
					got, err := s.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: by, Voter: voter, Message: "looked", Still: still})
					must(t, err)
					return got
				}
				var got Ticket
				for _, by := range c.by {
					got = say(by, nil)
				}
				if got.State != Approved {
					t.Fatal(got.State)
				}
				s.minding(c.gone)
				var again *WaitsAgain
				if _, err := s.ClaimSeen(t.Context(), ticket.ID, got.Said(), ticket.Call, nil, "worker"); !errors.As(err, &again) || again.By != c.gone {
					t.Fatalf("%v", err)
				}
				now := s.find(ticket.ID)
				if now.State != Pending || now.Answer != nil || now.Fence != ticket.Fence || s.voters(ticket.ID) != c.voters {
					t.Errorf("%+v, votes of %q", now, s.voters(ticket.ID))
				}
				if e := s.lastRow(ticket.ID); e.From != Approved || e.To != Pending || e.Who != "worker" || !e.YesLapsed() || !strings.Contains(e.Note, c.gone) || !strings.Contains(e.Note, "may not answer") {
					t.Errorf("%+v", e)
				}
				if got = say("eve", without(c.gone)); got.State != Approved {
					t.Fatalf("with eve it is %s", got.State)
				}
				if _, err := s.ClaimSeen(t.Context(), ticket.ID, got.Said(), ticket.Call, nil, "worker"); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// What somebody has said who has not signed in counts as ever, and so does everything where
// there are no people.
func TestA4_ACallBeginsByAYesThatCounts(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		claim := func(session, by, voter string) error {
			t.Helper()
			ticket := c.parkWith(session, permission.Terms{})
			got, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: by, Voter: voter})
			must(t, err)
			_, err = c.ClaimSeen(t.Context(), ticket.ID, got.Said(), ticket.Call, nil, "worker")
			return err
		}
		c.minding("root@vm", "ben")
		must(t, claim("at a terminal", "root@vm", ""))
		c.Mind(func(context.Context) (StillFor, error) { return nil, nil })
		must(t, claim("without people", "ben", "ben"))
		broken := errors.New("nobody can say")
		c.Mind(func(context.Context) (StillFor, error) { return nil, broken })
		if err := claim("cannot be read", "ben", "ben"); !errors.Is(err, broken) {
			t.Error(err)
		}
		c.Mind(func(context.Context) (StillFor, error) {
			return func(string) Still {
				return func(context.Context, database.Querier, Vote, ...Vote) error { return broken }
			}, nil
		})
		if err := claim("cannot be asked", "ben", "ben"); !errors.Is(err, broken) {
			t.Error(err)
		}
	})
}

// Whoever wanted a call must not approve it, and an admin may say only later who that is.
func TestA4_AClaimSaysWhoWantedTheCall(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for _, terms := range []permission.Terms{{}, {NotRequester: true}} {
			ticket, err := c.Park(t.Context(), Parking{Call: deploy(map[bool]string{true: "barred", false: "free"}[terms.NotRequester]), Requester: "root@vm", Terms: terms})
			must(t, err)
			_, err = c.yes(ticket, "ben")
			must(t, err)
			barred := "nobody has asked"
			c.Mind(func(context.Context) (StillFor, error) {
				return func(accounts string) Still { barred = accounts; return without() }, nil
			})
			_, err = c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "worker")
			must(t, err)
			if want := map[bool]string{true: "root@vm"}[terms.NotRequester]; barred != want {
				t.Errorf("%q, want %q", barred, want)
			}
		}
	})
}

// A call that waits again does not run because its time is over, nor is it lost by that, however
// much of it was left: somebody has approved it, and nobody has said no.
func TestA4_ACallThatWaitsAgainHasTime(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, after := range map[string]time.Duration{"in time": 0, "seconds left": time.Hour - 2*time.Second, "late": 2 * time.Hour} {
			c := newStore(t)
			c.minding("ben")
			ticket, err := c.Park(t.Context(), Parking{Call: deploy(name), Lasts: time.Hour, Outcome: permission.Allow})
			must(t, err)
			got, err := c.yes(ticket, "ben")
			must(t, err)
			c.time = c.time.Add(after)
			var again *WaitsAgain
			if _, err := c.ClaimSeen(t.Context(), ticket.ID, got.Said(), ticket.Call, nil, "worker"); !errors.As(err, &again) {
				t.Fatal(err)
			}
			c.time = c.time.Add(100 * time.Hour)
			must(t, c.Expire(t.Context()))
			if now := c.find(ticket.ID); now.State != Pending || now.Outcome != permission.Deny || !now.Expires.IsZero() {
				t.Errorf("%s: %+v", name, now)
			}
		}
	})
}

// That of a guard has as much time once more as it had, because agents forget their calls; also when
// the yes settled at the end of that time.
func TestA4_AHeldCallThatWaitsAgainHasTime(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, c := range map[string]struct{ settles, after time.Duration }{
			"in time":      {},
			"seconds left": {after: time.Hour - 2*time.Second},
			"settled late": {settles: time.Hour, after: time.Hour + time.Second},
		} {
			s := newStore(t)
			ticket := s.hold("s", "codex")
			_, err := s.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: "ben", Voter: "ben", Settles: s.time.Add(c.settles)})
			must(t, err)
			s.minding("ben")
			s.time = s.time.Add(c.after)
			var again *WaitsAgain
			if _, err := s.Hand(t.Context(), ticket.ID, "guard"); !errors.As(err, &again) {
				t.Fatalf("%s: %v", name, err)
			}
			s.time = s.time.Add(time.Hour - time.Second)
			must(t, s.Expire(t.Context()))
			if now := s.find(ticket.ID); now.State != Pending {
				t.Errorf("%s: %s", name, now.State)
			}
			s.time = s.time.Add(2 * time.Second)
			must(t, s.Expire(t.Context()))
			if now := s.find(ticket.ID); now.State != Expired {
				t.Errorf("%s: %s after its time", name, now.State)
			}
		}
	})
}

// A guard gets no yes that does not count any more, and waits on.
func TestA4_AGuardGetsNoYesThatHasLapsed(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.hold("s", "codex")
		_, err := c.yes(ticket, "ben")
		must(t, err)
		c.minding("ben")
		var again *WaitsAgain
		if _, err := c.Hand(t.Context(), ticket.ID, "guard"); !errors.As(err, &again) {
			t.Fatal(err)
		}
		if now := c.find(ticket.ID); now.State != Pending || now.Answer != nil {
			t.Errorf("%+v", now)
		}
		_, err = c.yes(ticket, "eve")
		must(t, err)
		if got, err := c.Hand(t.Context(), ticket.ID, "guard"); err != nil || got.State != Handed {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
