package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"assent-hook": main})
}

// The program answers like `assent hook`, whose scripts say the rest.
func TestT4_Script(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector would wait a second at every end
			hook, err := exec.LookPath("assent-hook")
			if err != nil {
				return err
			}
			env.Setenv("HOOK", hook)
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Cd = filepath.Join(env.WorkDir, "proj")
			return errors.Join(os.MkdirAll(home, 0o755), os.MkdirAll(env.Cd, 0o755))
		},
	})
}
