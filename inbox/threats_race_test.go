package inbox

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
)

// glimpse is a request of which only the beginning of the answer is looked at: a stream
// has no end.
func (w *world) glimpse(method, path, body string, change ...func(*http.Request)) answer {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	defer stop()
	r, err := http.NewRequestWithContext(ctx, method, w.web.URL+path, strings.NewReader(body))
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+w.bearer)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, c := range change {
		c(r)
	}
	resp, err := w.web.Client().Do(r)
	w.must(err)
	defer resp.Body.Close()
	first := make([]byte, 4096)
	n, _ := resp.Body.Read(first)
	return answer{resp.StatusCode, resp.Header, string(first[:n])}
}

// Whoever looks at a stream of events, in whatever way, has answered nothing, and another
// page is not permitted to look.
func TestT18_FollowingChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.run()
	ticket := w.park(bash("npm test"))[0]
	before := w.everything()
	for _, query := range []string{"", "?after=0", "?after=0&window=abcdefgh", "?approve=" + ticket.ID, "?after=0&digest=" + ticket.Digest, "?_method=POST"} {
		for _, method := range []string{"GET", "HEAD"} {
			a := w.glimpse(method, "/api/v1/events"+query, `{"digest":"`+ticket.Digest+`"}`)
			if a.status >= 500 || a.status == 200 && a.header.Get("Content-Type") != "text/event-stream" {
				t.Errorf("%s %s: %d %v", method, query, a.status, a.header)
			}
		}
		if a := w.glimpse("POST", "/api/v1/events"+query, `{"digest":"`+ticket.Digest+`"}`); a.status != http.StatusMethodNotAllowed {
			t.Errorf("POST %s: %d", query, a.status)
		}
	}
	for name, value := range map[string]string{"Origin": "https://attacker.example", "Sec-Fetch-Site": "cross-site", "Authorization": "Bearer x"} {
		if a := w.glimpse("GET", "/api/v1/events?after=0", "", func(r *http.Request) { r.Header.Set(name, value) }); a.status != 403 && a.status != 401 || strings.Contains(a.body, ticket.ID) {
			t.Errorf("%s %s: %d %s", name, value, a.status, a.body)
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
}

// Two servers and eight people answer the same calls at the same moment, and eight workers
// take them: one answer counts, and one worker runs the call.
func TestT15_OfManyAnswersAndManyWorkersOneCounts(t *testing.T) {
	w := newWorld(t)
	other, err := approval.Open(w.Dir)
	w.must(err)
	defer other.Close()
	config := w.Config
	config.Tickets = other
	second, err := New(config)
	w.must(err)
	doors := []http.Handler{w.Handler(), second.Handler()}
	stores := []*approval.Store{w.Tickets, other}
	const rivals = 8
	for round := range 4 {
		ticket := w.park(bash(fmt.Sprintf("npm run %d", round)))[0]
		var yes, no, claimed atomic.Int32
		together(rivals, func(i int) {
			path, body, said := "/approve", fmt.Sprintf(`{"digest":%q}`, ticket.Digest), &yes
			if i%4 == 3 {
				path, body, said = "/deny", fmt.Sprintf(`{"digest":%q,"reason":"no"}`, ticket.Digest), &no
			}
			r := httptest.NewRequest("POST", "/api/v1/tickets/"+ticket.ID+path, strings.NewReader(body))
			r.Host = w.Hosts[0]
			r.Header.Set("Authorization", "Bearer "+testToken)
			r.Header.Set("Content-Type", "application/json")
			rec := httptest.NewRecorder()
			doors[i%2].ServeHTTP(rec, r)
			switch rec.Code {
			case http.StatusOK:
				said.Add(1)
			case http.StatusConflict:
			default:
				t.Errorf("%d %s", rec.Code, rec.Body)
			}
		})
		// A no after a yes that nobody has used counts, and is the last word.
		if n, m := yes.Load(), no.Load(); n > 1 || m > 1 || n+m == 0 {
			t.Fatalf("round %d: %d yes and %d no were taken", round, n, m)
		}
		together(rivals, func(i int) {
			if _, err := stores[i%2].Claim(t.Context(), ticket.ID, ticket.Call, nil, fmt.Sprint("worker ", i)); err == nil {
				claimed.Add(1)
			}
		})
		want := int32(1)
		if no.Load() > 0 {
			want = 0
		}
		if n := claimed.Load(); n != want {
			t.Errorf("round %d: %d workers run it, want %d", round, n, want)
		}
	}
}

// together does something several times at the same moment.
func together(n int, do func(i int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	all.Wait()
}

// Whoever has no token learns nothing from how long an answer takes: not whether there is
// such a ticket or session, and not how much of a token is right.
func TestT12_TimeTellsNothing(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	handler := w.Handler()
	ask := func(path, token string) func() time.Duration {
		return func() time.Duration {
			r := httptest.NewRequest("GET", path, nil)
			r.Host = w.Hosts[0]
			r.Header.Set("Authorization", "Bearer "+token)
			rec := httptest.NewRecorder()
			began := time.Now()
			handler.ServeHTTP(rec, r)
			took := time.Since(began)
			if rec.Code != http.StatusUnauthorized && token != testToken {
				t.Fatalf("%s: %d", path, rec.Code)
			}
			return took
		}
	}
	wrong := strings.Repeat("x", len(testToken))
	there, absent := "/api/v1/tickets/"+ticket.ID, "/api/v1/tickets/zzzzzzzzzzzz"
	for name, pair := range map[string][2]func() time.Duration{
		"a ticket":                    {ask(there, wrong), ask(absent, wrong)},
		"a session":                   {ask("/api/v1/sessions/"+ticket.Session, wrong), ask("/api/v1/sessions/00000000-0000-4000-8000-000000000000", wrong)},
		"the beginning of a token":    {ask(there, testToken[:len(testToken)-1]+"x"), ask(there, wrong)},
		"the length of a token":       {ask(there, "x"), ask(there, wrong)},
		"a token that ends too early": {ask(there, testToken[:len(testToken)-1]), ask(there, wrong)},
	} {
		if !alike(5, 300, pair[0], pair[1]) {
			t.Errorf("%s can be told by the time", name)
		}
	}
	if alike(1, 30, ask(there, testToken), ask(there, wrong)) {
		t.Error("the clock is too coarse: it cannot tell a ticket that is read from a request that is refused")
	}
	w.must(w.Tickets.Close()) // who has no token has not come so far that anybody would notice
	for _, path := range []string{there, absent} {
		ask(path, wrong)()
	}
}

// alike: of several series at least one does not tell two kinds of requests apart. The
// machine has other things to do, so they take turns, and their middles are compared.
func alike(series, requests int, a, b func() time.Duration) bool {
	const most = 1.5
	for range series {
		var first, second []time.Duration
		for range requests {
			first, second = append(first, a()), append(second, b())
		}
		slices.Sort(first)
		slices.Sort(second)
		ratio := float64(first[requests/2]) / float64(second[requests/2])
		if ratio < most && ratio > 1/most {
			return true
		}
	}
	return false
}
