package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

const peopleDeputyHelp = `Let somebody answer in the place of a person for a while. What he says then stands under both names, as
"ben for ana". A call that the person has asked for he cannot approve in the person's place.

  assent people deputy add ana ben --until 14d --reason holidays     ben answers for ana
  assent people deputy list
  assent people deputy revoke 3`

func (d *counter) newPeopleDeputy() *cobra.Command {
	return group("deputy", "Let somebody answer in the place of a person for a while", peopleDeputyHelp, d.newDeputyAdd(), d.newDeputyList(), d.newDeputyRevoke())
}

func (d *counter) newDeputyAdd() *cobra.Command {
	var until, reason string
	cmd := &cobra.Command{
		Use:   "add NAME DEPUTY --until TIME",
		Short: "Make somebody the deputy of a person",
		Long:  "Make somebody the deputy of a person, until a day within a year.\n\n  assent people deputy add ana ben --until 14d --reason holidays",
		Args:  exactly("NAME", "DEPUTY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if until == "" {
				return usage(cmd, "--until is missing: when it ends, as 14d or 2026-12-31")
			}
			end, err := parseEnd(until, time.Now())
			if err != nil {
				return usage(cmd, err.Error())
			}
			return d.withPeople(cmd.Context(), func(store *people.Store) error {
				made, err := store.Delegate(cmd.Context(), operator(), args[0], args[1], end, reason)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(d.out, "%s answers for %s until %s (deputy %d)\n", made.To, made.From, made.Until.Local().Format(time.DateTime), made.Number)
				return err
			})
		},
		ValidArgsFunction: d.completePeople(2),
	}
	bindUntil(cmd, &until)
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the history")
	return cmd
}

func (d *counter) newDeputyList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List who answers for whom",
		Long:  "List who answers for whom, also those who may not at the moment, and why.\n\n  assent people deputy list",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error { return d.listDeputies(cmd.Context(), store, asJSON) })
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// deputyLine is a deputy as programs get it.
type deputyLine struct {
	Number  int64     `json:"number"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Until   time.Time `json:"until"`
	Reason  string    `json:"reason"`
	By      string    `json:"by"`
	Created time.Time `json:"created"`
	Dormant string    `json:"dormant,omitempty"`
}

func (d *counter) listDeputies(ctx context.Context, store *people.Store, asJSON bool) error {
	all, err := store.Deputies(ctx, time.Now())
	if err != nil {
		return err
	}
	lines := []deputyLine{}
	rows := [][]string{}
	for _, one := range all {
		lines = append(lines, deputyLine{one.Number, one.From, one.To, one.Until, policy.WellFormed(one.Reason), one.By, one.Created, one.Dormant})
		note := policy.Visible(one.Reason)
		if one.Dormant != "" {
			note = "not now: " + one.Dormant
		}
		rows = append(rows, []string{strconv.FormatInt(one.Number, 10), one.To + " for " + one.From, "until " + one.Until.Local().Format(time.DateTime), note})
	}
	if asJSON {
		return d.printJSON(lines)
	}
	return d.printRows(rows, "nobody answers for somebody else")
}

func (d *counter) newDeputyRevoke() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke NUMBER",
		Short: "End that somebody is a deputy",
		Long:  "End that somebody is a deputy. `assent people deputy list` has the numbers.\n\n  assent people deputy revoke 3",
		Args:  exactly("NUMBER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := parseNumber(cmd, args[0])
			if err != nil {
				return err
			}
			return d.withPeople(cmd.Context(), func(store *people.Store) error {
				if err := store.RevokeDeputy(cmd.Context(), operator(), number); err != nil {
					return err
				}
				_, err := fmt.Fprintf(d.out, "deputy %d has ended\n", number)
				return err
			})
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
}
