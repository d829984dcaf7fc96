package main

import (
	"context"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

const peopleRulesHelp = `List all rules that a person has added with a yes, also as a deputy or by one, the last one first, with the
ticket of the call and the directory of its agent. They stand in files of settings and stay in force unless
somebody has removed them there since, which is not looked at here. Rules for one session are not among
them, nor are those of sessions that were pruned.

  assent people rules ben
  assent people rules ben --json`

func (d *counter) newPeopleRules() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rules NAME",
		Short: "List all rules that a person has added with a yes",
		Long:  peopleRulesHelp,
		Args:  exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error { return d.listRules(cmd.Context(), store, args[0], asJSON) })
		},
		ValidArgsFunction: d.completePeople(1),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// ruleLine is a rule as programs get it.
type ruleLine struct {
	Ticket string    `json:"ticket"`
	Cwd    string    `json:"cwd"`
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
}

func (d *counter) listRules(ctx context.Context, store *people.Store, name string, asJSON bool) error {
	if _, err := store.Find(ctx, name); err != nil {
		return err
	}
	tickets, err := approval.On(ctx, store.Database())
	if err != nil {
		return err
	}
	all, err := tickets.RulesBy(ctx, name, math.MaxInt)
	if err != nil {
		return err
	}
	lines := []ruleLine{}
	rows := [][]string{}
	for _, r := range all {
		lines = append(lines, ruleLine{r.Ticket, policy.WellFormed(r.Cwd), r.At, policy.WellFormed(r.Text)})
		rows = append(rows, []string{r.At.Local().Format(time.DateTime), r.Ticket, policy.Visible(r.Cwd), policy.Visible(r.Text)})
	}
	if asJSON {
		return d.printJSON(lines)
	}
	return d.printRows(rows, name+" has added no rule with a yes that is on record")
}
