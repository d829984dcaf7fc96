package inbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
)

// followed is a stream of events that somebody reads.
type followed struct {
	t     testing.TB
	lines *bufio.Reader
	seen  strings.Builder
	close func()
}

// follow0 follows the changes after a serial number.
func (w *world) follow0(after int64) *followed {
	w.t.Helper()
	return w.followAt(fmt.Sprintf("?after=%d", after))
}

// followAt follows with the parameters of a query.
func (w *world) followAt(query string) *followed {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", w.web.URL+"/api/v1/events"+query, nil)
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+w.bearer)
	resp, err := w.web.Client().Do(r)
	w.must(err)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Cache-Control") != "no-store" {
		w.t.Fatal(resp.Status, resp.Header)
	}
	stop := func() { cancel(); resp.Body.Close() }
	w.t.Cleanup(stop)
	return &followed{t: w.t, lines: bufio.NewReader(resp.Body), close: stop}
}

// next is the next change.
func (f *followed) next() (c changeView) {
	f.t.Helper()
	for {
		line, err := f.lines.ReadString('\n')
		f.seen.WriteString(line)
		if err != nil {
			f.t.Fatalf("%v after\n%s", err, f.seen.String())
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			if err := strictjson.UnmarshalKnown([]byte(data), &c); err != nil {
				f.t.Fatal(err)
			}
			return c
		}
	}
}

func (f *followed) text() string { return f.seen.String() }

func TestEventsAreToldWithoutAGap(t *testing.T) {
	w := newWorld(t)
	w.run()
	first := w.park(bash("npm test"))[0] // before anybody follows
	a := w.follow0(0)
	if got := a.next(); got.Ticket != first.ID || got.Serial != 1 || got.To != "pending" || got.Who != "test" || got.At.IsZero() {
		t.Errorf("%+v", got)
	}
	const more = 50
	go func() {
		for i := range more {
			_, _ = w.Tickets.Park(t.Context(), approval.Parking{Call: approval.Call{Session: "s", ToolUseID: fmt.Sprint(i), Tool: "Bash", Input: strictjson.Raw(`{"command":"x"}`), Cwd: "/"}})
		}
	}()
	for serial := int64(2); serial < 2+more/2; serial++ {
		if got := a.next(); got.Serial != serial {
			t.Fatalf("%+v, want %d", got, serial)
		}
	}
	a.close()
	b := w.follow0(1 + more/2) // it goes on where the other one has stopped
	for serial := int64(2 + more/2); serial <= 1+more; serial++ {
		if got := b.next(); got.Serial != serial {
			t.Fatalf("%+v, want %d", got, serial)
		}
	}
	w.announce("s", "running")
	for !strings.Contains(b.text(), `data: {"session":"s","state":"running"}`) {
		line, err := b.lines.ReadString('\n')
		w.must(err)
		b.seen.WriteString(line)
	}
}

func TestEventsAfterWhatIsNotThere(t *testing.T) {
	w := newWorld(t)
	w.park(bash("npm test"))
	for after, want := range map[string]string{"2": "changed", "-1": "invalid", "x": "invalid", "1e3": "invalid", "99999999999999999999": "invalid", "": "invalid", "0&after=1": "invalid", "0&x=1": "invalid"} {
		if got := w.get("/api/v1/events?after=" + after); got.code() != want {
			t.Errorf("after %s: %d %s", after, got.status, got.body)
		}
	}
}

// Somebody who does not read costs the others nothing, and is sent away.
func TestASlowFollowerIsSentAway(t *testing.T) {
	b := newBroker()
	slow, _, err := b.join("", "")
	if err != nil {
		t.Fatal(err)
	}
	quick, _, err := b.join("", "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxBehind + 1 {
		b.tell([]frame{{serial: int64(i + 1)}})
		if got := <-quick.frames; got[0].serial != int64(i+1) {
			t.Fatal(got)
		}
	}
	select {
	case <-slow.gone:
	default:
		t.Error("the slow one is still there")
	}
	select {
	case <-quick.gone:
		t.Error("the quick one is gone")
	default:
	}
	b.leave(slow) // which it does when it notices
	b.close()
	if _, _, err := b.join("", ""); faultOf(err).Code != Busy {
		t.Error(err)
	}
	<-quick.gone
}

// One who opens stream after stream ends his own, and the newest of them works.
func TestT16_NotTooManyFollow(t *testing.T) {
	b := newBroker()
	follow := func(who string) (f, gone *follower) {
		f, gone, err := b.join("", who)
		if err != nil {
			t.Fatal(err)
		}
		return f, gone
	}
	ben, _ := follow("ben")
	first, _ := follow("vera")
	for len(b.followers) < maxFollowers {
		follow("vera")
	}
	ada, gone := follow("ada")
	if gone != first || len(b.followers) != maxFollowers {
		t.Errorf("%+v is gone, %d follow", gone, len(b.followers))
	}
	<-first.gone
	last, gone := follow("vera")
	if gone.place.Who != "vera" {
		t.Errorf("%+v", gone.place)
	}
	for _, f := range []*follower{ben, ada, last} {
		if _, follows := b.followers[f]; !follows {
			t.Errorf("one of %s is gone", f.place.Who)
		}
	}
	b.leave(first) // which it does when it notices
	b.leave(last)
	if _, gone := follow("eve"); gone != nil {
		t.Error("there was room")
	}
}

// pipe is a response that somebody reads as it is written.
type pipe struct {
	header http.Header
	*io.PipeWriter
}

func (p pipe) Header() http.Header { return p.header }
func (pipe) WriteHeader(int)       {}
func (pipe) Flush()                {}

func TestAFollowerHearsThatTheServerIsThere(t *testing.T) {
	w := newWorld(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, "GET", "/api/v1/events?after=0", nil)
		reader, writer := io.Pipe()
		follower := make(chan struct{})
		go func() {
			defer close(follower)
			out := &outlet{w: pipe{http.Header{}, writer}, control: http.NewResponseController(pipe{http.Header{}, writer})}
			f, _, err := w.events.join("", "")
			if err != nil {
				t.Error(err)
			}
			defer w.events.leave(f)
			_ = w.listen(r, out, f)
		}()
		lines := bufio.NewReader(reader)
		for range 3 {
			begun := time.Now()
			line, err := lines.ReadString('\n')
			if err != nil || line != ": ping\n" || time.Since(begun) != pingEvery {
				t.Errorf("%q, %v after %v", line, err, time.Since(begun))
			}
			_, _ = lines.ReadString('\n')
		}
		cancel()
		<-follower
	})
}

func TestRunSendsFollowersAway(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	w.park(bash("npm test"))
	f := w.follow0(0)
	f.next()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(f.lines); err != nil || strings.Contains(string(rest), "event") {
		t.Errorf("%q, %v", rest, err)
	}
	if got := w.get("/api/v1/events?after=0"); got.code() != "busy" {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// A session is removed, with the newest changes: who follows goes on where they were.
func TestA3_FollowersGoOnAfterASessionWasRemoved(t *testing.T) {
	w := newWorld(t)
	w.park(bash("npm test"))
	last := w.park(bash("npm run x"))[0]
	serial, err := w.Tickets.Latest(t.Context())
	w.must(err)
	w.must(w.Tickets.Forget(t.Context(), last.Session))
	if got := w.request("HEAD", fmt.Sprintf("/api/v1/events?after=%d", serial), ""); got.status != 200 {
		t.Errorf("after=%d: %d", serial, got.status)
	}
	if got := w.request("HEAD", fmt.Sprintf("/api/v1/events?after=%d", serial+1), ""); got.status != 409 {
		t.Errorf("after=%d: %d", serial+1, got.status)
	}
}
