package inbox

import (
	"strings"
	"sync"

	"github.com/assent-dev/assent/approval"
)

// rows are the tickets of one list. What lists show of long calls is remembered, so that these
// are not read, and checked, again for every list: a few of them, as long as they can be, would
// make each one slow.
type rows struct {
	// left is what is shown of those that are read without their inputs, by their names.
	left map[string]saying
}

func newRows() *rows { return &rows{map[string]saying{}} }

// knows: what is shown of a ticket is remembered; see [approval.Known].
func (r *rows) knows(t *approval.Ticket, size int) bool {
	said, known := shownRows.recall(rowOf(t, size))
	if known {
		r.left[t.ID] = said
	}
	return known
}

// items are tickets as the list shows them.
func (r *rows) items(tickets []approval.Ticket) []item {
	all := make([]item, 0, len(tickets))
	for i := range tickets {
		all = append(all, itemSaying(tickets[i], r.saying(&tickets[i])))
	}
	return all
}

func (r *rows) saying(t *approval.Ticket) saying {
	if said, left := r.left[t.ID]; left && len(t.Input) == 0 {
		return said
	}
	said := sayingOfTicket(*t)
	if len(t.Input) > approval.ShortInput {
		shownRows.remember(rowOf(t, len(t.Input)), said)
	}
	return said
}

// sayingOfTicket is what is shown of a ticket that was read with its input.
func sayingOfTicket(t approval.Ticket) saying {
	said := sentences.look(t.Call)
	said.shown = shownBy(said, t.Call, t.Places)
	return said
}

// row tells tickets apart by all of which their calls consist, the input by its digest and size.
// The digest is that of the input where somebody relies on it: only then it was checked.
type row struct {
	id, digest, tool, cwd, session, places string
	size                                   int
	relied                                 bool
}

func rowOf(t *approval.Ticket, size int) row {
	return row{t.ID, t.Digest, t.Tool, t.Cwd, t.Session, strings.Join(t.Places, "\x00"), size, t.Relied()}
}

// shownRows is what lists have shown of long calls.
var shownRows rowMemory

type rowMemory struct {
	mu  sync.Mutex
	all map[row]saying
}

func (m *rowMemory) recall(r row) (saying, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	said, known := m.all[r]
	return said, known
}

func (m *rowMemory) remember(r row, said saying) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil || len(m.all) >= maxRemembered {
		m.all = map[row]saying{} // those that are still looked at come back
	}
	m.all[r] = said
}
