//go:build unix

package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/process"
)

// TestT1_TheTokenIsNotHandedToTheAgent: whoever exports the token of the inbox and starts an agent
// does not give it to what the agent starts, nor can that read it where the system shows with what
// the agent itself was started.
func TestT1_TheTokenIsNotHandedToTheAgent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("hook.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"env > hook.txt"}]}]}}`)
	p.write("server.json", `{"mcpServers":{"noted":{"command":"sh","args":["-c","env > server.txt; echo \"${ASSENT_TOKEN:-}\" >> server.txt"]}}}`)
	c := p.start(p.env(tokenVariable+"=sesame-token", "SEEN=seen"), "-p", "--allowedTools", "Bash", "--output-format", "json",
		"--settings", filepath.Join(p.dir, "hook.json"), "--mcp-config", filepath.Join(p.dir, "server.json"),
		"--model", p.playing("look.yaml", "turns:\n  - call: {Bash: {command: 'env > bash.txt; cat /proc/$PPID/environ > parent.txt || cp bash.txt parent.txt; env'}}\nafterwards: Done.\n"), "look")
	said := c.rest()
	if status := c.end(); status != 0 {
		t.Fatalf("exit status %d: %s", status, c.stderr)
	}
	for _, name := range []string{"bash.txt", "parent.txt", "hook.txt", "server.txt"} {
		text, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil || !strings.Contains(string(text), "SEEN=seen") {
			t.Errorf("%s: %v, %s", name, err, text)
		}
		if strings.Contains(string(text), "sesame") {
			t.Errorf("%s has it: %s", name, text)
		}
	}
	if strings.Contains(said+tree(t, p.home), "sesame") {
		t.Error("it is in the output or in the state directory")
	}
}

// TestT1_SecretsOfNotificationsAreNotHandedToTheAgent: a variable from which the settings of this
// process take a secret is none of what the agent starts, whoever runs the agent. The server that
// needs the secret has it all the same.
func TestT1_SecretsOfNotificationsAreNotHandedToTheAgent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	l := p.listens("")
	settings := filepath.Join(p.home, ".claude", "settings.json")
	text := fmt.Sprintf(`{"assent": {"notifications": [{"name": "ops", "type": "webhook", "url": %q, "private": true, "secret": {"env": "OPS_SECRET"}}]}}`, l.address)
	if err := os.WriteFile(settings, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p.write("hook.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"env > hook.txt; cat answer.json"}]}]}}`)
	p.write("answer.json", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer"}}`)
	p.write("server.json", `{"mcpServers":{"noted":{"command":"sh","args":["-c","env > server.txt; echo \"${OPS_SECRET:-}\" >> server.txt"]}}}`)
	look := "env > bash.txt; cat /proc/$PPID/environ > parent.txt || cp bash.txt parent.txt; mv parent.txt shown.txt"
	env := p.env("OPS_SECRET="+webhookSecret, "SEEN=seen")
	check := func(names ...string) {
		t.Helper()
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(p.dir, name))
			if err != nil || !strings.Contains(string(text), "SEEN=seen") {
				t.Errorf("%s: %v, %s", name, err, text)
			}
			if strings.Contains(string(text), webhookSecret) {
				t.Errorf("%s has it: %s", name, text)
			}
		}
	}
	server := p.start(env, "serve", "--listen", "127.0.0.1:0", "--", "--model", p.playing("end.yaml", "turns: []\nafterwards: Done.\n"))
	first := p.start(env, "-p", "--settings", filepath.Join(p.dir, "hook.json"), "--mcp-config", filepath.Join(p.dir, "server.json"), "--session-id", chosenID,
		"--model", p.playing("look.yaml", "turns:\n  - call: {Bash: {command: '"+look+"'}}\nafterwards: Done.\n"), "look")
	if first.rest(); first.end() != 0 {
		t.Fatal(first.stderr)
	}
	check("hook.txt", "server.txt")
	waits := l.until("call.waits", 1, server)
	if _, complained, status := p.say("approve", waits[0].Data.Ticket); status != 0 {
		t.Fatal(complained)
	}
	for deadline := time.Now().Add(patienceOfTests); !p.has("shown.txt"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not run\n%s", server.stderr)
		}
	}
	check("bash.txt", "shown.txt")
	_ = server.cmd.Process.Signal(syscall.SIGTERM)
	server.end()
}

// The secret of a sign-in by another server is withheld as well, and can be read all the same.
func TestT1_TheSecretOfASignInIsWithheld(t *testing.T) {
	const name = "ASSENT_TEST_OIDC_SECRET"
	t.Setenv(name, "sesame")
	file := filepath.Join(t.TempDir(), "oidc.json")
	if err := os.WriteFile(file, []byte(`{"issuer": "https://login.example.com", "clientId": "assent", "name": "Example", "default": "viewer", "arrival": "create", "secret": {"env": "`+name+`"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := readOIDC(file, &url.URL{Scheme: "https", Host: "inbox.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	if _, there := os.LookupEnv(name); there || !process.Withheld(name) {
		t.Error("what an agent starts would inherit it")
	}
	if text, err := s.Secret.Read(); err != nil || text != "sesame" {
		t.Errorf("%q, %v", text, err)
	}
}

// A variable that should name the database and is empty is a mistake, and no wish to keep
// everything on this machine.
func TestD8_AnEmptyDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	end := p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
	for name, c := range map[string]struct {
		value  string
		args   []string
		status int
		want   string
	}{
		"an agent":          {"", []string{"-p", "--model", end, "go"}, 1, "ASSENT_DATABASE is set, and empty"},
		"a list":            {"", []string{"sessions", "list"}, 2, "unset it to keep"},
		"blanks":            {" \n", []string{"inbox"}, 2, "ASSENT_DATABASE is set, and empty"},
		"a worker":          {"", []string{"worker"}, 2, "ASSENT_DATABASE is set, and empty"},
		"what needs none":   {"", []string{"version"}, 0, ""},
		"named by the flag": {"", []string{"sessions", "list", "--database", "postgres://127.0.0.1:1/none"}, 2, "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			w := p.start(p.env(databaseVariable+"="+c.value), c.args...)
			w.stdin.Close()
			w.rest()
			if status := w.end(); status != c.status || !strings.Contains(w.stderr.String(), c.want) {
				t.Errorf("exit status %d, %s", status, w.stderr)
			}
		})
	}
}
