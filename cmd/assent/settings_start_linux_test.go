package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A server or worker that cannot read the settings of the administrator, its user or its command
// line does not start, and names the file: every session would end, and nobody would know before
// somebody has answered.
func TestS26_NothingStartsWithoutItsSettings(t *testing.T) {
	t.Parallel()
	lays := func(text string) func(machine, string) error {
		return func(_ machine, file string) error { return os.WriteFile(file, []byte(text), 0o600) }
	}
	for name, c := range map[string]struct {
		lay  func(m machine, file string) error
		args []string
		want string
	}{
		"no file": {func(_ machine, file string) error { return os.MkdirAll(file, 0o700) }, nil, "settings.json: the file cannot be read"},
		"broken":  {lays(`{"permissions": {`), nil, "settings.json:1:"},
		"a link to nowhere": {func(_ machine, file string) error {
			return os.Symlink("/nowhere/settings.json", file)
		}, nil, "create what it leads to"},
		"a limit of agents":   {lays(`{"availableModels": ["opus"]}`), nil, "settings.json:1:21: availableModels says which models may be used, which assent does not enforce"},
		"other models":        {lays(`{"deniedModels": ["opus"]}`), nil, "settings.json:1:18: deniedModels says"},
		"an unknown limit":    {lays(`{"permissions": {"foo": true}}`), nil, "settings.json:1:25: permissions.foo is not known and may restrict"},
		"a sandbox":           {lays(`{"sandbox": {"enabled": true, "failIfUnavailable": true}}`), nil, "sandbox.failIfUnavailable demands a sandbox"},
		"the environment":     {lays(`{"env": {"A": 1}}`), nil, "settings.json:1: env: "},
		"of the command line": {func(machine, string) error { return nil }, []string{"--", "--settings", "missing.json"}, "missing.json: the file cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machines(t, 1)[0]
			file := filepath.Join(m.home, ".claude", "settings.json")
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := c.lay(m, file); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"worker", "serve"} {
				w := m.start(m.env(databaseVariable+"="+m.database), append([]string{command}, c.args...)...)
				w.stdin.Close()
				said := w.rest()
				if status := w.end(); status == 0 || !strings.Contains(w.stderr.String(), c.want) || strings.Contains(said+w.stderr.String(), "ready") {
					t.Errorf("%s: exit status %d\n%s%s", command, status, said, w.stderr)
				}
			}
		})
	}
}

// A directory that shuts this user out is named, with what opens it: the file in it may not even be
// there.
func TestS26_AClosedDirectoryIsNamed(t *testing.T) {
	h := newHousehold(t)
	closed := filepath.Join(h.home, ".claude")
	if err := os.Mkdir(closed, 0o700); err != nil { // which belongs to root
		t.Fatal(err)
	}
	for _, args := range [][]string{{"serve", "--no-resume"}, {"serve"}, {"doctor"}, {"-p", "--model", "script:none.yaml", "x"}} {
		cmd := h.as(keeperID, "assent", args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err == nil || !strings.Contains(out.String(), "chmod a+x "+closed) || !strings.Contains(out.String(), filepath.Join(closed, "settings.json")) {
			t.Errorf("%q: %v\n%s", args, err, &out)
		}
	}
}

func TestS47_AWorkerSaysWhatIsWrongWithItsSettings(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	settingsOf(t, m.home, oddSettings)
	w := m.start(m.env(databaseVariable+"="+m.database), "worker")
	w.stdin.Close()
	for deadline := time.Now().Add(patienceOfTests); !strings.Contains(w.stderr.String(), "the worker is ready"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the worker is not ready:\n%s", w.stderr)
		}
	}
	_ = w.cmd.Process.Signal(syscall.SIGTERM)
	w.end()
	toldOnce(t, w.stderr.String(), oddWords...)
}
