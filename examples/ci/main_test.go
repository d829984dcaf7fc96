package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// The test binary is the program when it is told so: nothing has to be built.
func TestMain(m *testing.M) {
	if os.Getenv("CI_EXAMPLE") != "" {
		main()
	}
	os.Exit(m.Run())
}

// pipeline is a checkout and a state directory, in which jobs run.
type pipeline struct {
	t          *testing.T
	dir, state string
	scripts    string
}

func newPipeline(t *testing.T) *pipeline {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the project of the example is shell scripts")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p := &pipeline{t: t, dir: filepath.Join(t.TempDir(), "project"), state: t.TempDir(), scripts: here}
	if err := os.CopyFS(p.dir, os.DirFS("project")); err != nil {
		t.Fatal(err)
	}
	return p
}

// start runs a program of the pipeline and returns what it prints.
func (p *pipeline) start(want int, program string, args ...string) string {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), program, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "CI_EXAMPLE=1", "ASSENT_HOME="+p.state, "HOME="+p.t.TempDir(), "GORACE=atexit_sleep_ms=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	if status := cmd.ProcessState.ExitCode(); status != want {
		p.t.Fatalf("%q exits with %d, want %d\n%s%s", args, status, want, out, stderr.Bytes())
	}
	return string(out) + stderr.String()
}

func (p *pipeline) ci(want int, args ...string) string {
	p.t.Helper()
	program, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	return p.start(want, program, args...)
}

func (p *pipeline) script(name string) string { return "script:" + filepath.Join(p.scripts, name) }

// deployments are those that were made, one a line.
func (p *pipeline) deployments() string {
	text, _ := os.ReadFile(filepath.Join(p.dir, "deployments"))
	return string(text)
}

// value is what stands behind a name in what a job prints.
func value(t *testing.T, text, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + name + `: +(\S+)$`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("there is no %s in:\n%s", name, text)
	}
	return found[1]
}

// TestJob: it waits, is approved from Go, and goes on. The README shows the same, and is run
// with the other pages.
func TestJob(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	said := p.ci(waiting, "-model", p.script("release.yaml"), "run", "Release it")
	ticket, session := value(t, said, "ticket"), value(t, said, "session")
	if p.deployments() != "" {
		t.Fatalf("it was deployed before anybody approved it")
	}

	// Nobody has decided: it waits on.
	again := p.ci(waiting, "-model", p.script("rest.yaml"), "resume", session)
	if value(t, again, "ticket") != ticket || p.deployments() != "" {
		t.Errorf("%s%s", again, p.deployments())
	}

	yes := p.ci(done, "-by", "ann", "approve", ticket)
	end := p.ci(done, "-model", p.script("rest.yaml"), "resume", session)
	if p.deployments() != "staging\n" {
		t.Errorf("deployments: %q", p.deployments())
	}
	said = strings.NewReplacer(ticket, "TICKET", session, "SESSION").Replace(said)
	const want = `denied:  Bash {"command":"git push --force"}
waiting: Bash {"command":"./deploy staging"}
why:     a deploy needs a person, says hook function deploys wait
ticket:  TICKET
session: SESSION
approved: Bash {"command":"./deploy staging"}
It is deployed to staging.
`
	if got := said + yes + end; got != want {
		t.Errorf("it prints\n%s\nwant\n%s", got, want)
	}

	// What was approved once runs once.
	for _, args := range [][]string{{"approve", ticket}, {"resume", session}} {
		p.ci(failed, append([]string{"-model", p.script("rest.yaml")}, args...)...)
	}
	if p.deployments() != "staging\n" {
		t.Errorf("deployments: %q", p.deployments())
	}
}

// TestAssentApprove: the command line knows the tickets of a Go program, and its no holds.
func TestAssentApprove(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds assent")
	}
	program := filepath.Join(t.TempDir(), "assent")
	// As `make build` does it, or all of it would be compiled twice.
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "../../cmd/assent")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("yes", func(t *testing.T) {
		t.Parallel()
		p := newPipeline(t)
		said := p.ci(waiting, "-model", p.script("release.yaml"), "run", "Release it")
		p.start(0, program, "approve", value(t, said, "ticket"))
		p.ci(done, "-model", p.script("rest.yaml"), "resume", value(t, said, "session"))
		if p.deployments() != "staging\n" {
			t.Errorf("deployments: %q", p.deployments())
		}
	})
	t.Run("no", func(t *testing.T) {
		t.Parallel()
		p := newPipeline(t)
		said := p.ci(waiting, "-model", p.script("release.yaml"), "run", "Release it")
		p.start(0, program, "deny", value(t, said, "ticket"), "--reason", "not on a Friday")
		refused := filepath.Join(t.TempDir(), "refused.yaml")
		if err := os.WriteFile(refused, []byte("turns:\n  - expect: not on a Friday\n    say: I try again on Monday.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		said = p.ci(done, "-model", "script:"+refused, "resume", value(t, said, "session"))
		if p.deployments() != "" || !strings.Contains(said, "I try again on Monday.") || !strings.Contains(said, "denied:  Bash") {
			t.Errorf("%s%q", said, p.deployments())
		}
	})
}

func TestUsage(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	for _, args := range [][]string{nil, {"run"}, {"run", ""}, {"run", "a", "b"}, {"fly", "away"}, {"-what"}} {
		if said := p.ci(misused, args...); !strings.Contains(strings.ToLower(said), "usage") {
			t.Errorf("%q: %s", args, said)
		}
	}
	p.ci(failed, "approve", "nothing")
	p.ci(failed, "resume", "11111111-1111-4111-8111-111111111111")
}
