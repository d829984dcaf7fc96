package inbox

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
)

// serveOnce answers a request without a network.
func (w *world) serveOnce(method, target, body string) (status int, text string, ok bool) {
	r, err := http.NewRequest(method, "http://"+w.Hosts[0]+"/", strings.NewReader(body))
	if err != nil {
		return 0, "", false
	}
	path, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawQuery, r.URL.Host, r.URL.Scheme = path, query, "", ""
	r.Host = w.Hosts[0]
	r.Header.Set("Authorization", "Bearer "+testToken)
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	w.Handler().ServeHTTP(rec, r)
	return rec.Code, rec.Body.String(), true
}

// Whatever is sent to a ticket that is denied: it stays so, and nothing breaks.
func FuzzBodies(f *testing.F) {
	w := newWorld(f)
	ticket := w.park(bash("npm test"))[0]
	no := `{"digest":"` + ticket.Digest + `","reason":"no"}`
	if status, text, _ := w.serveOnce("POST", "/api/v1/tickets/"+ticket.ID+"/deny", no); status != 200 {
		f.Fatal(text)
	}
	for _, body := range []string{
		no, `{}`, `[]`, `null`, ``, `{"digest":"` + ticket.Digest + `","input":{"command":"x"},"confirm":"x","rule":{"index":0,"scope":"user"},"undo":true}`,
		`{"digest":"a","digest":"b"}`, `{"input":null}`, `{"input":{"command":"\u202e"}}`, `{"ran":true}`, `{"approve":[{"id":"` + ticket.ID + `","digest":"` + ticket.Digest + `"}]}`, "\xff", `{"answers":["1=x"]}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, route := range w.routes() {
			if route.method != "POST" {
				continue
			}
			path, _ := concrete(route, ticket)
			status, text, ok := w.serveOnce("POST", path, body)
			if !ok {
				continue
			}
			if status >= 500 || strictjson.Valid([]byte(strings.TrimSpace(text))) != nil {
				t.Errorf("%s: %d %s", path, status, text)
			}
		}
		if state := mustState(t, w, ticket.ID); state != approval.Denied {
			t.Errorf("it is %s", state)
		}
	})
}

func mustState(t *testing.T, w *world, id string) approval.State {
	t.Helper()
	ticket, err := w.Tickets.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return ticket.State
}

// Names lead to a ticket, a session or nothing.
func FuzzNames(f *testing.F) {
	w := newWorld(f)
	ticket := w.park(bash("npm test"))[0]
	for _, id := range []string{ticket.ID, ticket.Session, "..", "../../etc/passwd", "a\x00", strings.Repeat("a", 300), "%2e%2e", "", "/", "{id}", "\u202e"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		for _, prefix := range []string{"/api/v1/tickets/", "/api/v1/sessions/"} {
			if strings.Contains(id, "?") {
				return
			}
			status, text, ok := w.serveOnce("GET", prefix+id, "")
			if !ok {
				continue
			}
			known := id == ticket.ID || id == ticket.Session
			if status != 404 && !(known && status == 200) || !known && strings.Contains(text, w.top) {
				t.Errorf("%s%q: %d %s", prefix, id, status, text)
			}
		}
	})
}

// A place in a list is one, or is refused; it never shows a ticket twice in one part.
func FuzzPlaces(f *testing.F) {
	w := newWorld(f)
	for range 3 {
		w.park(bash("npm test"), bash("npm run x"))
	}
	first, err := w.queue(f.Context(), nil, "", 2)
	if err != nil {
		f.Fatal(err)
	}
	for _, after := range []string{first.next, "", "~", "a~b", "pending.1.1.x~aaaaaaaaaaaa.100", "pending.9.9.z", "done.1.1.x", "....", "pending.1.99999999999999999999.x", strings.Repeat("~", 300)} {
		f.Add(after)
	}
	f.Fuzz(func(t *testing.T, after string) {
		p, err := w.queue(t.Context(), nil, after, 2)
		if err != nil {
			if faultOf(err).Code != Invalid {
				t.Errorf("%q: %v", after, err)
			}
			return
		}
		seen := map[string]bool{}
		for _, ticket := range p.tickets {
			if seen[ticket.ID] {
				t.Errorf("%q: %s is there twice", after, ticket.ID)
			}
			seen[ticket.ID] = true
		}
		if len(p.tickets) > 2 {
			t.Errorf("%q: %d tickets", after, len(p.tickets))
		}
	})
}

// Nothing that a model writes hides in a sentence, or breaks it.
func FuzzT8_Sentences(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add("Bash", `{"command":"`+text+`"}`)
	}
	f.Add("Edit", `{"file_path":"a"}`)
	f.Add("AskUserQuestion", `{"questions":[1,null,{"question":[]}]}`)
	f.Add("mcp__a__b", `{"a":1e9,"b":null,"c":[{}]}`)
	f.Fuzz(func(t *testing.T, tool, input string) {
		checkVisible(t, Sentence(approval.Call{Tool: tool, Input: strictjson.Raw(input)}))
	})
}
