package approval

import (
	"context"

	"github.com/assent-dev/assent/internal/database"
)

type providedKey struct{}

// Provided is a context in which tickets are changed only under a condition, as that whoever does it
// is still signed in. Every change asks for it in its transaction, when nobody else can change the
// ticket any more; what it returns ends the change. Nothing but the querier may be asked there.
func Provided(ctx context.Context, holds func(context.Context, database.Querier) error) context.Context {
	return context.WithValue(ctx, providedKey{}, holds)
}

// Granted is the context without its condition, for what has to follow something that was done when it
// held.
func Granted(ctx context.Context) context.Context { return context.WithValue(ctx, providedKey{}, nil) }

// Holds asks for the condition of a context. Whoever changes something besides a ticket asks before.
func Holds(ctx context.Context, q database.Querier) error {
	if holds, ok := ctx.Value(providedKey{}).(func(context.Context, database.Querier) error); ok {
		return holds(ctx, q)
	}
	return nil
}
