package link

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Longest is how long a link is good at most, however long its call waits.
const Longest = 7 * 24 * time.Hour

// Link is what a link is about.
type Link struct {
	Ticket string
	// Digest is that of the call which the message was about; see approval.Ticket.
	Digest string
	// Target is to whom it was sent, by its name in the settings.
	Target string
	Until  time.Time
	// Used: somebody has given an answer with it.
	Used bool
}

// Gone: a link is of no use, or not any more.
type Gone struct{ Why string }

func (e *Gone) Error() string { return e.Why }

// The reasons for which a link is of no use. What was never one of ours and what somebody has
// changed look the same to whoever tries.
var (
	errNotOurs = &Gone{"this link is not one of this server's, or a part of it is missing: open the one in the message once more, or look for the call in the inbox"}
	errOver    = &Gone{"this link is too old: look for the call in the inbox"}
	errUsed    = &Gone{"an answer was given with this link already: look at the call in the inbox"}
)

// Links are those of a database. They are safe for concurrent use.
type Links struct {
	db  *database.DB
	key []byte
	now func() time.Time
}

// On is the links of a database. The key is made when there is none yet. The error is a
// [*database.Unusable].
func On(ctx context.Context, db *database.DB) (*Links, error) {
	if err := db.Install(ctx, tables); err != nil {
		return nil, err
	}
	l := &Links{db: db, now: time.Now}
	var err error
	if l.key, err = keyOf(ctx, db.Reads()); errors.Is(err, database.ErrNoRows) {
		l.key, err = makeKey(ctx, db)
	}
	if err == nil && len(l.key) != sha256.Size {
		err = fmt.Errorf("the key of the links has %d bytes, and not %d: remove the rows of link_key and links, and links that were sent are gone", len(l.key), sha256.Size)
	}
	if err != nil {
		return nil, &database.Unusable{Name: db.Name(), Err: err}
	}
	return l, nil
}

func keyOf(ctx context.Context, q database.Querier) (key []byte, err error) {
	err = q.QueryRowContext(ctx, "SELECT secret FROM link_key WHERE number = 1").Scan(&key)
	return key, err
}

// makeKey makes the key, unless somebody else was faster.
func makeKey(ctx context.Context, db *database.DB) (key []byte, err error) {
	fresh := make([]byte, sha256.Size)
	rand.Read(fresh) // it never fails
	err = db.Within(ctx, func(tx *database.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO link_key (number, secret) VALUES (1, $1) ON CONFLICT (number) DO NOTHING", fresh); err != nil {
			return err
		}
		key, err = keyOf(ctx, tx)
		return err
	})
	return key, err
}

// nonceSize is that of the number which no two links have in common.
const nonceSize = 16

// Make makes a link for one target, in the transaction of the caller. For the same call, target
// and time it is the one that was made before, as long as nobody has used it: a message that is
// sent again says the same. It is good until the time that is given, and never longer than
// [Longest].
func (l *Links) Make(ctx context.Context, tx *database.Tx, ticket, digest, target string, until time.Time) (string, error) {
	if last := l.now().Add(Longest); until.IsZero() || until.After(last) {
		until = last
	}
	it := Link{Ticket: ticket, Digest: digest, Target: target, Until: until.UTC().Truncate(time.Microsecond)}
	var nonce []byte
	before, err := database.Found(tx.QueryRowContext(ctx, "SELECT nonce FROM links WHERE ticket = $1 AND target = $2 AND digest = $3 AND until = $4 AND used = 0",
		ticket, target, digest, it.Until.UnixMicro()).Scan(&nonce))
	if err != nil {
		return "", err
	}
	if before {
		return l.text(nonce, it), nil
	}
	nonce = make([]byte, nonceSize)
	rand.Read(nonce) // it never fails
	if _, err := tx.ExecContext(ctx, "DELETE FROM links WHERE until < $1", l.now().Add(-Longest).UnixMicro()); err != nil {
		return "", err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO links (nonce, ticket, digest, target, until, used) VALUES ($1, $2, $3, $4, $5, 0)",
		nonce, ticket, digest, target, it.Until.UnixMicro())
	return l.text(nonce, it), err
}

// spelling is that of links: one spelling for one link.
var spelling = base64.RawURLEncoding.Strict()

// text is a link as it is sent.
func (l *Links) text(nonce []byte, it Link) string {
	return spelling.EncodeToString(append(append([]byte(nil), nonce...), l.sign(nonce, it)...))
}

// sign is the signature over everything that a link is about.
func (l *Links) sign(nonce []byte, it Link) []byte {
	mac := hmac.New(sha256.New, l.key)
	for _, part := range []string{"assent link 1", it.Ticket, it.Digest, it.Target, string(nonce)} {
		_ = binary.Write(mac, binary.BigEndian, uint32(len(part))) // a hash takes everything
		mac.Write([]byte(part))
	}
	_ = binary.Write(mac, binary.BigEndian, it.Until.UnixMicro())
	return mac.Sum(nil)
}

// Open says what a link is about, and changes nothing. The error is a [*Gone] for one that is
// not ours or too old. One that was used is found: whoever comes too late is told what became
// of the call.
func (l *Links) Open(ctx context.Context, text string) (Link, error) {
	_, it, err := l.find(ctx, l.db.Reads(), text, "")
	return it, l.db.Explain(err)
}

// Use uses a link up, for the answer to a ticket. The error is a [*Gone] when it was used
// before, is too old, or for another ticket.
func (l *Links) Use(ctx context.Context, text, ticket string) error {
	return l.db.Within(ctx, func(tx *database.Tx) error {
		nonce, it, err := l.find(ctx, tx, text, tx.ToChange())
		switch {
		case err != nil:
			return err
		case it.Ticket != ticket:
			return &Gone{"this link is for another call: look for the call in the inbox"}
		case it.Used:
			return errUsed
		}
		_, err = tx.ExecContext(ctx, "UPDATE links SET used = $1 WHERE nonce = $2", l.now().UnixMicro(), nonce)
		return err
	})
}

// UseFor uses a link up while an answer is given, and gives it back if that answer did not come
// about: somebody who has forgotten the reason may try again with the same link. If the process
// dies in between the link is used, and the call is still in the inbox.
func (l *Links) UseFor(ctx context.Context, text, ticket string, answer func() error) error {
	if err := l.Use(ctx, text, ticket); err != nil {
		return err
	}
	err := answer()
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // it may be why there is no answer
	raw, _ := spelling.DecodeString(text)
	spent := l.db.Within(ctx, func(tx *database.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE links SET used = 0 WHERE nonce = $1", raw[:nonceSize])
		return err
	})
	if spent != nil {
		return errors.Join(err, spent)
	}
	return err
}

// find reads a link and believes nothing that is not signed.
func (l *Links) find(ctx context.Context, q database.Querier, text, ending string) (nonce []byte, it Link, err error) {
	raw, bad := spelling.DecodeString(text)
	if bad != nil || len(raw) != nonceSize+sha256.Size {
		return nil, Link{}, errNotOurs
	}
	nonce = raw[:nonceSize]
	var until, used int64
	found, err := database.Found(q.QueryRowContext(ctx, "SELECT ticket, digest, target, until, used FROM links WHERE nonce = $1"+ending, nonce).
		Scan(&it.Ticket, &it.Digest, &it.Target, &until, &used))
	if err != nil {
		return nil, Link{}, err
	}
	it.Until, it.Used = time.UnixMicro(until).UTC(), used != 0
	switch {
	case !found, !hmac.Equal(raw[nonceSize:], l.sign(nonce, it)):
		return nil, Link{}, errNotOurs
	case !it.Until.After(l.now()):
		return nil, Link{}, errOver
	}
	return nonce, it, nil
}
