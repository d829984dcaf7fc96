package hook

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/assent-dev/assent/rule"
)

// A command that goes on in the background does so for its time, and the end of the
// session waits for it.
func TestS39_CommandGoesOnUntilTheSessionEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is for a Unix shell")
	}
	dir := t.TempDir()
	env := noLeaks(t)
	// It waits for a file, so that it surely goes on after its first line.
	c, err := ShellCommand(`echo '{"async": true}'; while [ ! -e go ]; do sleep 0.01; done; echo done >result`)
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, Config{Dir: dir, Env: env, Entries: entriesAt(Stop, c)}, textRule(t, rule.Allow, "Bash"))
	v := s.run(StopInput{})
	if v.Runs[0].Outcome != InBackground || v.Block {
		t.Fatalf("%+v", v)
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	s.pipeline.Hooks.Close(ctx)
	if _, err := os.Stat(filepath.Join(dir, "result")); err != nil {
		t.Errorf("it did not get to its end: %v", err)
	}
}
