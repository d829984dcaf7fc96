package main

import (
	"bytes"
	"context"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/settings"
)

// TestReadme does what the README says, on another port.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	start, ask := commands(string(readme))
	flags, ok := strings.CutPrefix(start, "go run ./examples/webserver ")
	if !ok || !strings.HasPrefix(ask, "curl ") {
		t.Fatalf("the README begins with %q and %q", start, ask)
	}
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("there is no curl")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, program, append(strings.Fields(flags), "-listen", "127.0.0.1:0")...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "WEBSERVER_EXAMPLE=1", "HOME="+t.TempDir(), "GORACE=atexit_sleep_ms=0")
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address := make([]byte, 100)
	n, err := out.Read(address)
	if err != nil {
		t.Fatal(err)
	}
	ask = strings.Replace(ask, "http://127.0.0.1:8080/check", strings.TrimSpace(string(address[:n])), 1)
	answer, err := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(ask, "curl", curl, 1)).CombinedOutput()
	if err != nil || !strings.Contains(string(answer), `"decision":"ask"`) || !strings.Contains(string(answer), `"rule":"Bash(git push:*)"`) {
		t.Errorf("%s: %v\n%s", ask, err, answer)
	}
	stop()
	_ = cmd.Wait() // it was killed
	if complaints.Len() > 0 {
		t.Errorf("it complains: %s", complaints.String())
	}
}

// commands are the first two of the README.
func commands(readme string) (first, second string) {
	var all [2]string
	for i, part := range strings.Split(readme, "\n```console\n$ ")[1:3] {
		text, _, _ := strings.Cut(part, "\n```")
		lines := strings.Split(text, "\n")
		all[i] = lines[0]
		for _, more := range lines[1:] {
			if more, ok := strings.CutPrefix(more, "> "); ok {
				all[i] += "\n" + more
			}
		}
	}
	return all[0], all[1]
}

// What is wrong again is said again.
func TestOnce(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	o := once{by: map[string]map[int]bool{}}
	for i, want := range []int{1, 1, 1, 2, 2, 2, 3} { // lines in all
		o.log(i%3, "it is broken")
		if got := strings.Count(logged.String(), "\n"); got != want {
			t.Errorf("after %d: %d lines, want %d", i+1, got, want)
		}
	}
}

// What the settings hold back is said once, however many checkers read them.
func TestReportsAreLoggedOnce(t *testing.T) {
	dir := project(t)
	put(t, dir, `{"permissions": {"allow": ["Bash(make:*)", "Bash(npm test:*)"]}}`)
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	for trusted, want := range map[bool]int{false: 2, true: 0} {
		logged.Reset()
		d, err := newDecisions(settings.Options{Dir: dir, Home: t.TempDir(), TrustWorkspace: trusted})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 * cap(d.free) {
			reply, err := d.judge(t.Context(), []byte(`{"tool_name": "Bash", "tool_input": {"command": "make"}}`))
			if err != nil || (reply.Decision == "allow") != trusted {
				t.Errorf("trusted %v: %+v, %v", trusted, reply.Reply, err)
			}
		}
		if got := strings.Count(logged.String(), "\n"); got != want {
			t.Errorf("trusted %v: %d lines, want %d:\n%s", trusted, got, want, logged.String())
		}
	}
}
