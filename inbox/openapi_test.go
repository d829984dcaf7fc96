package inbox

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/proof"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// operation is what the description says about a route.
type operation struct {
	Security    *[]strictjson.Raw   `json:"security"`
	RequestBody *content            `json:"requestBody"`
	Responses   map[string]*content `json:"responses"`
}

type content struct {
	Content map[string]struct {
		Schema struct {
			Ref string `json:"$ref"`
		} `json:"schema"`
	} `json:"content"`
}

// schema is the name of the schema that the content has; empty when it has none.
func (c *content) schema() string {
	return strings.TrimPrefix(c.Content["application/json"].Schema.Ref, "#/components/schemas/")
}

type document struct {
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]strictjson.Raw `json:"schemas"`
	} `json:"components"`
}

func described(t testing.TB) (d document) {
	t.Helper()
	if err := strictjson.Unmarshal(description, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheDescriptionHasEveryRoute(t *testing.T) {
	w := newWorld(t)
	d := described(t)
	var have, want []string
	for path, operations := range d.Paths {
		for method, o := range operations {
			want = append(want, strings.ToUpper(method)+" "+path)
			if public := o.Security != nil && len(*o.Security) == 0; public != open(path) {
				t.Errorf("%s %s: the description says that it needs no token: %v", method, path, public)
			}
			if (o.RequestBody != nil) != (method == "post") {
				t.Errorf("%s %s has a body: %v", method, path, o.RequestBody != nil)
			}
		}
	}
	for _, r := range w.routes() {
		have = append(have, r.method+" "+r.path)
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("the routes are\n%s\nand described are\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// Every code is described, and none that does not exist.
func TestTheDescriptionHasEveryCode(t *testing.T) {
	var schema struct {
		Enum []Code `json:"enum"`
	}
	if err := strictjson.Unmarshal(described(t).Components.Schemas["Code"], &schema); err != nil {
		t.Fatal(err)
	}
	want := []Code{Answered, Expired, Changed, Denied, Invalid, Forbidden, NotFound, Busy, Internal, HighRisk, Confirm, Gone}
	if !slices.Equal(schema.Enum, want) {
		t.Errorf("%v", schema.Enum)
	}
}

// schemas checks values against the description.
type schemas struct {
	t        testing.TB
	compiler *jsonschema.Compiler
	doc      document
	used     map[string]bool
}

func newSchemas(t testing.TB) *schemas {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(description))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("assent:openapi", document); err != nil {
		t.Fatal(err)
	}
	return &schemas{t: t, compiler: c, doc: described(t), used: map[string]bool{}}
}

// valid refuses a text that is not as a schema of the description says.
func (s *schemas) valid(what, schema, text string) {
	s.t.Helper()
	compiled, err := s.compiler.Compile("assent:openapi#/components/schemas/" + schema)
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		s.t.Fatalf("%s: %v: %s", what, err, text)
	}
	if err := compiled.Validate(value); err != nil {
		s.t.Errorf("%s: %v\n%s", what, err, text)
	}
	s.used[schema] = true
}

// answer checks an answer against what is described for its route and status.
func (s *schemas) answer(method, path string, a answer) {
	s.t.Helper()
	o, ok := s.doc.Paths[path][strings.ToLower(method)]
	if !ok {
		s.t.Fatalf("%s %s is not described", method, path)
	}
	response, ok := o.Responses[strconv.Itoa(a.status)]
	if !ok {
		s.t.Errorf("%s %s: the status %d is not described: %s", method, path, a.status, a.body)
		return
	}
	s.valid(method+" "+path+" "+strconv.Itoa(a.status), response.schema(), a.body)
}

// Real answers of every kind are as the description says.
func TestAnswersAreAsDescribed(t *testing.T) {
	w := newWorld(t)
	s := newSchemas(t)
	w.must(os.WriteFile(filepath.Join(w.cwd, "a.txt"), []byte("one\ntwo\n"), 0o644))
	do := func(method, route, id, query, body string) answer {
		t.Helper()
		path := strings.Replace(route, "{id}", id, 1)
		a := w.request(method, path+query, body)
		s.answer(method, route, a)
		if body != "" && a.status == 200 {
			s.valid("the body of "+route, s.doc.Paths[route]["post"].RequestBody.schema(), body)
		}
		return a
	}
	const one = "/api/v1/tickets/{id}"
	question := map[string]any{"question": "Which one?", "header": "Choice", "multiSelect": false, "options": []any{map[string]any{"label": "A", "description": "a"}, map[string]any{"label": "B", "description": "b"}}}
	tickets := w.park(
		bash("npm test"), bash("git push --force origin main"), call("Edit", map[string]any{"file_path": filepath.Join(w.cwd, "a.txt"), "old_string": "two", "new_string": "three"}),
		call("AskUserQuestion", map[string]any{"questions": []any{question}}), call("WebFetch", map[string]any{"url": "https://example.com/x?y=z", "prompt": "p"}),
		call("mcp__shop__refund", map[string]any{"amount": 120}), call("Read", map[string]any{"file_path": "/etc/hosts"}), bash("npm run build"),
	)
	held, err := w.Tickets.Hold(t.Context(), "codex", approval.Parking{Call: approval.Call{Session: "theirs", Tool: "Bash", Input: strictjson.Raw(`{"command":"npm test"}`), Cwd: w.cwd}, Lasts: 1 << 40, Risk: permission.MediumRisk, Kin: "Bash(npm test)"})
	w.must(err)
	for _, path := range []string{"/healthz", "/api/v1/me", "/api/v1/overview", "/api/v1/tickets", "/api/v1/history"} {
		if a := do("GET", path, "", "", ""); a.status != 200 {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	do("GET", signInAt, "", "", "")
	do("POST", proof.At, "", "", `{"key":"`+strings.Repeat("0", 16)+`","nonce":"`+strings.Repeat("0", 64)+`"}`)
	do("POST", proof.At, "", "", `{"key":"","nonce":""}`)
	do("GET", "/readyz", "", "", "") // nobody follows the changes
	w.run()
	for _, ticket := range append(slices.Clone(tickets), held) {
		if a := do("GET", one, ticket.ID, "", ""); a.status != 200 {
			t.Errorf("%s: %d %s", ticket.Tool, a.status, a.body)
		}
	}
	digest := func(i int) string { return `{"digest":"` + tickets[i].Digest + `"` }
	do("POST", one+"/check", tickets[0].ID, "", `{"input":{"command":"npm test -- --watch=false"}}`)
	do("POST", one+"/check", tickets[0].ID, "", `{"input":{"comand":"x"}}`)
	do("POST", one+"/comment", tickets[0].ID, "", `{"text":"let us wait for the build"}`)
	do("POST", one+"/comment", tickets[0].ID, "", `{"text":" "}`)
	do("POST", one+"/check", tickets[2].ID, "", `{"input":{"file_path":"a.txt","old_string":"one","new_string":"1"}}`)
	do("POST", one+"/approve", tickets[0].ID, "", digest(0)+`,"rule":{"index":0,"scope":"local","rules":["Bash(npm test:*)"]},"undo":true,"reason":"r"}`)
	do("POST", one+"/approve", tickets[0].ID, "", digest(0)+`}`)
	do("POST", one+"/approve", tickets[1].ID, "", digest(1)+`}`)
	do("POST", one+"/approve", tickets[1].ID, "", digest(1)+`,"confirm":"main"}`)
	do("POST", one+"/approve", tickets[3].ID, "", digest(3)+`}`)
	do("POST", one+"/approve", tickets[3].ID, "", digest(3)+`,"answers":["1=B"]}`)
	do("POST", one+"/deny", tickets[4].ID, "", digest(4)+`,"reason":"not that"}`)
	do("POST", one+"/deny", tickets[4].ID, "", digest(4)+`,"reason":"not that"}`)
	do("POST", one+"/undo", tickets[4].ID, "", digest(4)+`}`)
	do("POST", one+"/resolve", tickets[4].ID, "", `{"ran":true,"note":"x"}`)
	do("POST", "/api/v1/batch", "", "", `{"approve":[{"id":"`+tickets[7].ID+`","digest":"`+tickets[7].Digest+`"}],"reason":"r"}`)
	do("POST", one+"/approve", held.ID, "", `{"digest":"`+held.Digest+`"}`)
	do("GET", one, tickets[0].ID, "", "")
	do("GET", one+"/audit", tickets[0].ID, "", "")
	w.decide(tickets[0], "defer", "allow")
	do("GET", one+"/audit", tickets[0].ID, "", "")
	do("GET", "/api/v1/overview", "", "", "")
	w.spoil(func(string) string { return "" })
	w.ledger.forget()
	if a := do("GET", one+"/audit", tickets[0].ID, "", ""); !strings.Contains(a.body, `"unverified"`) {
		t.Error(a.body)
	}
	do("GET", "/api/v1/sessions/{id}", tickets[0].Session, "", "")
	for _, q := range []string{"?limit=0", "?state=done", "?after=x", "?x=1"} {
		if a := do("GET", "/api/v1/tickets", "", q, ""); a.status != 400 {
			t.Errorf("%s: %d", q, a.status)
		}
	}
	do("GET", "/api/v1/history", "", "?q="+url.QueryEscape("npm test"), "")
	do("GET", one, "aaaaaaaaaaaa", "", "")
	do("GET", "/api/v1/sessions/{id}", "x", "", "")
	for _, body := range []string{"", "{", `{"x":1}`, `{"digest":"a","digest":"b"}`, "\xff"} {
		if a := do("POST", one+"/approve", tickets[5].ID, "", body); a.status != 400 {
			t.Errorf("%q: %d %s", body, a.status, a.body)
		}
	}
	if a := do("POST", one+"/approve", tickets[5].ID, "", strings.Repeat(" ", maxBody+1)); a.status != 413 {
		t.Errorf("a large body: %d", a.status)
	}
	follow := w.follow0(0)
	follow.next()
	_, data, _ := strings.Cut(follow.text(), "data: ")
	s.valid("an event", "ChangeEvent", data)
	text, err := strictjson.Marshal(sessionEvent{"s", "running"})
	w.must(err)
	s.valid("an event of a session", "SessionEvent", string(text))
	text, err = strictjson.Marshal(ruleEvent{"t", ruleAdded})
	w.must(err)
	s.valid("an event of a rule", "RuleEvent", string(text))
	window := w.openWindow(windowOf(1))
	w.openWindow(windowOf(2))
	for i := range 2 {
		body := `{"window":"` + windowOf(2-i) + `","ticket":"` + tickets[0].ID + `"}`
		if a := do("POST", "/api/v1/presence", "", "", body); a.status != 200 {
			t.Error(a.body)
		}
	}
	do("POST", "/api/v1/presence", "", "", `{"window":"`+windowOf(3)+`","ticket":""}`)
	do("POST", "/api/v1/presence", "", "", `{"window":"x","ticket":""}`)
	text, err = strictjson.Marshal(window.presence())
	w.must(err)
	s.valid("an event of a window", "Presence", string(text))
	for name := range s.doc.Components.Schemas {
		if strings.HasSuffix(name, "Request") && name != "UndoRequest" && name != "ResolveRequest" && !slices.Contains(requestsOfPeople, name) && !s.used[name] {
			t.Errorf("no body was checked against %s", name)
		}
	}
}

// The reference for people has every route and every code, too.
func TestTheReferenceHasEverything(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range newWorld(t).routes() {
		if !strings.Contains(string(text), "| `"+r.method+" "+r.path+"` |") {
			t.Errorf("docs/api.md does not name %s %s", r.method, r.path)
		}
	}
	for _, code := range []Code{Answered, Expired, Changed, Denied, Invalid, Forbidden, NotFound, Busy, Internal, HighRisk, Confirm, Gone} {
		if !strings.Contains(string(text), "| `"+string(code)+"` |") {
			t.Errorf("docs/api.md does not name the code %s", code)
		}
	}
}
