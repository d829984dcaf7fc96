package main

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

// nameRules says which rules somebody has added with a yes that stand in files of settings: what was
// said in his name counts no more, and nobody else takes these out. Whatever takes the right to
// answer away from somebody, or ends his sign-ins, tells them: the rules may be those of a thief.
func (d *counter) nameRules(ctx context.Context, store *people.Store, name string) error {
	tickets, err := approval.On(ctx, store.Database())
	if err != nil {
		return err
	}
	rules, more, err := tickets.LastRulesBy(ctx, name)
	if err != nil || len(rules) == 0 {
		return err
	}
	page := &page{painter: d.painter(d.out)}
	page.line(fmt.Sprintf("Rules that came with a yes of %s stay in force unless somebody has removed them since. Remove those from the settings that nobody else wants:", name))
	for _, r := range rules {
		page.line(fmt.Sprintf("  %s  %s (ticket %s, in %s)", r.At.Local().Format(time.DateTime), policy.Visible(r.Text), r.Ticket, policy.Visible(r.Cwd)))
	}
	if more {
		page.line(fmt.Sprintf("There may be more: these are the last ones. `assent people rules %s` lists all.", name))
	}
	return page.flush(d.out)
}
