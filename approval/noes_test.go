package approval

import (
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// first is the parking of a call in a session, second the same call in a fork of it.
func (c *counter) first() Parking { return Parking{Call: deploy("s1"), At: c.time} }

func (c *counter) second() Parking {
	return Parking{Call: deploy("s2"), At: c.time, Forks: []string{"s1"}}
}

// What a person has denied holds in forks, also after the ticket was forgotten, as long as it
// is the same call, and until a person says something else in a session of the same id.
func TestS34_ANoOutlivesItsTicket(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		no := func(s *counter) {
			first, err := s.Park(t.Context(), s.first())
			must(t, err)
			s.drive(first.ID, Denied)
			must(t, s.Forget(t.Context(), "s1"))
		}
		again := func(s *counter) Ticket {
			first, err := s.Park(t.Context(), s.first())
			must(t, err)
			return first
		}
		for name, test := range map[string]struct {
			before func(*counter)
			fork   func(*Parking)
			want   State
		}{
			"denied":                    {no, nil, Denied},
			"another call, later":       {no, func(p *Parking) { p.At = p.At.Add(time.Second) }, Pending},
			"nobody knows when":         {no, func(p *Parking) { p.At = time.Time{} }, Denied},
			"a fork of a fork":          {no, func(p *Parking) { p.Forks = []string{"s3", "s1"} }, Denied},
			"no fork":                   {no, func(p *Parking) { p.Forks = nil }, Pending},
			"the session is back":       {func(s *counter) { no(s); again(s) }, nil, Denied},
			"back, and run by a rule":   {func(s *counter) { no(s); s.drive(again(s).ID, Running) }, nil, Denied},
			"back, and approved":        {func(s *counter) { no(s); s.drive(again(s).ID, Approved) }, nil, Pending},
			"back, and denied":          {func(s *counter) { no(s); s.drive(again(s).ID, Denied) }, nil, Denied},
			"back, and forgotten again": {func(s *counter) { no(s); again(s); must(t, s.Forget(t.Context(), "s1")) }, nil, Denied},
			"approved, then forgotten": {func(s *counter) {
				no(s)
				s.drive(again(s).ID, Approved)
				must(t, s.Forget(t.Context(), "s1"))
			}, nil, Pending},
			"back with another call of that id": {func(s *counter) {
				no(s)
				later := s.first()
				later.At = later.At.Add(time.Hour)
				_, err := s.Park(t.Context(), later)
				must(t, err)
			}, nil, Denied},
			"another call of that id is denied, too": {func(s *counter) {
				first := again(s)
				s.drive(first.ID, Denied)
				must(t, s.Refuse(t.Context(), first.ID, "me", "no"))
				later := s.first()
				later.At = later.At.Add(time.Hour)
				second, err := s.Park(t.Context(), later)
				must(t, err)
				s.drive(second.ID, Denied)
				must(t, s.Forget(t.Context(), "s1"))
			}, nil, Denied},
			"another call of that id waits now": {func(s *counter) {
				first := again(s)
				s.drive(first.ID, Denied)
				must(t, s.Refuse(t.Context(), first.ID, "me", "no"))
				later := s.first()
				later.At = later.At.Add(time.Hour)
				_, err := s.Park(t.Context(), later)
				must(t, err)
			}, nil, Denied},
			"back, with a yes that may be taken back": {func(s *counter) {
				no(s)
				s.say(again(s), permission.Allow, "bob", time.Minute)
			}, nil, Denied},
			"forgotten with a yes that could be taken back": {func(s *counter) {
				no(s)
				s.say(again(s), permission.Allow, "bob", time.Minute)
				must(t, s.Forget(t.Context(), "s1"))
			}, nil, Denied},
			"told, and its answer is damaged": {func(s *counter) {
				first := again(s)
				s.drive(first.ID, Denied)
				must(t, s.Refuse(t.Context(), first.ID, "me", "told"))
				s.damage(first.ID, "answer = '{bad'")
			}, nil, Denied},
			"told, its answer is gone, and it is forgotten": {func(s *counter) {
				first := again(s)
				s.drive(first.ID, Denied)
				must(t, s.Refuse(t.Context(), first.ID, "me", "told"))
				s.damage(first.ID, "answer = ''")
				must(t, s.Forget(t.Context(), "s1"))
			}, nil, Denied},
			"refused by a rule": {func(s *counter) {
				must(t, s.Refuse(t.Context(), again(s).ID, "me", "a rule"))
			}, nil, Pending},
			"the model was told": {func(s *counter) {
				first := again(s)
				s.drive(first.ID, Denied)
				must(t, s.Refuse(t.Context(), first.ID, "me", "no"))
				must(t, s.Forget(t.Context(), "s1"))
			}, nil, Denied},
			"denied, then damaged": {func(s *counter) {
				first := again(s)
				s.drive(first.ID, Denied)
				s.damage(first.ID, "state = 'running', answer = 'no'")
				s.damage(first.ID, "created = 'once'")
				must(t, s.Forget(t.Context(), "s1"))
			}, nil, Denied},
			"damaged, and not denied": {func(s *counter) {
				s.damage(again(s).ID, "state = 'dome'")
				must(t, s.Forget(t.Context(), "s1"))
			}, nil, Pending},
			"a no that only mends": {func(s *counter) {
				first := again(s)
				s.damage(first.ID, "state = 'dome'")
				_, err := s.Deny(t.Context(), first.ID, first.Digest, "ann", "no")
				must(t, err)
				must(t, s.Forget(t.Context(), "s1"))
			}, nil, Pending},
			"what a guard holds": {func(s *counter) {
				held, err := s.Hold(t.Context(), "codex", s.first())
				must(t, err)
				_, err = s.Deny(t.Context(), held.ID, held.Digest, "ann", "no")
				must(t, err)
				must(t, s.Forget(t.Context(), "s1"))
			}, func(p *Parking) { p.Call.ToolUseID = "held:" + must2(p.Call.Digest()) }, Pending},
		} {
			t.Run(name, func(t *testing.T) {
				s := newStore(t)
				test.before(s)
				p := s.second()
				if test.fork != nil {
					test.fork(&p)
				}
				got, err := s.Park(t.Context(), p)
				if err != nil || got.State != test.want {
					t.Fatalf("%s, %v", got.State, err)
				}
				if got.State == Denied && (got.Answer.By != "ann" || got.Answer.Message != "no" || got.Answer.From != "s1" || got.Answer.Digest != got.Digest || got.Answer.Behavior != permission.Deny) {
					t.Errorf("%+v", got.Answer)
				}
			})
		}
	})
}

func must2(text string, _ error) string { return text }

// A no that may be taken back is kept as one that holds: there is nothing left to take back.
func TestS34_AKeptNoHoldsAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		first, err := s.Park(t.Context(), s.first())
		must(t, err)
		_, err = s.Say(t.Context(), first.ID, first.Digest, Answer{Behavior: permission.Deny, By: "ann", Settles: s.time.Add(time.Hour)})
		must(t, err)
		must(t, s.Forget(t.Context(), "s1"))
		no, err := s.NoIn(t.Context(), "s1", "toolu_1", s.time)
		if err != nil || no == nil || !no.Settles.IsZero() {
			t.Errorf("%+v, %v", no, err)
		}
	})
}

// What is left of a no and cannot be read keeps the call from running.
func TestS34_AKeptNoThatCannotBeRead(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, how := range []string{"answer = 'no'", "at = 'once'"} {
			s := newStore(t)
			if s.db.Kind() == database.PostgreSQL && how == "at = 'once'" { // which it does not take
				continue
			}
			first, err := s.Park(t.Context(), s.first())
			must(t, err)
			s.drive(first.ID, Denied)
			must(t, s.Forget(t.Context(), "s1"))
			_, err = s.db.Writer().Exec("UPDATE noes SET " + how)
			must(t, err)
			got, err := s.Park(t.Context(), s.second())
			if (err == nil || !strings.Contains(err.Error(), "whether the call was denied in session s1")) && got.State != Denied {
				t.Errorf("%s: %s, %v", how, got.State, err)
			}
		}
	})
}

// A no is kept together with the end of its ticket, or neither happens.
func TestS34_ANoIsKeptOrNothingIsForgotten(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		first, err := s.Park(t.Context(), s.first())
		must(t, err)
		s.drive(first.ID, Denied)
		s.obstruct("INSERT", "noes", true)
		if err := s.Forget(t.Context(), "s1"); err == nil {
			t.Error("it was forgotten")
		}
		if got := s.find(first.ID); got.State != Denied {
			t.Errorf("it is %s", got.State)
		}
	})
}
