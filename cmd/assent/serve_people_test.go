//go:build unix

package main

import (
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/strictjson"
)

// A server that finds people when it starts lets everybody sign in, and nobody by a token of
// its own. A program of a person answers from the command line.
func TestA4_AServerWithPeople(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: echo ran >> effects}}\nafterwards: Done.\n")
	if _, complained, status := p.say(append([]string{"-p", "--session-id", chosenID, "--model", script, "deploy"}, p.deferring()...)...); status != 0 {
		t.Fatal(complained)
	}
	for name, text := range map[string]string{"password": "correct horse battery", "token": serveToken} {
		if err := os.Chmod(p.write(name, text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"ana", "--role", "admin"}, {"ben", "--role", "approver"}} {
		if _, complained, status := p.say(append([]string{"people", "add", "--password-file", "password"}, args...)...); status != 0 {
			t.Fatal(complained)
		}
	}
	server, link := p.serving("--listen", "127.0.0.1:0", "--token-file", "token", "--no-resume")
	if strings.Contains(link, "#") {
		t.Errorf("the link has a token: %s", link)
	}
	address := strings.TrimSuffix(link, "/")
	web, err := client.New(address, serveToken)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := web.Me(t.Context()); err == nil {
		t.Error("the token of the server lets somebody in")
	}
	if token := signInAt(t, address, "ben", "correct horse battery"); !strings.HasPrefix(token, "asp_") {
		t.Error(token)
	}
	printed, complained, status := p.say("people", "token", "ben", "--label", "ci", "--role", "approver", "--until", "1d")
	if status != 0 {
		t.Fatal(complained)
	}
	if err := os.Chmod(p.write("own", printed), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, complained, status := p.say("approve", chosenID, "--server", address, "--token-file", "own"); status != 0 {
		t.Error(complained)
	}
	if said, complained, _ := p.say("sessions", "show", chosenID); !strings.Contains(said, "ben") {
		t.Error(said, complained)
	}
	if _, complained, status := p.say("people", "disable", "ben"); status != 0 {
		t.Error(complained)
	}
	if _, complained, status := p.say("inbox", "--server", address, "--token-file", "own"); status == 0 {
		t.Error("the program of somebody who is disabled looks", complained)
	}
	_ = server.cmd.Process.Signal(syscall.SIGTERM)
	if status := server.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	log := server.stderr.String()
	if !strings.Contains(log, "people sign in here") || !strings.Contains(log, "the token of the file lets nobody in") {
		t.Error(log)
	}
	for _, secret := range []string{"asp_", "horse", serveToken} {
		if strings.Contains(log, secret) {
			t.Errorf("the log says %q", secret)
		}
	}
}

// signInAt is the token of somebody who signs in at a server.
func signInAt(t *testing.T, address, name, password string) string {
	t.Helper()
	resp, err := http.Post(address+"/api/v1/sign-in", "application/json", strings.NewReader(`{"name":"`+name+`","password":"`+password+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status, string(text), err)
	}
	var in struct {
		Token string `json:"token"`
	}
	if err := strictjson.Unmarshal(text, &in); err != nil {
		t.Fatal(err)
	}
	return in.Token
}

// People of a database are those of every machine that shares it, and of no state directory.
func TestA5_PeopleOfADatabase(t *testing.T) {
	t.Parallel()
	all := machines(t, 2)
	if err := os.Chmod(all[0].write("password", "correct horse battery"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, complained, status := all[0].says("people", "add", "ana", "--role", "admin", "--password-file", "password"); status != 0 || !strings.Contains(said, "started again") {
		t.Fatal(said, complained)
	}
	if said, complained, _ := all[1].says("people", "list"); !strings.Contains(said, "ana") {
		t.Error(said, complained)
	}
	if said, complained, _ := all[1].say("people", "list"); !strings.Contains(said, "there are no people") {
		t.Error(said, complained)
	}
	server := all[1].start(all[1].env(databaseVariable+"="+all[1].database), "serve", "--listen", "127.0.0.1:0", "--no-resume")
	link := strings.TrimSpace(server.expect("http"))
	if strings.Contains(link, "#") || signInAt(t, strings.TrimSuffix(link, "/"), "ana", "correct horse battery") == "" {
		t.Error(link)
	}
	_ = server.cmd.Process.Signal(syscall.SIGTERM)
	if status := server.end(); status != 0 {
		t.Errorf("exit status %d: %s", status, server.stderr)
	}
}
