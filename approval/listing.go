package approval

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/internal/database"
)

// Known says of a ticket in a list whether whoever asks knows already what it shows of the call.
// The input, of so many bytes, was left out, and is left out then. Only a ticket that was once
// read with its input can be known, because its call was checked then; see [Ticket.Relied].
// Whoever shows or answers the call reads it again, and then it is checked anew.
type Known func(t *Ticket, size int) bool

// ShortInput is how many bytes an input has that is always read: to read it and to check it
// costs little.
const ShortInput = 4 << 10

// briefColumns are those of a ticket, without long inputs, after the size of the input.
var briefColumns = "octet_length(input), " + strings.Replace(columns, " input,", " CASE WHEN octet_length(input) <= "+strconv.Itoa(ShortInput)+" THEN input ELSE '' END,", 1)

func (k Known) columns() string {
	if k == nil {
		return columns
	}
	return briefColumns
}

// listing reads tickets for a list.
type listing struct {
	from  database.Querier
	known Known
}

// sized is a row of the brief columns.
type sized struct {
	scanner
	size *int
}

func (s sized) Scan(to ...any) error { return s.scanner.Scan(append([]any{s.size}, to...)...) }

// read reads a row. short: its input was left out, and is not known.
func (l listing) read(row scanner) (t Ticket, short bool, err error) {
	if l.known == nil {
		t, err = readTicket(row)
		return t, false, err
	}
	size := 0
	t, bad, err := scanTicket(sized{row, &size})
	if err != nil {
		return t, false, err
	}
	long := size > ShortInput
	if long && bad == nil && !l.known(&t, size) {
		return t, true, nil
	}
	t, err = t.checked(bad, long)
	return t, false, err
}

// complete reads the tickets whose inputs were left out and are not known. One that is not what
// is wanted any more is left out: it has changed meanwhile.
func (p *Page) complete(ctx context.Context, l listing, wanted func(*Ticket) bool) error {
	for _, id := range p.short {
		at := slices.IndexFunc(p.Tickets, func(t Ticket) bool { return t.ID == id })
		t, err := find(ctx, l.from, id)
		_, gone := errors.AsType[*NoTicket](err)
		one, bad := errors.AsType[*Damaged](err)
		switch {
		case err != nil && !gone && !bad:
			return err
		case bad:
			p.Damaged = append(p.Damaged, one)
		}
		if err != nil || !wanted(&t) {
			p.Tickets = slices.Delete(p.Tickets, at, at+1)
		} else {
			p.Tickets[at] = t
		}
	}
	p.short = nil
	return nil
}
