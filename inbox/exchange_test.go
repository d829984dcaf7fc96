package inbox

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A parameter that nobody reads is one by which somebody means something: it is refused, and
// described as such, at every route.
func TestEveryRouteRefusesParametersThatAreNotKnown(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	ada, s := c.as("ada"), newSchemas(t)
	for _, r := range c.routes() {
		path := strings.NewReplacer("{name}", "ben", "{number}", "1").Replace(r.path)
		if strings.Contains(path, "/sessions/") {
			path = strings.Replace(path, "{id}", ticket.Session, 1)
		}
		path = strings.Replace(path, "{id}", ticket.ID, 1)
		for _, query := range []string{"?x=1", "?x", "?%zz"} {
			a := ada.request(r.method, path+query, map[string]string{"POST": "{}"}[r.method])
			if a.status != http.StatusBadRequest || a.code() != string(Invalid) {
				t.Errorf("%s %s%s: %d %s", r.method, path, query, a.status, a.body)
				continue
			}
			s.answer(r.method, r.path, a)
		}
	}
}

// A body is an object, also where there is nothing to say: null is none.
func TestEveryRouteRefusesABodyThatIsNoObject(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	ada := c.as("ada")
	for _, r := range c.routes() {
		if r.method != http.MethodPost {
			continue
		}
		path := strings.NewReplacer("{name}", "ben", "{number}", "1", "/sessions/{id}", "/sessions/"+ticket.Session, "{id}", ticket.ID).Replace(r.path)
		for _, body := range []string{"null", " null\n"} {
			if a := ada.request(r.method, path, body); a.status != http.StatusBadRequest || a.code() != string(Invalid) || !strings.Contains(a.body, "{}") {
				t.Errorf("%s %q: %d %s", path, body, a.status, a.body)
			}
		}
	}
}

// Whoever reads the log needs the cause, and whoever has asked does not get it.
func TestTheLogSaysWhatHasLedToAFault(t *testing.T) {
	w := newWorld(t)
	const token = "hunter2-hunter2-hunter2"
	cause := fmt.Errorf("dial tcp 10.1.2.3:5432: %w", errors.New("refused, with Authorization: Bearer "+token))
	answer := httptest.NewRecorder()
	w.fail(answer, httptest.NewRequest(http.MethodGet, "/api/v1/tickets", nil), &Fault{Status: http.StatusServiceUnavailable, Code: Busy, Message: "the database does not answer", Err: cause})
	if text := w.logged(); !strings.Contains(text, "the database does not answer") || !strings.Contains(text, "10.1.2.3:5432: refused") || strings.Contains(text, token) {
		t.Errorf("the log says %s", text)
	}
	if text := answer.Body.String(); strings.Contains(text, "10.1.2.3") {
		t.Errorf("everybody is told %s", text)
	}
	w.fail(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), broken(errors.New("the same twice")))
	if n := strings.Count(w.logged(), "the same twice"); n != 1 {
		t.Errorf("it stands there %d times: %s", n, w.logged())
	}
}
