package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// packaged is a file below packaging.
func packaged(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "packaging", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var ownCall = regexp.MustCompile(`/usr/bin/assent ([^'\n]+)`)

// flagsExist checks the words of a call: its command, and every flag of it.
func flagsExist(t *testing.T, words []string) {
	t.Helper()
	root := newRoot(&app{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, false)
	cmd, rest, err := root.Find(words)
	if err != nil || cmd == root {
		t.Fatalf("%q: %v", words, err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%q: %v", words, err)
	}
	if left := cmd.Flags().Args(); len(left) > 0 {
		t.Errorf("%q: %q are no flags", words, left)
	}
}

// The services call commands and flags that exist, and systemd understands them.
func TestPackaging_Services(t *testing.T) {
	// A credential of the worker could be read by every program of an agent.
	for name, secret := range map[string]string{"assent-serve.service": "LoadCredential=database:/etc/assent/database", "assent-worker.service": "EnvironmentFile=/etc/assent/worker.env"} {
		t.Run(name, func(t *testing.T) {
			unit := packaged(t, "systemd/"+name)
			call := ownCall.FindStringSubmatch(unit)
			if call == nil {
				t.Fatal("it does not start assent")
			}
			flagsExist(t, strings.Fields(call[1]))
			for _, line := range []string{"NoNewPrivileges=yes", "ProtectSystem=strict", secret, "CapabilityBoundingSet=", "UMask=0077"} {
				if !slices.Contains(strings.Split(unit, "\n"), line) {
					t.Errorf("it has no %s", line)
				}
			}
			if name == "assent-worker.service" && strings.Contains(unit, "LoadCredential") {
				t.Error("agents could read its credentials")
			}
			verifyUnit(t, name, unit)
		})
	}
}

// verifyUnit asks systemd, where it is there. The program need not be installed for that.
func verifyUnit(t *testing.T, name, unit string) {
	t.Helper()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("systemd is not here: nobody has verified it")
		return
	}
	unit = strings.ReplaceAll(unit, "ExecStart=/usr/bin/assent ", "ExecStart=/bin/sh ") // one that is there
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(unit), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "verify", "--man=no", "--recursive-errors=no", path)
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, name) || strings.Contains(line, path) {
			t.Errorf("%v: %s", err, line)
		}
	}
}

// The image starts a command with flags that exist, as somebody who is not root.
func TestPackaging_Container(t *testing.T) {
	var words []string
	user := ""
	for line := range strings.Lines(packaged(t, "container/Containerfile")) {
		line = strings.TrimSpace(line)
		if list, ok := strings.CutPrefix(line, "CMD "); ok {
			if err := strictjson.Unmarshal([]byte(list), &words); err != nil {
				t.Fatal(err)
			}
		}
		if name, ok := strings.CutPrefix(line, "USER "); ok {
			user = name
		}
	}
	flagsExist(t, words)
	if user == "" || strings.HasPrefix(user, "0") || strings.HasPrefix(user, "root") {
		t.Errorf("it runs as %q", user)
	}
	if !slices.Contains(words, "--no-resume") {
		t.Error("it would run agents without a shell")
	}
}
