package approval

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

const columns = "id, session, call, agent, tool, input, cwd, digest, policy, why, state, fence, created, expires, outcome, holder, answer"

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

func readTicket(row scanner) (Ticket, error) {
	var t Ticket
	var input, state, outcome, answer string
	var created, expires int64
	err := row.Scan(&t.ID, &t.Session, &t.ToolUseID, &t.Agent, &t.Tool, &input, &t.Cwd, &t.Digest, &t.Policy, &t.Why, &state, &t.Fence, &created, &expires, &outcome, &t.Holder, &answer)
	if err != nil {
		return Ticket{}, err
	}
	t.Input, t.Created, t.Expires = strictjson.Raw(input), fromMicros(created), fromMicros(expires)
	if t.State, err = ParseState(state); err != nil {
		return Ticket{}, damaged(t.ID, err)
	}
	if t.Outcome, err = parseOutcome(outcome); err != nil {
		return Ticket{}, damaged(t.ID, err)
	}
	if answer != "" {
		if t.Answer, err = readAnswer(answer); err != nil {
			return Ticket{}, damaged(t.ID, err)
		}
	}
	return t, nil
}

func damaged(id string, err error) error { return fmt.Errorf("the ticket %s is damaged: %w", id, err) }

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

func readAll(rows *sql.Rows, err error) ([]Ticket, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Ticket
	for rows.Next() {
		t, err := readTicket(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, rows.Err()
}
