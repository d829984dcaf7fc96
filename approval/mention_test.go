package approval

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

func TestA4_Comments(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for _, state := range parkedStates {
			ticket, err := c.Park(t.Context(), Parking{Call: deploy(string(state)), Lasts: time.Hour})
			must(t, err)
			c.drive(ticket.ID, state)
			before := c.find(ticket.ID)
			must(t, c.Comment(t.Context(), ticket.ID, "ben", "is that the\nright branch?"))
			after := c.find(ticket.ID)
			if after.State != state || after.Said() != before.Said() {
				t.Errorf("%s became %s", state, after.State)
			}
			history, err := c.History(t.Context(), ticket.ID)
			must(t, err)
			if e := history[len(history)-1]; e.Kind != KindComment || e.From != state || e.To != state || e.Who != "ben" || e.Note != "is that the\nright branch?" {
				t.Errorf("%+v", e)
			}
		}
		var bad *BadComment
		var gone *NoTicket
		ticket := c.park(deploy("s"))
		for name, one := range map[string]struct{ who, text, why string }{
			"nobody": {" ", "text", "nobody is named"}, "nothing": {"ben", "", "characters that can be seen"}, "blanks": {"ben", " \n", "characters that can be seen"},
			"nothing to be seen": {"ben", " \u200b\u2060\u00ad", "characters that can be seen"}, "too long": {"ben", strings.Repeat("x", maxComment+1), "10001 bytes"},
			"no text": {"ben", "a\xff", "not valid UTF-8"}, "bytes alone": {"ben", "\xff", "not valid UTF-8"}, "no character": {"ben", "a\x00", "U+0000"},
		} {
			if err := c.Comment(t.Context(), ticket.ID, one.who, one.text); !errors.As(err, &bad) || !strings.Contains(err.Error(), one.why) {
				t.Errorf("%s: %v", name, err)
			}
		}
		must(t, c.Comment(t.Context(), ticket.ID, "ben", "👍"))
		must(t, c.Comment(t.Context(), ticket.ID, "ben", strings.Repeat("x", maxComment)))
		if err := c.Comment(t.Context(), "none", "ben", "text"); !errors.As(err, &gone) {
			t.Errorf("%v", err)
		}
		if got := c.kinds(ticket.ID); got != "pending comment comment" {
			t.Error(got)
		}
	})
}

func TestA4_OthersAreTold(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket, err := c.Park(t.Context(), Parking{Call: deploy("s"), Lasts: time.Hour})
		must(t, err)
		must(t, c.Escalated(t.Context(), ticket.ID, "phone"))
		c.time = c.time.Add(2 * time.Hour)
		var wrong *WrongState
		if err := c.Escalated(t.Context(), ticket.ID, "phone"); !errors.As(err, &wrong) {
			t.Errorf("%v", err)
		}
		answered := c.park(deploy("s2"))
		c.drive(answered.ID, Approved)
		if err := c.Escalated(t.Context(), answered.ID, "phone"); !errors.As(err, &wrong) || wrong.State != Approved {
			t.Errorf("%v", err)
		}
		if got := c.kinds(ticket.ID); !strings.HasPrefix(got, "pending escalated") || strings.Count(got, "escalated") != 1 {
			t.Error(got)
		}
	})
}

// Whoever follows is told of what changes no state, too, and what belongs to a change of state
// is not done for it.
func TestA4_WhatChangesNoStateIsTold(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		changes := 0
		c.Also(func(context.Context, *database.Tx, Ticket, State) ([]database.Change, error) {
			changes++
			return nil, nil
		})
		ticket := c.parkWith("s", two)
		_, err := c.yes(ticket, "ben")
		must(t, err)
		must(t, c.Comment(t.Context(), ticket.ID, "cleo", "why?"))
		_, err = c.Withdraw(t.Context(), ticket.ID, "ben")
		must(t, err)
		must(t, c.Escalated(t.Context(), ticket.ID, "phone"))
		if changes != 1 {
			t.Errorf("%d changes", changes)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		var told []string
		must(t, c.Follow(ctx, 0, nil, func(list []Change) {
			for _, one := range list {
				told = append(told, one.Kind+":"+one.Who)
			}
			if len(told) >= 5 {
				stop()
			}
		}))
		if got := fmt.Sprint(told); got != "[:hook vote:ben comment:cleo withdrawn:ben escalated:assent]" {
			t.Error(got)
		}
	})
}

// What somebody remarks about a no is not the no, also where only the history is left of it.
func TestA4_ACommentIsNobodysNo(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket, err := c.Park(t.Context(), Parking{Call: deploy("s"), At: c.time})
		must(t, err)
		_, err = c.Deny(t.Context(), ticket.ID, ticket.Digest, "ann", "not today")
		must(t, err)
		must(t, c.Comment(t.Context(), ticket.ID, "ben", "tomorrow then"))
		if !c.damage(ticket.ID, "answer = '{'") {
			t.Fatal("it is not damaged")
		}
		must(t, c.Forget(t.Context(), "s"))
		no, err := c.NoIn(t.Context(), "s", ticket.ToolUseID, c.time)
		if err != nil || no == nil || no.By != "ann" || no.Message != "not today" || no.Behavior != permission.Deny {
			t.Errorf("%+v, %v", no, err)
		}
	})
}
