package approval

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Ticket is a parked call.
type Ticket struct {
	// ID is what people call it by.
	ID string
	Call
	// Digest is that of the call when it was parked; see [Call.Digest].
	Digest string
	// Policy says by which rules it was judged then; it may have changed since.
	Policy string
	// Why is what the person is told: the reason why it did not run.
	Why   string
	State State
	// Fence counts the claims: what an earlier one says does not count any more.
	Fence   int64
	Created time.Time
	// Expires is when nobody needs to answer any more; zero means never. Outcome is what
	// holds then: Deny, or Allow if settings say so.
	Expires time.Time
	Outcome permission.Behavior
	// Answer is what somebody said; nil before.
	Answer *Answer
	// Holder is who runs it, while it is running.
	Holder string
	// Asker is the agent of somebody else whose guard holds the call; empty for one that is
	// parked in a session of assent.
	Asker string
	// Waits is until when that guard waits for the answer, as it has said when it came last; zero where
	// nobody knows.
	Waits time.Time
	// Edits says whether that agent can be given another input than its own.
	Edits Edits
	// Risk is how much harm it could do, Kin what sort of call it is.
	Risk permission.Risk
	Kin  string
	// Places are the files that it would read or write, with all links followed as they were
	// when it was parked, sorted; none for a call about none. See [permission.Call.Places].
	Places []string
	// Requester is who wanted the call: an account, "user@host", or the name of a person, or
	// several of them as account.Join writes them; empty when nobody knows.
	Requester string
	// Terms are what has to be so before a yes counts. They can only become stricter.
	Terms permission.Terms
}

// Call is what would run.
type Call struct {
	Session   string
	ToolUseID string
	Tool      string
	Input     strictjson.Raw
	Cwd       string
}

// Answer is what somebody said about a ticket.
type Answer struct {
	Behavior permission.Behavior // Allow or Deny
	// Input runs in place of the one that was parked; nil means that one. Digest is that
	// of what was answered, with this input.
	Input   strictjson.Raw
	Digest  string
	Message string
	// By is what people are shown: a person's name, or "ben for ana" for a deputy. Voter is the
	// name of the person who has signed in; empty for somebody at a terminal, or with the link
	// of a server.
	By    string
	Voter string
	// Moment is that of his sign-in, see [Vote].
	Moment int64
	At     time.Time
	// Terms are what the settings at the place of the answer ask for today, beside those of the
	// ticket. They are not kept.
	Terms permission.Terms
	// Still is asked whether those whose yes or no counts may still answer; nil means that all
	// of them may. It is not kept.
	Still Still `json:"-"`
	// Others are those who have said yes to the same before, where several people must.
	Others []Vote
	// Settles is until when it may be taken back. Nobody acts on it before, in whatever
	// process. Zero means that it holds at once.
	Settles time.Time
	// Places are the files that a yes is for, with all links followed, sorted; none for a call
	// about none. A call that leads to others by now is not what was approved. Risk is the one
	// that the person was shown; zero means that of the ticket.
	Places []string
	Risk   permission.Risk
	// Change is what the call was to do to its file when a yes was given, as its giver was shown; nil for
	// a call that changes none.
	Change *FileChange
	// Mends says whether it is a no that has mended a damaged ticket.
	Mends Mending
	// From is the session in which it was said, where that is another one: a denial goes
	// with a fork. Empty means that of the ticket.
	From string
}

// Bygone: the ticket is that of another call with the same id, for a call that was parked
// at a moment; zero means that nobody knows when, of the call or of the ticket. Both carry
// the moment of the record, so it does not matter whether the clock was set back in between.
func (t *Ticket) Bygone(at time.Time) bool {
	return !at.IsZero() && !t.Created.IsZero() && micros(t.Created) != at.UnixMicro()
}

// DeniedByPerson: somebody has said no, and nothing has become of the call since but its
// refusal.
func (t *Ticket) DeniedByPerson() bool {
	return (t.State == Denied || t.State == Refused) && t.Answer != nil && t.Answer.Behavior == permission.Deny
}

// Said is what the ticket says about its call: its state and the answer. It changes
// whenever somebody says something.
func (t *Ticket) Said() string {
	text := string(t.State)
	if t.Answer != nil {
		text += fmt.Sprintf(" %s %s %d", t.Answer.By, t.Answer.Digest, micros(t.Answer.At))
	}
	return text
}

// Digest identifies what would run: tool, input in one spelling, session and directory.
func (c Call) Digest() (string, error) { return c.digest(c.Input) }

func (c Call) digest(input strictjson.Raw) (string, error) {
	spelt, err := strictjson.Canonical(input)
	if err != nil {
		return "", fmt.Errorf("the input of the call cannot be read: %w", err)
	}
	cwd, errCwd := strictjson.Quote(c.Cwd)
	session, errSession := strictjson.Quote(c.Session)
	tool, errTool := strictjson.Quote(c.Tool)
	if err := errors.Join(errCwd, errSession, errTool); err != nil {
		return "", err
	}
	// In one spelling as well: the names are in order.
	sum := sha256.Sum256([]byte(`{"cwd":` + string(cwd) + `,"input":` + string(spelt) + `,"session":` + string(session) + `,"tool":` + string(tool) + `}`))
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// newID is a name that people can type: twelve letters and digits, none of which look
// alike.
func newID() string {
	var b [8]byte
	rand.Read(b[:]) // it never fails
	return strings.ToLower(base32.NewEncoding("ABCDEFGHJKMNPQRSTUVWXYZ123456789").WithPadding(base32.NoPadding).EncodeToString(b[:]))[:12]
}
