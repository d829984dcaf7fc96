// Package line is what the guard of an agent and the inbox say to each other: one line of
// JSON in, one line out, over the socket of a server or the pipes of a process.
//
// There is one thing that can be asked for: to hold a call until people have answered. No
// line can answer for them.
//
// The package is linked into a program that is started for every call of an agent, so it
// works on the system's own sockets and does nothing when it is loaded.
package line

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// SocketName is that of the socket in the state directory.
const SocketName = "inbox.sock"

// MaxRequest and MaxReply are how long a line may be. An event of an agent may have 4 MiB,
// and its input is most of it.
const (
	MaxRequest = 6 << 20
	MaxReply   = 6 << 20
)

// Hold asks to hold a call.
type Hold struct {
	Asker   string         `json:"asker"`
	Session string         `json:"session"`
	Tool    string         `json:"tool"`
	Input   strictjson.Raw `json:"input"`
	Cwd     string         `json:"cwd"`
	Why     string         `json:"why"`
	Policy  string         `json:"policy"`
	Risk    string         `json:"risk"`
	Kin     string         `json:"kin"`
	// Places are the files that the call leads to, with all links followed.
	Places []string `json:"places,omitempty"`
	// Edits says whether whoever asks can be given another input.
	Edits string `json:"edits,omitempty"`
	// Terms are what the settings of the guard ask for before a yes counts.
	Terms permission.Terms `json:"terms,omitzero"`
	// LastsMS is how long it may be answered, WaitMS how long whoever asks waits now; both
	// in milliseconds.
	LastsMS int64 `json:"lasts_ms"`
	WaitMS  int64 `json:"wait_ms"`
	// Nonce is another one for each guard. The answer is handed to it by that, and to no other.
	Nonce string `json:"nonce"`
}

// request is a line that asks. Its one key says what for.
type request struct {
	Hold *Hold `json:"hold"`
}

// State is what has become of a held call.
type State string

// The states.
const (
	Allowed State = "allow"
	Denied  State = "deny"
	// Pending: nobody has answered yet.
	Pending State = "pending"
)

// Reply is the line that answers.
type Reply struct {
	Ticket string `json:"ticket,omitempty"`
	State  State  `json:"state,omitempty"`
	By     string `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Input is the one that was approved in place of the other; absent means that one.
	Input strictjson.Raw `json:"input,omitzero"`
	// Places are the files that the yes is for, with all links followed, and Risk is the risk
	// that the person was shown.
	Places []string `json:"places,omitempty"`
	Risk   string   `json:"risk,omitempty"`
	// Error is why there is nothing else in it.
	Error string `json:"error,omitempty"`
}

// Request is the line for a call.
func Request(h Hold) ([]byte, error) { return written(request{&h}, MaxRequest) }

// ReadRequest reads a line that asks. What it does not know is an error.
func ReadRequest(text []byte) (Hold, error) {
	var r request
	if len(text) > MaxRequest {
		return Hold{}, errors.New("the request is too long")
	}
	if err := strictjson.UnmarshalKnown(text, &r); err != nil {
		return Hold{}, fmt.Errorf("the request cannot be read: %w", err)
	}
	if r.Hold == nil {
		return Hold{}, errors.New("the request asks for nothing: a call can be held, and nothing else can be done here")
	}
	return *r.Hold, r.Hold.check()
}

func (h *Hold) check() error {
	if _, err := permission.ParseRisk(h.Risk); err != nil {
		return err
	}
	switch {
	case h.Asker == "" || h.Session == "" || h.Tool == "" || h.Input == nil || h.Cwd == "":
		return errors.New("the request does not say which call, of which agent and session, is to be held")
	case !isPlain(h.Asker) || !isPlain(h.Session):
		return errors.New("the request has a name of an agent or a session that people could not read")
	case len(h.Nonce) < shortestNonce || !isPlain(h.Nonce):
		return errors.New("the request does not say which guard asks, as one of an older release does not (install assent, its guard and its server from the same release)")
	case h.LastsMS < 0 || h.WaitMS < 0 || h.LastsMS > longest || h.WaitMS > longest:
		return errors.New("the request names a time that is none")
	case h.Terms.Approvers < 0 || h.Terms.Approvers > mostApprovers || len(h.Terms.Escalate) > mostEscalations:
		return errors.New("the request asks for more approvals than there can be")
	}
	return nil
}

// mostApprovers and mostEscalations are more than settings can ask for, which several files say
// together.
const (
	mostApprovers   = 20
	mostEscalations = 1000
)

// shortestNonce is how many characters a nonce has at least.
const shortestNonce = 16

// NewNonce is the nonce of one guard. It keeps no secret, because whoever listens on the
// socket sees it, but there are no two of them that are the same.
func NewNonce() string {
	return strconv.FormatUint(1<<63|rand.Uint64(), 16) + strconv.FormatUint(1<<63|rand.Uint64(), 16)
}

// isPlain: people who see the name see all of it.
func isPlain(name string) bool {
	for _, r := range name {
		if r <= ' ' || r > '~' {
			return false
		}
	}
	return len(name) <= 200
}

// longest is the longest time that a request can name: ten years.
const longest = int64(10 * 365 * 24 * time.Hour / time.Millisecond)

// Answer is the line for a reply.
func Answer(r Reply) ([]byte, error) { return written(r, MaxReply) }

// ReadReply reads a line that answers. What is no answer is an error.
func ReadReply(text []byte) (Reply, error) {
	var r Reply
	if err := strictjson.UnmarshalKnown(text, &r); err != nil {
		return Reply{}, fmt.Errorf("the answer of the inbox cannot be read: %w", err)
	}
	switch {
	case r.Error != "":
		return Reply{}, errors.New(r.Error)
	case r.Ticket == "":
		return Reply{}, errors.New("the answer of the inbox names no ticket")
	case r.State != Allowed && r.State != Denied && r.State != Pending:
		return Reply{}, fmt.Errorf("the answer of the inbox is none: %q", r.State)
	case r.Input != nil && r.State != Allowed:
		return Reply{}, errors.New("the answer of the inbox has an input and lets nothing run")
	}
	return r, nil
}

func written(v any, most int) ([]byte, error) {
	text, err := strictjson.Marshal(v)
	if err != nil {
		return nil, err
	}
	if len(text) >= most {
		return nil, errors.New("the call is too long to be held")
	}
	return append(text, '\n'), nil
}
