package approval

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

const columns = "id, session, call, tool, input, cwd, digest, policy, why, state, fence, created, expires, outcome, holder, answer"

// scanner is a row of a query.
type scanner interface{ Scan(...any) error }

// answerJSON is an answer as the database has it.
type answerJSON struct {
	Behavior string         `json:"behavior"`
	Input    strictjson.Raw `json:"input,omitzero"`
	Digest   string         `json:"digest"`
	Message  string         `json:"message,omitzero"`
	By       string         `json:"by"`
	At       int64          `json:"at"`
}

// readTicket reads a row. One that cannot be relied on is a [*Damaged]; the ticket is then
// what can be read of it.
func readTicket(row scanner) (Ticket, error) {
	var t Ticket
	var input, state, outcome, answer string
	var created, expires int64
	err := row.Scan(&t.ID, &t.Session, &t.ToolUseID, &t.Tool, &input, &t.Cwd, &t.Digest, &t.Policy, &t.Why, &state, &t.Fence, &created, &expires, &outcome, &t.Holder, &answer)
	if err != nil {
		return Ticket{}, err
	}
	t.Input, t.Created, t.Expires = strictjson.Raw(input), fromMicros(created), fromMicros(expires)
	t.State = State(state)
	_, badState := ParseState(state)
	var badOutcome, badAnswer error
	t.Outcome, badOutcome = parseOutcome(outcome)
	if answer != "" {
		t.Answer, badAnswer = readAnswer(answer)
	}
	if err := cmp.Or(badState, badOutcome, badAnswer, t.consistent()); err != nil {
		t.Answer = nil
		return t, &Damaged{Ticket: t, Err: err}
	}
	return t, nil
}

// consistent refuses a ticket that says somebody has answered, and not what.
func (t *Ticket) consistent() error {
	want := permission.Allow
	switch t.State {
	case Approved:
	case Denied:
		want = permission.Deny
	case Pending, Expired, Cancelled, Running, Done, Failed, Refused, Unknown:
		return nil
	}
	if t.Answer == nil || t.Answer.Behavior != want {
		return fmt.Errorf("it is %s, and nobody has said so", t.State)
	}
	return nil
}

// Damaged is a ticket on which nobody can rely. Its call can only be denied.
type Damaged struct {
	// Ticket is what can be read of it.
	Ticket Ticket
	Err    error
}

func (e *Damaged) Error() string {
	return fmt.Sprintf("the ticket %s is damaged: %v (deny it: `assent deny %s --reason TEXT`)", e.Ticket.ID, e.Err, e.Ticket.ID)
}

// Unwrap returns the cause.
func (e *Damaged) Unwrap() error { return e.Err }

// Damages are the tickets on which nobody can rely, of several.
type Damages []*Damaged

func (e Damages) Error() string {
	var all []string
	for _, d := range e {
		all = append(all, d.Error())
	}
	return strings.Join(all, "; ")
}

// heedless is an error unless it is about single tickets: what is wrong with one is told to
// whoever asks for that one.
func heedless(err error) error {
	if _, ok := errors.AsType[Damages](err); ok {
		return nil
	}
	return err
}

func readAnswer(text string) (*Answer, error) {
	var a answerJSON
	if err := strictjson.Unmarshal([]byte(text), &a); err != nil {
		return nil, err
	}
	behavior, err := parseOutcome(a.Behavior)
	return &Answer{Behavior: behavior, Input: a.Input, Digest: a.Digest, Message: a.Message, By: a.By, At: fromMicros(a.At)}, err
}

func (a *Answer) text() (string, error) {
	if a == nil {
		return "", nil
	}
	text, err := strictjson.Marshal(answerJSON{a.Behavior.String(), a.Input, a.Digest, a.Message, a.By, micros(a.At)})
	return string(text), err
}

// parseOutcome reads what an answer or an end of time can be: yes or no.
func parseOutcome(text string) (permission.Behavior, error) {
	switch text {
	case permission.Allow.String():
		return permission.Allow, nil
	case permission.Deny.String():
		return permission.Deny, nil
	}
	return permission.Deny, fmt.Errorf("%q is neither allow nor deny", text)
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// querier is the database, or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// NoTicket: there is none of that name.
type NoTicket struct{ ID string }

func (e *NoTicket) Error() string {
	return fmt.Sprintf("there is no ticket %q (`assent sessions list` shows those that wait)", e.ID)
}

func find(ctx context.Context, q querier, id string) (Ticket, error) {
	t, err := readTicket(q.QueryRowContext(ctx, "SELECT "+columns+" FROM tickets WHERE id = $1", id))
	if errors.Is(err, sql.ErrNoRows) {
		return Ticket{}, &NoTicket{id}
	}
	return t, err
}

// readAll reads rows. Those on which nobody can rely are left out; the error is then
// [Damages].
func readAll(rows *sql.Rows, err error) ([]Ticket, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Ticket
	var bad Damages
	for rows.Next() {
		t, err := readTicket(rows)
		if one, ok := errors.AsType[*Damaged](err); ok {
			bad = append(bad, one)
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	if err := rows.Err(); err != nil || bad == nil {
		return list, err
	}
	return list, bad
}
