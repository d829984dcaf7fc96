//go:build unix

package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// The requests in docs/api.md are answered: each block of shell commands is run against a
// server in whose inbox the calls of the page wait, under their real names.
func TestDocumentation_API(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl")
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	var first string
	blocks := 0
	for _, part := range splitPage(string(text)) {
		if part.info != "sh" {
			continue
		}
		if blocks++; first == "" {
			first = part.body
		}
		script := first
		if part.body != first {
			script += part.body
		}
		said := newAPI(t, strings.Contains(script, "/resolve")).run(script)
		if got, want := strings.Count(said, "\nstatus 200\n"), strings.Count(script, "\napi "); got != want {
			t.Errorf("line %d: %d of %d requests have worked:\n%s\n%s", part.line, got, want, part.body, said)
		}
	}
	if blocks < 5 {
		t.Errorf("the page has only %d requests", blocks)
	}
}

// apiTest is a server with three calls, and what the page calls them.
type apiTest struct {
	*counterTest
	address string
	names   *strings.Replacer
	digests map[string]string // by name
}

// newAPI parks the calls. unknown: the first one may have run.
func newAPI(t *testing.T, unknown bool) *apiTest {
	t.Helper()
	a := &apiTest{counterTest: newCounter(t), digests: map[string]string{}}
	var names []string
	for i, call := range []struct {
		name, session, command string
		risk                   permission.Risk
	}{
		{"gq64371g6z72", firstID, "git push --force origin main", permission.HighRisk},
		{"m439vm7vp2xf", secondID, "npm test", permission.LowRisk},
		{"p1d7xx2mk9qa", "77777777-7777-4777-8777-777777777777", "npm test", permission.LowRisk},
	} {
		c := a.bash("t"+string(rune('1'+i)), call.command)
		c.Risk, c.Kin = call.risk.String(), "Bash"
		a.park(call.session, c)
		stand, err := a.sessions.Standing(call.session)
		a.check(err)
		var id string
		a.tickets(func(ctx context.Context, s *approval.Store) {
			ticket, err := s.Park(ctx, approval.Parking{Call: callIn(call.session, c), Why: c.Why, At: stand.Calls[0].Since, Risk: call.risk, Kin: c.Kin})
			a.check(err)
			id = ticket.ID
		})
		if unknown && i == 0 {
			a.claim(call.session, c)
		}
		names = append(names, call.name, id)
		a.digests[call.name] = mustDigest(t, callIn(call.session, c))
	}
	a.names = strings.NewReplacer(names...)
	token := filepath.Join(a.home, "token")
	if err := os.WriteFile(token, []byte(serveToken), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "assent", "serve", "--no-resume", "--listen", "127.0.0.1:0", "--token-file", token)
	cmd.Dir = a.cwd
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for lines := bufio.NewScanner(out); a.address == "" && lines.Scan(); {
		a.address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(lines.Text())
	}
	if a.address == "" {
		t.Fatal("the server does not say where it is")
	}
	return a
}

// run runs commands of the page. curl also says which status each answer has.
func (a *apiTest) run(script string) string {
	script = regexp.MustCompile(`(?m)^BASE=.*$`).ReplaceAllString(script, "BASE="+a.address)
	script = regexp.MustCompile(`after=\d+`).ReplaceAllString(script, "after=1")
	script = regexp.MustCompile(`([0-9a-z]{12})((?:/\w+ -H [^{]*\{|", )"digest": )"sha256:[^"]*"`).ReplaceAllStringFunc(script, func(found string) string {
		at := strings.Index(found, `"sha256:`)
		return found[:at] + `"` + a.digests[found[:12]] + `"`
	})
	if err := os.WriteFile(filepath.Join(a.home, ".curlrc"), []byte("max-time = 2\nwrite-out = \"\\nstatus %{http_code}\\n\"\n"), 0o600); err != nil {
		a.t.Fatal(err)
	}
	cmd := exec.CommandContext(a.t.Context(), "bash", "-c", a.names.Replace(script))
	cmd.Stdin = strings.NewReader(serveToken + "\n")
	cmd.Env = append(os.Environ(), "CURL_HOME="+a.home)
	said, _ := cmd.CombinedOutput() // the status of the last command is one of those above
	return string(said)
}
