package approval

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/policy"
)

// The kinds of rows of history that change no state; see [Event].
const (
	// KindVote: one of several people has said yes. KindWithdrawn: he has taken that back.
	KindVote      = "vote"
	KindWithdrawn = "withdrawn"
	// KindComment: somebody has said something about the call.
	KindComment = "comment"
	// KindSent: an answer that could still be taken back holds from then on.
	KindSent = "sent"
	// KindEscalated: others were told that it still waits.
	KindEscalated = "escalated"
)

// maxComment is how many bytes a comment may have.
const maxComment = 10_000

// BadComment is a comment that is none.
type BadComment struct{ Why string }

func (e *BadComment) Error() string { return "the comment was not kept: " + e.Why }

// checkComment refuses what nobody could read, or nobody has said.
func checkComment(who, text string) error {
	switch {
	case strings.TrimSpace(who) == "":
		return &BadComment{"nobody is named who says it"}
	case len(text) > maxComment:
		return &BadComment{fmt.Sprintf("it has %d bytes (write at most %d)", len(text), maxComment)}
	case !utf8.ValidString(text):
		return &BadComment{"it is not valid UTF-8 (write it as text)"}
	case strings.ContainsRune(text, 0): // which PostgreSQL does not keep
		return &BadComment{"it has the character U+0000 in it, which cannot be kept (leave it out)"}
	case !policy.Shows(text):
		return &BadComment{"there is nothing to read in it (write something, in characters that can be seen)"}
	}
	return nil
}

// Comment writes down what somebody has said about a call, also about one that is over. It
// changes nothing else. The error may be a [*BadComment].
func (s *Store) Comment(ctx context.Context, id, who, text string) error {
	if err := checkComment(who, text); err != nil {
		return err
	}
	return s.db.Within(ctx, func(tx *database.Tx) error {
		t, err := s.current(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.mention(ctx, tx, t, KindComment, who, text)
	})
}

// Escalated writes down that others were told of a call which nobody has answered. If somebody
// has meanwhile the error is a [*WrongState].
func (s *Store) Escalated(ctx context.Context, id, note string) error {
	return s.db.Within(ctx, func(tx *database.Tx) error {
		t, err := s.current(ctx, tx, id)
		if err != nil {
			return err
		}
		if t.State != Pending {
			return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
		}
		return s.mention(ctx, tx, t, KindEscalated, Self, note)
	})
}

// current is a ticket that nobody else changes until the transaction is over. One whose time
// is over is expired.
func (s *Store) current(ctx context.Context, tx *database.Tx, id string) (Ticket, error) {
	t, err := findToChange(ctx, tx, id)
	if err == nil {
		err = s.expireOne(ctx, tx, &t)
	}
	return t, err
}

// mention writes a row of history about a ticket that stays what it is. Nothing else belongs to
// it: what is made with every change is about changes of state.
func (s *Store) mention(ctx context.Context, tx *database.Tx, t Ticket, kind, who, note string) error {
	_, err := tx.Make(ctx, s.event(tx, t, t.State, kind, who, note, ""))
	return err
}
