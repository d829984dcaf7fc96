package inbox

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// windowOf is a name as the page makes one.
func windowOf(n int) string { return fmt.Sprintf("window-%016d", n) }

// openWindow follows as a page does that says what is open in it.
func (w *world) openWindow(name string) *followed {
	w.t.Helper()
	return w.followAt("?window=" + name)
}

// presence is the next word about who has a call open.
func (f *followed) presence() (p presenceView) {
	f.t.Helper()
	for {
		line, err := f.lines.ReadString('\n')
		f.seen.WriteString(line)
		if err != nil {
			f.t.Fatalf("%v after\n%s", err, f.seen.String())
		}
		if line != "event: presence\n" {
			continue
		}
		data, err := f.lines.ReadString('\n')
		if err != nil {
			f.t.Fatal(err)
		}
		if err := strictjson.UnmarshalKnown([]byte(strings.TrimPrefix(data, "data: ")), &p); err != nil {
			f.t.Fatal(err)
		}
		return p
	}
}

func (w *world) lookAs(window, ticket string) answer {
	w.t.Helper()
	return w.post("/api/v1/presence", map[string]string{"window": window, "ticket": ticket})
}

func TestWhoElseIsLooking(t *testing.T) {
	w := newWorld(t)
	w.run()
	tickets := w.park(bash("npm test"), bash("npm run build"))
	one, two := windowOf(1), windowOf(2)
	a, b := w.openWindow(one), w.openWindow(two)

	var seen presenceView
	w.lookAs(one, tickets[0].ID).into(t, &seen)
	if seen.Ticket != tickets[0].ID || len(seen.Others) != 0 {
		t.Errorf("alone: %+v", seen)
	}
	if got := b.presence(); got.Ticket != tickets[0].ID || len(got.Others) != 1 || got.Others[0] != (personView{"ann@test", true}) {
		t.Errorf("the list of the other window: %+v", got)
	}
	w.lookAs(two, tickets[0].ID).into(t, &seen)
	if len(seen.Others) != 1 || seen.Others[0] != (personView{"ann@test", true}) {
		t.Errorf("the second one: %+v", seen)
	}
	if got := a.presence(); got.Ticket != tickets[0].ID || len(got.Others) != 1 {
		t.Errorf("the first one is told: %+v", got)
	}
	w.lookAs(two, tickets[1].ID)
	if got := a.presence(); got.Ticket != tickets[0].ID || len(got.Others) != 0 {
		t.Errorf("the other one has gone on: %+v", got)
	}
	if got := a.presence(); got.Ticket != tickets[1].ID || len(got.Others) != 1 {
		t.Errorf("to another call: %+v", got)
	}
	b.close() // nobody says goodbye who closes a window
	if got := a.presence(); got.Ticket != tickets[1].ID || len(got.Others) != 0 {
		t.Errorf("it is closed: %+v", got)
	}
	w.lookAs(one, "").into(t, &seen)
	if seen.Ticket != "" {
		t.Errorf("%+v", seen)
	}
	c := w.openWindow(two)
	w.lookAs(one, tickets[1].ID)
	if got := c.presence(); got.Ticket != tickets[1].ID || len(got.Others) != 1 {
		t.Errorf("%+v", got)
	}
}

// Who comes later knows at once what the others have open.
func TestANewWindowKnowsWhoIsLooking(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.openWindow(windowOf(1))
	w.lookAs(windowOf(1), ticket.ID)
	if got := w.openWindow(windowOf(2)).presence(); got.Ticket != ticket.ID || len(got.Others) != 1 {
		t.Errorf("%+v", got)
	}
}

// A window whose connection was lost has one place, not two.
func TestAWindowThatComesBackIsOne(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	old := w.openWindow(windowOf(1))
	w.lookAs(windowOf(1), ticket.ID)
	w.openWindow(windowOf(1))
	if _, err := old.lines.ReadString(0); err == nil {
		t.Error("the old connection goes on")
	}
	var seen presenceView
	w.lookAs(windowOf(1), ticket.ID).into(t, &seen)
	if len(seen.Others) != 0 {
		t.Errorf("it sees itself: %+v", seen)
	}
}

// Whoever has another name is shown by it, and cannot move a window that is not theirs.
func TestPeopleAreShownByTheirNames(t *testing.T) {
	b := newBroker()
	ann, _, err := b.join("", "")
	if err != nil {
		t.Fatal(err)
	}
	b.enter(ann, windowOf(1), "ann")
	bob, _, err := b.join("", "")
	if err != nil {
		t.Fatal(err)
	}
	b.enter(bob, windowOf(2), "bob")
	if _, err := b.look(windowOf(2), "ann", "aaaaaaaaaaaa"); faultOf(err).Code != NotFound {
		t.Error("ann moves a window of bob:", err)
	}
	if _, err := b.look(windowOf(1), "ann", "aaaaaaaaaaaa"); err != nil {
		t.Error(err)
	}
	seen, err := b.look(windowOf(2), "bob", "aaaaaaaaaaaa")
	if err != nil || len(seen.Others) != 1 || seen.Others[0] != (personView{"ann", false}) {
		t.Errorf("%+v, %v", seen, err)
	}
}

// Very many windows do not drown each other in news: only who has the same call open is
// told, and of so many by name.
func TestManyWindows(t *testing.T) {
	b := newBroker()
	var all []*follower
	for i := range maxTold + 1 {
		f, _, err := b.join("", "")
		if err != nil {
			t.Fatal(err)
		}
		b.enter(f, windowOf(i), "ann")
		all = append(all, f)
	}
	if _, err := b.look(windowOf(0), "ann", "aaaaaaaaaaaa"); err != nil {
		t.Fatal(err)
	}
	if n := len(all[1].frames); n != 0 {
		t.Errorf("%d batches for somebody who looks at nothing", n)
	}
	var seen presenceView
	for i := range maxTold {
		var err error
		if seen, err = b.look(windowOf(i+1), "ann", "aaaaaaaaaaaa"); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen.Others) != maxNamed || seen.More != maxTold-maxNamed {
		t.Errorf("%d named, %d more", len(seen.Others), seen.More)
	}
}

func TestPresenceRefusesWhatDoesNotFit(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.openWindow(windowOf(1))
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"a window that is not open":   {`{"window":"` + windowOf(2) + `","ticket":"` + ticket.ID + `"}`, 404},
		"a ticket that is not there":  {`{"window":"` + windowOf(1) + `","ticket":"aaaaaaaaaaaa"}`, 404},
		"a ticket with another name":  {`{"window":"` + windowOf(1) + `","ticket":"../me"}`, 404},
		"a window with a short name":  {`{"window":"x","ticket":"` + ticket.ID + `"}`, 400},
		"a window with a strange one": {`{"window":"` + windowOf(1) + `\u0000","ticket":""}`, 400},
		"no window":                   {`{"ticket":""}`, 400},
		"another key":                 {`{"window":"` + windowOf(1) + `","ticket":"","name":"bob"}`, 400},
	} {
		if got := w.request("POST", "/api/v1/presence", c.body); got.status != c.status {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	for _, query := range []string{"?window=x", "?window=", "?window=" + strings.Repeat("a", 65), "?window=" + windowOf(3) + "&window=" + windowOf(4), "?window=%00aaaaaaaaaaaaaaaa"} {
		if got := w.get("/api/v1/events" + query); got.status != 400 {
			t.Errorf("%s: %d", query, got.status)
		}
	}
}

// Looking leaves no trace: who has a call open is known in memory only, and a request that
// only asks makes no window.
func TestT18_PresenceChangesNothing(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	before := w.everything()
	w.openWindow(windowOf(1))
	if got := w.lookAs(windowOf(1), ticket.ID); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		if got := w.request(method, "/api/v1/presence", ""); got.status != 405 {
			t.Errorf("%s: %d", method, got.status)
		}
	}
	if got := w.request(http.MethodHead, "/api/v1/events?window="+windowOf(2), ""); got.status != 200 {
		t.Error(got.status)
	}
	if got := w.lookAs(windowOf(2), ticket.ID); got.status != 404 {
		t.Errorf("HEAD has opened a window: %d", got.status)
	}
	if w.everything() != before {
		t.Error("something was written")
	}
	stranger := func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }
	if got := w.request("POST", "/api/v1/presence", `{"window":"`+windowOf(1)+`","ticket":""}`, stranger); got.status != 401 {
		t.Error(got.status)
	}
}
