package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

func (d *counter) newPeopleLink() *cobra.Command {
	var issuer, subject string
	cmd := &cobra.Command{
		Use:   "link NAME --issuer URL --subject ID",
		Short: "Let a person sign in by another server that knows him (OpenID Connect)",
		Long: `Let a person sign in by another server that knows him, by OpenID Connect. The issuer is the address of
that server, and the subject how it calls the person: the claim "sub". When somebody is refused who is not
linked yet, the log of the server names both. The person is signed out everywhere. Rules that came with a
yes of his stay in force unless somebody has removed them since, and are named.

  assent people link ben --issuer https://id.example.org --subject 248289761001`,
		Args: exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if issuer == "" || subject == "" {
				return usage(cmd, "--issuer and --subject are both needed")
			}
			return d.withPeople(cmd.Context(), func(store *people.Store) error {
				before, err := store.Find(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if err := store.Link(cmd.Context(), operator(), args[0], issuer, subject); err != nil {
					return err
				}
				after := ", and is signed out everywhere"
				if before.Issuer == issuer && before.Subject == subject {
					after = " already"
				}
				if _, err := fmt.Fprintf(d.out, "%s signs in as %s of %s%s\n", args[0], policy.Visible(subject), policy.Visible(issuer), after); err != nil {
					return err
				}
				return d.nameRules(cmd.Context(), store, args[0])
			})
		},
		ValidArgsFunction: d.completePeople(1),
	}
	cmd.Flags().Var((*something)(&issuer), "issuer", "the address of the other server")
	cmd.Flags().Var((*something)(&subject), "subject", "how that server calls the person")
	return cmd
}

const peopleUnlinkHelp = `Let a person sign in by no other server any more, but with his password alone: for a link that was wrong, or
where the other server is given up. He is signed out everywhere, and so are his programs. Whoever has no
password cannot sign in until he is given one; the last admin needs one before. From then on no other server
has to confirm him, so nobody but you says when he leaves: disable him then. Who is disabled stays so. Rules
that came with a yes of his stay in force unless somebody has removed them since, and are named.

  assent people unlink ben
  assent people password ben`

func (d *counter) newPeopleUnlink() *cobra.Command {
	return &cobra.Command{
		Use:   "unlink NAME",
		Short: "Let a person sign in by no other server any more",
		Long:  peopleUnlinkHelp,
		Args:  exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error { return d.unlink(cmd.Context(), store, args[0]) })
		},
		ValidArgsFunction: d.completePeople(1),
	}
}

func (d *counter) unlink(ctx context.Context, store *people.Store, name string) error {
	p, err := store.Find(ctx, name)
	if err != nil {
		return err
	}
	if err := store.Unlink(ctx, operator(), name); err != nil {
		return err
	}
	page := &page{painter: d.painter(d.out)}
	switch {
	case p.Issuer == "":
		page.line(name + " is linked to no other server")
	default:
		page.line(name + " signs in by no other server any more, and is signed out everywhere")
	}
	switch {
	case !p.HasPassword:
		page.line(fmt.Sprintf("%s has no password, and cannot sign in until there is one (`assent people password %s`)", name, name))
	case !p.Disabled && !store.Active(p):
		page.line("his password lets him in, until somebody disables him")
	}
	if err := page.flush(d.out); err != nil {
		return err
	}
	return d.nameRules(ctx, store, name)
}

// sayKeptOut says why a password does not let a person in, and what does.
func (d *counter) sayKeptOut(store *people.Store, p people.Person) (err error) {
	switch {
	case p.Disabled:
		_, err = fmt.Fprintf(d.out, "it does not let him in: %s is disabled (`assent people enable %s`)\n", p.Name, p.Name)
	case !store.Active(p):
		_, err = fmt.Fprintf(d.out, "it does not let him in: the other server that knows %s has not confirmed him for 30 days, or has dropped him\n(`assent people enable %s` lets him in for 30 days, `assent people unlink %s` for good)\n", p.Name, p.Name, p.Name)
	}
	return err
}

// signsInBy is the other server by which a person signs in, in one line of a list.
func signsInBy(p people.Person) string {
	if p.Issuer == "" {
		return ""
	}
	return "by " + policy.Visible(p.Issuer)
}
