//go:build unix

package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// stopped is a state directory whose server is ended as a person would end it.
type stopped struct {
	*serveCrash
	web *client.Client
}

// start starts a server whose model does what a script says.
func (s *stopped) start(script string) *serverProcess {
	s.t.Helper()
	s.write("end.yaml", script)
	p := s.serve()
	s.t.Cleanup(func() {
		select {
		case <-p.ended:
		default:
			s.kill(p)
		}
	})
	var err error
	if s.web, err = client.New(*s.address.Load(), serveToken); err != nil {
		s.t.Fatal(err)
	}
	return p
}

// lie parks the calls of one turn, as an agent does that has ended since. It writes the session in
// this process: tests that use it are not tried beside others, whose programs would be taken for
// those of an agent.
func (s *stopped) lie(commands ...string) []approval.Ticket {
	s.t.Helper()
	must := func(err error) {
		s.t.Helper()
		if err != nil {
			s.t.Fatal(err)
		}
	}
	store := session.NewStore(filepath.Join(s.home, ".assent", "sessions"))
	store.Prepare = func(dir string) error {
		_, err := hook.OpenState(filepath.Join(dir, "state.json"))
		return err
	}
	id, now := session.NewID(), time.Now().Truncate(time.Microsecond)
	tr, err := store.Create(id, session.Start{Cwd: s.dir, Model: "script", Mode: "default"})
	must(err)
	turn := model.Message{Role: model.Assistant, Content: []model.Block{model.TextBlock("I begin.")}}
	var calls []session.PendingCall
	var tickets []approval.Ticket
	for i, command := range commands {
		input, err := strictjson.Marshal(map[string]string{"command": command})
		must(err)
		c := session.PendingCall{ToolUseID: "toolu_" + string(rune('a'+i)), Tool: "Bash", Input: input, Cwd: s.dir, Since: now}
		turn.Content, calls = append(turn.Content, model.Block{Kind: model.ToolUse, ID: c.ToolUseID, Name: c.Tool, Input: input}), append(calls, c)
		ticket, err := s.store.Park(s.t.Context(), approval.Parking{Call: approval.Call{Session: id, ToolUseID: c.ToolUseID, Tool: c.Tool, Input: input, Cwd: s.dir}, At: now, By: "test", Risk: 1})
		must(err)
		tickets = append(tickets, ticket)
	}
	must(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("go")}}))
	must(tr.Append(session.Said, turn))
	must(tr.Append(session.Parked, session.Pending{Calls: calls}))
	must(tr.Close())
	return tickets
}

func (s *stopped) approve(t approval.Ticket) {
	s.t.Helper()
	if _, err := s.web.Approve(s.t.Context(), t.ID, client.Yes{Digest: t.Digest}); err != nil {
		s.t.Fatal(err)
	}
}

// until waits until something is so.
func (s *stopped) until(what string, so func() bool) {
	s.t.Helper()
	deadline := time.After(2 * patienceOfTests)
	for !so() {
		select {
		case <-deadline:
			s.t.Fatalf("%s: it takes too long", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s *stopped) is(t approval.Ticket, state approval.State) func() bool {
	return func() bool {
		now, err := s.store.Find(context.Background(), t.ID)
		return err == nil && now.State == state
	}
}

// ends waits until a session has come to its end, and returns how it stands then.
func (s *stopped) ends(id string) (v client.Session) {
	s.t.Helper()
	s.until("the session ends", func() (over bool) {
		var err error
		v, err = s.web.Session(context.Background(), id)
		return err == nil && v.State == "done" && !v.Running
	})
	return v
}

// said is everything that stands in a session.
func (s *stopped) said(id string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.home, ".assent", "sessions", id, "transcript.jsonl"))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// A server is ended with SIGTERM while the model of one session thinks and a call of another
// runs, and neither comes to its end in time. The next server goes on with both, and nobody
// is told of an interruption that nobody wanted.
func TestD8_AServerThatIsStoppedLosesNothing(t *testing.T) {
	s := &stopped{serveCrash: newServeCrash(t, 1)}
	server := s.start("turns: [{say: Too late., delay: 10m}]\n")
	thinks := s.lie("echo ran >> thinks.")[0]
	runs := s.lie("echo ran >> runs.; exec sleep 600")[0]
	s.approve(thinks)
	s.approve(runs)
	s.until("one call has run", s.is(thinks, approval.Done))
	s.until("another runs", func() bool { return s.has("runs.") })
	if err := server.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-server.ended
	if status := server.cmd.ProcessState.ExitCode(); status != 0 {
		t.Errorf("exit status %d\n%s", status, server.stderr)
	}
	for _, ticket := range []approval.Ticket{thinks, runs} {
		if text := s.said(ticket.Session); strings.Contains(text, "interrupted by user") || strings.Contains(text, `"kind":"end"`) {
			t.Errorf("somebody has interrupted it, or it has ended:\n%s", text)
		}
	}
	s.start("turns: []\nafterwards: The right end.\n")
	for name, ticket := range map[string]approval.Ticket{"thinks.": thinks, "runs.": runs} {
		v := s.ends(ticket.Session)
		if v.Result != "The right end." || v.Problem != "" || strings.Contains(s.said(ticket.Session), "interrupted by user") {
			t.Errorf("%s: %+v", name, v)
		}
		if text, _ := os.ReadFile(filepath.Join(s.dir, name)); string(text) != "ran\n" {
			t.Errorf("%s ran %q", name, text)
		}
	}
}

// The model refuses to answer after the approved call ran: that is shown, tried again, and
// the session goes on as soon as the model answers.
func TestA3_AModelThatFailsForAWhile(t *testing.T) {
	s := &stopped{serveCrash: newServeCrash(t, 2)}
	server := s.start("turns: [{error: {status: 401, message: the key is wrong}}]\n")
	ticket := s.lie("echo ran >> effect.")[0]
	s.approve(ticket)
	s.until("the reason is shown", func() bool {
		v, err := s.web.Session(t.Context(), ticket.Session)
		if err == nil && v.State == "done" {
			t.Errorf("it counts as done: %+v", v)
			return true
		}
		return err == nil && strings.Contains(v.Problem, "the key is wrong")
	})
	tries := func() int { return strings.Count(server.stderr.String(), "the key is wrong") }
	s.until("it is tried again", func() bool { return tries() > 1 })
	s.write("end.yaml", "turns: []\nafterwards: The right end.\n")
	if v := s.ends(ticket.Session); v.Result != "The right end." || v.Problem != "" {
		t.Errorf("%+v", v)
	}
	if n := tries(); n > 4 { // 5 s, 10 s, 20 s
		t.Errorf("it was tried %d times", n)
	}
	if text, _ := os.ReadFile(filepath.Join(s.dir, "effect.")); string(text) != "ran\n" {
		t.Errorf("it ran %q", text)
	}
}

// The time in which an answer can be taken back holds also while the session already runs.
func TestA3_UndoWhileTheSessionRuns(t *testing.T) {
	s := &stopped{serveCrash: newServeCrash(t, 3)}
	s.start("turns: []\nafterwards: Done.\n")
	calls := s.lie("until [ -e go ]; do sleep 0.02; done; echo ran >> first.", "echo ran >> second.", "echo ran >> third.")
	first, second, third := calls[0], calls[1], calls[2]
	s.approve(first)
	s.until("the session runs", s.is(first, approval.Running))
	if status, text := s.post(second, "approve", `{"digest":"`+second.Digest+`","undo":true}`); status != http.StatusOK {
		t.Fatal(status, text)
	}
	s.write("go", "")
	s.until("it comes to the second call", s.is(first, approval.Done))
	if status, text := s.post(second, "undo", `{"digest":"`+second.Digest+`"}`); status != http.StatusOK {
		t.Fatal(status, text)
	}
	// An answer that nobody takes back is acted upon when its time is over.
	if status, text := s.post(third, "approve", `{"digest":"`+third.Digest+`","undo":true}`); status != http.StatusOK {
		t.Fatal(status, text)
	}
	s.until("the third call has run", s.is(third, approval.Done))
	if s.has("second.") || !s.is(second, approval.Pending)() {
		t.Error("what was taken back ran")
	}
	s.approve(second)
	if v := s.ends(first.Session); v.Result != "Done." || !s.has("second.") {
		t.Errorf("%+v", v)
	}
}

func (s *stopped) post(t approval.Ticket, what, body string) (status int, text string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, *s.address.Load()+"api/v1/tickets/"+t.ID+"/"+what, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+serveToken)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	all, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(all)
}
