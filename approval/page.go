package approval

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Page is a part of a list that may be long.
type Page struct {
	Tickets []Ticket
	// Damaged are those of this part on which nobody can rely.
	Damaged Damages
	// Next is where the list goes on; empty at its end.
	Next Cursor

	// last is the last ticket that was looked at, and looked their number.
	last   place
	looked int
	// short are those whose inputs are still to be read.
	short []string
}

// Cursor is a place in a list. It stays true while tickets come and go.
type Cursor string

// place is what a cursor says: the last ticket before it.
type place struct {
	state   State
	risk    int
	created int64
	id      string
}

func placeOf(t Ticket) place { return place{t.State, int(t.Risk), micros(t.Created), t.ID} }

func (p place) cursor() Cursor {
	return Cursor(fmt.Sprintf("%s.%d.%d.%s", p.state, p.risk, p.created, p.id))
}

// ErrCursor is the error for a cursor that is none.
var ErrCursor = errors.New("this is no place in a list (begin with the first page)")

func (c Cursor) place() (p place, err error) {
	parts := strings.SplitN(string(c), ".", 4)
	if len(parts) != 4 {
		return p, ErrCursor
	}
	risk, badRisk := strconv.Atoi(parts[1])
	created, badTime := strconv.ParseInt(parts[2], 10, 64)
	if errors.Join(badRisk, badTime) != nil || parts[0] == "" {
		return p, ErrCursor
	}
	return place{State(readable(parts[0])), risk, created, readable(parts[3])}, nil
}

// Queue is what is not over: by state, in the order of [States], those of the highest risk
// first, and of these the newest. No states means all that are not over.
func (s *Store) Queue(ctx context.Context, states []State, after Cursor, limit int) (Page, error) {
	return s.QueueKnowing(ctx, nil, states, after, limit)
}

// QueueKnowing is [Store.Queue] without the long inputs that whoever asks knows.
func (s *Store) QueueKnowing(ctx context.Context, known Known, states []State, after Cursor, limit int) (Page, error) {
	var page Page
	if err := s.expireDue(ctx); err != nil {
		return page, err
	}
	from := place{}
	if after != "" {
		var err error
		if from, err = after.place(); err != nil {
			return page, err
		}
	}
	for _, state := range States {
		switch {
		case state.Over(), len(states) > 0 && !slices.Contains(states, state):
			continue
		case from.state != "" && state != from.state: // before it
			continue
		}
		if err := s.queueOf(ctx, known, &page, state, from, limit); err != nil || page.Next != "" {
			return page, s.db.Explain(err)
		}
		from = place{}
	}
	return page, nil
}

// queueOf takes over the tickets of one state. One more than the page holds is read, to
// know whether there is another page; it takes several readings where some are damaged.
func (s *Store) queueOf(ctx context.Context, known Known, page *Page, state State, from place, limit int) error {
	const order = " ORDER BY risk DESC, created DESC, id DESC LIMIT "
	for {
		text, args := "SELECT "+known.columns()+" FROM tickets WHERE state = $1", []any{state}
		if from.state != "" {
			text, args = text+" AND (risk, created, id) < ($2, $3, $4)", append(args, from.risk, from.created, from.id)
		}
		before, wanted := page.looked, limit-len(page.Tickets)+1
		rows, err := s.reads().QueryContext(ctx, text+order+strconv.Itoa(wanted), args...)
		if err != nil {
			return err
		}
		err = page.fill(ctx, listing{s.reads(), known}, rows, limit, func(t *Ticket) bool { return t.State == state }) // it may change meanwhile
		if err != nil || page.Next != "" || page.looked-before < wanted {
			return err
		}
		from = page.last
	}
}

// fill takes over what is wanted of what was read, until the page is full; then the next
// one begins after the last ticket that was looked at.
func (p *Page) fill(ctx context.Context, l listing, rows *sql.Rows, limit int, wanted func(*Ticket) bool) error {
	defer rows.Close()
	for rows.Next() {
		if len(p.Tickets) == limit {
			p.Next = p.last.cursor()
			break
		}
		t, short, err := l.read(rows)
		switch one, bad := errors.AsType[*Damaged](err); {
		case bad:
			p.Damaged = append(p.Damaged, one)
		case err != nil:
			return err
		case short:
			p.short = append(p.short, t.ID)
			p.Tickets = append(p.Tickets, t)
		case wanted(&t):
			p.Tickets = append(p.Tickets, t)
		}
		p.last = placeOf(t)
		p.looked++
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || p.short == nil {
		return err
	}
	return p.complete(ctx, l, wanted)
}

// searched is how many tickets one search looks at.
const searched = 50_000

// Past is tickets of any state, the newest first. With a text only those in which it
// occurs: in the name, the tool, the input, the directory, the reason, or what somebody has
// said. A search looks at so many tickets and no more; the cursor goes on where it stopped,
// also when it has found nothing.
func (s *Store) Past(ctx context.Context, text string, after Cursor, limit int) (Page, error) {
	return s.PastKnowing(ctx, nil, text, after, limit)
}

// PastKnowing is [Store.Past] without the long inputs that whoever asks knows. A search looks at
// all of them.
func (s *Store) PastKnowing(ctx context.Context, known Known, text string, after Cursor, limit int) (Page, error) {
	if text != "" {
		known = nil
	}
	var page Page
	if err := s.expireDue(ctx); err != nil {
		return page, err
	}
	query, args := "SELECT "+known.columns()+" FROM tickets", []any{}
	if after != "" {
		from, err := after.place()
		if err != nil {
			return page, err
		}
		query, args = query+" WHERE (created, id) < ($1, $2)", append(args, from.created, from.id)
	}
	most := limit + 1
	if text != "" {
		most = max(searched, limit+1)
	}
	rows, err := s.reads().QueryContext(ctx, query+" ORDER BY created DESC, id DESC LIMIT "+strconv.Itoa(most), args...)
	if err != nil {
		return page, s.db.Explain(err)
	}
	text = strings.ToLower(text)
	err = page.fill(ctx, listing{s.reads(), known}, rows, limit, func(t *Ticket) bool { return text == "" || t.mentions(text) })
	if page.Next == "" && page.looked == most { // there is more, at which nobody has looked
		page.Next = page.last.cursor()
	}
	return page, s.db.Explain(err)
}

// mentions: a text, in small letters, occurs in what people are shown of the ticket.
func (t *Ticket) mentions(text string) bool {
	shown := []string{t.ID, t.Tool, string(t.Input), t.Cwd, t.Why, t.Session, t.Asker, string(t.State)}
	if t.Answer != nil {
		shown = append(shown, t.Answer.By, t.Answer.Message, string(t.Answer.Input))
	}
	return slices.ContainsFunc(shown, func(s string) bool { return strings.Contains(strings.ToLower(s), text) })
}

// Akin is the newest tickets of a sort of call; see [permission.Kin].
func (s *Store) Akin(ctx context.Context, kin string, limit int) ([]Ticket, error) {
	list, err := readAll(s.reads().QueryContext(ctx, "SELECT "+columns+" FROM tickets WHERE kin = $1 ORDER BY created DESC LIMIT "+strconv.Itoa(limit), kin))
	return list, s.db.Explain(heedless(err))
}

// Many is the number beyond which tickets are not counted.
const Many = 1000

// Counts says how many tickets are in each state, [Many] for that many or more.
func (s *Store) Counts(ctx context.Context) (map[State]int, error) {
	if err := s.expireDue(ctx); err != nil {
		return nil, err
	}
	counts := map[State]int{}
	for _, state := range States {
		var n int
		row := s.reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM (SELECT 1 FROM tickets WHERE state = $1 LIMIT "+strconv.Itoa(Many)+") AS counted", state)
		if err := row.Scan(&n); err != nil {
			return nil, s.db.Explain(err)
		}
		counts[state] = n
	}
	return counts, nil
}
