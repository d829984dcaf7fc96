package inbox

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// fill writes tickets as they are after years, far faster than they come.
func (w *world) fill(n int) {
	w.t.Helper()
	pattern := w.park(bash("npm test"))[0]
	w.must(w.Tickets.Close())
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.Dir, "state.db")+"?_pragma=cache_size(-1000000)&_pragma=synchronous(OFF)&_pragma=journal_mode(OFF)")
	w.must(err)
	_, err = db.Exec(`WITH RECURSIVE some(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM some WHERE i < $1)
		INSERT INTO tickets SELECT printf('%012d', i), session, printf('call%09d', i), tool, input, cwd, digest, policy, why,
			CASE WHEN i % 2 = 0 THEN 'pending' ELSE 'done' END, fence, created - i * 1000, 0, outcome, holder, answer, asker, 1 + i % 3, kin, edits
		FROM some, tickets WHERE tickets.id = $2`, n, pattern.ID)
	w.must(err)
	w.must(db.Close())
	w.Tickets, err = approval.Open(w.Dir)
	w.must(err)
	w.must(w.Tickets.Share(4))
	w.t.Cleanup(func() { w.Tickets.Close() })
}

func BenchmarkFirstPage(b *testing.B) {
	const most = 1_000_000
	for _, n := range []int{1_000, 100_000, most} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n == most && testing.Short() {
				b.Skip("it takes a minute to write a million tickets")
			}
			w := newWorld(b)
			w.fill(n)
			var took []time.Duration
			for b.Loop() {
				begun := time.Now()
				if a := w.get("/api/v1/tickets"); a.status != 200 {
					b.Fatal(a.body)
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

// BenchmarkFollowers measures how long it takes until the last of a thousand followers has
// heard of a change that another process has made.
func BenchmarkFollowers(b *testing.B) {
	const followers = 1000
	w := newWorld(b)
	w.run()
	transport := &http.Transport{MaxIdleConnsPerHost: followers}
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithCancel(b.Context())
	var all, heard sync.WaitGroup
	defer all.Wait()
	defer cancel()
	var connected sync.WaitGroup
	connected.Add(followers)
	for range followers {
		all.Go(func() {
			r, err := http.NewRequestWithContext(ctx, "GET", w.web.URL+"/api/v1/events?after=0", nil)
			if err != nil {
				b.Error(err)
				return
			}
			r.Header.Set("Authorization", "Bearer "+testToken)
			resp, err := transport.RoundTrip(r)
			connected.Done()
			if err != nil || resp.StatusCode != 200 {
				b.Error(err)
				return
			}
			defer resp.Body.Close()
			for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
				if strings.HasPrefix(lines.Text(), "data: ") {
					heard.Done()
				}
			}
		})
	}
	connected.Wait()
	other, err := approval.Open(w.Dir)
	w.must(err)
	defer other.Close()
	var took []time.Duration
	i := 0
	for b.Loop() {
		i++
		heard.Add(followers)
		begun := time.Now()
		_, err := other.Park(b.Context(), approval.Parking{Call: approval.Call{Session: "s", ToolUseID: fmt.Sprint(i), Tool: "Bash", Input: bash("npm test").Input, Cwd: w.cwd}, Risk: permission.LowRisk})
		w.must(err)
		heard.Wait()
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

// BenchmarkApprove is a yes over HTTP, with everything that is checked before.
func BenchmarkApprove(b *testing.B) {
	w := newWorld(b)
	var tickets []approval.Ticket
	for range 200 {
		tickets = append(tickets, w.park(bash("npm test"))[0])
	}
	i := 0
	for b.Loop() {
		if i == len(tickets) {
			b.StopTimer()
			tickets = append(tickets, w.park(bash("npm test"))[0])
			b.StartTimer()
		}
		t := tickets[i]
		if a := w.post("/api/v1/tickets/"+t.ID+"/approve", map[string]any{"digest": t.Digest}); a.status != 200 {
			b.Fatal(a.body)
		}
		i++
	}
}
