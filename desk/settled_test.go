package desk_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// grace is how long an answer may be taken back in these tests.
const grace = 5 * time.Second

// say gives an answer that may be taken back for a while.
func (o *office) say(b permission.Behavior, by string) (said approval.Ticket) {
	o.t.Helper()
	o.people(func(ctx context.Context, s *approval.Store, t approval.Ticket) (err error) {
		said, err = s.Say(ctx, t.ID, t.Digest, approval.Answer{Behavior: b, By: by, Message: "m", Settles: time.Now().Add(grace)})
		return err
	})
	return said
}

// An answer that can still be taken back is waited for, in whatever process somebody looks:
// what it says then counts, and why it takes so long is told once.
func TestA3_AnAnswerThatCanBeTakenBack(t *testing.T) {
	const later = 2 * time.Second
	kinds := map[permission.Behavior]agent.WordKind{permission.Allow: agent.Yes, permission.Deny: agent.No}
	retract := func(o *office, said approval.Ticket) {
		o.people(func(ctx context.Context, s *approval.Store, t approval.Ticket) error {
			_, err := s.Retract(ctx, t.ID, said.Said(), "ann")
			return err
		})
	}
	for b, kind := range kinds {
		for name, test := range map[string]struct {
			meanwhile func(*office, approval.Ticket)
			takes     time.Duration
			want      agent.WordKind
			by        string
		}{
			"nobody does":   {nil, grace, kind, "ann"},
			"taken back":    {retract, later, agent.NoWord, ""},
			"another no":    {func(o *office, _ approval.Ticket) { o.deny() }, later, agent.No, "ann"},
			"and once more": {func(o *office, s approval.Ticket) { retract(o, s); o.say(permission.Deny, "bob") }, later + grace, agent.No, "bob"},
		} {
			synctest.Test(t, func(t *testing.T) {
				o, c := newOffice(t), deploy()
				var warned []string
				o.Warn = func(text string) { warned = append(warned, text) }
				o.park(c)
				if word := o.look(c); word.Kind != agent.NoWord || warned != nil {
					t.Errorf("%+v, %q", word, warned)
				}
				said := o.say(b, "ann")
				began := time.Now()
				done := make(chan struct{})
				go func() {
					defer close(done)
					if time.Sleep(later); test.meanwhile != nil {
						test.meanwhile(o, said)
					}
				}()
				word := o.look(c)
				if took := time.Since(began); word.Kind != test.want || word.By != test.by || took < test.takes || took > test.takes+100*time.Millisecond {
					t.Errorf("%s, %s: %+v after %v", b, name, word, took)
				}
				if len(warned) != 1 || !strings.Contains(warned[0], "taken back until") {
					t.Errorf("%q", warned)
				}
				<-done
				o.Close()
			})
		}
	}
}

// Whoever looked before an answer was given does not act against it, also as long as it can
// be taken back; and whoever waits for it may give up.
func TestA3_NobodyActsOnAnAnswerThatCanBeTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, c := newOffice(t), deploy()
		o.park(c)
		before := o.look(c)
		o.say(permission.Allow, "ann")
		if _, err := o.Claim(t.Context(), c, c.Input, before); !errors.Is(err, agent.ErrAnswered) || o.state() != approval.Approved {
			t.Errorf("%v, %s", err, o.state())
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if word, err := o.Look(ctx, c); !errors.Is(err, context.DeadlineExceeded) || word.Kind != agent.NoWord {
			t.Errorf("%+v, %v", word, err)
		}
		o.Close()
	})
}
