package inbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/internal/strictjson"
)

// ledger is what the record of decisions says about calls that wait or have waited. The
// record is read once, and then what has come since; now and then from its beginning, to see
// that it is still the same.
type ledger struct {
	dir string
	now func() time.Time
	// turn is held by the one who reads.
	turn chan struct{}

	reader *audit.Reader
	calls  map[string][]noted
	// sessions is how many records there are of each.
	sessions map[string]int
	tally    tally
	// reached is the last record that was read, and at when that was.
	reached mark
	at      time.Time
	// known is the last record that this server has ever read, and found in its place: it must
	// be there as long as the server runs. found: it was passed in this reading.
	known mark
	found bool
	// begun is when the record was read from its beginning, and took how long that took.
	begun time.Time
	took  time.Duration
	// problem is why the record does not prove what it says; empty when it does.
	problem string
}

// mark is a record in its place, and stands for all before it.
type mark struct {
	number int
	head   audit.Head
}

// noted is a record that somebody may want to see.
type noted struct {
	audit.Entry
	head audit.Head
}

func newLedger(state string, now func() time.Time) *ledger {
	return &ledger{dir: filepath.Join(state, "audit"), now: now, turn: make(chan struct{}, 1)}
}

// of looks a call up.
func (l *ledger) of(ctx context.Context, t approval.Ticket) (view auditView, err error) {
	err = l.look(ctx, func() { view = l.view(l.calls[keyOf(t)], l.sessions[t.Session]) })
	return view, err
}

// todays is what was decided today; nil when nothing is on record.
func (l *ledger) todays(ctx context.Context) (view *todayView, err error) {
	err = l.look(ctx, func() {
		if l.reached.number > 0 {
			count := l.tally.on(l.now())
			view = &count
		}
	})
	return view, err
}

// look brings it up to date and lets somebody look.
func (l *ledger) look(ctx context.Context, at func()) error {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	l.read()
	at()
	return nil
}

const (
	// readAgain is how old a reading from the beginning may get, at least; it is done for so
	// many times as long as it took.
	readAgain = 10 * time.Second
	share     = 100
)

// read brings it up to date.
func (l *ledger) read() {
	old := l.reader == nil || l.now().Sub(l.begun) >= max(readAgain, share*l.took)
	if !old && (l.problem != "" || l.take() == nil) {
		return
	}
	l.readAll()
}

// readAll reads the record from its beginning. What this server has read before must be there
// still; if it is not, it is shown all the same.
func (l *ledger) readAll() {
	before := l.calls
	l.reader, l.calls, l.sessions, l.reached, l.found = audit.NewReader(l.dir), map[string][]noted{}, map[string]int{}, mark{}, false
	l.begun, l.problem, l.tally = l.now(), "", tally{}
	err := l.take()
	l.took = l.now().Sub(l.begun)
	switch {
	case err != nil:
		l.problem = err.Error()
	case l.known.number > l.reached.number:
		l.problem = fmt.Sprintf("the record ends with number %d, but this server has read it up to number %d before: it was cut off, or made anew (`assent audit verify --head %s` tells more)", l.reached.number, l.known.number, l.known.head)
	case l.known.number > 0 && !l.found:
		l.problem = fmt.Sprintf("record %d is another one than this server has read before: the record was made anew (`assent audit verify --head %s` tells more)", l.known.number, l.known.head)
	default:
		l.known, l.found = l.reached, true
		return
	}
	for key, list := range before {
		for _, n := range list {
			if n.Number > l.reached.number {
				l.calls[key] = append(l.calls[key], n)
			}
		}
	}
}

// take reads what has come since.
func (l *ledger) take() error {
	for e, err := range l.reader.More(audit.Query{}) {
		if err != nil {
			return err
		}
		l.reached = mark{e.Number, l.reader.Head()}
		l.found = l.found || l.reached == l.known
		l.note(noted{e, l.reached.head})
	}
	l.at = l.now()
	if l.problem == "" && l.found {
		l.known = l.reached
	}
	return nil
}

// note keeps a record, if it is one about a call that was put to somebody: others are as
// many as there are calls.
func (l *ledger) note(n noted) {
	l.sessions[n.Session]++
	l.tally.add(n.Entry)
	key := n.Session + "\x00" + n.ToolUseID
	if n.ToolUseID == "" { // of a guard
		key = n.Session + "\x00" + n.Digest
	}
	if _, known := l.calls[key]; !known && n.Decision != "defer" && n.ToolUseID != "" {
		return
	}
	n.Input, n.Asked, n.Hooks = audit.Excerpt{}, audit.Excerpt{}, nil // which nobody asks for here
	l.calls[key] = append(l.calls[key], n)
}

// keyOf is the key of a ticket. A guard does not know the name of a call, so it is known by
// what would run.
func keyOf(t approval.Ticket) string {
	if t.Asker != "" {
		return t.Session + "\x00" + recordDigest(t.Call)
	}
	return t.Session + "\x00" + t.ToolUseID
}

// recordDigest identifies a call as records of decisions do.
func recordDigest(c approval.Call) string {
	spelt, err := strictjson.Canonical(c.Input)
	if err != nil {
		spelt = c.Input
	}
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(c.Tool), spelt, []byte(c.Cwd)} {
		sum.Write(part)
		sum.Write([]byte{0})
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
