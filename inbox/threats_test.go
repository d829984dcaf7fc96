package inbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

func (w *world) approveAs(id string, body map[string]any) answer {
	w.t.Helper()
	return w.post("/api/v1/tickets/"+id+"/approve", body)
}

func (w *world) state(id string) approval.State {
	w.t.Helper()
	t, err := w.Tickets.Find(w.t.Context(), id)
	w.must(err)
	return t.State
}

func TestT12_NamesThatAreNotThereLookAlike(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	orphan := w.get("/api/v1/tickets/aaaaaaaaaaaa")
	if orphan.status != 404 || orphan.code() != "not_found" {
		t.Fatal(orphan)
	}
	for _, id := range []string{"zzzzzzzzzzzz", ticket.ID[:11], ticket.ID + "a", strings.ToUpper(ticket.ID), ticket.ID[:11] + "%20", ticket.Session, "x"} {
		for _, path := range []string{"/api/v1/tickets/" + id, "/api/v1/sessions/" + strings.Replace(id, ticket.Session, session.NewID(), 1)} {
			if got := w.get(path); got.status != 404 || got.body != orphan.body {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
		}
		for _, route := range w.routes() {
			if route.method != "POST" || !strings.Contains(route.path, "{id}") {
				continue
			}
			_, body := concrete(route, ticket)
			if got := w.request("POST", strings.Replace(route.path, "{id}", id, 1), body); got.status != 404 || got.body != orphan.body {
				t.Errorf("%s of %s: %d %s", route.path, id, got.status, got.body)
			}
		}
	}
	if w.state(ticket.ID) != approval.Pending {
		t.Error("it was answered")
	}
}

func TestT13_NamesLeadNowhereElse(t *testing.T) {
	w := newWorld(t)
	w.park(bash("npm test"))
	before := w.everything()
	for _, id := range []string{
		"..", ".", "../..", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%2f..%2fstate.db", "..%5c..%5cx", "%00", "a%00b", "CON", "con.txt", "NUL", "~", "-", "%c0%ae%c0%ae",
		"01234567-89ab-4cde-8f01-23456789abcd%2f..", "01234567-89AB-4CDE-8F01-23456789ABCD", strings.Repeat("a", 5000), "a/b", "//", "%0a", "%e2%80%ae", "..;/x", "state.db",
	} {
		for _, prefix := range []string{"/api/v1/tickets/", "/api/v1/sessions/"} {
			if got := w.get(prefix + id); got.status != 404 || got.code() != "not_found" || strings.Contains(got.body, w.cwd) {
				t.Errorf("%s%s: %d %s", prefix, id, got.status, got.body)
			}
		}
		if got := w.request("POST", "/api/v1/tickets/"+id+"/approve", `{"digest":"sha256:0"}`); got.status != 404 && got.status != 405 {
			t.Errorf("approve %s: %d %s", id, got.status, got.body)
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
}

func TestT14_NothingCanBeInjected(t *testing.T) {
	w := newWorld(t)
	w.run()
	ticket := w.park(bash("npm test\ntime=x level=ERROR msg=forged"))[0]
	reason := "no\n{\"decision\":\"allow\"}\r\nevent: change\ndata: {\"to\":\"approved\"}\n\ntime=x level=INFO msg=approved ticket=forged"
	follow := w.follow0(0)
	w.post("/api/v1/tickets/"+ticket.ID+"/deny", map[string]any{"digest": ticket.Digest, "reason": reason}).into(t, new(detailView))
	for _, want := range []string{"pending", "denied"} {
		if got := follow.next(); got.To != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	if n := strings.Count(follow.text(), "event: "); n != 2 {
		t.Errorf("%d events:\n%s", n, follow.text())
	}
	// Whoever answers under a name of several lines is in one line of an event all the same.
	other := w.park(bash("npm run b"))[0]
	_, err := w.Tickets.Approve(t.Context(), other.ID, other.Digest, "bob\n\nevent: change\ndata: {\"to\":\"done\"}\n\n", "", nil)
	w.must(err)
	w.poke()
	for _, want := range []string{"pending", "approved"} {
		if got := follow.next(); got.To != want || want == "approved" && !strings.HasPrefix(got.Who, "bob\n") {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	if n := strings.Count(follow.text(), "\nevent: "); n != 4 {
		t.Errorf("%d events:\n%s", n, follow.text())
	}
	d := w.look(ticket.ID)
	if d.Answer == nil || d.Answer.Reason != reason || len(d.History) != 2 || d.History[1].Note != reason {
		t.Errorf("%+v", d.Answer)
	}
	for line := range strings.Lines(w.logged()) {
		if !strings.HasPrefix(line, "time=20") || strings.Contains(line, "forged") {
			t.Errorf("the log has a line %q", line)
		}
	}
}

func TestT16_OneSessionDoesNotFillTheList(t *testing.T) {
	w := newWorld(t)
	flood := session.NewID()
	for i := range 350 {
		_, err := w.Tickets.Park(t.Context(), approval.Parking{Call: approval.Call{Session: flood, ToolUseID: fmt.Sprint(i), Tool: "Bash", Input: strictjson.Raw(fmt.Sprintf(`{"command":"npm run %d"}`, i)), Cwd: w.cwd}, Risk: permission.MediumRisk, Kin: "Bash(npm run)"})
		w.must(err)
	}
	quiet := map[string]bool{}
	for range 3 {
		p := approval.Parking{Call: approval.Call{Session: session.NewID(), ToolUseID: "a", Tool: "Bash", Input: strictjson.Raw(`{"command":"npm test"}`), Cwd: w.cwd}, Risk: permission.LowRisk}
		ticket, err := w.Tickets.Park(t.Context(), p) // of less risk, so it comes after all of them
		w.must(err)
		quiet[ticket.ID] = true
	}
	for _, limit := range []int{7, 50, 200} {
		seen := map[string]int{}
		flooded, found, after := 0, 0, ""
		more := 0
		for pages := 0; ; pages++ {
			var list listView
			w.get(fmt.Sprintf("/api/v1/tickets?state=pending&limit=%d&after=%s", limit, after)).into(t, &list)
			for _, item := range list.Tickets {
				if seen[item.ID]++; seen[item.ID] > 1 {
					t.Fatalf("limit %d: %s is listed twice", limit, item.ID)
				}
				if item.Session == flood {
					flooded++
				}
				if quiet[item.ID] {
					found++
				}
			}
			for _, c := range list.Crowds {
				if c.Session != flood {
					t.Errorf("a crowd of %s", c.Session)
				}
				more = max(more, c.More)
			}
			if after = list.Next; after == "" {
				break
			}
			if pages > 100 {
				t.Fatal("the list has no end")
			}
		}
		if flooded != maxListed || found != 3 || more != 250 {
			t.Errorf("limit %d: %d of the flood, %d others, %d more", limit, flooded, found, more)
		}
	}
}

func TestT16_NoBatchHasAHighRisk(t *testing.T) {
	w := newWorld(t)
	low, high := w.park(bash("git push origin topic")), w.park(bash("git push --force origin main"))
	other := w.park(bash("npm test"))[0]
	hidden := w.park(bash("git push origin token=topic"))[0]
	before := w.everything()
	one := func(t approval.Ticket) map[string]any { return map[string]any{"id": t.ID, "digest": t.Digest} }
	for name, test := range map[string]struct {
		approve []any
		code    string
	}{
		"hidden":           {[]any{one(low[0]), one(hidden)}, "invalid"},
		"high":             {[]any{one(low[0]), one(high[0])}, "high_risk"},
		"high alone":       {[]any{one(high[0])}, "high_risk"},
		"different":        {[]any{one(low[0]), one(other)}, "invalid"},
		"twice":            {[]any{one(low[0]), one(low[0])}, "invalid"},
		"none":             {[]any{}, "invalid"},
		"no digest":        {[]any{map[string]any{"id": low[0].ID, "digest": ""}}, "invalid"},
		"one that is none": {[]any{one(low[0]), map[string]any{"id": "aaaaaaaaaaaa", "digest": "x"}}, "not_found"},
		"too many":         {slicesRepeat(one(low[0]), maxBatch+1), "invalid"},
	} {
		if got := w.post("/api/v1/batch", map[string]any{"approve": test.approve}); got.status == 200 || got.code() != test.code {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
	if got := w.post("/api/v1/batch", map[string]any{"approve": []any{one(hidden)}}); !strings.Contains(got.body, "open it first") {
		t.Error(got.body)
	}
	more := w.park(bash("git push origin other"))[0]
	var b batchView
	w.post("/api/v1/batch", map[string]any{"approve": []any{one(low[0]), map[string]any{"id": more.ID, "digest": low[0].Digest}}}).into(t, &b)
	if len(b.Results) != 2 || !b.Results[0].OK || b.Results[1].OK || b.Results[1].Error.Code != Changed {
		t.Errorf("%+v", b)
	}
	if w.state(low[0].ID) != approval.Approved || w.state(more.ID) != approval.Pending {
		t.Error(w.state(low[0].ID), w.state(more.ID))
	}
}

func slicesRepeat(one any, n int) (all []any) {
	for range n {
		all = append(all, one)
	}
	return all
}

func TestT16_HighRiskNeedsTheWord(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("git push --force origin main"))[0]
	d := w.look(ticket.ID)
	if d.Confirm == nil || d.Confirm.Word != "main" || d.Risk != "high" {
		t.Fatalf("%+v", d.Confirm)
	}
	for _, word := range []string{"", "Main", "origin", "yes", "main main"} {
		if got := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "confirm": word}); got.status != 403 || got.code() != "confirm" {
			t.Errorf("%q: %d %s", word, got.status, got.body)
		}
	}
	if w.state(ticket.ID) != approval.Pending {
		t.Fatal(w.state(ticket.ID))
	}
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "confirm": " main "}).into(t, new(detailView))

	low := w.park(bash("npm test"))[0] // which somebody makes a dangerous one
	edited := map[string]any{"command": "rm -rf ~/work"}
	if got := w.approveAs(low.ID, map[string]any{"digest": low.Digest, "input": edited}); got.code() != "confirm" {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// Whatever follows links in a mail or a chat: nothing happens.
func TestT18_LookingChangesNothing(t *testing.T) {
	w := newWorld(t)
	tickets := w.park(bash("npm test"), bash("git push --force origin main"), call("Write", map[string]string{"file_path": "a.txt", "content": "x"}))
	before := w.everything()
	queries := []string{"", "?approve=1", "?decision=approve&digest=" + tickets[0].Digest, "?_method=POST"}
	for _, route := range w.routes() {
		for _, ticket := range tickets {
			path, body := concrete(route, ticket)
			for _, method := range []string{"GET", "HEAD"} {
				for _, q := range queries {
					if a := w.glimpse(method, path+q, body); a.status >= 500 && path != "/readyz" {
						t.Errorf("%s %s%s: %d %s", method, path, q, a.status, a.body)
					}
				}
			}
		}
	}
	if got := w.everything(); got != before {
		t.Errorf("something has changed:\n%s\n%s", before, got)
	}
}

func TestT18_CheckingChangesNothing(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	before := w.everything()
	for _, input := range []string{`{"command":"ls"}`, `{"command":"rm -rf /"}`, `{}`, `[]`, `null`, `"x"`, `{"command":1}`} {
		if a := w.request("POST", "/api/v1/tickets/"+ticket.ID+"/check", `{"input":`+input+`}`); a.status != 200 && a.status != 400 {
			t.Errorf("%s: %d %s", input, a.status, a.body)
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
}

// Seeded secrets are in the detail, where they are decided over, and nowhere else.
func TestT19_SecretsStayInTheDetail(t *testing.T) {
	w := newWorld(t)
	w.run()
	canaries := []string{
		"sk-ant-api03-Zm9vYmFyYmF6cXV4MTIzNDU2", "ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R", "AKIAIOSFODNN7EXAMPLE", "hunter2-hunter2", "xoxb-123456789012-abcdefGHIJKL",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "aGVsbG8gd29ybGQ6c2VjcmV0", "glpat-abcdefghij0123456789", "q8Zx3Lm0Vb7Nc2Kd9Ws4Rt6Yp1",
	}
	calls := []session.PendingCall{
		bash("curl -H 'Authorization: Bearer " + canaries[0] + "' https://api.example"), bash("git clone https://x:" + canaries[1] + "@github.com/a/b"), bash("AWS_ACCESS_KEY_ID=" + canaries[2] + " aws s3 ls"),
		bash("mysql --password=" + canaries[3]), bash("export SLACK_TOKEN='" + canaries[4] + "'"), bash("curl -d jwt=" + canaries[5] + " https://api.example"), bash("curl -u ann:" + canaries[6] + " https://api.example"),
		call("mcp__shop__refund", map[string]any{"amount": 120, "api_key": canaries[3], "note": canaries[7]}), bash("echo " + strings.Repeat("long ", 60) + canaries[8]),
	}
	follow := w.follow0(0)
	for _, c := range calls {
		ticket := w.park(c)[0]
		d := w.look(ticket.ID)
		if found := len(canaries) - len(missing(string(d.Input), canaries)); found == 0 {
			t.Errorf("the detail does not show the input: %s", d.Input)
		}
		w.post("/api/v1/tickets/"+ticket.ID+"/deny", map[string]any{"digest": ticket.Digest, "reason": "no"})
		w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest})
		follow.next()
		follow.next()
	}
	for name, text := range map[string]string{
		"the list": w.get("/api/v1/tickets?limit=200").body, "the history": w.get("/api/v1/history?limit=200").body, "events": follow.text(), "the log": w.logged(),
	} {
		if len(missing(text, canaries)) != len(canaries) {
			t.Errorf("%s shows a secret:\n%s", name, text)
		}
	}
}

// missing are those of some texts that do not occur in another.
func missing(in string, texts []string) (all []string) {
	for _, text := range texts {
		if !strings.Contains(in, text) {
			all = append(all, text)
		}
	}
	return all
}
