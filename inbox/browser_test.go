package inbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// TestA1_Browser runs the browser tests: the page against a server whose troubles can be
// made, and the page against this one. Each has a line in the log. ASSENT_BROWSER may hold
// parts of the names of those that are to run.
func TestA1_Browser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes a while")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing, with which the browser is driven: run scripts/setup")
	}
	readAll(t, "browser") // so that a result is not one of other tests
	studio := newStudio(t)
	args := append([]string{"run.mjs", "--control", studio.web.URL}, strings.Fields(os.Getenv("ASSENT_BROWSER"))...)
	command := exec.CommandContext(t.Context(), node, args...)
	command.Dir = "browser"
	out, writer := io.Pipe()
	command.Stdout, command.Stderr = writer, writer
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		err := command.Wait()
		writer.Close()
		ended <- err
	}()
	text := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(out)
		text <- string(all)
	}()
	studio.serve(ended, func(err error) {
		if report := <-text; err != nil {
			t.Errorf("%v\n%s(if something is missing, run scripts/setup)", err, report)
		} else {
			t.Log("\n" + report)
		}
	})
}

// readAll reads the files below a directory. Go keeps the result of a test for as long as
// the files are the same that it has read itself; those that others read do not count.
func readAll(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			_, err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// studio makes servers for the browser tests, and does in them what people and agents do.
// All of it happens on the goroutine of the test.
type studio struct {
	t      *testing.T
	web    *httptest.Server
	tasks  chan func()
	worlds []*world
}

func newStudio(t *testing.T) *studio {
	s := &studio{t: t, tasks: make(chan func())}
	s.web = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.web.Close)
	return s
}

// serve does what the browser tests ask for until they have ended.
func (s *studio) serve(ended <-chan error, report func(error)) {
	for {
		select {
		case task := <-s.tasks:
			task()
		case err := <-ended:
			report(err)
			return
		}
	}
}

// order is what a browser test asks for.
type order struct {
	World int            `json:"world,omitempty"`
	Tool  string         `json:"tool,omitempty"`
	Input strictjson.Raw `json:"input,omitempty"`
	ID    string         `json:"id,omitempty"`
	By    string         `json:"by,omitempty"`
	Text  string         `json:"text,omitempty"`
	// What follows is for worlds with people.
	Name      string           `json:"name,omitempty"`
	Requester string           `json:"requester,omitempty"`
	Terms     permission.Terms `json:"terms,omitzero"`
	// Minutes are how long a link is good.
	Minutes int `json:"minutes,omitempty"`
}

// product is what it gets.
type product struct {
	World int    `json:"world"`
	URL   string `json:"url,omitempty"`
	Token string `json:"token,omitempty"`
	Dir   string `json:"dir,omitempty"`
	ID    string `json:"id,omitempty"`
	Text  string `json:"text,omitempty"`
}

func (s *studio) handle(w http.ResponseWriter, r *http.Request) {
	var o order
	body, err := io.ReadAll(r.Body)
	if err == nil && len(body) > 0 {
		err = strictjson.Unmarshal(body, &o)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	done := make(chan product, 1)
	select {
	case s.tasks <- func() { done <- s.do(strings.TrimPrefix(r.URL.Path, "/"), o) }:
	case <-r.Context().Done():
		return
	}
	text, err := strictjson.Marshal(<-done)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(text)
}

func (s *studio) do(what string, o order) product {
	s.t.Helper()
	switch what {
	case "open":
		return s.open(newWorld(s.t))
	case "gather":
		return s.gather()
	}
	w := s.worlds[o.World]
	switch what {
	case "park":
		return product{ID: w.park(session.PendingCall{Tool: o.Tool, Input: o.Input})[0].ID}
	case "expire": // parks a call whose time is over as soon as somebody looks
		return product{ID: w.park(session.PendingCall{Tool: o.Tool, Input: o.Input, Until: time.Now()})[0].ID}
	case "hold":
		call := approval.Call{Session: "theirs", Tool: o.Tool, Input: o.Input, Cwd: w.cwd}
		j := w.judge(call, "default")
		held, err := w.Tickets.Hold(s.t.Context(), o.By, approval.Parking{Call: call, Why: "its guard asks", By: o.By, At: time.Now(), Lasts: time.Hour, Risk: permission.MediumRisk, Kin: permission.Kin(j.judgement.Call)})
		w.must(err)
		return product{ID: held.ID}
	case "distrust": // nobody has trusted the workspace
		checker := w.Checker
		w.Checker = func(cwd string) (*policy.Checker, error) {
			c, err := checker(cwd)
			c.Settings.TrustWorkspace = false
			return c, err
		}
		return product{}
	case "hand": // to the guard that holds it
		if _, err := w.Tickets.Hand(s.t.Context(), o.ID, "the guard of "+o.By); err != nil { // as long as it can be taken back
			return product{Text: err.Error()}
		}
		return product{}
	case "deny": // as somebody else does in a terminal
		ticket, err := w.Tickets.Find(s.t.Context(), o.ID)
		w.must(err)
		_, err = w.Tickets.Deny(s.t.Context(), o.ID, ticket.Digest, o.By, o.Text)
		w.must(err)
		return product{}
	case "record":
		ticket, err := w.Tickets.Find(s.t.Context(), o.ID)
		w.must(err)
		w.decide(ticket, strings.Fields(o.Text)...)
		return product{}
	case "spoil": // and lets the server look at all of it
		w.spoil(func(text string) string { return strings.Replace(text, "because", "becausE", 1) })
		w.ledger.forget()
		return product{}
	case "rules":
		w.rules(o.Text)
		return product{}
	case "write": // as somebody does who works on the project
		w.must(os.WriteFile(filepath.Join(w.cwd, o.Name), []byte(o.Text), 0o644))
		return product{}
	case "read":
		text, err := os.ReadFile(filepath.Join(w.cwd, o.Text))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			s.t.Error(err)
		}
		return product{Text: string(text)}
	}
	return s.doWithPeople(w, what, o)
}

// open gives a world the page, and workers.
func (s *studio) open(w *world) product {
	w.web = httptest.NewUnstartedServer(nil)
	config := w.Config
	config.Hosts, config.Page = []string{w.web.Listener.Addr().String()}, Page()
	config.Resume = w.goOn
	var err error
	w.Server, err = New(config)
	w.must(err)
	w.Employ(2)
	w.web.Config = w.HTTP()
	w.web.Start()
	w.run()
	s.t.Cleanup(w.web.CloseClientConnections)
	s.t.Cleanup(w.web.Close)
	s.worlds = append(s.worlds, w)
	return product{World: len(s.worlds) - 1, URL: w.web.URL, Token: testToken, Dir: w.cwd}
}

// goOn does what an agent does with the answers of people, with a tool that says what it was
// given.
func (w *world) goOn(ctx context.Context, id string, _ []permission.Update) error {
	tr, err := w.Sessions.Resume(id)
	if err != nil {
		return err
	}
	defer tr.Close()
	tickets, err := w.Tickets.List(ctx, approval.Query{Session: id, States: []approval.State{approval.Approved, approval.Denied, approval.Expired, approval.Unknown}})
	if err != nil {
		return err
	}
	results := model.Message{Role: model.User}
	for _, t := range tickets {
		text, err := w.settle(ctx, t)
		if err != nil {
			return err
		}
		results.Content = append(results.Content, model.Result(t.ToolUseID, text))
	}
	if err := tr.Append(session.Said, results); err != nil {
		return err
	}
	w.Progress(id)
	if err := tr.Append(session.Said, model.Message{Role: model.Assistant, Content: []model.Block{model.TextBlock("Everything is done as you said.")}}); err != nil {
		return err
	}
	return tr.Append(session.Ended, map[string]string{"subtype": "success", "stop_reason": "end_turn"})
}

func (w *world) settle(ctx context.Context, t approval.Ticket) (string, error) {
	if t.State != approval.Approved {
		return "refused", w.Tickets.Refuse(ctx, t.ID, "test", "")
	}
	input := t.Answer.Input
	if input == nil {
		input = t.Input
	}
	fence, err := w.Tickets.Claim(ctx, t.ID, t.Call, input, "test")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("ran with %s", input), w.Tickets.Finish(ctx, t.ID, fence, !strings.Contains(string(input), "fails"), "")
}
