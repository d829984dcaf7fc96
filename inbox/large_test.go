package inbox

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/inbox/socket/line"
)

// hoard lets guards hold large calls, each of a session of its own.
func (w *world) hoard(n, size int) (ids []string) {
	w.t.Helper()
	for i := range n {
		input := call("Write", map[string]string{"file_path": w.cwd + "/large", "content": strings.Repeat("a line of text\n", size/15)}).Input
		reply := w.keeper().Keep(w.t.Context(), line.Hold{
			Asker: "codex", Session: fmt.Sprint("large-", i), Tool: "Write", Input: input, Cwd: w.cwd,
			Why: "no rule allows it", Risk: "medium", Kin: "Write", LastsMS: 3_600_000, Places: []string{w.cwd + "/large"}, Nonce: line.NewNonce(),
		})
		ids = append(ids, reply.Ticket)
	}
	return ids
}

// alter changes the row of a ticket behind everybody's back.
func (w *world) alter(id, how string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.Dir, "state.db")+"?_pragma=busy_timeout(5000)")
	w.must(err)
	_, err = db.Exec("UPDATE tickets SET "+how+" WHERE id = $1", id)
	w.must(err)
	w.must(db.Close())
}

// Lists read a long call once, and show it as before. Whoever looks at it, or answers it, gets
// nothing but what its digest is for.
func TestT16_LargeCallsAreReadOnceForLists(t *testing.T) {
	for name, c := range map[string]struct {
		how    string
		listed bool // as before
	}{
		"as it was":           {"", true},
		"another input":       {"input = REPLACE(input, 'line', 'lime')", true}, // which no list shows
		"a longer input":      {"input = REPLACE(input, 'line', 'liner')", false},
		"another tool":        {"tool = 'Edit'", false},
		"another directory":   {"cwd = '/'", false},
		"another digest":      {"digest = 'sha256:0'", false},
		"damage elsewhere":    {"outcome = 'perhaps'", false},
		"answered by nothing": {"state = 'approved'", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.hoard(1, 20_000)[0]
			var first, again listView
			w.get("/api/v1/tickets").into(t, &first)
			if len(first.Tickets) != 1 || !strings.Contains(first.Tickets[0].Sentence, "1333 lines") {
				t.Fatalf("%+v", first)
			}
			if c.how != "" {
				w.alter(id, c.how)
			}
			w.get("/api/v1/tickets").into(t, &again)
			if !c.listed {
				if len(again.Tickets) != 0 || len(again.Damaged) != 1 {
					t.Errorf("%+v", again)
				}
				return
			}
			if len(again.Tickets) != 1 || fmt.Sprint(again.Tickets) != fmt.Sprint(first.Tickets) {
				t.Errorf("%+v, then %+v", first.Tickets, again.Tickets)
			}
			shown, answered := w.get("/api/v1/tickets/"+id), w.approveAs(id, map[string]any{"digest": first.Tickets[0].Digest})
			if intact := c.how == ""; strings.Contains(shown.body, "is damaged") == intact || (answered.status == 200) != intact {
				t.Errorf("shown: %.300s, answered: %d %.300s", shown.body, answered.status, answered.body)
			}
		})
	}
}

func BenchmarkListOfLargeCalls(b *testing.B) {
	w := newWorld(b)
	w.hoard(30, 3_200_000)
	w.get("/api/v1/tickets") // reads them
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		if a := w.get("/api/v1/tickets"); a.status != 200 || strings.Count(a.body, `"tool":"Write"`) != 30 {
			b.Fatal(a.body)
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
