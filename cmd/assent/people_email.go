package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

const peopleEmailHelp = `Set the e-mail address of a person, or remove it with ''. Two people with one address could be one human:
they do not count as two where two have to approve. That also goes for an address that one of them had before,
so that nobody becomes a second person by signing in with another one; ` + "`assent people list`" + ` shows those as well.
With this command they count no more. Use it where they are somebody else's now, as that of a team. It names
whom that makes another person.

  assent people email ben ben@example.org
  assent people email ben ''`

func (d *counter) newPeopleEmail() *cobra.Command {
	return &cobra.Command{
		Use:   "email NAME ADDRESS",
		Short: "Set the e-mail of a person, so that earlier ones count no more",
		Long:  peopleEmailHelp,
		Args:  exactly("NAME", "ADDRESS"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.withPeople(cmd.Context(), func(store *people.Store) error { return d.setEmail(cmd.Context(), store, args[0], args[1]) })
		},
		ValidArgsFunction: d.completePeople(1),
	}
}

func (d *counter) setEmail(ctx context.Context, store *people.Store, name, email string) error {
	before, err := store.Find(ctx, name)
	if err != nil {
		return err
	}
	if err := store.SetEmail(ctx, operator(), name, email); err != nil {
		return err
	}
	apart, err := nowApart(ctx, store, before)
	if err != nil {
		return err
	}
	page := &page{painter: d.painter(d.out)}
	if email == "" {
		page.line(name + " has no e-mail")
	} else {
		page.line(fmt.Sprintf("the e-mail of %s is %s", name, policy.Visible(email)))
	}
	for _, one := range append(before.Earlier(), before.Email) {
		if one != "" && !strings.EqualFold(one, email) {
			page.line(policy.Visible(one) + " counts no more")
		}
	}
	for _, other := range apart {
		page.line(page.text(yellow, fmt.Sprintf("%s and %s count as two people from now on: where two have to approve, both can", name, other)))
	}
	return page.flush(d.out)
}

// nowApart are those who could be one human with a person before, and cannot any more.
func nowApart(ctx context.Context, store *people.Store, before people.Person) (names []string, err error) {
	now, err := store.Find(ctx, before.Name)
	if err != nil {
		return nil, err
	}
	all, err := store.List(ctx)
	for _, other := range all {
		if other.Name != now.Name && before.Alike(other) != "" && now.Alike(other) == "" {
			names = append(names, other.Name)
		}
	}
	return names, err
}

// emailsOf are the addresses of a person in one line of a list.
func emailsOf(p people.Person) string {
	text := p.Email
	if earlier := p.Earlier(); len(earlier) > 0 {
		text += ", before " + strings.Join(earlier, ", ")
	}
	return policy.Visible(text)
}
