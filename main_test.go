package assent_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/assent-dev/assent/settings"
)

// TestMain takes the command away again that tests and examples have built.
func TestMain(m *testing.M) {
	_ = os.Unsetenv(settings.ConfigDirVariable) // of whoever runs the tests
	status := m.Run()
	if builtFor != "" {
		_ = os.RemoveAll(builtFor)
	}
	os.Exit(status)
}

// builtFor is the directory with the command; empty as long as nobody has needed it.
var builtFor string

// builtAssent builds the command, once for all that need it, and returns its path.
var builtAssent = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "assent-built")
	if err != nil {
		return "", err
	}
	builtFor = dir
	path := filepath.Join(dir, "assent")
	// As `make build` does it, or all of it would be compiled twice.
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./cmd/assent")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// buildAssent is the path of the command, built for tests.
func buildAssent(t *testing.T) string {
	t.Helper()
	path, err := builtAssent()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
