package approval

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// A long input is left out of a list for whoever knows the call. What is not known is read, and
// checked, and what is wrong with the rest of a row is found in any case.
func TestT16_ListsLeaveOutWhatIsKnown(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		long := strictjson.Raw(`{"command":"deploy ` + strings.Repeat("x", ShortInput) + `"}`)
		for name, c := range map[string]struct {
			known  bool
			damage string
			listed string // what is listed of the input
			bad    bool
		}{
			"not known":                    {false, "", long.String(), false},
			"known":                        {true, "", "", false},
			"not known, and another input": {false, "input = REPLACE(input, 'deploy', 'delete')", "", true},
			"known, and another input":     {true, "input = REPLACE(input, 'deploy', 'delete')", "", false},
			"known, and damaged":           {true, "outcome = 'perhaps'", "", true},
		} {
			t.Run(name, func(t *testing.T) {
				s := newStore(t)
				call := deploy("s1")
				call.Input = long
				ticket, short := s.park(call), s.park(deploy("s2"))
				if c.damage != "" {
					s.damage(ticket.ID, c.damage)
				}
				known := func(of *Ticket, size int) bool {
					if of.ID != ticket.ID || size != len(long) || of.Digest != ticket.Digest || of.Tool != ticket.Tool {
						t.Errorf("asked for %s of %d bytes", of.ID, size)
					}
					return c.known
				}
				for list, read := range map[string]func() (Page, error){
					"queue": func() (Page, error) { return s.QueueKnowing(t.Context(), known, nil, "", 10) },
					"past":  func() (Page, error) { return s.PastKnowing(t.Context(), known, "", "", 10) },
				} {
					page, err := read()
					must(t, err)
					if c.bad {
						if len(page.Damaged) != 1 || !slices.Equal(names(page.Tickets), []string{short.ID}) {
							t.Errorf("%s: %v, and damaged %v", list, names(page.Tickets), page.Damaged)
						}
						continue
					}
					if len(page.Tickets) != 2 || len(page.Damaged) > 0 {
						t.Fatalf("%s: %v, and damaged %v", list, names(page.Tickets), page.Damaged)
					}
					for _, listed := range page.Tickets {
						want := short.Input.String()
						if listed.ID == ticket.ID {
							want = c.listed
						}
						if listed.Input.String() != want {
							t.Errorf("%s: %.40q, want %.40q", list, listed.Input, want)
						}
					}
				}
				if _, err := s.Find(t.Context(), ticket.ID); (err != nil) != (c.damage != "") {
					t.Errorf("whoever wants this one gets: %v", err)
				}
				if page, err := s.PastKnowing(t.Context(), known, "xxxx", "", 10); err != nil || c.damage == "" && len(page.Tickets) != 1 {
					t.Errorf("a search finds %v, %v", names(page.Tickets), err)
				}
			})
		}
	})
}
