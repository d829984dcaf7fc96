package approval

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

const columns = "id, session, call, tool, input, cwd, digest, policy, why, state, fence, created, expires, outcome, holder, answer, asker, risk, kin, edits, places, requester, terms, waits"

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
	Settles  int64          `json:"settles,omitzero"`
	From     string         `json:"from,omitzero"`
	Places   []string       `json:"places,omitzero"`
	Risk     int64          `json:"risk,omitzero"`
	Mends    Mending        `json:"mends,omitzero"`
	Voter    string         `json:"voter,omitzero"`
	Others   []voteJSON     `json:"others,omitzero"`
	Moment   int64          `json:"moment,omitzero"`
	Change   *FileChange    `json:"change,omitzero"`
}

// number is a whole number in a row. The database takes anything in its place: that is
// damage of this row, and must not keep anybody from the others.
type number struct {
	n   int64
	bad error
}

// Scan takes what the database has.
func (n *number) Scan(value any) error {
	whole, ok := value.(int64)
	if n.n = whole; !ok {
		n.bad = fmt.Errorf("%q stands where a number should", fmt.Sprint(value))
	}
	return nil
}

// readTicket reads a row. One that cannot be relied on is a [*Damaged]; the ticket is then
// what can be read of it.
func readTicket(row scanner) (Ticket, error) {
	t, bad, err := scanTicket(row)
	if err != nil {
		return Ticket{}, err
	}
	return t.checked(bad, false)
}

// scanTicket reads a row; bad is what cannot be read of it.
func scanTicket(row scanner) (t Ticket, bad, err error) {
	var input, state, outcome, answer, places, terms string
	var fence, created, expires, risk, waits number
	err = row.Scan(&t.ID, &t.Session, &t.ToolUseID, &t.Tool, &input, &t.Cwd, &t.Digest, &t.Policy, &t.Why, &state, &fence, &created, &expires, &outcome, &t.Holder, &answer, &t.Asker, &risk, &t.Kin, &t.Edits, &places, &t.Requester, &terms, &waits)
	if err != nil {
		return Ticket{}, nil, err
	}
	t.Input, t.Fence, t.Created, t.Expires, t.Risk, t.Waits = strictjson.Raw(input), fence.n, fromMicros(created.n), fromMicros(expires.n), risk.risk(), fromMicros(waits.n)
	t.State = State(state)
	_, badState := ParseState(state)
	var badOutcome, badAnswer, badPlaces, badTerms error
	t.Outcome, badOutcome = parseOutcome(outcome)
	if answer != "" {
		if t.Answer, badAnswer = readAnswer(answer); badAnswer != nil {
			t.Answer = nil
		}
	}
	if places != "" {
		if err := strictjson.Unmarshal([]byte(places), &t.Places); err != nil {
			badPlaces = fmt.Errorf("the files that it leads to cannot be read: %w", err)
		}
	}
	t.Terms, badTerms = readTerms(terms)
	if badState == nil && t.State.Over() { // nothing more happens to it, so nobody relies on the rest
		return t, nil, nil
	}
	return t, cmp.Or(badState, fence.bad, created.bad, expires.bad, badOutcome, badAnswer, badPlaces, badTerms), nil
}

// checked is a ticket that was read, or a [*Damaged]. The call of one that is known was checked
// before.
func (t Ticket) checked(bad error, known bool) (Ticket, error) {
	if bad == nil && t.State.Over() {
		return t, nil
	}
	if bad = cmp.Or(bad, t.consistent()); bad == nil && t.Relied() && !known {
		bad = t.intact()
	}
	if bad != nil {
		t.Answer = nil
		return t, &Damaged{Ticket: t, Err: bad}
	}
	return t, nil
}

// Relied: something may still come of the call, so whoever reads the ticket finds out whether it
// is the one that the digest is for. A no holds for whatever the call is.
func (t Ticket) Relied() bool { return !t.State.Over() && t.State != Denied }

// consistent refuses a ticket that says somebody has answered, and not what, and a yes that is
// not all that its terms ask for.
func (t *Ticket) consistent() error {
	switch t.State {
	case Denied:
		return t.answered(permission.Deny)
	case Approved:
		if err := t.answered(permission.Allow); err != nil {
			return err
		}
		return t.fulfilled()
	case Pending, Expired, Cancelled, Running, Done, Failed, Handed, Refused, Unknown:
	}
	return nil
}

func (t *Ticket) answered(want permission.Behavior) error {
	if t.Answer == nil || t.Answer.Behavior != want {
		return fmt.Errorf("it is %s, and nobody has said so", t.State)
	}
	return nil
}

// intact refuses a ticket whose call is not the one that its digest is for.
func (t *Ticket) intact() error {
	digest, err := t.Call.Digest()
	if err == nil && digest != t.Digest {
		err = fmt.Errorf("its call has the digest %s, and it is for one with %s", digest, t.Digest)
	}
	return err
}

// risk is how much harm a call could do. What is none counts as high.
func (n number) risk() permission.Risk {
	if n.bad != nil || n.n < 0 || n.n > int64(permission.HighRisk) {
		return permission.HighRisk
	}
	return permission.Risk(n.n)
}

// riskOrNone is risk, where zero means that nobody has said any.
func (n number) riskOrNone() permission.Risk {
	if n.n == 0 {
		return 0
	}
	return n.risk()
}

// placesText is the files of a ticket as the database has them; empty for none.
func placesText(places []string) (string, error) {
	if len(places) == 0 {
		return "", nil
	}
	text, err := strictjson.Marshal(places)
	return string(text), err
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
	read := &Answer{Behavior: behavior, Input: a.Input, Digest: a.Digest, Message: a.Message, By: a.By, At: fromMicros(a.At), Settles: fromMicros(a.Settles), From: a.From, Places: a.Places, Risk: number{n: a.Risk}.riskOrNone(), Mends: a.Mends, Voter: a.Voter, Moment: a.Moment, Change: a.Change}
	for _, v := range a.Others {
		read.Others = append(read.Others, v.vote(read))
	}
	return read, err
}

func (a *Answer) text() (string, error) {
	if a == nil {
		return "", nil
	}
	var others []voteJSON
	for _, v := range a.Others {
		others = append(others, v.json())
	}
	text, err := strictjson.Marshal(answerJSON{a.Behavior.String(), a.Input, a.Digest, a.Message, a.By, micros(a.At), micros(a.Settles), a.From, a.Places, int64(a.Risk), a.Mends, a.Voter, others, a.Moment, a.Change.kept()})
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

// NoTicket: there is none of that name.
type NoTicket struct{ ID string }

func (e *NoTicket) Error() string {
	return fmt.Sprintf("there is no ticket %q (`assent sessions list` shows those that wait)", e.ID)
}

const byID = "SELECT " + columns + " FROM tickets WHERE id = $1"

func find(ctx context.Context, q database.Querier, id string) (Ticket, error) {
	return found(id, q.QueryRowContext(ctx, byID, readable(id)))
}

// findToChange finds a ticket that nobody else changes until the transaction is over, if the condition
// holds under which it may be changed; see [Provided].
func findToChange(ctx context.Context, tx *database.Tx, id string) (Ticket, error) {
	t, err := found(id, tx.QueryRowContext(ctx, byID+tx.ToChange(), readable(id)))
	if _, bad := errors.AsType[*Damaged](err); err != nil && !bad {
		return t, err
	}
	if no := Holds(ctx, tx); no != nil {
		return Ticket{}, no
	}
	return t, err
}

func found(id string, row scanner) (Ticket, error) {
	t, err := readTicket(row)
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
