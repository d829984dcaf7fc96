package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/people"
)

const peopleAddHelp = `Add a person who signs in with a password. It is asked for at the terminal, or read from a file that only
you may read (- is standard input); it needs 12 characters or more.

  assent people add ana --role admin
  assent people add ben --role approver --shown 'Ben Bo' --email ben@example.org --password-file ben.txt

A name is what stands under answers: it never changes, and is never given to somebody else. With the first
person everybody signs in, and the link of the server lets nobody in any more: a server that runs has to be
started again for that.`

func (d *counter) newPeopleAdd() *cobra.Command {
	var p people.Person
	var role roleFlag
	var file string
	cmd := &cobra.Command{
		Use:   "add NAME --role ROLE",
		Short: "Add a person",
		Long:  peopleAddHelp,
		Args:  exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.Name, p.Role = args[0], people.Role(role); p.Role == people.NoRole {
				return usage(cmd, "--role is missing: viewer (looks), approver (answers) or admin (also manages people)")
			}
			if err := cmp.Or(people.CheckName(p.Name), people.CheckEmail(p.Email)); err != nil { // before anybody types a password
				return err
			}
			return d.withPeople(cmd.Context(), func(store *people.Store) error { return d.addPerson(cmd.Context(), store, p, file) })
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	bindRole(cmd, &role, "what the person may do: viewer, approver or admin")
	cmd.Flags().StringVar(&p.Shown, "shown", "", "how people call the person")
	cmd.Flags().StringVar(&p.Email, "email", "", "the e-mail address")
	bindPasswordFile(cmd, &file)
	return cmd
}

func (d *counter) addPerson(ctx context.Context, store *people.Store, p people.Person, file string) error {
	before, err := store.List(ctx)
	if err != nil {
		return err
	}
	password, err := d.password(p.Name, file)
	if err != nil {
		return err
	}
	if err := store.Add(ctx, operator(), p, password); err != nil {
		return err
	}
	page := &page{painter: d.painter(d.out)}
	page.line(fmt.Sprintf("%s was added, as %s", p.Name, p.Role))
	if len(before) == 0 {
		page.line("From now on everybody signs in. A server that runs has to be started again for that: until then its")
		page.line("link still lets people in, and nobody can sign in.")
	}
	return page.flush(d.out)
}

func (d *counter) newPeopleRole() *cobra.Command {
	return &cobra.Command{
		Use:   "role NAME ROLE",
		Short: "Give a person another role, and sign him out everywhere",
		Long: `Give a person another role, and sign him out everywhere: viewers look and comment, approvers answer as
well, and admins also manage people. The tokens of his programs end. Unless it is a higher role, the rules
are named that came with a yes of his: they stay in force unless somebody has removed them since.

  assent people role ben approver`,
		Args: exactly("NAME", "ROLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			role, err := people.ParseRole(args[1])
			if err != nil {
				return err
			}
			return d.withPeople(cmd.Context(), func(store *people.Store) error {
				before, err := store.Find(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if err := store.SetRole(cmd.Context(), operator(), args[0], role); err != nil {
					return err
				}
				if _, err := fmt.Fprintf(d.out, "%s is %s now\n", args[0], role); err != nil || role > before.Role {
					return err
				}
				return d.nameRules(cmd.Context(), store, args[0])
			})
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) == 1 {
				return words("viewer", "approver", "admin")(cmd, args, typed)
			}
			return d.completePeople(1)(cmd, args, typed)
		},
	}
}

func (d *counter) newPeoplePassword() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "password NAME",
		Short: "Give a person another password, and sign him out everywhere",
		Long: `Give a person another password, and sign him out everywhere. It is asked for at the terminal, or read from
a file that only you may read (- is standard input). Wrong passwords that were tried before are forgotten.
Rules that came with a yes of his stay in force unless somebody has removed them since, and are named. Whom
something else keeps out a password does not let in, which is said.

  assent people password ben
  assent people password ben --password-file ben.txt`,
		Args: exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error {
				p, err := store.Find(cmd.Context(), args[0])
				if err != nil { // before anybody types
					return err
				}
				password, err := d.password(args[0], file)
				if err != nil {
					return err
				}
				if err := store.SetPassword(cmd.Context(), operator(), args[0], password); err != nil {
					return err
				}
				if _, err := fmt.Fprintf(d.out, "%s has a new password, and is signed out everywhere\n", args[0]); err != nil {
					return err
				}
				if err := d.sayKeptOut(store, p); err != nil {
					return err
				}
				return d.nameRules(cmd.Context(), store, args[0])
			})
		},
		ValidArgsFunction: d.completePeople(1),
	}
	bindPasswordFile(cmd, &file)
	return cmd
}

// newPeopleChange is a command that changes a person and needs only the name; then is what else is to
// be told of him, nil when nothing is.
func (d *counter) newPeopleChange(verb, short, after string, change func(*people.Store, context.Context, people.By, string) error, then func(context.Context, *people.Store, string) error) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " NAME",
		Short: short,
		Long:  fmt.Sprintf("%s.\n\n  assent people %s ben", short, verb),
		Args:  exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error {
				if err := change(store, cmd.Context(), operator(), args[0]); err != nil {
					return err
				}
				if _, err := fmt.Fprintf(d.out, "%s %s\n", args[0], after); err != nil || then == nil {
					return err
				}
				return then(cmd.Context(), store, args[0])
			})
		},
		ValidArgsFunction: d.completePeople(1),
	}
}
