package crew

import (
	"context"
	"errors"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// A ticket of which a bell speaks is taken up where its session can go on, and by nobody who has
// been told to begin nothing more.
func TestTakeUp(t *testing.T) {
	away := errors.New("the database is away")
	serves := func(here bool, err error) func(context.Context, string) (bool, error) {
		return func(context.Context, string) (bool, error) { return here, err }
	}
	for name, tt := range map[string]struct {
		crew   *Crew
		ticket approval.Ticket
		drain  bool
		want   bool
		err    error
	}{
		"here":                   {crew: &Crew{serves: serves(true, nil)}, want: true},
		"elsewhere":              {crew: &Crew{serves: serves(false, nil)}},
		"nobody knows":           {crew: &Crew{serves: serves(false, away)}, err: away},
		"held by a guard":        {crew: &Crew{serves: serves(true, nil)}, ticket: approval.Ticket{Asker: "codex"}},
		"nothing new is begun":   {crew: &Crew{serves: serves(true, nil)}, drain: true},
		"sessions go on nowhere": {},
	} {
		if tt.crew != nil {
			tt.crew.heard, tt.crew.drained = make(chan struct{}, 1), make(chan struct{})
			if tt.drain {
				tt.crew.Drain()
			}
		}
		tt.ticket.ID, tt.ticket.Session = "t1", "s1"
		got, err := tt.crew.TakeUp(t.Context(), tt.ticket)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if tt.crew != nil && (len(tt.crew.changed) == 1) != tt.want {
			t.Errorf("%s: %v were heard", name, tt.crew.changed)
		}
	}
}
