package secret

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A variable that was taken is a secret of this process: nothing that is started inherits it, and
// whoever is to read it does so as before.
func TestT1_AVariableThatIsTaken(t *testing.T) {
	const name = "ASSENT_TEST_TAKEN"
	if value, given := Take(name); value != "" || given {
		t.Fatalf("%q, %v", value, given)
	}
	t.Setenv(name, "sesame")
	for range 2 { // it stays taken
		if value, given := Take(name); value != "sesame" || !given {
			t.Errorf("%q, %v", value, given)
		}
		if _, there := os.LookupEnv(name); there {
			t.Error("it is still there")
		}
		if text, err := (Place{Env: name}).Read(); err != nil || text != "sesame" {
			t.Errorf("%q, %v", text, err)
		}
	}
	t.Setenv(name, "another") // whoever puts a new one there means that
	if text, err := (Place{Env: name}).Read(); err != nil || text != "another" {
		t.Errorf("%q, %v", text, err)
	}
	t.Setenv(name, "")
	if value, given := Take(name); value != "" || !given {
		t.Errorf("one that is empty: %q, %v", value, given)
	}
}

// Nor does anybody find it where the system shows with what a process was started.
func TestT1_AVariableThatIsTakenIsNotShown(t *testing.T) {
	const name, shown = "ASSENT_TEST_GIVEN", "/proc/self/environ"
	if os.Getenv("ASSENT_TEST_SHOWS") != "" {
		Take(name)
		text, err := os.ReadFile(shown)
		if err != nil || bytes.Contains(text, []byte("sesame")) || !bytes.Contains(text, []byte("ASSENT_TEST_SHOWS=1")) {
			t.Errorf("%v, %s", err, text)
		}
		return
	}
	if _, err := os.Stat(shown); err != nil {
		t.Skip("this system shows nothing")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "ASSENT_TEST_SHOWS=1", name+"=sesame")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("%v, %s", err, out)
	}
}
