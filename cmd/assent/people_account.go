package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

const peopleAccountHelp = `Say in which accounts of the operating system the agents of a person work. Whoever wanted a call is an
account, as root@build-7, and where he must not approve it himself ("notRequester") it has to be known
which person that is. People who are called as their accounts need nothing of this.

  assent people account add root ana              on every machine; several people may use one
  assent people account add agent@build-7 ben     on one
  assent people account add runner nobody         no person uses it, so anybody may approve its calls
  assent people account list
  assent people account remove root ana`

func (d *counter) newPeopleAccount() *cobra.Command {
	return group("account", "Say in which accounts the agents of a person work", peopleAccountHelp,
		d.newAccountChange("add", "Say that a person uses an account, or nobody does", "is an account of", (*people.Store).GiveAccount),
		d.newAccountList(),
		d.newAccountChange("remove", "Say that a person does not use an account any more", "is no account any more of", (*people.Store).TakeAccount))
}

// newAccountChange is a command that changes whose an account is.
func (d *counter) newAccountChange(verb, short, after string, change func(*people.Store, context.Context, people.By, string, string) error) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " ACCOUNT NAME",
		Short: short,
		Long:  fmt.Sprintf("%s.\n\n  assent people account %s root ana", short, verb),
		Args:  exactly("ACCOUNT", "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error {
				if err := change(store, cmd.Context(), operator(), args[0], args[1]); err != nil {
					return err
				}
				_, err := fmt.Fprintf(d.out, "%s %s %s\n", policy.Visible(args[0]), after, args[1])
				return err
			})
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) != 1 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return d.completePeople(2)(cmd, args, typed)
		},
	}
}

func (d *counter) newAccountList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List which account is whose",
		Long:  "List the accounts that were given to people, or to nobody.\n\n  assent people account list",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error { return d.listAccounts(cmd.Context(), store, asJSON) })
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// accountLine is an account as programs get it.
type accountLine struct {
	Account string `json:"account"`
	Person  string `json:"person"`
}

func (d *counter) listAccounts(ctx context.Context, store *people.Store, asJSON bool) error {
	all, err := store.Accounts(ctx)
	if err != nil {
		return err
	}
	lines := []accountLine{}
	rows := [][]string{}
	for _, a := range all {
		lines = append(lines, accountLine{policy.WellFormed(a.Name), a.Person})
		rows = append(rows, []string{policy.Visible(a.Name), a.Person})
	}
	if asJSON {
		return d.printJSON(lines)
	}
	return d.printRows(rows, "no account was given to anybody: people count as the accounts that are called as they are")
}
