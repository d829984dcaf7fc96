//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/inbox/client"
)

// freeAddress is one at which nobody listens at the moment.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// identityProvider is the address of a real server that signs everybody in as ana.
func identityProvider(t *testing.T, callback string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing, with which the other server runs: run scripts/setup")
	}
	command := exec.CommandContext(t.Context(), node, filepath.Join("..", "..", "oidc", "testdata", "provider", "provider.mjs"), callback)
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = command.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("the other server does not start (if something is missing, run scripts/setup)")
	}
	address := strings.TrimSpace(line)
	resp, err := http.Post(address+"/test/who", "application/json", strings.NewReader(`{"sub":"s-1","claims":{"preferred_username":"ana","name":"Ana Ito","groups":["ops"]}}`))
	if err != nil || resp.StatusCode != http.StatusNoContent {
		t.Fatal(resp, err)
	}
	_ = resp.Body.Close()
	return address
}

// A server with --oidc lets people in whom another server knows, and nobody by a token of its
// own, also as long as it knows nobody.
func TestA4_AServerWithOIDC(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	listen := freeAddress(t)
	public := "http://" + listen
	issuer := identityProvider(t, public+"/oidc/callback")
	p.write("oidc.json", fmt.Sprintf(`{"issuer": %q, "clientId": "assent", "secret": {"file": %q}, "name": "Example", "scopes": ["profile", "groups"], "roles": {"ops": "approver"}, "arrival": "create"}`, issuer, filepath.Join(p.dir, "secret")))
	if err := os.Chmod(p.write("secret", "a secret for + tests\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server, link := p.serving("--listen", listen, "--public-url", public, "--oidc", "oidc.json", "--no-resume")
	if link != public+"/" {
		t.Errorf("the link is %q", link)
	}
	resp, err := http.Get(public + "/api/v1/sign-in")
	if err != nil {
		t.Fatal(err)
	}
	ways, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || !strings.Contains(string(ways), `"oidc":{"name":"Example"}`) {
		t.Error(string(ways), err)
	}
	web, err := client.New(public, signInByOIDC(t, public))
	if err != nil {
		t.Fatal(err)
	}
	if me, err := web.Me(t.Context()); err != nil || me.Name != "ana" || me.Role != "approver" {
		t.Errorf("got %+v, %v", me, err)
	}
	if said, complained, _ := p.say("people", "list"); !strings.Contains(said, "ana  approver") {
		t.Error(said, complained)
	}
	_ = server.cmd.Process.Signal(syscall.SIGTERM)
	if status := server.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	log := server.stderr.String()
	if !strings.Contains(log, "people sign in by another server") || !strings.Contains(log, "who=ana") {
		t.Error(log)
	}
	for _, never := range []string{"asp_", "a secret for", "code=", "at the moment"} {
		if strings.Contains(log, never) {
			t.Errorf("the log says %q: %s", never, log)
		}
	}
}

// signInByOIDC follows a browser through all of it. The token is in the last address.
func signInByOIDC(t *testing.T, address string) (token string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	web := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if given, ok := strings.CutPrefix(r.URL.Fragment, "token="); ok {
			token = given
			return http.ErrUseLastResponse
		}
		return nil
	}}
	resp, err := web.Get(address + "/oidc/start")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if token == "" {
		text, _ := io.ReadAll(resp.Body)
		t.Fatal(resp.Status, string(text))
	}
	return token
}

func TestServeOIDCRefuses(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("known.json", `{"issuer": "https://login.example.com", "clientId": "assent", "name": "Example", "roles": {"ops": "approver"}}`)
	p.write("open.json", `{"issuer": "http://login.example.com", "clientId": "assent", "name": "Example", "default": "viewer"}`)
	const public = "--public-url=https://inbox.example.com"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--oidc", "known.json"}, "--public-url"},
		{[]string{"--oidc", "none.json", public}, "none.json"},
		{[]string{"--oidc", "open.json", public}, "not encrypted"},
		{[]string{"--oidc", "known.json", public}, "there is nobody"},
	} {
		args := append([]string{"serve", "--listen", "127.0.0.1:0", "--no-resume"}, c.args...)
		if _, complained, status := p.say(args...); status != 2 || !strings.Contains(complained, c.want) {
			t.Errorf("%v: got %d, %s, want %q", c.args, status, complained, c.want)
		}
	}
}
