//go:build unix

package main

import (
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// problem waits until the page says why the session does not go on.
func (p *place) problem(server *worker, link string) (problem string) {
	p.t.Helper()
	address, token, _ := strings.Cut(link, "/#token=")
	for deadline := time.Now().Add(patienceOfTests); problem == ""; {
		request, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, address+"/api/v1/sessions/"+chosenID, nil)
		if err != nil {
			p.t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			p.t.Fatal(err)
		}
		var view struct {
			Problem string `json:"problem"`
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || strictjson.Unmarshal(text, &view) != nil {
			p.t.Fatalf("%s, %v", text, err)
		}
		if problem = view.Problem; time.Now().After(deadline) {
			p.t.Fatalf("no problem is shown\n%s", server.stderr)
		}
	}
	return problem
}

// A hook makes something else of a call than a person has approved. The log of the server names the
// session and the ticket, and neither of the inputs; the page never offers a command with a mask in
// its input, which would approve another text; and in a terminal the command is whole.
func TestA3_ALogHoldsNoCall(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: echo canary --password hunter2hunter2}}\nafterwards: Done.\n")
	flags := p.deferring()
	if _, complained, status := p.say(append([]string{"-p", "--session-id", chosenID, "--model", script, "deploy"}, flags...)...); status != 0 {
		t.Fatal(complained)
	}
	p.write("answer.json", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"echo bird --password hunter3hunter3"}}}`)
	end := p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
	server, link := p.serving(append([]string{"--log-format", "json", "--", "--model", end}, flags...)...)
	said, complained, status := p.say("approve", chosenID)
	if status != 0 {
		t.Fatal(said + complained)
	}
	problem := p.problem(server, link)
	if !strings.Contains(problem, "a hook changes the input") || strings.Contains(problem, "--input '") || strings.Contains(problem, "hunter") || !strings.Contains(problem, "assent audit log --session "+chosenID) {
		t.Errorf("the page: %s", problem)
	}
	_ = server.cmd.Process.Signal(syscall.SIGTERM)
	if status := server.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	ticket := p.ticketOf(chosenID).ID
	log := server.stderr.String()
	for _, part := range []string{"a session does not go on", chosenID, ticket} {
		if !strings.Contains(log, part) {
			t.Errorf("%q is not in the log:\n%s", part, log)
		}
	}
	if strings.Contains(log, "canary") || strings.Contains(log, "bird") {
		t.Errorf("the call is in the log:\n%s", log)
	}
	_, complained, _ = p.say(append([]string{"-p", "--resume", chosenID, "--model", end}, flags...)...)
	if !strings.Contains(complained, "`assent approve "+ticket+` --input '{"command":"echo bird --password hunter3hunter3"}'`) {
		t.Errorf("the terminal: %s", complained)
	}
}

// Something has happened to an approved call before the server starts. Its log says what, and what
// helps; the audit log has nothing about it, and so the line does not lead there.
func TestA3_ALogSaysWhatHasHappenedToACall(t *testing.T) {
	for name, tt := range map[string]struct {
		happens func(w *counterTest, ticket approval.Ticket)
		want    []string // with the ticket in place of ID
	}{
		"its answer is damaged": {func(w *counterTest, ticket approval.Ticket) {
			w.spoilTicket(ticket.ID, "answer = replace(answer, 'sha256:', 'sha256:0')")
		}, []string{"the ticket ID is damaged", "`assent deny ID --reason TEXT`"}},
		"somebody has begun it": {func(w *counterTest, ticket approval.Ticket) {
			w.write(ticket.Session, session.Began, session.Beginning{ToolUseID: ticket.ToolUseID, Input: ticket.Input})
		}, []string{"nobody knows whether the call of ticket ID ran", "`assent sessions resolve ID --ran`"}},
	} {
		t.Run(name, func(t *testing.T) { // one at a time: who writes a transcript holds the session, and what it starts counts as the session's
			p := newPlace(t)
			script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: echo canary}}\nafterwards: Done.\n")
			flags := p.deferring()
			for _, args := range [][]string{append([]string{"-p", "--session-id", chosenID, "--model", script, "deploy"}, flags...), {"approve", chosenID}} {
				if _, complained, status := p.say(args...); status != 0 {
					t.Fatal(complained)
				}
			}
			ticket := p.ticketOf(chosenID)
			tt.happens(&counterTest{t: t, state: p.state(), sessions: session.NewStore(filepath.Join(p.state(), "sessions"))}, ticket)
			server, link := p.serving(append([]string{"--log-format", "json", "--", "--model", script}, flags...)...)
			p.problem(server, link)
			_ = server.cmd.Process.Signal(syscall.SIGTERM)
			if status := server.end(); status != 0 {
				t.Errorf("exit status %d", status)
			}
			_, line, _ := strings.Cut(server.stderr.String(), "a session does not go on")
			line, _, _ = strings.Cut(line, "\n")
			for _, part := range tt.want {
				if !strings.Contains(line, strings.ReplaceAll(part, "ID", ticket.ID)) {
					t.Errorf("%q is not in the line: %s", part, line)
				}
			}
			if strings.Contains(line, "audit log") || strings.Contains(line, "canary") {
				t.Error(line)
			}
		})
	}
}
