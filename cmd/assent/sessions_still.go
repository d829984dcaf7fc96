package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

// stillCounts asks the people of the same database whether whoever has voted may still answer, as
// the server does. They are asked only where somebody has voted. Without people everybody may.
func (d *counter) stillCounts(ctx context.Context, barred string, vote approval.Vote) error {
	db := d.clerk.Tickets().Database()
	store, err := people.On(ctx, db)
	if err != nil {
		return err
	}
	all, err := store.List(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	person := approval.InPlaceOf(vote.By)
	if person == vote.By { // he answers for himself, however he signs
		person = vote.Voter
	}
	err = store.MayAnswer(ctx, db.Reads(), people.Said{By: vote.Voter, InPlaceOf: person, At: vote.At})
	if err == nil && barred != "" {
		var owners []string
		owners, err = store.Owners(ctx, db.Reads(), barred)
		for _, name := range []string{vote.Voter, person} {
			if err == nil && slices.Contains(owners, name) {
				err = &people.NotAllowed{Who: name, What: fmt.Sprintf("approve what %s wanted, which is his account", policy.WellFormed(barred)), Hint: "somebody else has to"}
			}
		}
	}
	if _, no := errors.AsType[*people.NotAllowed](err); no {
		return &approval.Lapsed{Voter: vote.Voter, Err: err}
	}
	return db.Explain(err)
}

// lapsed shows the yes of those who may not answer any more.
func (p *page) lapsed(all []clerk.LapsedView) {
	for _, v := range all {
		text := fmt.Sprintf("%s, at %s", policy.Visible(v.By), v.At.Local().Format(time.DateTime))
		if v.Reason != "" {
			text += ": " + policy.Visible(v.Reason)
		}
		p.row("yes of", text+p.text(yellow, "; it does not count: "+policy.Visible(v.Why)))
	}
}
