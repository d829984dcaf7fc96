package inbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/room"
)

// many are more connections than a server has, whatever they do.
const many = 2100

// attack opens many connections to a server and says something on each of them. Each is there
// before the next one comes if the server answers.
func (w *world) attack(says string, answers bool) {
	w.t.Helper()
	if room.Fits(many) < many {
		w.t.Skip("this process cannot have so many files open")
	}
	address := w.web.Listener.Addr().String()
	for range many {
		conn, err := net.Dial("tcp", address)
		w.must(err)
		w.t.Cleanup(func() { conn.Close() })
		if _, err := io.WriteString(conn, strings.ReplaceAll(says, "HOST", address)); err != nil {
			w.t.Fatal(err)
		}
		if !answers {
			continue
		}
		w.must(conn.SetReadDeadline(time.Now().Add(30 * time.Second)))
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, " 200 ") {
			w.t.Fatalf("%q, %v", line, err)
		}
	}
}

// works: somebody else finds everything as ever, each time over a new connection.
func (w *world) works(name string, ticket approval.Ticket) {
	w.t.Helper()
	anew := func(r *http.Request) { r.Close = true }
	for _, path := range []string{"/healthz", "/readyz", "/", "/api/v1/me", "/api/v1/tickets", "/api/v1/tickets/" + ticket.ID} {
		want := http.StatusOK
		if path == "/" && w.Page == nil {
			want = http.StatusNotFound
		}
		if a := w.request("GET", path, "", anew); a.status != want {
			w.t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	events := w.follow0(0)
	if got := events.next(); got.Ticket != ticket.ID {
		w.t.Errorf("%+v", got)
	}
	if name != "" {
		body := fmt.Sprintf(`{"name":%q,"password":%q}`, name, passwordOf(name))
		if a := w.request("POST", signInAt, body, anew); a.status != http.StatusOK {
			w.t.Errorf("signing in: %d %s", a.status, a.body)
		}
	}
	if a := w.request("POST", "/api/v1/tickets/"+ticket.ID+"/deny", fmt.Sprintf(`{"digest":%q,"reason":"no"}`, ticket.Digest), anew); a.status != http.StatusOK {
		w.t.Errorf("denying: %d %s", a.status, a.body)
	}
}

// One client with as many connections as it likes: the others work as if it were not there.
func TestT16_OneClientLocksNobodyOut(t *testing.T) {
	const head = " HTTP/1.1\r\nHost: HOST\r\n"
	for name, c := range map[string]struct {
		says    string
		answers bool
		said    string
	}{
		"streams of one person":       {says: "GET /api/v1/events?after=0" + head + "Authorization: Bearer TOKEN\r\n\r\n", answers: true, said: "streams of events were ended to make room for new ones\" last=vera"},
		"silent connections":          {said: "kind=silent"},
		"requests that are not whole": {says: "GET /" + head + "X-Slow: ", said: "kind=silent"},
		"sign-ins that are not whole": {says: "POST " + signInAt + head + "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{", said: "kind=silent"},
		"bodies of one person that do not come": {
			says: "POST /api/v1/presence" + head + "Authorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{", said: "last=vera",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCrowd(t)
			w.run()
			ticket := w.park(bash("npm test"))[0]
			w.attack(strings.ReplaceAll(c.says, "TOKEN", w.tokens["vera"]), c.answers)
			w.as("ben").works("abe", ticket)
			if log := w.logged(); !strings.Contains(log, c.said) || strings.Count(log, "to make room") > 2 {
				t.Errorf("the log: %s", log)
			}
		})
	}
}

// Where all have one token the newest streams stay, so a page can always be opened.
func TestT16_OneTokenLocksNobodyOut(t *testing.T) {
	w := newWorld(t)
	w.run()
	ticket := w.park(bash("npm test"))[0]
	w.attack("GET /api/v1/events?after=0 HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer "+testToken+"\r\n\r\n", true)
	w.works("", ticket)
}

// Searches are few at once. One who sends many waits for his own.
func TestT16_SearchesOfOnePersonLeaveRoom(t *testing.T) {
	w := newWorld(t)
	search := func(ctx context.Context, name string) (func(), error) {
		return w.turn(httptest.NewRequestWithContext(context.WithValue(ctx, visitorKey{}, &visitor{name: name, token: "t"}), "GET", "/", nil))
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	done, err := search(t.Context(), "vera")
	w.must(err)
	for range 100 {
		if _, err := search(over, "vera"); err == nil {
			t.Fatal("two searches of one person at once")
		}
	}
	others, err := search(t.Context(), "ben")
	w.must(err)
	others()
	done()
	done, err = search(t.Context(), "vera")
	w.must(err)
	done()
	if len(w.searches) != 0 {
		t.Error("a search that is over takes room")
	}
}
