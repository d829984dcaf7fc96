package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

func (d *counter) newPeopleList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List all people",
		Long:  "List all people, also those who are disabled, and those whom the other server that knows them has not\nconfirmed for 30 days, or has dropped. E-mail addresses that somebody had before are shown as well: they count\nuntil `assent people email` says otherwise. Behind \"by\" stands the other server by which somebody signs in.\n\n  assent people list\n  assent people list --json",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error { return d.listPeople(cmd.Context(), store, asJSON) })
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// personLine is a person as programs get it.
type personLine struct {
	Name     string    `json:"name"`
	Shown    string    `json:"shown"`
	Email    string    `json:"email"`
	Earlier  []string  `json:"earlier_emails,omitempty"`
	Role     string    `json:"role"`
	Disabled bool      `json:"disabled"`
	Issuer   string    `json:"issuer,omitempty"`
	Subject  string    `json:"subject,omitempty"`
	Created  time.Time `json:"created"`
}

func (d *counter) listPeople(ctx context.Context, store *people.Store, asJSON bool) error {
	all, err := store.List(ctx)
	if err != nil {
		return err
	}
	lines := []personLine{}
	rows := [][]string{}
	for _, p := range all {
		lines = append(lines, personLine{p.Name, policy.WellFormed(p.Shown), policy.WellFormed(p.Email), p.Earlier(), p.Role.String(), !store.Active(p), policy.WellFormed(p.Issuer), policy.WellFormed(p.Subject), p.Created})
		role := p.Role.String()
		switch {
		case p.Disabled:
			role += " (disabled)"
		case !store.Active(p):
			role += " (not confirmed)"
		}
		rows = append(rows, []string{p.Name, role, policy.Visible(p.Shown), emailsOf(p), signsInBy(p)})
	}
	if asJSON {
		return d.printJSON(lines)
	}
	return d.printRows(rows, "there are no people: whoever has the link of the server answers (`assent people add NAME --role admin`)")
}

func (d *counter) newPeopleHistory() *cobra.Command {
	most := 50
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history [NAME]",
		Short: "Show who has changed what about people",
		Long:  "Show who has changed what about people, the latest first.\n\n  assent people history\n  assent people history ben --limit 10",
		Args:  atMost(1, "the name of a person is enough"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			return d.withPeople(cmd.Context(), func(store *people.Store) error { return d.showChanges(cmd.Context(), store, name, most, asJSON) })
		},
		ValidArgsFunction: d.completePeople(1),
	}
	cmd.Flags().Var((*count)(&most), "limit", "how many changes")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// changeLine is a change as programs get it.
type changeLine struct {
	Number int64     `json:"number"`
	At     time.Time `json:"at"`
	Who    string    `json:"who"`
	Whom   string    `json:"whom"`
	What   string    `json:"what"`
	Note   string    `json:"note"`
}

func (d *counter) showChanges(ctx context.Context, store *people.Store, name string, most int, asJSON bool) error {
	if name != "" {
		if _, err := store.Find(ctx, name); err != nil {
			return err
		}
	}
	all, err := store.Changes(ctx, name, most)
	if err != nil {
		return err
	}
	lines := []changeLine{}
	rows := [][]string{}
	for _, c := range all {
		lines = append(lines, changeLine{c.Number, c.At, policy.WellFormed(c.Who), c.Whom, string(c.What), policy.WellFormed(c.Note)})
		rows = append(rows, []string{c.At.Local().Format(time.DateTime), c.Whom, fmt.Sprintf("%s by %s", c.What, policy.Visible(c.Who)), policy.Visible(c.Note)})
	}
	if asJSON {
		return d.printJSON(lines)
	}
	return d.printRows(rows, "nothing was changed yet")
}
