package main

import (
	"context"
	"slices"

	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/people"
)

// meetPeople has everybody sign in if there are people: the token lets nobody in then, so it is
// not shown. Whoever adds the first person while the server runs has to start it again: nobody
// who works with the link is to be locked out by a command.
func (h *host) meetPeople(ctx context.Context) (err error) {
	db := h.config.Tickets.Database()
	if h.config.Links, err = link.On(ctx, db); err != nil {
		return err
	}
	store, err := people.On(ctx, db)
	if err != nil {
		return err
	}
	all, err := store.List(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	if h.hidden {
		h.config.Log.Warn("the token of the file lets nobody in, because there are people, who sign in")
	}
	h.config.People, h.config.Token, h.hidden = store, "", true
	h.config.Log.Info("people sign in here: the link has no token, and none lets anybody in but those of people", "people", len(all))
	if !slices.ContainsFunc(all, func(p people.Person) bool { return p.Role.Manage() && store.Active(p) }) {
		h.config.Log.Info("there is no admin: people are changed by `assent people` only")
	}
	return nil
}
