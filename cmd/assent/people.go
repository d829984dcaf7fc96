package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/people"
)

const peopleHelp = `Look after the people who answer in the inbox. As long as there are none, whoever has the link of
` + "`assent serve`" + ` does everything. With the first one everybody signs in, each under a name of his own.

  assent people add ana --role admin          asks for a password
  assent people add ben --role approver --shown 'Ben Bo' --email ben@example.org
  assent people list
  assent people role ben viewer               viewers look and comment, approvers answer, admins manage people
  assent people disable ben                   he may do nothing from now on; enable lets him in again
  assent people unlink ben                    he signs in by no other server any more
  assent people rules ben                     the rules that he has added with a yes
  assent people token ben --label ci --role viewer --until 90d
  assent people deputy add ana ben --until 14d --reason holidays
  assent people account add root ana          ana's agents work as root
  assent people history

Who runs this is the operator of the server: he may do everything, because he could write the database as
well. With --database it is about the people of that database, else about those of the state directory.`

func newPeople(a *app) *cobra.Command {
	d := &counter{app: a}
	cmd := group("people", "Add people who sign in at the inbox, and say what they may do", peopleHelp,
		d.newPeopleAdd(), d.newPeopleList(), d.newPeopleRole(), d.newPeoplePassword(),
		d.newPeopleChange("disable", "Keep a person from doing anything", "is disabled, and signed out everywhere", (*people.Store).Disable, d.nameRules),
		d.newPeopleChange("enable", "Let a person in again who was disabled", "may sign in again", (*people.Store).Enable, nil),
		d.newPeopleChange("sign-out", "End all sign-ins of a person, and the tokens of his programs", "is signed out everywhere, and so are his programs", (*people.Store).SignOutAll, d.nameRules),
		d.newPeopleLink(), d.newPeopleUnlink(), d.newPeopleEmail(), d.newPeopleRules(), d.newPeopleToken(), d.newPeopleTokens(), d.newPeopleRevoke(), d.newPeopleDeputy(), d.newPeopleAccount(), d.newPeopleHistory())
	d.bind(cmd)
	return cmd
}

// operator is who runs the commands.
func operator() people.By { return people.Operator(whoami()) }

// withPeople does something with the people of the database, or of the state directory.
func (d *counter) withPeople(ctx context.Context, do func(*people.Store) error) (err error) {
	if d.dir, err = stateDirectory(d.state); err != nil {
		return err
	}
	var db *database.DB
	if d.shared() {
		if db, err = database.Connect(ctx, d.address()); err != nil {
			return err
		}
		defer db.Close()
	} else {
		tickets, err := approval.Open(d.dir)
		if err != nil {
			return err
		}
		defer tickets.Close()
		db = tickets.Database()
	}
	store, err := people.On(ctx, db)
	if err != nil {
		return err
	}
	return inCommands(do(store))
}

// inCommands says what to do about an error in the words of the commands.
func inCommands(err error) error {
	if e, ok := errors.AsType[*people.Unknown](err); ok {
		return fmt.Errorf("there is nobody called %q (`assent people list` shows all)", e.Name)
	}
	if e, ok := errors.AsType[*people.LastAdmin](err); ok {
		return fmt.Errorf("%s is the last admin who is enabled, and stays one (make somebody else an admin first: `assent people role NAME admin`)", e.Name)
	}
	return err
}

// completePeople completes the names of people. What cannot be read is no answer: a shell has
// no place for an error.
func (d *counter) completePeople(most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		if dir, err := stateDirectory(d.state); len(args) >= most || err != nil || !d.shared() && !approval.Exists(dir) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		_ = d.withPeople(ctx, func(store *people.Store) error {
			list, err := store.List(ctx)
			for _, p := range list {
				if strings.HasPrefix(p.Name, typed) {
					all = append(all, cobra.CompletionWithDesc(p.Name, p.Role.String()))
				}
			}
			return err
		})
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// roleFlag is a flag whose value is a role.
type roleFlag people.Role

func (r *roleFlag) String() string {
	if *r == roleFlag(people.NoRole) {
		return ""
	}
	return people.Role(*r).String()
}

// Type is what help calls it.
func (r *roleFlag) Type() string { return "ROLE" }

// Set takes the value of the flag.
func (r *roleFlag) Set(text string) error {
	role, err := people.ParseRole(text)
	*r = roleFlag(role)
	return err
}

// bindRole adds the flag for a role, which has to be given.
func bindRole(cmd *cobra.Command, role *roleFlag, use string) {
	cmd.Flags().Var(role, "role", use)
	must(cmd.RegisterFlagCompletionFunc("role", words("viewer", "approver", "admin")))
}
