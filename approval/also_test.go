package approval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/assent-dev/assent/internal/database"
)

// What belongs to a change happens with it, or neither does.
func TestA5_WhatBelongsToAChange(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		_, err := s.db.Writer().Exec("CREATE TABLE jobs (ticket TEXT NOT NULL, was TEXT NOT NULL, became TEXT NOT NULL)")
		must(t, err)
		s.Also(func(ctx context.Context, tx *database.Tx, one Ticket, was State) ([]database.Change, error) {
			return []database.Change{{Text: "INSERT INTO jobs (ticket, was, became) VALUES ($1, $2, $3)", Args: []any{one.ID, was, one.State}}}, nil
		})
		var refused error
		s.Also(func(context.Context, *database.Tx, Ticket, State) ([]database.Change, error) { return nil, refused })
		jobs := func() (all []string) {
			rows, err := s.db.Reads().QueryContext(t.Context(), "SELECT was, became FROM jobs")
			must(t, err)
			defer rows.Close()
			for rows.Next() {
				var was, became string
				must(t, rows.Scan(&was, &became))
				all = append(all, was+">"+became)
			}
			must(t, rows.Err())
			slices.Sort(all)
			return all
		}
		ticket := s.park(deploy("s1"))
		s.park(deploy("s1")) // which changes nothing
		s.drive(ticket.ID, Done)
		if got := fmt.Sprint(jobs()); got != "[>pending pending>running running>done]" {
			t.Errorf("%s", got)
		}
		held, err := s.Hold(t.Context(), "agent", Parking{Call: deploy("s2")})
		must(t, err)
		s.drive(held.ID, Approved)
		refused = errors.New("no room for jobs")
		if _, err := s.Park(t.Context(), Parking{Call: deploy("s3")}); !errors.Is(err, refused) {
			t.Errorf("%v", err)
		}
		if _, err := s.Hand(t.Context(), held.ID, "guard"); !errors.Is(err, refused) {
			t.Errorf("%v", err)
		}
		if list, err := s.List(t.Context(), Query{}); err != nil || len(list) != 2 || s.find(held.ID).State != Approved || len(jobs()) != 5 {
			t.Errorf("%+v, %v, %v", list, jobs(), err)
		}
		history, err := s.History(t.Context(), held.ID)
		if err != nil || len(history) != 2 {
			t.Errorf("%+v, %v", history, err)
		}
	})
}
