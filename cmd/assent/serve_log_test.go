//go:build unix

package main

import (
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

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
	address, token, _ := strings.Cut(link, "/#token=")
	said, complained, status := p.say("approve", chosenID)
	if status != 0 {
		t.Fatal(said + complained)
	}
	problem := ""
	for deadline := time.Now().Add(patienceOfTests); problem == ""; {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/api/v1/sessions/"+chosenID, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		var view struct {
			Problem string `json:"problem"`
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || strictjson.Unmarshal(text, &view) != nil {
			t.Fatalf("%s, %v", text, err)
		}
		if problem = view.Problem; time.Now().After(deadline) {
			t.Fatalf("no problem is shown\n%s", server.stderr)
		}
	}
	if !strings.Contains(problem, "a hook changes the input") || strings.Contains(problem, "--input '") || strings.Contains(problem, "hunter") || !strings.Contains(problem, "assent audit log --session "+chosenID) {
		t.Errorf("the page: %s", problem)
	}
	_ = kill(server.cmd.Process.Pid, syscall.SIGTERM)
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
