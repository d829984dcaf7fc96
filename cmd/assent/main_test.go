package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/settings"
)

func TestMain(m *testing.M) {
	testscript.Main(withPostgres{m}, map[string]func(){"assent": crashing(main), "assent-naive": crashing(naiveWorker), "assent-soak-mcp": soakServer, "assent-park": layOut})
}

// withPostgres are the tests, after which the PostgreSQL that they share is stopped.
type withPostgres struct{ *testing.M }

func (w withPostgres) Run() int {
	defer testpostgres.Stop()
	_ = os.Unsetenv(settings.ConfigDirVariable) // of whoever runs the tests
	return w.M.Run()
}

// Every script is a how-to for one command. It starts in a project directory, with
// a home directory of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		Setup:         sandbox,
		UpdateScripts: os.Getenv("UPDATE") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "cpenv": cpenv,
		},
	})
}

// noSleep keeps the race detector from waiting a second when a process ends.
const noSleep = "atexit_sleep_ms=0"

func sandbox(env *testscript.Env) error {
	home, proj := filepath.Join(env.WorkDir, "home"), filepath.Join(env.WorkDir, "proj")
	for _, dir := range []string{home, proj} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	env.Setenv("HOME", home)
	env.Setenv("PROJ", proj)
	env.Setenv("ASSENT_HOME", "")
	env.Setenv("NO_COLOR", "")
	env.Setenv("GORACE", noSleep)
	env.Cd = proj
	return nil
}

// exits runs a command and checks its exact status: exits 2 assent check.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// cpenv copies a file with the environment variables in it expanded.
func cpenv(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cpenv FROM TO")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}
