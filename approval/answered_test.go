package approval

import (
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// An approval was for one run. When a person has found out that this run did not happen,
// the call waits for a new one, and says nothing of the old.
func TestS27_WhatDidNotRunHasNoAnswerAnyMore(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, ran := range map[string]bool{"it ran": true, "it did not run": false} {
			t.Run(name, func(t *testing.T) {
				s := newStore(t)
				ticket := s.park(deploy("s1"))
				other := strictjson.Raw(`{"command":"deploy --dry-run"}`)
				_, err := s.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "go ahead", other)
				must(t, err)
				fence, err := s.Claim(t.Context(), ticket.ID, ticket.Call, other, "me")
				must(t, err)
				must(t, s.Lose(t.Context(), ticket.ID, fence, "died"))
				_, err = s.Resolve(t.Context(), ticket.ID, ran, "bob", "looked")
				must(t, err)
				got := s.find(ticket.ID)
				if got.Holder != "" || got.Fence != fence {
					t.Errorf("%+v", got)
				}
				if ran {
					if got.State != Done || got.Answer == nil || got.Answer.By != "ann" || got.Answer.Message != "go ahead" {
						t.Errorf("%+v, %+v", got, got.Answer)
					}
					return
				}
				if got.State != Pending || got.Answer != nil {
					t.Errorf("%+v, %+v", got, got.Answer)
				}
				// Whoever answers now answers for the first time.
				if _, err := s.Deny(t.Context(), ticket.ID, ticket.Digest, "bob", "not again"); err != nil || s.find(ticket.ID).Answer.By != "bob" {
					t.Error(err)
				}
			})
		}
	})
}

// The end of a ticket's time is in its history, with what holds then. Nobody did it.
func TestS41_TheEndOfTheTimeIsInTheHistory(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for outcome, note := range map[permission.Behavior]string{permission.Deny: "nobody answered in time: deny", permission.Allow: "nobody answered in time: allow"} {
			for name, look := range map[string]func(s *counter, id string){
				"somebody looks at it": func(s *counter, id string) { s.find(id) },
				"somebody lists": func(s *counter, _ string) {
					_, err := s.List(t.Context(), Query{})
					must(t, err)
				},
				"somebody answers": func(s *counter, id string) {
					_, err := s.Deny(t.Context(), id, s.find(id).Digest, "ann", "too late")
					must(t, err)
				},
			} {
				t.Run(name+" "+outcome.String(), func(t *testing.T) {
					s := newStore(t)
					ticket, err := s.Park(t.Context(), Parking{Call: deploy("s1"), Lasts: time.Hour, Outcome: outcome, By: "hook"})
					must(t, err)
					s.time = s.time.Add(2 * time.Hour)
					look(s, ticket.ID)
					history, err := s.History(t.Context(), ticket.ID)
					must(t, err)
					if len(history) < 2 {
						t.Fatalf("%+v", history)
					}
					if e := history[1]; e.From != Pending || e.To != Expired || e.Who != "assent" || e.Note != note || !e.At.Equal(s.time) {
						t.Errorf("%+v", e)
					}
				})
			}
		}
	})
}

// What is acknowledged survives the machine's power: every commit is on the disk, and
// others wait for each other in place of failing.
func TestA2_WhatIsAcknowledgedIsOnTheDisk(t *testing.T) {
	s := newFileStore(t)
	s.park(deploy("s1")) // by the connection that writes
	for pragma, want := range map[string]string{"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1", "busy_timeout": "10000"} {
		var got string
		must(t, s.db.Writer().QueryRow("PRAGMA "+pragma).Scan(&got))
		if got != want {
			t.Errorf("%s is %s, want %s", pragma, got, want)
		}
	}
	if open := s.db.Writer().Stats().MaxOpenConnections; open != 1 {
		t.Errorf("%d connections, of which one was asked", open)
	}
}
