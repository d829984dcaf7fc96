package approval

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// What is asked with every request goes by an index: the time must not grow with what waits.
func TestA1_EveryRequestGoesByAnIndex(t *testing.T) {
	c := newFileStore(t)
	for text, index := range map[string]string{
		"SELECT id FROM tickets WHERE state = 'pending' AND expires > 0 AND expires <= 5":                                                "tickets_due",
		"SELECT id FROM tickets WHERE state = 'pending' ORDER BY risk DESC, created DESC, id DESC LIMIT 51":                              "tickets_by_state",
		"SELECT id FROM tickets WHERE state = 'pending' AND (risk, created, id) < (2, 5, 'x') ORDER BY risk DESC, created DESC, id DESC": "tickets_by_state",
		"SELECT id FROM tickets WHERE (created, id) < (5, 'x') ORDER BY created DESC, id DESC LIMIT 51":                                  "tickets_by_age",
		"SELECT id FROM tickets WHERE kin = 'k' ORDER BY created DESC LIMIT 5":                                                           "tickets_by_kin",
		"SELECT id FROM tickets WHERE session = 's' AND call = 'c'":                                                                      "tickets_by_call",
		"SELECT serial FROM history WHERE serial > 5 ORDER BY serial LIMIT 5":                                                            "INTEGER PRIMARY KEY",
	} {
		rows, err := c.db.Writer().QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+text)
		if err != nil {
			t.Fatal(err)
		}
		var plan strings.Builder
		for rows.Next() {
			var a, b, d int
			var detail string
			if err := rows.Scan(&a, &b, &d, &detail); err != nil {
				t.Fatal(err)
			}
			plan.WriteString(detail + "\n")
		}
		rows.Close()
		if got := plan.String(); !strings.Contains(got, index) || strings.Contains(got, "TEMP B-TREE") {
			t.Errorf("%s\ngoes by %s, want %s without sorting", text, got, index)
		}
	}
}

// A ticket that is changed is found by its id, also where the server has not looked at the tables yet.
func TestA4_AChangeFindsItsTicketByItsID(t *testing.T) {
	c := newServerStore(t)
	for i := range 400 {
		c.park(deploy(fmt.Sprint("s", i)))
	}
	row := c.db.Writer().QueryRowContext(t.Context(), "EXPLAIN (FORMAT JSON) UPDATE tickets SET fence = 1 WHERE id = 'x' AND "+inState+"'pending' AND fence = 0")
	var plan string
	if err := row.Scan(&plan); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plan, "tickets_pkey") {
		t.Errorf("it goes by %s", plan)
	}
}
