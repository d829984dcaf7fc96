// Package voice says whose yes counts: it joins package approval, which knows no people, and
// package people, which knows no tickets. Whoever counts votes asks here, and so does a call that
// is about to begin.
package voice

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/people"
)

// Counts asks people whether whoever has given a vote may answer at the moment, and could be one
// human neither with those who wanted the call nor with those beside whom he says it; and of a
// program, whether its token was revoked. Whoever has not signed in is asked for nowhere, and where
// there are no people everybody may.
func Counts(store *people.Store) approval.StillFor { return counts(store, store.Everybody) }

// Looks is [Counts] for somebody who looks at many calls at once and lets none of them begin: who
// wanted them is found among people who are read once, when it first matters.
func Looks(store *people.Store) approval.StillFor {
	var once sync.Once
	var all people.Everybody
	var err error
	return counts(store, func(ctx context.Context, q database.Querier) (people.Everybody, error) {
		once.Do(func() { all, err = store.Everybody(ctx, q) })
		return all, err
	})
}

func counts(store *people.Store, everybody reading) approval.StillFor {
	return func(barred string) approval.Still {
		return func(ctx context.Context, q database.Querier, vote approval.Vote, beside ...approval.Vote) error {
			name, person := voices(vote)
			if name == "" {
				return nil
			}
			err := store.MayAnswer(ctx, q, people.Said{By: name, InPlaceOf: person, Moment: vote.Moment, At: vote.At})
			if token, program := vote.Token(); program && err == nil {
				err = store.TokenHolds(ctx, q, name, token)
			}
			if err == nil {
				err = notOwn(ctx, q, store, everybody, barred, name, person)
			}
			if err == nil {
				err = apart(ctx, q, store, vote, beside)
			}
			if _, no := errors.AsType[*people.NotAllowed](err); !no {
				return err
			}
			if any, failed := store.Any(ctx, q); failed != nil || !any {
				return failed
			}
			return &approval.Lapsed{Voter: name, Err: err}
		}
	}
}

// voices are who has given a vote, and the person whose right he has used, who may be he himself.
func voices(vote approval.Vote) (name, person string) {
	name, person = vote.Speaker(), approval.InPlaceOf(vote.By)
	if person == vote.By { // he answers for himself, however he signs
		person = name
	}
	return name, person
}

// apart refuses the yes of somebody who could be one human with another who has said yes.
func apart(ctx context.Context, q database.Querier, store *people.Store, vote approval.Vote, beside []approval.Vote) error {
	name, person := voices(vote)
	for _, other := range beside {
		otherName, otherPerson := voices(other)
		if otherName == "" {
			continue
		}
		if err := store.Apart(ctx, q, name, otherName); err != nil {
			return err
		}
		if person == name && otherPerson == otherName {
			continue
		}
		if err := store.Apart(ctx, q, person, otherPerson); err != nil {
			return err
		}
	}
	return nil
}

// Mind makes tickets ask the people of their database when a call is about to begin.
func Mind(tickets *approval.Store) {
	var found atomic.Pointer[people.Store] // they are looked for until there are some
	tickets.Mind(func(ctx context.Context) (approval.StillFor, error) {
		store := found.Load()
		if store == nil {
			var err error
			if store, err = people.Here(ctx, tickets.Database()); err != nil || store == nil {
				return nil, err
			}
			found.Store(store)
		}
		return Counts(store), nil
	})
}
