package inbox

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/people"
)

func signInBody(name, password string) map[string]any {
	return map[string]any{"name": name, "password": password}
}

// yes approves a call as it was parked.
func (w *world) yes(t approval.Ticket, more ...string) answer {
	w.t.Helper()
	body := map[string]any{"digest": t.Digest}
	for i := 0; i+1 < len(more); i += 2 {
		body[more[i]] = more[i+1]
	}
	return w.post("/api/v1/tickets/"+t.ID+"/approve", body)
}

// People come in with their passwords, and with nothing else: not by the token of the server,
// and not after they have gone.
func TestA4_PeopleSignIn(t *testing.T) {
	c := newCrowd(t)
	if a := c.get("/api/v1/me"); a.status != 401 {
		t.Errorf("the token of the server: %d %s", a.status, a.body)
	}
	var ways waysIn
	c.get(signInAt).into(t, &ways)
	if !ways.People || ways.OIDC != nil {
		t.Errorf("%+v", ways)
	}
	var in signInView
	c.post(signInAt, signInBody("vera", passwordOf("vera"))).into(t, &in)
	if in.Name != "vera" || in.Shown != "Mx vera" || in.Role != "viewer" || !strings.HasPrefix(in.Token, "asp_") || in.Until.Before(time.Now().Add(time.Hour)) {
		t.Errorf("%+v", in)
	}
	c.tokens["vera"] = in.Token
	var me meView
	c.as("vera").get("/api/v1/me").into(t, &me)
	if me.Name != "vera" || me.Role != "viewer" || me.May.Answer || me.May.Manage || !me.People || len(me.For) != 0 {
		t.Errorf("%+v", me)
	}
	c.as("vera").post("/api/v1/sign-out", map[string]any{}).into(t, new(done))
	if a := c.as("vera").get("/api/v1/me"); a.status != 401 || a.header.Get("WWW-Authenticate") == "" {
		t.Errorf("after the end: %d %s", a.status, a.body)
	}
	if a := newWorld(t).post(signInAt, signInBody("vera", "x")); a.status != 404 {
		t.Errorf("where there are no people: %d %s", a.status, a.body)
	}
}

// Who tries passwords has to wait, and the log has neither what he tries nor the right ones.
func TestT1_PasswordsAreTriedSlowly(t *testing.T) {
	c := newCrowd(t)
	last := answer{}
	for range 8 {
		if last = c.post(signInAt, signInBody("abe", "guessed-guessed")); last.status != 401 {
			break
		}
	}
	if last.status != 429 || last.code() != "busy" || last.header.Get("Retry-After") == "" || last.header.Get("Retry-After") == "0" {
		t.Errorf("%d %s %s", last.status, last.header.Get("Retry-After"), last.body)
	}
	c.post(signInAt, signInBody("guessed-guessed", "abe"))
	c.post(signInAt, signInBody("vera", passwordOf("vera"))).into(t, new(signInView))
	c.as("ada").post("/api/v1/people/vera/password", map[string]any{"password": "another password"}).into(t, new(memberView))
	log := c.logged()
	for _, secret := range []string{"guessed", "password of", "another password", "asp_"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log says %q:\n%s", secret, log)
		}
	}
	if !strings.Contains(log, "turned away") || !strings.Contains(log, `msg="signed in" who=vera`) {
		t.Error(log)
	}
}

// A page of somebody else signs nobody in, neither as its victim nor as the attacker.
func TestT2_SigningInFromAnotherPage(t *testing.T) {
	c := newCrowd(t)
	body := fmt.Sprintf(`{"name":"abe","password":%q}`, passwordOf("abe"))
	for name, value := range map[string]string{"Origin": "https://attacker.example", "Sec-Fetch-Site": "cross-site"} {
		if a := c.request("POST", signInAt, body, func(r *http.Request) { r.Header.Set(name, value) }); a.status != 403 || strings.Contains(a.body, "asp_") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if a := c.request("POST", signInAt, body, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }); a.status != 415 {
		t.Errorf("a form: %d %s", a.status, a.body)
	}
	if a := c.request("POST", signInAt, body, func(r *http.Request) { r.Host = "attacker.example" }); a.status != 421 {
		t.Errorf("another name: %d %s", a.status, a.body)
	}
}

// What a person may not do any more he may not do from that moment on, and his programs
// neither.
func TestA4_TheTokenOfADisabledPerson(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	c.tokens["program"] = c.program("abe", people.Approver)
	c.as("abe").look(ticket.ID)
	c.as("ada").post("/api/v1/people/abe/disable", map[string]any{}).into(t, new(memberView))
	for _, who := range []string{"abe", "program"} {
		if a := c.as(who).yes(ticket); a.status != 401 {
			t.Errorf("%s: %d %s", who, a.status, a.body)
		}
	}
	c.as("ada").post("/api/v1/people/ben/role", map[string]any{"role": "viewer"}).into(t, new(memberView))
	if a := c.as("ben").yes(ticket); a.status != 401 {
		t.Errorf("with the role of before: %d %s", a.status, a.body)
	}
	if c.state(ticket.ID) != approval.Pending {
		t.Error(c.state(ticket.ID))
	}
}

// A viewer answers nothing, by whatever route, and is told why.
func TestA4_AViewerAnswersNothing(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	w := c.as("vera")
	if d := w.look(ticket.ID); d.MayAnswer || !strings.Contains(d.MayNotWhy, "viewer") {
		t.Errorf("%v %q", d.MayAnswer, d.MayNotWhy)
	}
	for what, body := range map[string]map[string]any{
		"approve": {"digest": ticket.Digest}, "deny": {"digest": ticket.Digest, "reason": "no"}, "undo": {"digest": ticket.Digest}, "send": {"digest": ticket.Digest}, "resolve": {"ran": true},
	} {
		if a := w.post("/api/v1/tickets/"+ticket.ID+"/"+what, body); a.status != 403 || a.code() != "forbidden" || !strings.Contains(a.body, "vera") {
			t.Errorf("%s: %d %s", what, a.status, a.body)
		}
	}
	if a := w.post("/api/v1/batch", map[string]any{"approve": []any{map[string]any{"id": ticket.ID, "digest": ticket.Digest}}}); a.status != 403 {
		t.Errorf("a batch: %d %s", a.status, a.body)
	}
	w.post("/api/v1/tickets/"+ticket.ID+"/comment", map[string]any{"text": "wait"}).into(t, new(detailView))
	d := c.as("abe").look(ticket.ID)
	if last := d.History[len(d.History)-1]; last.Kind != "comment" || last.Who != "vera" || last.Note != "wait" || c.state(ticket.ID) != approval.Pending {
		t.Errorf("%+v", last)
	}
}

// A program answers with the token of its person, through the client that commands use.
func TestA4_AProgramOfAPerson(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	for _, role := range []people.Role{people.Viewer, people.Approver} {
		want := map[people.Role]int{people.Viewer: 403}[role]
		web, err := client.New(c.web.URL, c.program("abe", role))
		c.must(err)
		me, err := web.Me(t.Context())
		c.must(err)
		if me.Name != "abe" || me.Role != role.String() {
			t.Errorf("%+v", me)
		}
		_, err = web.Approve(t.Context(), ticket.ID, client.Yes{Digest: ticket.Digest})
		if refused, is := err.(*client.Error); is && refused.Status != want || !is && (err != nil || want != 0) {
			t.Errorf("as %s: %v", role, err)
		}
		if want != 0 && c.state(ticket.ID) != approval.Pending {
			t.Fatal(c.state(ticket.ID))
		}
	}
	if a := c.found(ticket.ID).Answer; a == nil || !strings.HasPrefix(a.By, "abe (token ") || a.Voter != "" {
		t.Errorf("%+v", a)
	}
}

// What is said here stands under the name of the person, and only he takes it back.
func TestA4_AnAnswerIsThePersons(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	var d detailView
	c.as("abe").post("/api/v1/tickets/"+ticket.ID+"/approve", map[string]any{"digest": ticket.Digest, "undo": true}).into(t, &d)
	if d.Answer.By != "abe" || d.Undo == nil {
		t.Errorf("%+v %v", d.Answer, d.Undo)
	}
	if d := c.as("ada").look(ticket.ID); d.Undo != nil {
		t.Error("somebody else is offered to take it back")
	}
	undo := map[string]any{"digest": ticket.Digest}
	if a := c.as("ada").post("/api/v1/tickets/"+ticket.ID+"/undo", undo); a.status != 403 || !strings.Contains(a.body, "abe") {
		t.Errorf("%d %s", a.status, a.body)
	}
	c.as("abe").post("/api/v1/tickets/"+ticket.ID+"/undo", undo).into(t, new(detailView))
	c.as("ben").post("/api/v1/tickets/"+ticket.ID+"/deny", map[string]any{"digest": ticket.Digest, "reason": "no"}).into(t, new(detailView))
	log := c.logged()
	for _, line := range []string{"msg=approved ticket=" + ticket.ID + " by=abe", `msg="taken back" ticket=` + ticket.ID + " by=abe", "msg=denied ticket=" + ticket.ID + " by=ben"} {
		if !strings.Contains(log, line) {
			t.Errorf("the log has no %q:\n%s", line, log)
		}
	}
}

// The stream of whoever is signed in no more ends by itself, however that has happened.
func TestA4_StreamsEndWithTheSignIn(t *testing.T) {
	c := newCrowd(t)
	c.run()
	for name, end := range map[string]func() error{
		"vera": func() error { return c.People.SetRole(t.Context(), operator, "vera", people.Approver) },
		"abe":  func() error { return c.People.Disable(t.Context(), operator, "abe") },
		"ben":  func() error { return c.People.SignOut(t.Context(), c.tokens["ben"]) },
	} {
		stream, other := c.as(name).followAt(""), c.as("ada").followAt("")
		c.must(end())
		began := time.Now()
		ended := make(chan error, 1)
		go func() {
			_, err := io.Copy(io.Discard, stream.lines)
			ended <- err
		}()
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			t.Fatalf("%s still follows", name)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s has followed for %v", name, took)
		}
		c.must(c.Tickets.Comment(t.Context(), c.park(bash("npm test"))[0].ID, "ada", "hello"))
		other.next()
		other.close()
	}
}

// People who look at one call see each other by their names.
func TestA4_PresenceIsOfPeople(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	c.as("abe").openWindow(windowOf(1))
	c.as("ben").openWindow(windowOf(2))
	c.as("abe").lookAs(windowOf(1), ticket.ID).into(t, new(presenceView))
	var v presenceView
	c.as("ben").lookAs(windowOf(2), ticket.ID).into(t, &v)
	if len(v.Others) != 1 || v.Others[0] != (personView{"abe", false}) {
		t.Errorf("%+v", v)
	}
	if a := c.as("ben").lookAs(windowOf(1), ""); a.status != 404 {
		t.Errorf("the window of somebody else: %d %s", a.status, a.body)
	}
}

// What another server that knows people needs is reached without a token, and only where
// people sign in.
func TestA4_AnotherServerThatKnowsPeople(t *testing.T) {
	c := newCrowd(t)
	c.OIDC, c.OIDCName = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }), "Example"
	nobody := func(r *http.Request) { r.Header.Del("Authorization"); r.Header.Set("Sec-Fetch-Site", "cross-site") }
	for path, want := range map[string]int{"/oidc/start": 418, "/oidc/callback": 418, "/oidc": 404, "/oidcx/start": 404, "/api/oidc/start": 403} {
		if a := c.request("GET", path, "", nobody); a.status != want {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := c.request("POST", "/oidc/callback", "", nobody); a.status != 403 {
		t.Errorf("a form of somebody else: %d", a.status)
	}
	var ways waysIn
	c.get(signInAt).into(t, &ways)
	if ways.OIDC == nil || ways.OIDC.Name != "Example" {
		t.Errorf("%+v", ways)
	}
	c.People = nil
	if a := c.request("GET", "/oidc/start", "", nobody); a.status != 404 {
		t.Errorf("where there are no people: %d", a.status)
	}
}

// What somebody says about a call that is approved does not approve it once more.
func TestA4_ACommentIsNoAnswer(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0] // before anybody looks through the sessions for calls without a ticket
	c.run()
	stream := c.as("ada").followAt("")
	c.as("abe").yes(ticket).into(t, new(detailView))
	c.as("vera").post("/api/v1/tickets/"+ticket.ID+"/comment", map[string]any{"text": "good"}).into(t, new(detailView))
	for said := stream.next(); said.Kind != "comment"; said = stream.next() {
		if said.Kind != "" {
			t.Errorf("%+v", said)
		}
	}
	if log := c.logged(); strings.Contains(log, "elsewhere") {
		t.Error(log)
	}
}
