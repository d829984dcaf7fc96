package inbox

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// Every field that binds an approval is changed, and none of them passes.
func TestT5_AnApprovalIsForOneCallOnce(t *testing.T) {
	w := newWorld(t)
	a, b := w.park(bash("npm test"))[0], w.park(bash("npm test"))[0]
	if a.Digest == b.Digest {
		t.Fatal("two sessions have one digest")
	}
	before := w.everything()
	for name, digest := range map[string]any{
		"that of another session": b.Digest, "none": "", "null": nil, "a part": a.Digest[:20], "more": a.Digest + "0", "capitals": strings.ToUpper(a.Digest), "a number": 7,
	} {
		got := w.approveAs(a.ID, map[string]any{"digest": digest})
		if got.status == 200 || got.status == 409 && got.code() != "changed" {
			t.Errorf("digest %s: %d %s", name, got.status, got.body)
		}
		no := w.post("/api/v1/tickets/"+a.ID+"/deny", map[string]any{"digest": digest, "reason": "no"})
		if no.status == 200 {
			t.Errorf("a no with the digest %s: %s", name, no.body)
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
	if got := w.approveAs(a.ID, map[string]any{"digest": a.Digest, "reason": "first"}); got.status != 200 {
		t.Fatal(got.body)
	}
	answered := w.everything()
	for name, got := range map[string]answer{
		"a second yes": w.approveAs(a.ID, map[string]any{"digest": a.Digest, "reason": "second"}),
		"in a batch":   w.post("/api/v1/batch", map[string]any{"approve": []any{map[string]any{"id": a.ID, "digest": a.Digest}}}),
	} {
		if !strings.Contains(got.body, `"code":"answered"`) || !strings.Contains(got.body, "first") || strings.Contains(got.body, "second") {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if w.everything() != answered {
		t.Error("the second answer has changed something")
	}
}

func TestT5_ASecondAnswerNamesTheFirst(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.post("/api/v1/tickets/"+ticket.ID+"/deny", map[string]any{"digest": ticket.Digest, "reason": "not today"}).into(t, new(detailView))
	got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest})
	var body struct {
		Error struct {
			Code    string       `json:"code"`
			Details answeredView `json:"details"`
		} `json:"error"`
	}
	w.must(strictjson.Unmarshal([]byte(got.body), &body))
	first := body.Error.Details.Answer
	if got.status != http.StatusConflict || body.Error.Code != "answered" || first == nil || first.Decision != "deny" || first.By != "ann@test" || first.Reason != "not today" {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestT5_ExpiredCallsAreNotApproved(t *testing.T) {
	w := newWorld(t)
	c := bash("npm test")
	c.Until = time.Now()
	ticket := w.park(c)[0]
	got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest})
	if got.status != http.StatusConflict || got.code() != "expired" || w.state(ticket.ID) != approval.Expired {
		t.Errorf("%d %s, %s", got.status, got.body, w.state(ticket.ID))
	}
}

// An approval outlives the server, and cannot be used by another one for anything else.
func TestT5_AnApprovalHoldsAfterARestart(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}).into(t, new(detailView))
	w.must(w.Tickets.Close())
	again, err := approval.Open(w.Server.Dir)
	w.must(err)
	w.Tickets = again
	t.Cleanup(func() { again.Close() })
	if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}); got.code() != "answered" {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// What was approved is what runs, to the byte.
func TestT6_OnlyTheApprovedInputRuns(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	edited := strictjson.Raw(`{"command":"npm test --silent"}`)
	var d detailView
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "input": edited}).into(t, &d)
	if string(d.Edited) != string(edited) || string(d.Input) != string(ticket.Input) {
		t.Errorf("%s, %s", d.Input, d.Edited)
	}
	for name, runs := range map[string]strictjson.Raw{
		"the input that waited": ticket.Input,
		"one byte more":         strictjson.Raw(`{"command":"npm test --silent "}`),
		"one key more":          strictjson.Raw(`{"command":"npm test --silent","timeout":1}`),
	} {
		_, err := w.Tickets.Claim(t.Context(), ticket.ID, ticket.Call, runs, "test")
		if _, ok := errors.AsType[*approval.NotApproved](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range map[string]func(*approval.Call){
		"another tool":      func(c *approval.Call) { c.Tool = "mcp__x__Bash" },
		"another directory": func(c *approval.Call) { c.Cwd = "/" },
		"another session":   func(c *approval.Call) { c.Session = session.NewID() },
	} {
		call := ticket.Call
		change(&call)
		if _, err := w.Tickets.Claim(t.Context(), ticket.ID, call, edited, "test"); err == nil {
			t.Errorf("%s runs", name)
		}
	}
	if _, err := w.Tickets.Claim(t.Context(), ticket.ID, ticket.Call, edited, "test"); err != nil {
		t.Error(err)
	}
}

// The transcript says something else than the ticket: nobody can approve either.
func TestT6_ACallThatChangedIsNotApproved(t *testing.T) {
	w := newWorld(t)
	id := session.NewID()
	w.parkIn(id, bash("npm test"))
	stored, err := w.Tickets.List(t.Context(), approval.Query{Session: id})
	w.must(err)
	w.must(w.Tickets.Forget(t.Context(), id))
	other := stored[0]
	other.Input = strictjson.Raw(`{"command":"npm start"}`)
	forged, err := w.Tickets.Park(t.Context(), approval.Parking{Call: other.Call, At: other.Created, Risk: permission.LowRisk, Kin: other.Kin})
	w.must(err)
	d := w.look(forged.ID)
	if d.Problem == "" || d.Editable {
		t.Errorf("%+v", d)
	}
	if got := w.approveAs(forged.ID, map[string]any{"digest": forged.Digest}); got.code() != "changed" {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestT6_RulesOfTodayHoldForAnEditedInput(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.rules(`{"permissions":{"deny":["Bash(npm publish:*)"]}}`)
	edited := map[string]any{"command": "npm publish"}
	if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "input": edited}); got.status != 403 || got.code() != "denied" {
		t.Errorf("%d %s", got.status, got.body)
	}
	var c checkView
	w.post("/api/v1/tickets/"+ticket.ID+"/check", map[string]any{"input": edited}).into(t, &c)
	if c.Valid || !strings.Contains(c.Problem, "Bash(npm publish:*)") || !strings.Contains(c.Problem, "settings.json:1") || c.Digest == ticket.Digest {
		t.Errorf("%+v", c)
	}
	w.rules(`{"permissions":{"deny":["Bash(npm:*)"]}}`)
	if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}); got.status != 403 || got.code() != "denied" || !strings.Contains(got.body, "settings.json:1") {
		t.Errorf("%d %s", got.status, got.body)
	}
	if w.state(ticket.ID) != approval.Pending {
		t.Error(w.state(ticket.ID))
	}
}

// Whoever comes second is told who was first, what they said and when, also after that was
// acted upon.
func TestT5_TheSecondAnswerIsToldTheFirst(t *testing.T) {
	w := newWorld(t)
	for _, first := range []permission.Behavior{permission.Allow, permission.Deny} {
		call := approval.Call{Session: "theirs", Tool: "Bash", Input: bash("npm run " + first.String()).Input, Cwd: w.cwd}
		ticket, err := w.Tickets.Hold(t.Context(), "codex", approval.Parking{Call: call, Lasts: time.Hour, Risk: permission.MediumRisk})
		w.must(err)
		if first == permission.Allow {
			_, err = w.Tickets.Approve(t.Context(), ticket.ID, ticket.Digest, "bob", "as agreed", nil)
		} else {
			_, err = w.Tickets.Deny(t.Context(), ticket.ID, ticket.Digest, "bob", "not today")
		}
		w.must(err)
		_, err = w.Tickets.Hand(t.Context(), ticket.ID, "the guard")
		w.must(err)
		for _, body := range []map[string]any{{"digest": ticket.Digest}, {"digest": ticket.Digest, "reason": "no"}} {
			verb := "approve"
			if body["reason"] != nil {
				verb = "deny"
			}
			got := w.post("/api/v1/tickets/"+ticket.ID+"/"+verb, body)
			if got.status != 409 || got.code() != "answered" || !strings.Contains(got.body, `"by":"bob"`) || !strings.Contains(got.body, "bob has said "+first.String()) {
				t.Errorf("%v, then %s: %d %s", first, verb, got.status, got.body)
			}
			if zone := time.Now().Format("-07:00"); !strings.Contains(got.body, zone) {
				t.Errorf("the time has no zone: %s", got.body)
			}
		}
	}
}

// A second yes with another input does not replace the first one, whoever sends it.
func TestT6_ASecondYesReplacesNothing(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "input": map[string]string{"command": "npm test --silent"}}).into(t, new(detailView))
	got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "input": map[string]string{"command": "npm run all"}})
	if got.status != 409 || got.code() != "answered" || !strings.Contains(got.body, `"by":"ann@test"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if d := w.look(ticket.ID); string(d.Edited) != `{"command":"npm test --silent"}` || d.Editable {
		t.Errorf("%s, %v", d.Edited, d.Editable)
	}
}

// A yes that was sent when the call was answered is not one to the call that waits again a
// moment later, and nobody gets round the word that way.
func TestT6_AYesIsToTheCallAsItStood(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("git push --force origin main"))[0]
	d := w.look(ticket.ID)
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "confirm": d.word(), "undo": true}).into(t, new(detailView))
	m, err := w.matter(t.Context(), ticket.ID)
	w.must(err)
	w.post("/api/v1/tickets/"+ticket.ID+"/undo", map[string]any{"digest": ticket.Digest}).into(t, new(detailView))
	ctx := context.WithValue(t.Context(), visitorKey{}, &visitor{name: w.Who, role: people.Admin, answers: []string{w.Who}})
	if _, err := w.say(ctx, &yes{matter: m, body: approveBody{Digest: ticket.Digest}}); err == nil {
		t.Error("a yes without the word")
	}
	again := yes{matter: m, body: approveBody{Digest: ticket.Digest, Confirm: d.word()}}
	if _, err := w.record(ctx, &again, permission.Terms{}); err == nil || faultOf(err).Status != 409 {
		t.Errorf("%v", err)
	}
	if w.state(ticket.ID) != approval.Pending {
		t.Error(w.state(ticket.ID))
	}
}
