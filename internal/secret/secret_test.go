package secret

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "secret")
	for _, c := range []struct {
		name  string
		place Place
		want  string // part of the error; empty for none
	}{
		{"a variable", Place{Env: "SECRET"}, ""},
		{"a file", Place{File: whole}, ""},
		{"nothing", Place{}, "a secret is"},
		{"both", Place{Env: "SECRET", File: whole}, "a secret is"},
		{"a file somewhere", Place{File: "secret"}, "begins at the top of the disk"},
		{"no name", Place{Env: "A=B"}, "no such names"},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.place.Check(), c.want) })
	}
}

func TestRead(t *testing.T) {
	t.Setenv("ASSENT_TEST_SECRET", "from the environment\n")
	t.Setenv("ASSENT_TEST_LINES", "one\ntwo")
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) Place {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return Place{File: path}
	}
	cases := []struct {
		name       string
		place      Place
		text, want string
	}{
		{"a variable", Place{Env: "ASSENT_TEST_SECRET"}, "from the environment", ""},
		{"no variable", Place{Env: "ASSENT_TEST_NONE"}, "", "is empty"},
		{"lines", Place{Env: "ASSENT_TEST_LINES"}, "", "several lines"},
		{"a file", file("own", "from a file\r\n", 0o600), "from a file", ""},
		{"an empty one", file("empty", "\n", 0o600), "", "is empty"},
		{"a large one", file("large", strings.Repeat("x", room+1), 0o600), "", "too large"},
		{"none", Place{File: filepath.Join(dir, "none")}, "", "cannot be opened"},
		{"a directory", Place{File: dir}, "", "holds no secret"},
	}
	if runtime.GOOS != "windows" {
		cases = append(cases, struct {
			name       string
			place      Place
			text, want string
		}{"one of others", file("shared", "seen by all", 0o644), "", "chmod 600"})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text, err := c.place.Read()
			wantError(t, err, c.want)
			if text != c.text {
				t.Errorf("got %q, want %q", text, c.text)
			}
		})
	}
}

func wantError(t *testing.T, err error, part string) {
	t.Helper()
	switch {
	case part == "" && err != nil:
		t.Errorf("got the error %v", err)
	case part != "" && (err == nil || !strings.Contains(err.Error(), part)):
		t.Errorf("got the error %v, want one with %q", err, part)
	}
}
