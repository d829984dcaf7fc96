package main

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/policy"
)

// stillCounts asks the people of the same database whether whoever has voted may still answer, as
// the server does. They are asked only where somebody has voted. Without people everybody may. Most who
// ask only look, so tables of an older program stay as they are.
func (d *counter) stillCounts(ctx context.Context, barred string, vote approval.Vote, beside ...approval.Vote) error {
	db := d.clerk.Tickets().Database()
	store, err := people.Look(ctx, db)
	if err != nil || store == nil {
		return err
	}
	return db.Explain(voice.Counts(store)(barred)(ctx, db.Reads(), vote, beside...))
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
