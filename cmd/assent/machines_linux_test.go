package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// impossible is the exit status of scripts/machines where networks of one's own are not allowed,
// or something is not installed.
const impossible = 77

// A server and two workers are in networks of their own, and one worker is cut off in the middle
// of its calls: no call runs twice, none is lost, another worker takes over in time, and who was
// away writes nothing with its old lease. scripts/machines does all of it, and says what it does.
func TestD8_AWorkerThatIsCutOff(t *testing.T) {
	t.Parallel()
	sessions := "4"
	if os.Getenv("ASSENT_SOAK") != "" {
		sessions = "40"
	}
	plays(t, "machines", sessions)
}

// The set-up of docs/operations.md is run literally: an inbox and two workers start as their units say, a
// call of either machine runs on the other, the doctor finds nothing, and nothing starts where the
// settings of the administrator are closed. scripts/services does all of it.
func TestS26_TheDocumentedSetUp(t *testing.T) {
	t.Parallel()
	plays(t, "services")
}

// plays runs a script that needs machines of its own.
func plays(t *testing.T, script string, args ...string) {
	t.Helper()
	program, err := exec.LookPath("assent")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join("..", "..", "scripts", script), args...)
	cmd.Env = append(os.Environ(), "ASSENT="+program, "GORACE="+noSleep)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it removes what it has made
	cmd.WaitDelay = 20 * time.Second
	out, err := cmd.CombinedOutput()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok && failed.ExitCode() == impossible {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Skip(lines[len(lines)-1])
	}
	if err != nil || strings.Contains(string(out), "DATA RACE") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("\n%s", out)
}
