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
	program, err := exec.LookPath("assent")
	if err != nil {
		t.Fatal(err)
	}
	sessions := "4"
	if os.Getenv("ASSENT_SOAK") != "" {
		sessions = "40"
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join("..", "..", "scripts", "machines"), sessions)
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
