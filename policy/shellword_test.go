package policy

import (
	"os/exec"
	"testing"
)

// Whatever a directory is called, the hint can be pasted into bash.
func TestShellWord(t *testing.T) {
	for path, want := range map[string]string{
		"/srv/app":           "/srv/app",
		"/home/jörg/app":     "/home/jörg/app",
		"/srv/\u3164x":       `$'/srv/\u3164x'`,
		"/srv/my app":        "'/srv/my app'",
		"/srv/it's":          `'/srv/it'\''s'`,
		"/srv/$(x)`y`":       "'/srv/$(x)`y`'",
		"/srv/a\nb":          `$'/srv/a\nb'`,
		"/srv/\u202e'\\ x":   `$'/srv/\u202e\'\\ x'`,
		"/srv/\xff0":         `$'/srv/\xff0'`,
		"/srv/~x;y&z|<>*?[]": "'/srv/~x;y&z|<>*?[]'",
		"":                   "''",
	} {
		got := shellWord(path)
		if got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
		cmd := exec.Command("bash", "-c", "printf %s "+got)
		cmd.Env = []string{"LC_ALL=C.UTF-8"}
		if out, err := cmd.Output(); err != nil || string(out) != path {
			t.Errorf("%q: bash reads %q, %v", path, out, err)
		}
	}
}

func TestTrustHintIsQuoted(t *testing.T) {
	c := Change{Kind: TrustWorkspace, Dir: "/srv/my app"}
	if got, want := c.String(), "trust the workspace: assent trust '/srv/my app'"; got != want {
		t.Errorf("got %s", got)
	}
}
