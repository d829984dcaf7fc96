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

const peopleTokenHelp = `Make a token for a program that works for a person, and print it, this once. It may do at most what the
person may, until a day within a year, and ends when the person is signed out everywhere.

  assent people token ben --label ci --role viewer --until 90d
  assent people token ben --label ci --role approver --until 2026-12-31

The program sends it as the token of the server: in the file of --token-file, or as Authorization: Bearer.`

func (d *counter) newPeopleToken() *cobra.Command {
	var label, until string
	var role roleFlag
	cmd := &cobra.Command{
		Use:   "token NAME --label LABEL --role ROLE --until TIME",
		Short: "Make a token for a program of a person, and print it once",
		Long:  peopleTokenHelp,
		Args:  exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if label == "" || people.Role(role) == people.NoRole || until == "" {
				return usage(cmd, "--label, --role and --until are all needed")
			}
			end, err := parseEnd(until, time.Now())
			if err != nil {
				return usage(cmd, err.Error())
			}
			return d.withPeople(cmd.Context(), func(store *people.Store) error {
				token, in, err := store.Issue(cmd.Context(), operator(), args[0], label, people.Role(role), end)
				if err != nil {
					return err
				}
				fmt.Fprintf(d.err, "token %d of %s, as %s until %s; it is shown this once:\n", in.Number, in.Name, in.Role, in.Until.Local().Format(time.DateTime))
				_, err = fmt.Fprintln(d.out, token)
				return err
			})
		},
		ValidArgsFunction: d.completePeople(1),
	}
	cmd.Flags().StringVar(&label, "label", "", "which program it is for")
	bindRole(cmd, &role, "what the program may do: at most what the person may")
	bindUntil(cmd, &until)
	return cmd
}

func bindUntil(cmd *cobra.Command, until *string) {
	cmd.Flags().Var((*something)(until), "until", "when it ends, as 90d, 12h, 2026-12-31 or 2026-12-31T18:00:00Z")
}

// parseEnd reads when something ends: after a while, with a day, or at a moment.
func parseEnd(text string, now time.Time) (time.Time, error) {
	if after, err := parseAge(text); err == nil {
		return now.Add(after), nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return day.AddDate(0, 0, 1), nil // that day is the last one
	}
	if moment, err := time.Parse(time.RFC3339, text); err == nil {
		return moment, nil
	}
	return time.Time{}, fmt.Errorf("--until %s: want 90d, 12h, 2026-12-31 or 2026-12-31T18:00:00Z", text)
}

func (d *counter) newPeopleTokens() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tokens NAME",
		Short: "List the tokens of the programs of a person",
		Long:  "List the tokens of the programs of a person. The tokens themselves are kept nowhere.\n\n  assent people tokens ben",
		Args:  exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error { return d.listTokens(cmd.Context(), store, args[0], asJSON) })
		},
		ValidArgsFunction: d.completePeople(1),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// tokenLine is a token as programs get it.
type tokenLine struct {
	Number  int64     `json:"number"`
	Name    string    `json:"name"`
	Label   string    `json:"label"`
	Role    string    `json:"role"`
	Created time.Time `json:"created"`
	Until   time.Time `json:"until"`
}

func (d *counter) listTokens(ctx context.Context, store *people.Store, name string, asJSON bool) error {
	all, err := store.Tokens(ctx, name)
	if err != nil {
		return err
	}
	lines := []tokenLine{}
	rows := [][]string{}
	for _, in := range all {
		lines = append(lines, tokenLine{in.Number, in.Name, policy.WellFormed(in.Label), in.Role.String(), in.Created, in.Until})
		rows = append(rows, []string{strconv.FormatInt(in.Number, 10), in.Role.String(), "until " + in.Until.Local().Format(time.DateTime), policy.Visible(in.Label)})
	}
	if asJSON {
		return d.printJSON(lines)
	}
	return d.printRows(rows, name+" has no tokens")
}

// printRows prints a table, or a sentence when it is empty.
func (d *counter) printRows(rows [][]string, none string) error {
	p := &page{painter: d.painter(d.out)}
	if len(rows) == 0 {
		p.line(none)
	}
	p.columns(rows)
	return p.flush(d.out)
}

func (d *counter) newPeopleRevoke() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke NAME NUMBER",
		Short: "End the token of a program",
		Long:  "End the token of a program. `assent people tokens NAME` has the numbers.\n\n  assent people revoke ben 12",
		Args:  exactly("NAME", "NUMBER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := parseNumber(cmd, args[1])
			if err != nil {
				return err
			}
			return d.withPeople(cmd.Context(), func(store *people.Store) error {
				if err := store.RevokeToken(cmd.Context(), operator(), args[0], number); err != nil {
					return err
				}
				_, err := fmt.Fprintf(d.out, "token %d of %s has ended\n", number, args[0])
				return err
			})
		},
		ValidArgsFunction: d.completePeople(1),
	}
}

func parseNumber(cmd *cobra.Command, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, usage(cmd, fmt.Sprintf("%q is no number", text))
	}
	return n, nil
}
