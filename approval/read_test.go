package approval

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestListByTheBeginningOfAName(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		var all []string
		for i := range 40 {
			all = append(all, s.park(deploy(fmt.Sprint("s", i))).ID)
		}
		prefixes := []string{"a", "9", "~", "%", "_", "a%", "\xff", "\U0010FFFF"}
		for _, id := range all {
			prefixes = append(prefixes, id[:1], id[:3], id, id+"a", strings.ToUpper(id))
		}
		for _, prefix := range prefixes {
			list, err := s.List(context.Background(), Query{Prefix: prefix})
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			for _, id := range all {
				if strings.HasPrefix(id, prefix) {
					want++
				}
			}
			for _, ticket := range list {
				if !strings.HasPrefix(ticket.ID, prefix) {
					t.Errorf("%s for %q", ticket.ID, prefix)
				}
			}
			if len(list) != want {
				t.Errorf("%q: %d, want %d", prefix, len(list), want)
			}
		}
	})
}

// Nobody reads all tickets to find one, however many there are.
func TestQueriesUseIndexes(t *testing.T) {
	s := newFileStore(t)
	for name, q := range map[string]Query{
		"the beginning of a name": {Prefix: "abc"},
		"a session":               {Session: "s1"},
		"states":                  {States: []State{Pending, Unknown}},
	} {
		text, args := q.text()
		rows, err := s.db.Writer().Query("EXPLAIN QUERY PLAN "+text, args...)
		if err != nil {
			t.Fatal(err)
		}
		var plan []string
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			plan = append(plan, detail)
		}
		if err := rows.Err(); err != nil || len(plan) == 0 || !strings.HasPrefix(plan[0], "SEARCH tickets USING INDEX") {
			t.Errorf("%s: %q, %v", name, plan, err)
		}
		rows.Close()
	}
}
